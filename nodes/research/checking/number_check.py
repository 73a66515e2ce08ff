"""Does the source have the claim's numbers, with their units, of the same thing? Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from nodes.research.checking.alignment import Finding, View, clause, coverage, distance
from nodes.research.checking.dates import Moment, conflicts
from nodes.research.checking.facts import Facts
from nodes.research.checking.name import Name
from nodes.research.checking.names import held
from nodes.research.checking.quantity import Quantity, agrees
from nodes.research.checking.sources import Passage
from nodes.research.checking.units import same_dimension

NEAR_SHARE = 0.2
FAR_SHARE = 0.4
_COMPUTED = re.compile(
    r"\b(?:total|combined|altogether|difference|gap|sum|together|more than|fewer than|less than|by)\b|合计|总计|总共|共|相差|差距|增加了|减少了|多了|少了|平均",
    re.IGNORECASE,
)
_FORMER = re.compile(
    r"(?:\b(?:from|compared (?:with|to)|versus|against|than|instead of|previously)\b[^,;.]{0,22}|(?:由|从|较|相较|比|原本的?|原先的?|高于|低于|优于)[^,。;]{0,12})$",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:previous|prior|earlier|before|from|compared|than|last year|year ago|formerly|versus)\b|去年|前一年|原本|原先|先前|此前|上年|前年|较|比|从|由",
    re.IGNORECASE,
)
_OF_NEXT = re.compile(
    r"(?: [a-z-]+){0,3}? (?:for|in|at|by|from|of|to|on) (?:the )?(?:end of )?", re.IGNORECASE
)
_IN_ORDER = re.compile(r"\brespectively\b|分别|依序", re.IGNORECASE)


def matches(claim: Quantity, source: Quantity) -> bool:
    """True if both say the same number of the same dimension; a bare number may have any."""
    bare = not claim.dimension or not source.dimension
    if "score" in (claim.dimension, source.dimension):
        bare = False
    if "rank" in (claim.dimension, source.dimension):
        # The eighth year in a row is eight years in a row.
        others = {claim.dimension, source.dimension} - {"rank"}
        return others <= {"months", "time"} and agrees(claim, source, plain=True)
    if not bare and not same_dimension(claim.dimension, source.dimension):
        return False
    return agrees(claim, source, plain=bare)


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
            found += [replace(one, at=number.start) for one in _owners(number, here[0], claim, view)]
            continue
        if number.dimension == "rank" and _ranked(number, claim, view.facts):
            continue
        if number.soft and not any(one.dimension == number.dimension for one in view.facts.quantities):
            continue
        other = _elsewhere(number, claim, view, cited)
        if other is not None:
            further.append(other)
        elif finding := _unborne(number, claim, view):
            found.append(replace(finding, at=number.start))
    return found, further


def _elsewhere(number: Quantity, claim: Facts, view: View, cited: Sequence[Passage]) -> Passage | None:
    """Another passage of the cited sources that holds the number and speaks of the same."""
    words = clause(claim, number.start)
    near = {id(one) for one in view.near}
    best: tuple[float, Passage] | None = None
    for passage in cited:
        if passage is view.core or not any(
            matches(number, one) and _same_unit(number, one) for one in passage.facts.quantities
        ):
            continue
        document = view.sources.documents[passage.document]
        share = coverage(claim, [passage.facts], document.about, view.sources, words)
        wanted = NEAR_SHARE if id(passage) in near else FAR_SHARE
        if share >= wanted and not _of_another(claim, passage, view) and (best is None or share > best[0]):
            best = (share, passage)
    return best[1] if best else None


def _same_unit(number: Quantity, other: Quantity) -> bool:
    return (
        number.dimension == other.dimension
        or same_dimension(number.dimension, other.dimension)
        or "" in (number.dimension, other.dimension)
    )


def _of_another(claim: Facts, passage: Passage, view: View) -> bool:
    """True if a passage names only others than the claim does."""
    sure = [name for name in passage.facts.names if name.sure]
    if not claim.names or not sure or claim.chinese != passage.facts.chinese:
        return False
    return not any(held(name.text, claim.low) for name in sure) and not any(
        held(name.text, passage.facts.low) for name in claim.names
    )


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


def former(number: Quantity, facts: Facts) -> bool:
    """True if a sentence gives a number as what it was before, or as what another is compared with."""
    return _FORMER.search(facts.text[max(0, number.start - 30) : number.start]) is not None


def _owners(number: Quantity, here: Quantity, claim: Facts, view: View) -> list[Finding]:
    """Where a passage has several numbers of a kind: is this one the claim's name's, the claim's date's?"""
    alike = [one for one in view.facts.quantities if one.dimension == here.dimension]
    if len(alike) < 2:
        return []
    found = []
    years = {one.year for one in view.facts.moments if one.prior} | {
        one.year - 1 for one in view.facts.moments if one.year
    }
    if any(one.year in years for one in claim.moments):
        return []
    if former(here, view.facts) and not former(number, claim) and not _PAST.search(claim.text):
        current = [one for one in alike if one is not here and not former(one, view.facts)]
        if current and not any(matches(mine, one) for mine in claim.quantities for one in current):
            found.append(
                Finding(
                    "conflict",
                    f"the source has {current[0].text.strip()}; {here.text.strip()} is what it was before",
                )
            )
    mine = nearest_moment(number, claim)
    theirs = nearest_moment(here, view.facts)
    if mine and theirs and conflicts(mine, theirs) and mine.year:
        rival = next((one for one in view.facts.moments if not conflicts(mine, one) and one.year), None)
        if rival and any(nearest_moment(one, view.facts) is rival for one in alike if one is not here):
            found.append(
                Finding(
                    "conflict", f"the source gives {here.text.strip()} for {theirs.text}, not for {mine.text}"
                )
            )
    owner, other = _owner(number, claim), _owner(here, view.facts)
    if (
        owner
        and other
        and not held(owner.text, other.text.lower())
        and not held(other.text, owner.text.lower())
    ):
        rival_name = next(
            (
                name
                for name in view.facts.names
                if held(owner.text, name.text.lower()) or held(name.text, owner.text.lower())
            ),
            None,
        )
        if rival_name and any(_owner(one, view.facts) is rival_name for one in alike if one is not here):
            found.append(
                Finding(
                    "conflict", f"the source gives {here.text.strip()} for {other.text}, not for {owner.text}"
                )
            )
    return found


def nearest_moment(number: Quantity, facts: Facts) -> Moment | None:
    """The date a number is told of: "410 boats in 2020" before what merely stands nearer."""
    dated = [moment for moment in facts.moments if moment.year or moment.quarter or moment.month]
    following = next((moment for moment in dated if moment.start >= number.end), None)
    if following and _OF_NEXT.fullmatch(facts.text[number.end : following.start]):
        return following
    before = 6 if facts.chinese else 0
    return min(
        dated,
        key=lambda one: distance(facts.text, one.start, number.start) + before * (one.start > number.start),
        default=None,
    )


def _owner(number: Quantity, facts: Facts) -> Name | None:
    """The name a number is told of: by order where the sentence says so, else the nearest."""
    if not facts.names:
        return None
    following = next((name for name in facts.names if name.start >= number.end), None)
    if following and _OF_NEXT.fullmatch(facts.text[number.end : following.start]):
        return following
    alike = [one for one in facts.quantities if one.dimension == number.dimension]
    if _IN_ORDER.search(facts.text) and len(facts.names) >= len(alike) > 1:
        at = alike.index(number)
        before = [name for name in facts.names if name.start < alike[0].start][-len(alike) :]
        if len(before) == len(alike):
            return before[at]
    before_it = [name for name in facts.names if name.start < number.start]
    return before_it[-1] if before_it else facts.names[0]
