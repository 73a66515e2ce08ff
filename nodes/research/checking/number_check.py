"""Does the source have the claim's numbers, with their units, of the same thing? Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from nodes.research.checking.alignment import Finding, View, clause, coverage
from nodes.research.checking.facts import Facts
from nodes.research.checking.hedges import written
from nodes.research.checking.implied import implied
from nodes.research.checking.labels import LABEL
from nodes.research.checking.matching import matches as matches
from nodes.research.checking.names import held
from nodes.research.checking.ownership import former as former
from nodes.research.checking.ownership import nearest_moment as nearest_moment
from nodes.research.checking.ownership import owner_findings
from nodes.research.checking.quantity import Quantity
from nodes.research.checking.sources import Passage
from nodes.research.checking.units import same_dimension

NEAR_SHARE = 0.2
FAR_SHARE = 0.4
# A number with this many digits is found by itself.
TELLING = 3
TELLING_SHARE = 0.25
_BESIDE = re.compile(
    r"(?:\b(?:by|at|in|from|with|of|to|near|for|on|outside|off)(?: the)? |[由在自与和被向对于经]|依据|根据|通过)$",
    re.IGNORECASE,
)
# "9.2 million thalers": a plural that nothing parts from its number.
_COINED = re.compile(
    r" (?!years|months|weeks|days|hours|minutes|times|people|others|in |of |for )([a-z]{3,}s)\b(?! of\b)"
)
_COMPUTED = re.compile(
    r"\b(?:total|combined|altogether|difference|gap|sum|together|more than|fewer than|less than|by)\b|合计|总计|总共|共|相差|差距|增加了|减少了|多了|少了|平均",
    re.IGNORECASE,
)


def number_findings(
    claim: Facts, view: View, cited: Sequence[Passage]
) -> tuple[list[Finding], list[Passage]]:
    """The claim's numbers the source does not bear out, and the further passages that bear out others.

    Args:
        claim: the claim.
        view: the passage it may rest on.
        cited: every passage of the cited sources.
    """
    found: list[Finding] = []
    further: list[Passage] = []
    for number in claim.quantities:
        here = [one for one in view.facts.quantities if matches(number, one)]
        if here:
            found += [replace(one, at=number.start) for one in owner_findings(number, here, claim, view)]
            if money := _other_money(number, here, claim, view):
                found.append(replace(money, at=number.start))
            continue
        if number.label and _named(number, view, cited):
            continue
        if implied(number, claim, view):
            continue
        if number.dimension == "rank" and _ranked(number, claim, view.facts):
            continue
        if number.soft and not any(one.dimension == number.dimension for one in view.facts.quantities):
            continue
        other = _elsewhere(number, claim, view, cited)
        if other is not None:
            further.append(other)
        elif _loosely(number, claim, view):
            found.append(
                Finding(
                    "soft",
                    f"{number.text.strip()} stands elsewhere in the source, perhaps of it",
                    number.start,
                )
            )
        elif finding := _unborne(number, claim, view):
            found.append(replace(finding, at=number.start))
    return found, further


def _named(number: Quantity, view: View, cited: Sequence[Passage]) -> bool:
    """True if the cited sources call something by a number: "line 4", "the 1,500 metres"."""
    if any(matches(number, one) for passage in cited for one in passage.facts.quantities if one.label):
        return True
    if number.dimension != LABEL:
        return any(
            number.dimension == one.dimension and matches(number, one)
            for passage in cited
            for one in passage.facts.quantities
        )
    return re.search(rf"(?<!\d){re.escape(number.text.strip())}(?!\d)", view.document.about) is not None


def _other_money(number: Quantity, here: Sequence[Quantity], claim: Facts, view: View) -> Finding | None:
    """A sum in euros where the source has as many thalers: names of money that no table knows."""
    one = here[0]
    if {number.dimension, one.dimension} & {"", "count"} == set():
        return None
    money, bare, facts = (number, one, view.facts) if one.dimension in ("", "count") else (one, number, claim)
    if not money.dimension.startswith("currency:") or len(here) > 1:
        return None
    told = _COINED.match(facts.text, bare.end)
    if told is None or told[1].lower() in view.document.low and facts is claim:
        return None
    if facts is view.facts and any(
        other.dimension == money.dimension and matches(money, other)
        for passage in view.document.passages
        for other in passage.facts.quantities
    ):
        return None
    return Finding(
        "conflict", f"the source has {one.text.strip()}, not {number.text.strip()}: another currency"
    )


def _elsewhere(number: Quantity, claim: Facts, view: View, cited: Sequence[Passage]) -> Passage | None:
    """Another passage of the cited sources that holds the number and speaks of the same."""
    words = clause(claim, number.start)
    near = {id(one) for one in view.near}
    best: tuple[float, Passage] | None = None
    for passage in cited:
        same = [one for one in passage.facts.quantities if matches(number, one) and _same_unit(number, one)]
        if passage is view.core or not same:
            continue
        document = view.sources.documents[passage.document]
        share = coverage(claim, [passage.facts], document.about, view.sources, words)
        wanted = NEAR_SHARE if id(passage) in near else FAR_SHARE
        if passage.document == view.core.document and _telling(number, same):
            wanted = min(wanted, TELLING_SHARE)
        if share >= wanted and not _of_another(claim, passage, same) and (best is None or share > best[0]):
            best = (share, passage)
    return best[1] if best else None


def _telling(number: Quantity, same: Sequence[Quantity]) -> bool:
    """True if a number is told with so many digits that no other thing is likely to have it."""
    return max(written(abs(one.plain or one.value)).figures for one in (number, *same)) >= TELLING


def _loosely(number: Quantity, claim: Facts, view: View) -> bool:
    """True if another part of the source has the number, told with many digits, in words the claim does not use."""
    return any(
        not one.label
        and matches(number, one)
        and _same_unit(number, one)
        and _telling(number, [one])
        and not _of_another(claim, passage, [one])
        for passage in view.document.passages
        if passage is not view.core
        for one in passage.facts.quantities
    )


def _same_unit(number: Quantity, other: Quantity) -> bool:
    return (
        number.dimension == other.dimension
        or same_dimension(number.dimension, other.dimension)
        or "" in (number.dimension, other.dimension)
    )


def _of_another(claim: Facts, passage: Passage, numbers: Sequence[Quantity]) -> bool:
    """True if a passage tells the numbers of others than the claim names."""
    if not claim.names or claim.chinese != passage.facts.chinese:
        return False
    if any(held(name.text, passage.facts.low) for name in claim.names):
        return False
    first = min((one.start for one in numbers), default=0)
    # Who stands behind the number, or did it, or where, is not whose it is.
    whose = [
        name
        for name in passage.facts.names
        if name.sure and name.start < first and not _BESIDE.search(passage.facts.text[: name.start])
    ]
    return bool(whose) and not any(held(name.text, claim.low) for name in whose)


def _unborne(number: Quantity, claim: Facts, view: View) -> Finding | None:
    if number.dimension == "rank":
        rivals = [
            one
            for one in view.facts.quantities
            if one.dimension == "rank" and _after(one, view.facts) & _after(number, claim)
        ]
        return (
            Finding("conflict", f"the source has {rivals[0].text.strip()}, not {number.text.strip()}")
            if rivals
            else Finding("soft", f"{number.text.strip()} is not in the source as written")
        )
    others = [
        one
        for one in view.facts.quantities
        if one.dimension != "rank" and not any(matches(mine, one) for mine in claim.quantities)
    ]
    twin = next(
        (
            one
            for one in others
            if _same_digits(number, one) and not same_dimension(number.dimension, one.dimension)
        ),
        None,
    )
    if twin and number.dimension and twin.dimension:
        return Finding(
            "conflict", f"the source has {twin.text.strip()}, not {number.text.strip()}: another unit"
        )
    comparable = [
        one
        for one in others
        if one.dimension == number.dimension
        or (
            number.dimension
            and same_dimension(number.dimension, one.dimension)
            and one.dimension != "count" != number.dimension
        )
    ]
    if _COMPUTED.search(claim.text) and _computable(
        number, [*view.facts.quantities, *(q for one in view.near for q in one.facts.quantities)]
    ):
        return Finding(
            "soft",
            f"{number.text.strip()} can be computed from the source's numbers, but does not stand there",
        )
    if number.soft:
        if comparable and not all(one.soft for one in comparable) and number.dimension == "percent":
            return Finding(
                "conflict", f"the source has {comparable[0].text.strip()}, not {number.text.strip()}"
            )
        return None
    if comparable:
        nearest = min(comparable, key=lambda one: abs(one.value - number.value))
        return Finding("conflict", f"the source has {nearest.text.strip()}, not {number.text.strip()}")
    return Finding("missing", f"{number.text.strip()} does not stand in the source")


def _same_digits(one: Quantity, other: Quantity) -> bool:
    return abs(abs(one.value) / one.scale - abs(other.value) / other.scale) < 1e-9


def _computable(number: Quantity, given: Sequence[Quantity]) -> bool:
    """True if it is a sum, a difference or a change in percent of two numbers of one dimension."""
    for at, one in enumerate(given):
        for two in given[at + 1 :]:
            if one.dimension != two.dimension or not one.value or not two.value:
                continue
            results = [one.value + two.value, abs(one.value - two.value)]
            if number.dimension == "percent":
                results += [
                    100 * abs(one.value - two.value) / min(one.value, two.value),
                    100 * abs(one.value - two.value) / max(one.value, two.value),
                ]
            elif not same_dimension(number.dimension, one.dimension) and number.dimension:
                continue
            if any(
                abs(result - number.value) <= max(0.5 * number.step, 0.005 * abs(number.value))
                for result in results
            ):
                return True
    return False


def _ranked(number: Quantity, claim: Facts, source: Facts) -> bool:
    """True if the passage has the rank in other words."""
    if re.search(rf"(?<!\w){re.escape(number.text.lower())}(?![a-z])", source.low):
        return True
    return number.value == 1 and bool({"#first", "#large", "#high", "#best"} & source.keys)


def _after(number: Quantity, facts: Facts) -> frozenset[str]:
    """The word a rank belongs to, and its concepts."""
    word = next((one for one in facts.terms if one.start >= number.end), None)
    return frozenset({word.key}) | word.concepts if word else frozenset()
