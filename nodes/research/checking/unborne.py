"""What to say of a claim's number that the source does not have. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nodes.research.checking.alignment import Finding, View
from nodes.research.checking.facts import Facts
from nodes.research.checking.implied import shares
from nodes.research.checking.matching import matches
from nodes.research.checking.quantity import Quantity
from nodes.research.checking.units import same_dimension

# A computed number is told this exactly, however coarse its last digit: 40 stands for 39 to 41.
COARSEST = 0.05
_COMPUTED = re.compile(
    r"\b(?:total|combined|altogether|difference|gap|sum|together|more than|fewer than|less than|by)\b|合计|总计|总共|共|相差|差距|增加了|减少了|多了|少了|平均",
    re.IGNORECASE,
)
_EARLIER = re.compile(
    r"\b(?:earlier|previous|previously|before|year ago|last year)\b|同期|去年|上年|原本|原先|此前|先前"
)
_DELTA = re.compile(
    r"\b(?:up|down|rise of|rose|increase of|drop of|fall of|gain of|cut of|growth of|fell|grew)(?: by)?(?: about| some| nearly| almost)? (?:[$€£])?$"
    r"|(?:增加|减少|提高|调高|调涨|调升|调降|降低|上升|下降|涨|升|降|多|少|成长|增长)(?:了|约|近|逾)*$",
    re.IGNORECASE,
)


def unborne(number: Quantity, claim: Facts, view: View) -> Finding | None:
    """What is to be said of a number that no passage bears out; None for a word that may be no count.

    Args:
        number: the claim's.
        claim: the claim.
        view: the passage it may rest on.
    """
    if number.dimension == "rank":
        return _other_rank(number, claim, view.facts)
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
        return _instead(number, twin, ": another unit")
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
    if (
        not (number.soft and comparable)
        and _is_computed(number, claim)
        and _computable(
            number,
            [*view.facts.quantities, *(q for one in view.near for q in one.facts.quantities)],
            moves=_EARLIER.search(claim.text) is not None,
        )
    ):
        return Finding(
            "soft",
            f"{number.text.strip()} can be computed from the source's numbers, but does not stand there",
        )
    if not comparable and number.dimension == "percent":
        comparable = shares(view.facts)
    if number.soft and number.dimension not in ("percent", "ratio"):
        return None
    if comparable:
        return _instead(number, min(comparable, key=lambda one: abs(one.value - number.value)))
    return None if number.soft else Finding("missing", f"{number.text.strip()} does not stand in the source")


def _is_computed(number: Quantity, claim: Facts) -> bool:
    """True if a claim says that a number is a sum or a difference."""
    if number.dimension == "point" or _COMPUTED.search(claim.text):
        return True
    if number.dimension == "percent" and _EARLIER.search(claim.text):
        return True
    return _DELTA.search(claim.text[max(0, number.start - 24) : number.start]) is not None


def _instead(number: Quantity, other: Quantity, note: str = "") -> Finding:
    return Finding("conflict", f"the source has {other.text.strip()}, not {number.text.strip()}{note}")


def _other_rank(number: Quantity, claim: Facts, source: Facts) -> Finding:
    after, counter, verb = _after(number, claim), _counter(number, claim), _verb(number, claim)
    for one in source.quantities:
        same = _after(one, source) & after or (counter and _counter(one, source) == counter)
        same = same or (verb and _verb(one, source) == verb)
        if one.dimension == "rank" and same:
            return _instead(number, one)
    return Finding("soft", f"{number.text.strip()} is not in the source as written")


def _same_digits(one: Quantity, other: Quantity) -> bool:
    return abs(abs(one.value) / one.scale - abs(other.value) / other.scale) < 1e-9


def _computable(number: Quantity, given: Sequence[Quantity], *, moves: bool) -> bool:
    """True if it is a sum, a difference or a change in percent of two numbers of one dimension.

    Args:
        number: the claim's.
        given: the source's.
        moves: a share may also be told as it was before it changed by so many points.
    """
    for at, one in enumerate(given):
        for two in given[at + 1 :]:
            moved = (
                moves
                and number.dimension == "percent"
                and {one.dimension, two.dimension} == {"percent", "point"}
            )
            if (one.dimension != two.dimension and not moved) or not one.value or not two.value:
                continue
            results = [one.value + two.value, abs(one.value - two.value)]
            if number.dimension == "percent" and not moved:
                results += [
                    100 * abs(one.value - two.value) / min(one.value, two.value),
                    100 * abs(one.value - two.value) / max(one.value, two.value),
                ]
            elif (
                not moved
                and {number.dimension, one.dimension} != {"point", "percent"}
                and not same_dimension(number.dimension, one.dimension)
                and number.dimension
            ):
                continue
            if any(
                abs(result - number.value)
                <= max(0.5 * min(number.step, COARSEST * abs(number.value)), 0.005 * abs(number.value))
                for result in results
            ):
                return True
    return False


def ranked(number: Quantity, claim: Facts, source: Facts) -> bool:
    """True if the passage has the rank in other words."""
    if re.search(rf"(?<!\w){re.escape(number.text.lower())}(?![a-z\d百十一二三四五六七八九])", source.low):
        return True
    return number.value == 1 and bool({"#first", "#large", "#high", "#best"} & source.keys)


def _counter(number: Quantity, facts: Facts) -> str:
    """What a Chinese rank counts: the 分 of 第23分钟, the 届 of 第三届."""
    sign = facts.text[number.end : number.end + 1]
    return sign if number.text.startswith("第") and "\u4e00" <= sign <= "\u9fff" else ""


def _verb(number: Quantity, facts: Facts) -> str:
    """The "ranked" of "ranked 27th"."""
    match = re.search(r"\b(ranked|finished|came|placed|seeded|ranks) $", facts.low[: number.start])
    return match[1] if match else ""


def _after(number: Quantity, facts: Facts) -> frozenset[str]:
    """The word a rank belongs to, and its concepts."""
    word = next((one for one in facts.terms if one.start >= number.end), None)
    return frozenset({word.key}) | word.concepts if word else frozenset()
