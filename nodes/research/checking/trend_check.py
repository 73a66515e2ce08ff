"""Do the numbers rise where the claim says so? Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nodes.research.checking.alignment import Finding, coverage
from nodes.research.checking.clauses import Clause, clauses
from nodes.research.checking.facts import Facts
from nodes.research.checking.matching import matches
from nodes.research.checking.ownership import former, nearest_moment
from nodes.research.checking.quantity import Quantity
from nodes.research.checking.sources import Passage, Sources
from nodes.research.checking.units import same_dimension

_TO = re.compile(r"\b(?:from|to)\b|从|由|到|至", re.IGNORECASE)


def trend_findings(claim: Facts, source: Facts, cited: Sequence[Passage], sources: Sources) -> list[Finding]:
    """A rise that by the numbers is a fall, and the other way round.

    Args:
        claim: the claim.
        source: the passage it may rest on.
        cited: every passage of the cited sources.
        sources: all sources.
    """
    if turned := _turned(claim, source):
        return [turned]
    way = _way(claim)
    if not way:
        return []
    told = _where_told(claim)
    pairs = [
        ("the claim's own numbers", _before_and_after(claim, claim)),
        ("the source's numbers", _before_and_after(source, claim)),
    ]
    if not claim.quantities:
        pairs.append(("the sources' numbers", _over_years(claim, cited, sources)))
    for whose, pair in pairs:
        if whose == "the claim's own numbers" and pair and told and not set(pair) & set(told):
            continue
        # "8.7% more than last year, yet below 2019" tells nothing of a rise since 2019.
        if whose == "the source's numbers" and pair and told:
            if not any(matches(one, two) for one in told for two in pair):
                continue
        if pair and (pair[1].value - pair[0].value) * way < 0:
            change = "a rise" if way > 0 else "a fall"
            shown = f"{pair[0].text.strip()}, then {pair[1].text.strip()}"
            return [Finding("conflict", f"{change} is not what {whose} show: {shown}")]
    return []


def _turned(claim: Facts, source: Facts) -> Finding | None:
    """From 79 to 96 where the source has from 96 to 79."""
    mine, theirs = _before_and_after(claim, claim), _before_and_after(source, claim)
    if mine is None or theirs is None or matches(mine[0], theirs[0]) or matches(mine[1], theirs[1]):
        return None
    if not (matches(mine[0], theirs[1]) and matches(mine[1], theirs[0])):
        return None
    shown = f"{theirs[0].text.strip()}, then {theirs[1].text.strip()}"
    return Finding("conflict", f"the source has {shown}, not the other way round")


def moved(clause: Clause) -> int:
    """1 if the two numbers a clause compares rise from the earlier to the later, -1 if they fall, 0 if it compares none."""
    numbers = tuple(one for one in clause.quantities if not one.label)
    for number in numbers:
        alike = [one for one in numbers if same_dimension(one.dimension, number.dimension)]
        if len(alike) != 2 or number.dimension in ("rank", "score", "point", "months", "time"):
            continue
        was = [former(one, clause.facts) for one in alike]
        if not _comparable(*alike) or alike[0].soft or alike[1].soft:
            continue
        if was[0] == was[1]:
            years = [_year_of(one, clause.facts) for one in alike]
            if not years[0] or not years[1] or years[0] == years[1]:
                continue
            was[0] = years[0] < years[1]
        before, after = alike if was[0] else reversed(alike)
        return (after.value > before.value) - (after.value < before.value)
    return 0


def _where_told(claim: Facts) -> list[Quantity]:
    """The numbers of the clauses that tell of a rise or a fall: "8.7% more than a year ago, yet below 2019"."""
    return [
        number
        for clause in clauses(claim)
        if any(word.concepts & {"rise", "fall"} for word in clause.terms)
        for number in clause.quantities
    ]


def _over_years(claim: Facts, cited: Sequence[Passage], sources: Sources) -> tuple[Quantity, Quantity] | None:
    """The numbers the sources give for the two years a claim compares, if each gives just one of a kind."""
    years = sorted({moment.year for moment in claim.moments if moment.year})
    if len(years) != 2:
        return None
    kinds: list[dict[str, Quantity]] = [{}, {}]
    ranked = sorted(
        cited,
        key=lambda one: coverage(claim, [one.facts], sources.documents[one.document].about, sources),
        reverse=True,
    )
    for passage in ranked:
        for number in passage.facts.quantities:
            moment = nearest_moment(number, passage.facts)
            if (
                moment
                and moment.year in years
                and number.dimension not in ("rank", "score", "point", "months", "time")
            ):
                kinds[years.index(moment.year)].setdefault(number.dimension, number)
    shared = [kind for kind in kinds[0] if kind in kinds[1] and kinds[0][kind].value != kinds[1][kind].value]
    return (kinds[0][shared[0]], kinds[1][shared[0]]) if shared else None


def _way(claim: Facts) -> int:
    """1 if a claim tells of a rise, -1 of a fall; 0 if of both, of neither, or if it denies one."""
    concepts = {concept for word in claim.terms for concept in word.concepts}
    compared = set() if claim.quantities else {"more", "less"}
    up, down = (
        bool(concepts & ({"rise", "more"} & (compared | {"rise"}))),
        bool(concepts & ({"fall", "less"} & (compared | {"fall"}))),
    )
    return 0 if up == down or claim.negations else 1 if up else -1


def _before_and_after(facts: Facts, claim: Facts) -> tuple[Quantity, Quantity] | None:
    """The two numbers of one kind a text compares, the earlier first, if it has just two of that kind."""
    for number in facts.quantities:
        alike = [one for one in facts.quantities if same_dimension(one.dimension, number.dimension)]
        if len(alike) != 2 or number.dimension in ("rank", "score", "point"):
            continue
        if facts is not claim and not any(matches(mine, one) for mine in claim.quantities for one in alike):
            continue
        if not _comparable(alike[0], alike[1]):
            continue
        was = [former(one, facts) for one in alike]
        if not claim.moments and facts is claim and not _TO.search(facts.text):
            continue
        if was == [True, False]:
            return alike[0], alike[1]
        if was == [False, True]:
            return alike[1], alike[0]
        years = [_year_of(one, facts) for one in alike]
        if years[0] and years[1] and years[0] != years[1]:
            return (alike[0], alike[1]) if years[0] < years[1] else (alike[1], alike[0])
    return None


def _comparable(one: Quantity, other: Quantity) -> bool:
    """True if two numbers may be one thing at two times: 600 and 6.4 are not, two sums of money are."""
    if all(number.dimension.startswith("currency:") for number in (one, other)):
        return one.value > 0 and other.value > 0
    return min(one.value, other.value) > 0 and max(one.value, other.value) <= 10 * min(one.value, other.value)


def _year_of(number: Quantity, facts: Facts) -> int | None:
    moment = nearest_moment(number, facts)
    return moment.year if moment else None
