"""Facts that the passage a claim rests on lacks, but another cited passage that speaks of the same has. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nodes.research.checking.alignment import Finding, coverage
from nodes.research.checking.date_check import by_publication
from nodes.research.checking.dates import Moment, holds
from nodes.research.checking.facts import Facts
from nodes.research.checking.implied import between_days
from nodes.research.checking.matching import matches
from nodes.research.checking.names import held
from nodes.research.checking.quantity import Quantity
from nodes.research.checking.sources import Passage, Sources
from nodes.research.checking.units import same_dimension

# Share of a claim's words that a passage, with its title, must hold before its number may be the claim's.
SPEAKS = 0.15
BESIDE = 2
SMALL = 12


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
        replace(one, severity="soft", text=f"{one.text}, though another cited passage has it")
        if one.severity != "soft" and one.at >= 0 and _stands(one.at, claim, core, cited, sources)
        else one
        for one in findings
    ]


def _stands(at: int, claim: Facts, core: Passage, cited: Sequence[Passage], sources: Sources) -> bool:
    number = next((one for one in claim.quantities if one.start == at), None)
    if number is not None:
        if any(matches(number, one) for one in core.facts.quantities):
            return False
        # Small counts stand everywhere.
        small = number.dimension in ("", "count") and number.value <= SMALL
        others = [one for one in cited if one is not core and not (small and one.document == core.document)]
        holders = [one for one in others if _holds(number, one.facts)]
        holders = [one for one in holders if _may_bear(one, claim, core, cited, sources)]
        return any(_speaks(one, claim, sources) for one in holders) or _counted_days(number, core, cited)
    moment = next((one for one in claim.moments if one.start == at), None)
    return moment is not None and _dated(moment, core, cited, sources)


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
    passage: Passage, claim: Facts, core: Passage, cited: Sequence[Passage], sources: Sources
) -> bool:
    """True of a passage of another document that has a name of the claim's, or of one beside another of its numbers."""
    if passage.document != core.document:
        document = sources.documents[passage.document]
        return not claim.names or any(held(name.text, document.low) for name in claim.names)
    own = [number for number in claim.quantities if not number.soft and _holds(number, passage.facts)]
    for one in cited:
        if one.document != passage.document or abs(one.number - passage.number) > BESIDE:
            continue
        if any(not number.soft and number not in own and _holds(number, one.facts) for number in claim.quantities):
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


def _counted_days(number: Quantity, core: Passage, cited: Sequence[Passage]) -> bool:
    """True if a time is that from one of the passage's dates to another date of its document."""
    if number.dimension != "time" or number.plain == 0:
        return False
    dates = [one for passage in cited if passage.document == core.document for one in passage.facts.moments]
    return any(
        matches(number, span)
        for one in core.facts.moments
        for two in dates
        for span in between_days(one, two)
    )
