"""Which claims cannot both be so: found through the places they speak of, never by a walk over all claims."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Hashable, Iterator

from nodes.tutor.claims import Claim
from nodes.tutor.identity import normalised

Place = tuple[Hashable, ...]
FUNCTIONAL = frozenset({"count", "equals", "value_of", "changed_between"})
"""Predicates of which one subject has one value."""
MANY = frozenset({("equals", "file"), ("changed_between", "line")})
"""But for these units: several files may be equal to one, and several lines of a file may have changed."""
SIZES = frozenset({"count", "greater", "less"})


class Contradictions:
    """Claims that hold, by what they speak of."""

    def __init__(self) -> None:
        self._at: dict[Place, dict[str, Claim]] = defaultdict(dict)
        self._held: dict[str, Claim] = {}

    def add(self, name: str, claim: Claim) -> None:
        """A claim holds; the name stands for this claim only."""
        if name not in self._held:
            self._held[name] = claim = normalised(claim)
            for place in _places(claim):
                self._at[place][name] = claim

    def remove(self, name: str) -> None:
        """It holds no longer."""
        claim = self._held.pop(name, None)
        for place in _places(claim) if claim is not None else ():
            del self._at[place][name]

    def of(self, name: str, claim: Claim) -> list[str]:
        """Names of the claims that hold and cannot hold beside this one, in the order they came to hold."""
        claim = self._held.get(name) or normalised(claim)
        found: dict[str, None] = {}
        for place in _places(claim):
            for other, said in self._at.get(place, {}).items():
                if other != name and contradict(claim, said):
                    found[other] = None
        return list(found)


def contradict(one: Claim, other: Claim) -> bool:
    """True if both cannot be so, of claims as `normalised` writes them. Pure; symmetric.

    A path that is a file in one claim and a directory in another is no contradiction: a link may be both.
    """
    return _disagree(one, other) or _disagree(other, one)


def _disagree(one: Claim, other: Claim) -> bool:
    pair = (one.predicate, other.predicate)
    if pair == ("exists", "absent"):
        return _same(one, other) and other.unit in (None, one.unit)
    if pair == ("contains", "not_contains"):
        # What stands there as a word or line stands there; what is no line may be part of one.
        return _same(one, other) and one.value == other.value and other.unit in (None, one.unit)
    if _is_functional(one) and one.predicate == other.predicate:
        return _same(one, other) and one.unit == other.unit and _meant(one) != _meant(other)
    if pair in (("before", "before"), ("after", "after"), ("greater", "greater"), ("less", "less")):
        return one.unit == other.unit and one.scope == other.scope and _crossed(one, other)
    if pair in (("before", "after"), ("greater", "less")):
        if one.unit != other.unit or not _same(one, other):
            return False
        return _text(one.value) == _text(other.value) or _is_least(one.value, other.value)
    if one.predicate == "count" and other.predicate in ("greater", "less"):
        return one.unit == other.unit and _same(one, other) and _passes(other, one.value)
    return False


def _is_functional(claim: Claim) -> bool:
    return claim.predicate in FUNCTIONAL and (claim.predicate, claim.unit) not in MANY


def _meant(claim: Claim) -> str:
    """The value of a claim, where several are written for the same one: see the table of claim forms."""
    value = claim.value
    if claim.predicate == "equals" and isinstance(value, str):
        value = value.removesuffix("\n")
    return _text(value)


def _passes(bound: Claim, counted: object) -> bool:
    """True if a count lies on the wrong side of a bound."""
    if not _is_number(bound.value) or not isinstance(counted, int | float):
        return False
    if bound.predicate == "greater":
        return bool(counted <= bound.value)
    return bool(counted >= bound.value)


def _is_least(above: object, below: object) -> bool:
    """True if nothing is greater than the one and less than the other."""
    return _is_number(above) and _is_number(below) and above >= below  # type: ignore[operator]  # numbers


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _crossed(one: Claim, other: Claim) -> bool:
    """True if one says of A and B what the other says of B and A."""
    return isinstance(one.value, str) and one.subject == other.value and one.value == other.subject


def _same(one: Claim, other: Claim) -> bool:
    return one.subject == other.subject and one.scope == other.scope


def _text(value: object) -> str:
    """Values compare by type: 1, 1.0 and true are three."""
    return json.dumps(value, sort_keys=True)


def _places(claim: Claim) -> Iterator[Place]:
    """What a claim speaks of; two that contradict each other share at least one."""
    kind = claim.predicate
    if kind in ("exists", "absent"):
        yield ("presence", claim.subject, claim.scope)
    elif kind in ("contains", "not_contains"):
        yield ("content", claim.subject, claim.scope, _text(claim.value))
    elif kind in ("before", "after"):
        yield ("order", *sorted((claim.subject, str(claim.value))), claim.scope)
    elif kind in SIZES:
        yield ("size", claim.subject, claim.unit, claim.scope)
        if isinstance(claim.value, str):
            yield ("sizes", *sorted((claim.subject, claim.value)), claim.unit, claim.scope)
    elif _is_functional(claim):
        yield (kind, claim.subject, claim.unit, claim.scope)
