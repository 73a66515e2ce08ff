"""Which number of a newer source is the one a claim gives, by what it counts or because the source recalls the claim's. Pure."""

from __future__ import annotations

from nodes.research.checking.attributes import (
    ANY,
    alike,
    nouns_after,
    own_clause,
)
from nodes.research.checking.bygone import has_now
from nodes.research.checking.dates import day_of
from nodes.research.checking.facts import Facts
from nodes.research.checking.former_values import change_of, former
from nodes.research.checking.matching import matches
from nodes.research.checking.older import Older, another_period, of_another
from nodes.research.checking.other_dates import instead_of_date, same_date
from nodes.research.checking.other_numbers import COUNTED, comparable
from nodes.research.checking.quantity import Quantity
from nodes.research.checking.sources import Document, Passage

# Units in which any source gives many different things.
_LOOSE = ("currency", "percent", "time", "months", "rank", "score", "magnitude")


def now_has(older: Older, number: Quantity, passage: Passage, *, beside: bool = False) -> Quantity | None:
    """The number a source has now where it recalls a claim's, if the claim speaks of what is."""
    if older.timing not in ("now", "present") or number.soft or another_period(older, passage):
        return None
    document = older.sources.documents[passage.document]
    near = [one.facts for one in document.near(passage)] if beside else []
    told = older.attributes(number, passage)
    written = day_of(document.item.date)
    return has_now(number, told, older.claim, passage.facts, near, written, older.sources)


def recalled_only(older: Older) -> tuple[Passage, str] | None:
    """The passage by which the very source a claim rests on has something else now, with what that is.

    Returns:
        None if the source gives what the claim says as what still holds.
    """
    if older.timing != "now":
        return None
    passages = older.document.passages
    for number in older.claim.quantities:
        holding = [one for one in passages if any(matches(number, two) for two in one.facts.quantities)]
        found = [(one, now_has(older, number, one, beside=True)) for one in holding]
        if found and found[0][1] and all(has for _, has in found):
            return found[0][0], f"{found[0][1].text.strip()} instead of {number.text.strip()}"
    for moment in older.ahead:
        holding = [one for one in passages if any(same_date(moment, two) for two in one.facts.moments)]
        has = [instead_of_date(moment, older.claim, one.facts, []) for one in holding]
        if has and all(has):
            return holding[0], f"{has[0]} instead of {moment.text.strip()}"
    return None


def elsewhere(older: Older, number: Quantity, passage: Passage) -> bool:
    """True if a claim's clause gives a number of one its source is about, and a passage is about others."""
    first, last = own_clause(older.claim.text, number.start)
    low = older.claim.low[first:last]
    whose = {word for word in older.subject if word in low}
    newer = older.sources.documents[passage.document]
    theirs = older.topics.main(newer)
    return bool(whose) and not whose & theirs and not any(word in passage.facts.low for word in whose)


def sole(older: Older, number: Quantity, passage: Passage) -> Quantity | None:
    """The only number of a source that measures or counts what the only one of the older source does."""
    newer = older.sources.documents[passage.document]
    if number.soft or not older.topics.same(older.document, newer) or change_of(older.claim, number.start):
        return None
    nouns = nouns_after(older.claim, number.start, number.end)
    counted = number.dimension in COUNTED
    if (counted and (not nouns or nouns <= ANY)) or number.dimension.startswith(_LOOSE):
        return None
    mine, theirs = (_measures(number, nouns, document, counted) for document in (older.document, newer))
    theirs = [(place, one) for place, one in theirs if not of_another(older, place, 0, len(place.facts.text))]
    if len(mine) != 1 or len(theirs) != 1 or theirs[0][0] is not passage or not matches(number, mine[0][1]):
        return None
    one, facts = theirs[0][1], passage.facts
    if one.soft or change_of(facts, one.start):
        return None
    if any(matches(mine, one) for mine in older.claim.quantities):
        return None
    return None if former(facts, one.start, one.end) else one


def _measures(
    number: Quantity, nouns: frozenset[str], document: Document, counted: bool
) -> list[tuple[Passage, Quantity]]:
    """The numbers of a source that may be one with a number, and the sentences they stand in."""
    return [
        (passage, one)
        for passage in document.passages
        for one in passage.facts.quantities
        if comparable(number, one)
        and (not counted or alike(nouns, nouns_after(passage.facts, one.start, one.end)))
    ]


def held_out(claim: Facts) -> list[Quantity]:
    """The numbers a claim gives as what holds, without those it gives as what held before."""
    return [one for one in claim.quantities if not former(claim, one.start, one.end)]
