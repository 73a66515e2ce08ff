"""A report without a model's words: the sentences that say most about the query, copied and cited."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from nodes.research.checking.folding import fold
from nodes.research.facets import Facet, answers, facets, named
from nodes.research.packing import TIER_BONUS, disarmed
from nodes.research.passages import CJK, Passage, ranked, sentences, terms
from nodes.research.planted import is_order
from nodes.research.relevance import Said, Wanted
from nodes.research.state import Source

MOST_PASSAGES = 40
MOST_SENTENCES = 8
MOST_OF_ONE_SOURCE = 3
SHORTEST, LONGEST = 12, 500
SHORTEST_CJK = 6
# Shares of the query's weight: below the first nothing is said about it; what holds less than the second
# share of the best sentence's is left to that one.
ENOUGH = 0.45
NEAR_BEST = 0.6
# What only its passage or the title say counts for less than what a sentence says itself.
CONTEXT_WORTH = 0.5
LEAST_DIRECT = 0.25
# A sentence that leaves it to its passage whom it is about; one without the kind of answer that is wanted.
NAMED_NEAR = 0.75
OTHER_KIND = 0.7
LEAST_PASSAGES = 15
ALIKE = 0.8
_MARKUP = re.compile(r"^(?:\s*(?:[-*+•]|\d{1,2}[.)])\s+|\s*>+\s*|\s*#{1,6}\s+)")
_LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)")
_EMPHASIS = re.compile(r"(\*\*|__|`)(?=\S)(.+?)(?<=\S)\1")
_FIELD = re.compile(r"^\s*[\w-]{2,20}\s*:\s*\S{0,60}\s*$")
_POINTS_BACK = re.compile(
    r"^(?:it|he|she|they|this|these|those|that|such|its|his|her|their|however|but|and|also|moreover|there)\b"
    r"|^(?:它|他|她|其|這|这|該|该|此|但|而|因此|此外|並|并)",
    re.IGNORECASE,
)
_HAS_CJK = re.compile(f"[{CJK}]")


@dataclass(frozen=True)
class Extract:
    """A sentence of a source.

    Attributes:
        numbers: sources in which it stands, the best first.
        text: the sentence on one line, markup taken off.
        score: share of the query's weight it holds, tier counted in.
        covered: the share alone.
        lead: the sentence before it that it points back to; empty if it needs none.
    """

    numbers: tuple[int, ...]
    text: str
    score: float
    covered: float
    lead: str = ""


def extracts(query: str, sources: Sequence[Source], texts: Mapping[int, str]) -> list[Extract]:
    """The sentences that say most about the query; none when no source says enough.

    Args:
        query: any language.
        sources: those in use.
        texts: their texts, by number.
    """
    return [one for found in by_facet(query, sources, texts).values() for one in found]


def by_facet(query: str, sources: Sequence[Source], texts: Mapping[int, str]) -> dict[str, list[Extract]]:
    """For each thing the query asks, the sentences that say most about it; an empty list where none does."""
    bonus = {source.number: TIER_BONUS.get(source.tier, 0.0) for source in sources}
    usable = {source.number: texts[source.number] for source in sources if source.number in texts}
    names = {source.number: source.name for source in sources}
    asked = facets(query)
    most = max(2, MOST_SENTENCES // len(asked))
    found: dict[str, list[Extract]] = {}
    told: list[Extract] = []
    for facet in asked:
        passages = ranked(facet.text, usable, bonus)[: max(MOST_PASSAGES // len(asked), LEAST_PASSAGES)]
        lines = [line for passage in passages for line in _lines(passage, names[passage.number])]
        wanted = Wanted.of(facet.rest, [line.said for line in lines])
        rated = [one for line in lines if (one := _rated(line, facet, wanted, bonus)) is not None]
        best = max((one.covered for one in rated), default=0.0)
        near = [one for one in rated if one.covered >= max(ENOUGH, NEAR_BEST * best)]
        kept = _different(sorted(near, key=lambda one: (-one.score, one.numbers)), most)
        found[facet.text] = [one for one in kept if all(one.text != other.text for other in told)]
        told += kept
        if kept and not found[facet.text]:
            found[facet.text] = kept[:1]
    return found


@dataclass(frozen=True)
class _Line:
    """A sentence, what it and its surroundings say; `lead` is the sentence it points back to."""

    number: int
    text: str
    said: Said
    context: str
    around: Said
    lead: str


def _lines(passage: Passage, name: str) -> Iterator[_Line]:
    context = fold(f"{name}\n{passage.text}")
    around = Said.of(context)
    lead = ""
    for start, end in sentences(passage.text):
        text = plain(passage.text[start:end])
        if stands_alone(text):
            back = _POINTS_BACK.search(text) is not None
            yield _Line(passage.number, text, Said.of(text), context, around, lead if back else "")
            lead = text


def _rated(line: _Line, facet: Facet, wanted: Wanted, bonus: Mapping[int, float]) -> Extract | None:
    """The sentence with what it and its surroundings say about a facet; None if it says nothing itself."""
    direct, around = (wanted.share(line.said), wanted.share(line.around)) if wanted.asks else (1.0, 1.0)
    if direct < LEAST_DIRECT:
        return None
    folded = fold(line.text)
    worth = 1.0
    if not named(facet.name, folded, line.said):
        worth = NAMED_NEAR if named(facet.name, line.context, line.around) else 0.0
    if not answers(facet, folded):
        worth *= 0.0 if facet.measures else OTHER_KIND
    covered = worth * (direct + CONTEXT_WORTH * (around - direct))
    return Extract((line.number,), line.text, covered + bonus.get(line.number, 0.0), covered, line.lead)


def plain(text: str) -> str:
    """A sentence of a Markdown text as words on one line."""
    text = _LINK.sub(r"\1", _MARKUP.sub("", text))
    text = _EMPHASIS.sub(r"\2", text)
    joined = re.sub(rf"(?<=[{CJK}，、。])\s*\n\s*(?=[{CJK}])", "", text)
    return disarmed(" ".join(joined.split()))


def stands_alone(text: str) -> bool:
    """True for a sentence that may stand in a report: no heading, fragment, table, order or metadata."""
    shortest = SHORTEST_CJK if _HAS_CJK.search(text) else SHORTEST
    if not shortest <= len(text) <= LONGEST or is_order(text) or _FIELD.match(text):
        return False
    if text.count("|") > 2 or text.startswith(("---", "===", "<", "```", "http")):
        return False
    if text.rstrip("\"'”’)]」』）》").endswith(("?", "？", ":", "：")):
        return False
    letters = sum(char.isalpha() for char in text)
    return letters >= len(text) * 0.4 and text.rstrip("\"'”’)]」』）》").endswith(
        (".", "!", "。", "！", "；", ";")
    )


def _different(found: Sequence[Extract], most: int) -> list[Extract]:
    """The best ones, no two alike; a sentence that several sources have is cited from each."""
    kept: list[Extract] = []
    for one in found:
        words = set(terms(one.text))
        twin = next(
            (place for place, other in enumerate(kept) if _alike(words, set(terms(other.text)))), None
        )
        if twin is not None:
            same = " ".join(kept[twin].text.split()) == " ".join(one.text.split())
            if same and one.numbers[0] not in kept[twin].numbers:
                other = kept[twin]
                kept[twin] = replace(other, numbers=(*other.numbers, *one.numbers))
            elif not same and _numbers(one.text) != _numbers(kept[twin].text):
                # Alike but for a number: two sources that disagree, or two versions; both are shown.
                kept.append(one)
            continue
        if sum(one.numbers[0] in other.numbers for other in kept) < MOST_OF_ONE_SOURCE:
            kept.append(one)
        if len(kept) >= most:
            break
    return kept[:most]


def _alike(one: set[str], other: set[str]) -> bool:
    return len(one & other) >= ALIKE * max(1, len(one | other))


def _numbers(text: str) -> list[str]:
    return sorted(re.findall(r"\d+(?:[.,]\d+)*", text))


def written(found: Sequence[Extract]) -> str:
    """The extracts as Markdown with {cite:N}, one a line; a sentence is led by the one it points back to."""
    lines = []
    told: set[str] = set()
    for one in found:
        if one.text in told:
            continue
        lead = f"{cited(one.lead, one.numbers[:1])} " if one.lead and one.lead not in told else ""
        lines.append(f"- {lead}{cited(one.text, one.numbers)}")
        told |= {one.text, one.lead}
    return "\n".join(lines)


def cited(sentence: str, numbers: Sequence[int]) -> str:
    """A sentence with its citations before the stop, so that they belong to it however it is cut."""
    marks = "".join(f"{{cite:{number}}}" for number in numbers)
    stop = re.search(r"[.!。！；;]+$", sentence)
    if stop is None:
        return f"{sentence} {marks}"
    gap = "" if _HAS_CJK.search(sentence) else " "
    return f"{sentence[: stop.start()]}{gap}{marks}{stop[0]}"
