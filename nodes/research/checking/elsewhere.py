"""Facts that the passage a claim rests on lacks, but another cited passage that speaks of the same has. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from nodes.research.checking.alignment import Finding, clause, coverage
from nodes.research.checking.clauses import clauses
from nodes.research.checking.date_check import by_publication
from nodes.research.checking.facts import Facts
from nodes.research.checking.implied import between_days
from nodes.research.checking.matching import matches
from nodes.research.checking.moment import Moment, holds
from nodes.research.checking.names import held
from nodes.research.checking.quantity import Quantity, agrees
from nodes.research.checking.sources import Passage, Sources
from nodes.research.checking.units import same_dimension

# Share of a claim's words that a passage, with its title, must hold before its number may be the claim's.
SPEAKS = 0.15
BESIDE = 2
_COMPARED = re.compile(
    r"\b(?:total|combined|altogether|difference|gap|sum|together|both|than|by|above|below|ahead|behind|undercut\w*|out[a-z]+|another|extra)\b"
    r"|合计|总计|总共|共|加起来|相差|差距|多|少|高|低|便宜|贵|快|慢|早|晚|比|较|缩短|延长|增加|减少|领先|落后|扩大|缩小",
    re.IGNORECASE,
)
_EARLIER = re.compile(r"\b(?:earlier|before|previous\w*|ago|last year)\b|去年|上年|前一年|此前|之前|原来")
_BY_HOW_MUCH = re.compile(
    r"\b(?:more|fewer|less|up|down|higher|lower) (?:than|by|from|on)\b|[增减多少升降高低]"
)
# "X and Y", 最佳编剧与最佳摄影.
_LISTED = r"(?:[^,;.、。]+(?:[,、][^,;.、。]+){{{0}}})(?:,? and |[、与和及]|以及)"
SMALL = 12
FEW = 4
# Numbers of which every two are tried.
MANY = 24


def softened(
    findings: Sequence[Finding], claim: Facts, core: Passage, cited: Sequence[Passage], sources: Sources
) -> list[Finding]:
    """The findings, each about a fact that stands in another cited passage made one code cannot decide.

    A claim may draw on two documents, or on two sentences of one. Whether what it took from the second is
    told of the same is then open; that the source does not have it would be untrue.

    Args:
        findings: about the claim, by the passage that fits best.
        claim: the claim.
        core: that passage.
        cited: every passage of the cited sources.
        sources: all sources.
    """
    return [
        replace(one, severity="soft", text=f"{one.text}, but the cited passages together may", elsewhere=True)
        if one.severity != "soft" and one.at >= 0 and _stands(one, claim, core, cited, sources)
        else one
        for one in findings
    ]


def _stands(
    finding: Finding, claim: Facts, core: Passage, cited: Sequence[Passage], sources: Sources
) -> bool:
    at = finding.at
    number = next((one for one in claim.quantities if one.start == at), None)
    if number is not None:
        if any(matches(number, one) for one in core.facts.quantities):
            return False
        listed = finding.severity == "missing" and _counted_up(number, core, cited)
        if listed or _computed(number, claim, core, cited, sources):
            return True
        # Small counts stand everywhere.
        small = number.soft or (number.dimension in ("", "count") and number.value <= SMALL)
        others = [one for one in cited if one is not core and not (small and one.document == core.document)]
        holders = [one for one in others if _holds(number, one.facts)]
        holders = [one for one in holders if _may_bear(number, one, claim, core, cited, sources)]
        beside = not number.soft and any(_same_beside(number, claim, one.facts) for one in cited)
        together = any(one.document == core.document for one in holders)
        speaking = together or any(_speaks(one, claim, sources) for one in holders)
        return beside or speaking or _counted_days(number, core, cited)
    moment = next((one for one in claim.moments if one.start == at), None)
    return moment is not None and (
        _dated(moment, core, cited, sources) or _dated_further_on(moment, claim, core, cited, sources)
    )


def _holds(number: Quantity, facts: Facts) -> bool:
    return any(
        matches(number, one)
        and not one.label
        and (
            number.dimension == one.dimension
            or same_dimension(number.dimension, one.dimension)
            or "" in (number.dimension, one.dimension)
        )
        for one in facts.quantities
    )


def _may_bear(
    number: Quantity,
    passage: Passage,
    claim: Facts,
    core: Passage,
    cited: Sequence[Passage],
    sources: Sources,
) -> bool:
    """True of a passage of another document that has a name of the claim's, or of one beside another of its numbers."""
    if passage.document != core.document:
        low = sources.documents[passage.document].low
        if any(held(name.text, low) for name in claim.names):
            return True
        # Without any of its names, only what the claim tells apart from them may be of it.
        part = next((one for one in clauses(claim) if one.start <= number.start < one.end), None)
        everywhere = [sources.documents[one].low for one in dict.fromkeys(one.document for one in cited)]
        apart = part is None or not any(
            part.start <= name.start < part.end and any(held(name.text, text) for text in everywhere)
            for name in claim.names
        )
        return apart and coverage(claim, [passage.facts], "", sources) >= SPEAKS
    own = [one for one in claim.quantities if not one.soft and _holds(one, passage.facts)]
    for one in cited:
        if one.document != passage.document or abs(one.number - passage.number) > BESIDE:
            continue
        further = [two for two in claim.quantities if not two.soft and two not in own]
        if any(_holds(two, one.facts) for two in further):
            return True
    return len(own) > 1


def _speaks(passage: Passage, claim: Facts, sources: Sources) -> bool:
    about = sources.documents[passage.document].about
    return coverage(claim, [passage.facts], about, sources) >= SPEAKS


def _dated(moment: Moment, core: Passage, cited: Sequence[Passage], sources: Sources) -> bool:
    """True if another cited document gives a date, in its text or by the day it was written."""
    others = dict.fromkeys(one.document for one in cited if one.document != core.document)
    return any(
        by_publication(moment, sources.documents[number])
        or any(
            holds(moment, one, sources.documents[number].years)
            for passage in sources.documents[number].passages
            for one in passage.facts.moments
        )
        for number in others
    )


def _dated_further_on(
    moment: Moment, claim: Facts, core: Passage, cited: Sequence[Passage], sources: Sources
) -> bool:
    """True of one of a claim's several dates that another passage about its clause gives."""
    if len([one for one in claim.moments if not one.empty]) < 2:
        return False
    words = clause(claim, moment.start)
    document = sources.documents[core.document]
    return any(
        holds(moment, two, document.years)
        and coverage(claim, [one.facts], document.about, sources, words) >= SPEAKS
        for one in cited
        if one is not core and one.document == core.document
        for two in one.facts.moments
    )


def _same_beside(number: Quantity, claim: Facts, facts: Facts) -> bool:
    """True if a passage has the number behind or before the same word: 停课三天, "three days of closure"."""
    before = next((one for one in reversed(claim.terms) if one.end <= number.start), None)
    after = next((one for one in claim.terms if one.start >= number.end), None)
    for one in facts.quantities:
        if not matches(number, one):
            continue
        for two in facts.terms:
            led = before and before.end >= number.start - 1 and two.key == before.key
            if led and one.start - 1 <= two.end <= one.start:
                return True
            followed = after and after.start <= number.end + 1 and two.key == after.key
            if followed and one.end <= two.start <= one.end + 1:
                return True
    return False


def _computed(
    number: Quantity, claim: Facts, core: Passage, cited: Sequence[Passage], sources: Sources
) -> bool:
    """True if a number is what two numbers of the claim make, or a sum or a difference of two the sources tell of it."""
    if number.soft or number.dimension in ("percent", "ratio", "rank"):
        return False
    own = [one for one in claim.quantities if one is not number and one.value and not one.label]
    if any(
        abs(made - number.value) < 0.01 * abs(number.value)
        for at, one in enumerate(own)
        for two in own[at + 1 :]
        for made in _made(one, two, number)
    ):
        return True
    if _told_apart(number, claim, core.facts):
        return True
    if not _COMPARED.search(claim.text[max(0, number.start - 24) : number.end + 24]):
        return False
    speaking = [one for one in cited if any(_alike(number, two) for two in one.facts.quantities)]
    speaking = [one for one in speaking if _speaks(one, claim, sources)]
    told = [two for one in speaking for two in one.facts.quantities if _alike(number, two) and not two.label]
    return any(
        _reaches(number, made)
        for at, one in enumerate(told[:MANY])
        for two in told[at + 1 : MANY]
        for made in _sums(one, two)
    )


def _made(one: Quantity, two: Quantity, number: Quantity) -> tuple[float, ...]:
    if one.dimension == two.dimension == number.dimension:
        return (one.value + two.value, abs(one.value - two.value))
    counts = ("", "count", "people", "households")
    return (one.value * two.value,) if {one.dimension, two.dimension, number.dimension} <= set(counts) else ()


def _told_apart(number: Quantity, claim: Facts, core: Facts) -> bool:
    """True of what was, "48, six more than a year ago", and of a few counted up, "two by boat, three by air"."""
    here = [one for one in core.quantities if _alike(number, one) and not one.label]
    before = _EARLIER.search(claim.text) is not None and _BY_HOW_MUCH.search(core.text) is not None
    counted = number.dimension in ("", "count", "people") and number.value <= SMALL
    return any(
        (before and any(_reaches(number, made) for made in _sums(one, two)))
        or (counted and "," in core.text[one.end : two.start] and number.value == one.value + two.value)
        for one, two in zip(here, here[1:], strict=False)
    )


def _sums(one: Quantity, two: Quantity) -> tuple[float, float]:
    return abs(one.value - two.value), one.value + two.value


def _alike(number: Quantity, other: Quantity) -> bool:
    return number.dimension == other.dimension or same_dimension(number.dimension, other.dimension)


def _reaches(number: Quantity, made: float) -> bool:
    return made > 0 and agrees(
        number, replace(number, value=made, plain=made, bound="", soft=False, step=0.0)
    )


def _counted_up(number: Quantity, core: Passage, cited: Sequence[Passage]) -> bool:
    """True if a count of a few may be of what a passage lists: two of "best script and best camera"."""
    if number.dimension not in ("", "count", "people") or not 2 <= number.value <= FEW:
        return False
    return any(
        abs(one.number - core.number) <= BESIDE
        and one.document == core.document
        and re.search(_LISTED.format(int(number.value) - 2), one.facts.text) is not None
        and not any(two.dimension == number.dimension and two.value <= SMALL for two in one.facts.quantities)
        for one in cited
    )


def _counted_days(number: Quantity, core: Passage, cited: Sequence[Passage]) -> bool:
    """True if a time is that from one of the passage's dates to another date of its document."""
    if number.dimension != "time" or number.plain == 0:
        return False
    dates = [one for passage in cited if passage.document == core.document for one in passage.facts.moments]
    return any(
        matches(number, span)
        for one in core.facts.moments
        for two in dates
        for span in [*between_days(one, two), *between_days(two, one)]
    )
