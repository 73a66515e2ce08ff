"""Lines of the sources that answer a part of a question: about whom, what and when it asks, in kind."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from nodes.research.answer_kinds import answers, numbers_in
from nodes.research.asked_words import asked_words, speaks_of
from nodes.research.checking.dates import day_of, moments
from nodes.research.checking.folding import fold
from nodes.research.checking.moment import Moment
from nodes.research.checking.quantity import Quantity
from nodes.research.checking.terms import cut
from nodes.research.facets import NUMBER, Facet
from nodes.research.lines import Line, lines_of
from nodes.research.packing import TIER_BONUS
from nodes.research.passages import CJK, Passage, ranked
from nodes.research.relevance import Said, Wanted, pairs_in, years_in
from nodes.research.state import Source
from nodes.research.subjects import About, subjects

MOST_PASSAGES, LEAST_PASSAGES = 40, 15
# Shares of the weight of what is asked: below the first nothing is said about it. Where nobody is named, the
# words alone have to tell what it is about.
ENOUGH, ENOUGH_NAMELESS = 0.45, 0.72
LEAST_DIRECT = 0.25
WHOLE, WHOLE_DIRECT = 0.85, 0.4
# What only the heading, the title or the line before says counts for less than what a line says itself.
CONTEXT_WORTH = 0.5
# A line that leaves it to the lines before whom it is about.
NAMED_NEAR = 0.85
# The shortest name that may be told from what a Chinese question asks of it.
LEAST_NAME = 3
# A longer text is read in the passages that were found only.
WHOLE_CHARS = 60_000
_NOW = re.compile(
    r"\b(?:now|currently|at present|today|to date|so far|as of)\b|目前|现在|现今|现有|现阶段|迄今|至今|如今",
    re.IGNORECASE,
)
_NUMBER = re.compile(NUMBER)
_HAS_CJK = re.compile(f"[{CJK}]")


@dataclass(frozen=True)
class Answer:
    """A line that answers.

    Attributes:
        source: it stands in.
        line: where.
        before: the line before it in its passage, if there is one.
        covered: share of what is asked that it speaks of, 0 to 1.
        score: the same with the source's tier counted in.
        values: the numbers that may be the answer.
        dates: the dates it tells.
        years: those it is told of, by itself or by what it stands under.
        named: True if it names whom it is about itself.
        dated: True if it tells the years that are asked for itself.
    """

    source: Source
    line: Line
    before: Line | None
    covered: float
    score: float
    values: tuple[Quantity, ...]
    dates: tuple[Moment, ...]
    years: frozenset[str]
    named: bool
    dated: bool


def answers_of(
    facet: Facet, sources: Sequence[Source], texts: Mapping[int, str], share: int = 1
) -> list[Answer]:
    """The lines of all sources that answer a part of a question, in no order.

    Args:
        facet: the part.
        sources: those in use.
        texts: their texts, by number.
        share: into how many parts the work on the question is divided.
    """
    by_number = {source.number: source for source in sources if source.number in texts}
    bonus = {number: TIER_BONUS.get(source.tier, 0.0) for number, source in by_number.items()}
    facet = _resolved(facet, list(by_number.values()))
    found = ranked(facet.text, {number: texts[number] for number in by_number}, bonus)
    passages = found[: max(MOST_PASSAGES // share, LEAST_PASSAGES)]
    candidates = [
        candidate
        for number in dict.fromkeys(passage.number for passage in passages)
        for candidate in _candidates(facet, by_number[number], texts[number], passages)
    ]
    wanted = Wanted.of(facet.rest, [candidate.said for candidate in candidates])
    if not (wanted.asks or facet.name or facet.tail or facet.numbers or facet.years):
        # Every line would do; what is left of the question, such as one letter, has to stand in it.
        words = asked_words(facet.text)
        candidates = [candidate for candidate in candidates if speaks_of(candidate.folded, words)]
    rated = (_rated(candidate, facet, wanted, bonus) for candidate in candidates)
    return [answer for answer in rated if answer is not None]


def _resolved(facet: Facet, sources: Sequence[Source]) -> Facet:
    """The facet about the name that titles have: a Chinese question runs it together with what it asks."""
    titles = [fold(source.name) for source in sources]
    if not facet.name or not _HAS_CJK.search(facet.name) or any(facet.name in title for title in titles):
        return facet
    words = list(cut(facet.name))
    for last in range(len(words) - 1, 0, -1):
        first, tail = "".join(words[:last]), "".join(words[last:])
        if len(first) >= LEAST_NAME and len(tail) > 1 and any(first in title for title in titles):
            return replace(facet, name=first, shown=facet.shown[: len(first)], tail=tail)
    return facet


@dataclass(frozen=True)
class _Candidate:
    """A line with what it and its surroundings say."""

    source: Source
    line: Line
    before: Line | None
    folded: str
    said: Said
    around: Said
    named: bool


def _candidates(facet: Facet, source: Source, text: str, passages: Sequence[Passage]) -> Iterator[_Candidate]:
    """The lines of a source in the passages that were found, about whom the facet is about."""
    stretches = [(one.start, one.end) for one in passages if one.number == source.number]
    whole = len(text) <= WHOLE_CHARS
    read = lines_of(text) if whole else [one for place in sorted(stretches) for one in lines_of(text, *place)]
    whom = subjects(facet.name, source.name, read)
    title = fold(source.name)
    for place, (line, (said, current)) in enumerate(zip(read, whom, strict=True)):
        inside = any(start < line.end and line.start < end for start, end in stretches)
        if not inside or not current:
            continue
        before = read[place - 1] if place else None
        context = "\n".join([title, line.heading, before.text if before is not None else ""])
        # The words of a name say nothing of what is asked of whom it names.
        own = Said.of(_unnamed(fold(line.text), facet.name))
        around = own.joined(Said.of(_unnamed(fold(context), facet.name)))
        yield _Candidate(source, line, before, fold(line.text), own, around, said is About.HELD)


def _unnamed(folded: str, name: str) -> str:
    return re.sub(re.escape(name), " ", folded, flags=re.IGNORECASE) if name else folded


def _rated(candidate: _Candidate, facet: Facet, wanted: Wanted, bonus: Mapping[int, float]) -> Answer | None:
    """The line with what it says about a facet; None if it does not answer."""
    own, around = (
        (wanted.share(candidate.said), wanted.share(candidate.around)) if wanted.asks else (1.0, 1.0)
    )
    worth = 1.0 if candidate.named or not facet.name else NAMED_NEAR
    covered = worth * (own + CONTEXT_WORTH * (around - own))
    enough = ENOUGH if facet.name else ENOUGH_NAMELESS
    values = answers(facet.kind, candidate.folded)
    if facet.kind.wants == "when" and _dates_a_figure(candidate.folded):
        enough = max(enough, ENOUGH_NAMELESS)
    # Where nobody is named, title and heading may hold the rest of what is asked, if they hold all of it.
    whole = not facet.name and around >= WHOLE and own >= WHOLE_DIRECT
    if own < LEAST_DIRECT or not (covered >= enough or whole) or values is None:
        return None
    # Where nothing but a name is asked, a line that leaves the name to another says nothing of it.
    if not (wanted.asks or facet.tail or candidate.named):
        return None
    if not facet.numbers <= set(_NUMBER.findall(f"{candidate.line.heading} {candidate.folded}")):
        return None
    years = _years(candidate)
    told = own_years(candidate.source, candidate.folded)
    if facet.tail and not all(
        pair in candidate.folded + candidate.line.heading for pair in pairs_in(facet.tail)
    ):
        return None
    if facet.years and not facet.years & (told or years):
        return None
    return Answer(
        candidate.source,
        candidate.line,
        candidate.before,
        covered,
        covered + bonus.get(candidate.source.number, 0.0),
        tuple(values),
        tuple(one for one in moments(candidate.folded, day_of(candidate.source.date)) if not one.prior),
        told or years,
        candidate.named,
        not facet.years or bool(told & facet.years),
    )


def _dates_a_figure(folded: str) -> bool:
    """True where a text's only date is a year that stands beside a number: that is the number's year."""
    return not any(one.month or one.day for one in moments(folded)) and bool(numbers_in(folded))


def own_years(source: Source, folded: str) -> frozenset[str]:
    """The years a line tells, "last year" counted from its source's date."""
    told = {str(one.year) for one in moments(folded, day_of(source.date)) if one.year and not one.prior}
    return years_in(folded) | told


def _years(candidate: _Candidate) -> frozenset[str]:
    """The years of what a line stands under; of its source's date where it says "now"."""
    for text in (candidate.line.heading, candidate.source.name):
        if found := years_in(fold(text)):
            return found
    day = candidate.source.date
    return frozenset({day[:4]}) if day and _NOW.search(candidate.folded) else frozenset()
