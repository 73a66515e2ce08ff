"""`--claim`: the form of a claim that answers a game of one's own; what it leaves out has to be found."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Any

from pydantic import ValidationError

from cli.live import printable
from configs.errors import UsageError
from nodes.tutor.claims import PREDICATES, Claim
from nodes.tutor.games.game import SLOTS, Slot, Target
from nodes.tutor.proving.forms import COUNTED, problem_of

MOST_CLAIMS = 20
LONGEST_SHOWN = 200
EXAMPLE = '{"predicate": "count", "subject": "*.py", "unit": "lines", "scope": "."}'
REMEDY = f"Give a JSON object such as {EXAMPLE}; a field that is left out, or null, is what has to be found."
FIELDS = ("predicate", *SLOTS, "wanted")
_UNITS = ("file", "directory", "sha256", "word", "line", "function", "class", "value", "s")
SAMPLES: Mapping[Slot, tuple[Any, ...]] = {
    "subject": ("a", "b", "a:1", "b:1"),
    "value": (
        True,
        False,
        1,
        2,
        "a",
        "b",
        "a:1",
        "b:1",
        "0" * 64,
        "1" * 64,
        ["a"],
        ["b"],
        ["a", "b"],
        ["b", "a"],
    ),
    "unit": (None, *COUNTED, *_UNITS),
    "scope": (None, "a", "b", ("a", "b"), ("b", "a"), "corrected by a"),
}
"""What a field may hold: of every form of claim that can be proved, two are made of these."""


def targets_of(given: Sequence[str]) -> list[dict[str, Any]]:
    """The targets of a game, as JSON.

    Args:
        given: the texts of `--claim`, in order.

    Raises:
        UsageError: one is no JSON or of no form that can be proved; there are too many, or two are the same.
    """
    if len(given) > MOST_CLAIMS:
        raise UsageError(f"{len(given)} claims are wanted.", f"Ask for at most {MOST_CLAIMS} in one game.")
    targets = [_target(text) for text in given]
    for number, target in enumerate(targets):
        if target in targets[:number]:
            raise UsageError("The same --claim is given twice.", "Leave out one of them.")
    return [target.model_dump(mode="json") for target in targets]


def _target(text: str) -> Target:
    told = f"--claim {printable(text[:LONGEST_SHOWN])}"
    given = _object(text, told)
    if given.get("predicate") not in PREDICATES:
        raise UsageError(f"{told} has no predicate there is.", f"It is one of {', '.join(PREDICATES)}.")
    try:
        typed = Claim.model_validate({"subject": "", **_said(given)})
        known = {name: getattr(typed, name) for name in _said(given)}
        claims = list(_fillings(known, _taken(typed.predicate)))
        problems = Counter(problem_of(claim) for claim in claims)
        if None not in problems:
            raise UsageError(f"{told} can never be proved: {problems.most_common(1)[0][0]}", REMEDY)
        right = [claim for claim in claims if problem_of(claim) is None]
        return Target.model_validate({**_fixed(given, right), "open": _open(given, right)})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise UsageError(f"{told}: `{where}`: {first['msg']}.", REMEDY) from error


def _object(text: str, told: str) -> dict[str, Any]:
    """What is given; null gives nothing."""
    try:
        fields = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{told} is no JSON.", REMEDY) from error
    if not isinstance(fields, dict):
        raise UsageError(f"{told} is no JSON object.", REMEDY)
    unknown = [name for name in fields if name not in FIELDS]
    if unknown:
        what = f"{told}: there is no field `{unknown[0][:LONGEST_SHOWN]}`."
        raise UsageError(what, f"Fields are {', '.join(FIELDS)}.")
    return {name: value for name, value in fields.items() if value is not None}


def _said(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if name != "wanted"}


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


@cache
def _taken(predicate: str) -> Mapping[Slot, tuple[Any, ...]]:
    """The samples that claims of a predicate take at all."""
    claims = _fillings({"predicate": predicate}, SAMPLES)
    right = [claim for claim in claims if problem_of(claim) is None]
    return {
        slot: tuple({_text(claim, slot): getattr(claim, slot) for claim in right}.values()) for slot in SLOTS
    }


def _fillings(given: Mapping[str, Any], samples: Mapping[Slot, Sequence[Any]]) -> Iterator[Claim]:
    """Claims that have what is given, and any samples elsewhere."""
    fields = [(given[slot],) if slot in given else samples[slot] for slot in SLOTS]
    for values in product(*fields):
        filled = dict(zip(SLOTS, values, strict=True))
        yield Claim.model_construct(predicate=given["predicate"], **filled)


def _open(given: Mapping[str, Any], right: Sequence[Claim]) -> list[Slot]:
    """What has to be found: fields that are not given, and can be one thing or another."""
    return [slot for slot in SLOTS if slot not in given and len({_text(one, slot) for one in right}) > 1]


def _fixed(given: Mapping[str, Any], right: Sequence[Claim]) -> dict[str, Any]:
    """What is given, and what then follows: the value of `exists` is true, and `cycle` has no unit."""
    followed: dict[str, Any] = {
        slot: getattr(right[0], slot)
        for slot in SLOTS
        if slot not in given and slot not in _open(given, right)
    }
    return {**followed, **given}


def _text(claim: Claim, slot: Slot) -> str:
    return repr(getattr(claim, slot))
