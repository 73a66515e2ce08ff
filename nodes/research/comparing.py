"""Two answers to one question held against each other: the same, the contrary, an older or a newer state."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Literal

from nodes.research.answer_kinds import COUNTED
from nodes.research.answering import Answer
from nodes.research.checking.checker import check_claim
from nodes.research.checking.dates import day_of
from nodes.research.checking.facts import facts_of
from nodes.research.checking.folding import fold, is_chinese
from nodes.research.checking.matching import matches
from nodes.research.checking.moment import Moment, conflicts
from nodes.research.checking.ownership import former
from nodes.research.checking.quantity import Quantity
from nodes.research.checking.units import same_dimension
from nodes.research.facets import Facet
from tools.search.items import Item

Relation = Literal["same", "differs", "older", "newer", "unknown"]
# From a year on, another figure for what changes is a later state of it; within one, it is another view.
LATER_DAYS = 365


def compared(facet: Facet, one: Answer, other: Answer) -> Relation:
    """What an answer is to another one: "older" if it tells an earlier state of what the other tells.

    Args:
        facet: what both answer.
        one: the answer that is compared.
        other: what it is compared with.
    """
    if not _same_time(facet, one, other):
        return _in_order(one, other) if not facet.years else "unknown"
    found = _values(facet, one, other)
    if found != "differs" or facet.kind.wants == "when":
        return found
    if facet.years and one.dated and other.dated:
        return found
    gap = _days_between(one, other)
    if gap is not None and abs(gap) >= LATER_DAYS:
        return "older" if gap > 0 else "newer"
    return found


def _same_time(facet: Facet, one: Answer, other: Answer) -> bool:
    """False if the two tell different years, neither of which is the answer itself."""
    if facet.kind.wants == "when":
        return True
    return not one.years or not other.years or bool(one.years & other.years)


def _in_order(one: Answer, other: Answer) -> Relation:
    """Which of two that tell different years tells the earlier one."""
    mine, theirs = max(one.years), max(other.years)
    return "unknown" if mine == theirs else "older" if mine < theirs else "newer"


def _days_between(one: Answer, other: Answer) -> int | None:
    """Days from the day of one's source to that of the other's."""
    first, second = (day_of(answer.source.date) for answer in (one, other))
    return (second - first).days if isinstance(first, date) and isinstance(second, date) else None


def _values(facet: Facet, one: Answer, other: Answer) -> Relation:
    if facet.kind.wants == "when":
        return _dates(one.dates, other.dates)
    if facet.kind.wants not in ("", "yes_no"):
        return _numbers(_current(one), _current(other))
    return _words(facet, one, other)


def _current(answer: Answer) -> list[Quantity]:
    """Its numbers without those it gives as what was before."""
    facts = facts_of(fold(answer.line.text))
    kept = [one for one in answer.values if not former(one, facts)]
    return kept or list(answer.values)


def _numbers(mine: Sequence[Quantity], theirs: Sequence[Quantity]) -> Relation:
    if any(matches(one, two) or matches(two, one) for one in mine for two in theirs):
        return "same"
    alike = any(_comparable(one.dimension, two.dimension) for one in mine for two in theirs)
    return "differs" if alike else "unknown"


def _comparable(one: str, other: str) -> bool:
    return same_dimension(one, other) or {one, other} <= set(COUNTED)


def _dates(mine: Sequence[Moment], theirs: Sequence[Moment]) -> Relation:
    full = [[one for one in dates if one.year and not one.relative] for dates in (mine, theirs)]
    if not all(full):
        return "unknown"
    if any(not conflicts(one, two) for one in full[0] for two in full[1]):
        return "same"
    # A year beside a day is often the year of something else that the line tells.
    precise = [{bool(one.month) for one in dates} for dates in full]
    return "differs" if precise[0] & precise[1] else "unknown"


def _words(facet: Facet, one: Answer, other: Answer) -> Relation:
    """By the check of sentences, the one held against the other; only within a language it can be sure."""
    mine, theirs = worded(facet, one), worded(facet, other)
    if is_chinese(fold(mine)) != is_chinese(fold(theirs)):
        return "unknown"
    verdict = check_claim(
        mine, [Item(url="source://other", name=other.source.name, description=theirs)]
    ).verdict
    return {"supported": "same", "contradicted": "differs"}.get(verdict, "unknown")  # type: ignore[return-value]


def worded(facet: Facet, answer: Answer) -> str:
    """The line with whom it is about before it, where it does not say so itself."""
    return answer.line.text if answer.named or not facet.shown else f"{facet.shown}: {answer.line.text}"
