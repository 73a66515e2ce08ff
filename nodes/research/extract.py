"""A report without a model's words: the sentences that say most about the query, copied and cited."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace

from nodes.research.answering import Answer, answers_of
from nodes.research.checking.folding import fold
from nodes.research.comparing import compared
from nodes.research.facets import Facet, facets
from nodes.research.lines import labelled
from nodes.research.packing import disarmed
from nodes.research.passages import CJK, terms
from nodes.research.planted import is_order
from nodes.research.state import Source
from nodes.research.subjects import About, about

MOST_SENTENCES = 8
MOST_OF_ONE_SOURCE = 3
SHORTEST, LONGEST = 12, 500
SHORTEST_CJK = 6
# What holds less than this share of what the best line holds is left to that one.
NEAR_BEST = 0.6
# Between lines that say as much, the one that says by itself whom it is about and when comes first.
BY_ITSELF = 0.08
ALIKE = 0.8
_MARKUP = re.compile(r"^(?:\s*(?:[-*+•]|\d{1,2}[.)])\s+|\s*>+\s*|\s*#{1,6}\s+)")
_LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)")
_EMPHASIS = re.compile(r"(\*\*|__|`)(?=\S)(.+?)(?<=\S)\1")
_FIELD = re.compile(r"^\s*[\w-]{2,20}\s*:\s*\S{0,60}\s*$")
_POINTS_BACK = re.compile(
    r"^(?:it|he|she|they|this|these|those|that|such|its|his|her|their|however|but|and|also|moreover)\b"
    r"|^(?:它|他|她|其|這|这|該|该|此|但|而|因此|此外|並|并)",
    re.IGNORECASE,
)
_CLOSING = "\"'”’)]」』）》"
_HAS_CJK = re.compile(f"[{CJK}]")


@dataclass(frozen=True)
class Extract:
    """A sentence of a source.

    Attributes:
        numbers: sources in which it stands, the best first.
        text: the sentence on one line, markup taken off.
        under: whom it is about and of which year, where it does not say so itself; else empty.
        lead: the sentence before it that it points back to; empty if it needs none.
        answer: the line it was made of.
    """

    numbers: tuple[int, ...]
    text: str
    under: str
    lead: str
    answer: Answer


def extracts(query: str, sources: Sequence[Source], texts: Mapping[int, str]) -> list[Extract]:
    """The sentences that say most about the query; none when no source says enough.

    Args:
        query: any language.
        sources: those in use.
        texts: their texts, by number.
    """
    return [one for found in by_facet(query, sources, texts).values() for one in found]


def by_facet(
    query: str,
    sources: Sequence[Source],
    texts: Mapping[int, str],
    avoided: Container[str] = (),
) -> dict[str, list[Extract]]:
    """For each thing the query asks, the sentences that answer it; an empty list where none does.

    Args:
        query: any language.
        sources: those in use.
        texts: their texts, by number.
        avoided: sentences, markup taken off, that a check did not let pass.
    """
    asked = facets(query)
    most = max(2, MOST_SENTENCES // len(asked))
    found: dict[str, list[Extract]] = {}
    told: list[Extract] = []
    for facet in asked:
        answers = [one for one in answers_of(facet, sources, texts, len(asked)) if fit(one, avoided)]
        best = max((one.covered for one in answers), default=0.0)
        near = [one for one in answers if one.covered >= NEAR_BEST * best]
        current = without_older(facet, sorted(near, key=_worth, reverse=True))
        kept = _different([_extract(facet, one) for one in current], most)
        found[facet.text] = [one for one in kept if all(one.text != other.text for other in told)]
        told += kept
        if kept and not found[facet.text]:
            found[facet.text] = kept[:1]
    return found


def fit(answer: Answer, avoided: Container[str] = ()) -> bool:
    """True if an answer may stand in a report."""
    text = plain(answer.line.text)
    return text not in avoided and stands_alone(text, entry=answer.line.entry)


def without_older(facet: Facet, answers: Sequence[Answer]) -> list[Answer]:
    """The answers but for those of which another one tells a later state; the order stays."""
    return [
        one
        for one in answers
        if not any(compared(facet, one, other) == "older" for other in answers if other is not one)
    ]


def _worth(answer: Answer) -> tuple[float, str, int]:
    score = answer.score + BY_ITSELF * (answer.named + answer.dated)
    # Of two that say as much the later one, then the one that was found first.
    return round(score, 3), answer.source.date or "", -answer.source.number


def _extract(facet: Facet, answer: Answer) -> Extract:
    text = plain(answer.line.text)
    lead = plain(answer.before.text) if answer.before is not None else ""
    needs_lead = not answer.line.entry and _POINTS_BACK.search(text) is not None
    if not needs_lead or answer.named and facet.name or not stands_alone(lead):
        lead = ""
    if lead and about(facet.name, fold(lead)) is not About.HELD:
        lead = ""
    under = _left_out(facet, answer) if not lead else ""
    return Extract((answer.source.number,), text, under, lead, answer)


def _left_out(facet: Facet, answer: Answer) -> str:
    """What a line leaves to its surroundings: whom it is about, and the year."""
    parts = [] if answer.named or not facet.shown else [facet.shown]
    if not answer.dated and answer.years & facet.years:
        parts += sorted(answer.years & facet.years)
    return ("，" if any(map(_HAS_CJK.search, parts)) else ", ").join(parts)


def plain(text: str) -> str:
    """A sentence of a Markdown text as words on one line."""
    text = _LINK.sub(r"\1", _MARKUP.sub("", text))
    text = _EMPHASIS.sub(r"\2", text)
    joined = re.sub(rf"(?<=[{CJK}，、。])\s*\n\s*(?=[{CJK}])", "", text)
    return disarmed(" ".join(joined.split()))


def stands_alone(text: str, *, entry: bool = False) -> bool:
    """True for a sentence that may stand in a report: no heading, fragment, table, order or metadata.

    Args:
        text: on one line.
        entry: it is an entry of a list, which needs no full stop.
    """
    shortest = SHORTEST_CJK if _HAS_CJK.search(text) else SHORTEST
    if not shortest <= len(text) <= LONGEST or is_order(text):
        return False
    if text.count("|") > 2 or text.startswith(("---", "===", "<", "```", "http")):
        return False
    if text.rstrip(_CLOSING).endswith(("?", "？", ":", "：")):
        return False
    letters = sum(char.isalpha() for char in text)
    if entry:
        return letters >= len(text) * 0.15 and (
            labelled(text) or len(text.split()) > 2 or _HAS_CJK.search(text) is not None
        )
    if _FIELD.match(text):
        return False
    return letters >= len(text) * 0.4 and text.rstrip(_CLOSING).endswith((".", "!", "。", "！", "；", ";"))


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
    """The extracts as Markdown with {cite:N}, one a line; a sentence is led by the one it points back to.

    What does not say whom it is about stands below a bold line that does: that one states nothing itself.
    """
    lines = []
    told: set[str] = set()
    above = ""
    for one in sorted(found, key=lambda one: bool(one.under)):
        if one.text in told:
            continue
        if one.under and one.under != above:
            lines.append(f"- **{disarmed(one.under)}**")
        above = one.under
        lead = f"{cited(one.lead, one.numbers[:1])} " if one.lead and one.lead not in told else ""
        lines.append(f"{'  ' if one.under else ''}- {lead}{cited(one.text, one.numbers)}")
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
