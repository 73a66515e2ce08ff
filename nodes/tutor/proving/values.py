"""The prover of value_of, and what configuration files say at a key path."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import partial

from nodes.tutor.claims import Claim
from nodes.tutor.proving import configurations, key_paths, paths, quantities
from nodes.tutor.proving.configurations import Document
from nodes.tutor.proving.key_paths import Hit
from nodes.tutor.proving.known import Known
from nodes.tutor.proving.unclear import Unclear
from nodes.tutor.proving.world import World
from nodes.tutor.verdicts import Verdict, refuted, undecidable, validated


def prove_value_of(claim: Claim, world: World) -> Verdict:
    """A key path has a value, by type, in a configuration file whose whole text is known."""
    path = _path(claim)
    document = document_of(world, path)
    if isinstance(document, str):
        return undecidable(document)
    found = key_paths.find(document.value, claim.subject)
    if isinstance(found, Unclear):
        return undecidable(found.reason)
    if found is None:
        return refuted(f"{path} has no key {claim.subject}.", document.used)
    same: bool | str | None
    if claim.unit is not None:
        same = _same_quantity(claim, found.value, document.value.textual)
        if isinstance(same, str):
            return undecidable(same)
    else:
        same = equal(claim.value, found.value)
    if same is None:
        return undecidable(f"The value at {claim.subject} is of a kind that claims cannot state.")
    if same:
        return validated(f"{path} says so.", document.used)
    return refuted(f"{path} has another value there; its type counts, too.", document.used)


def document_of(world: World, path: str) -> Known[Document] | str:
    """A configuration file's values, or why they are not known."""
    found = world.read(path, partial(configurations.read, path))
    if found is None:
        return f"`cat {path}` would show it."
    if found.value is None:
        return f"{path} cannot be read as a configuration file of the kind its name tells."
    return Known(found.value, found.used)


def find(world: World, path: str, key: str) -> Known[Hit] | str:
    """What stands at a key path of a file, or why that is not known."""
    document = document_of(world, path)
    if isinstance(document, str):
        return document
    found = key_paths.find(document.value, key)
    if isinstance(found, Unclear):
        return found.reason
    return f"{path} has no key {key}." if found is None else Known(found, document.used)


def size(world: World, path: str, key: str, unit: str) -> Known[int] | str:
    """How many keys a mapping, or items a list has, or why that is not known."""
    found = find(world, path, key)
    if isinstance(found, str):
        return found
    value = found.value.value
    if isinstance(value, list) and unit == "items":
        return Known(len(value), found.used)
    if unit == "items" or not isinstance(value, dict):
        return f"What stands there has no {unit}."
    if any(isinstance(part, Unclear) and part.doubled for part in value.values()):
        return "A key is given twice, so the number of keys is not clear."
    document = document_of(world, path)
    if not isinstance(document, str) and document.value.inherits:
        return "Sections show the keys of the default section as well, so their number is not clear."
    return Known(len(value), found.used)


def equal(claimed: object, found: object) -> bool | None:
    """Whether two values are the same, types included; None where the file's value is not clear."""
    if isinstance(found, Unclear) or not isinstance(found, str | bool | int | float | list | dict | None):
        return None
    if isinstance(found, float) and not math.isfinite(found):
        return None
    if type(claimed) is not type(found):
        return False
    if isinstance(claimed, list) and isinstance(found, list):
        if len(claimed) != len(found):
            return False
        return _all(equal(one, other) for one, other in zip(claimed, found, strict=True))
    if isinstance(claimed, dict) and isinstance(found, dict):
        if not all(isinstance(key, str) for key in found):
            return None
        if claimed.keys() != found.keys():
            return False
        return _all(equal(claimed[key], found[key]) for key in claimed)
    return claimed == found


def _all(parts: Iterable[bool | None]) -> bool | None:
    seen = set(parts)
    return False if False in seen else None if None in seen else True


def _path(claim: Claim) -> str:
    return paths.normal(str(claim.scope)) or "."


def _same_quantity(claim: Claim, found: object, textual: bool) -> bool | str | None:
    """Whether a value with a unit is the one stored, whose unit its key tells; or why that is not known."""
    stored = quantities.suffix(key_paths.last_key(claim.subject) or "")
    stated = quantities.factor(claim.unit or "")
    if stored is None or stated is None or stored[0] != stated[0]:
        return f"The key tells no unit that {claim.unit} could be compared with; leave the unit out."
    if stored[1] == stated[1]:
        return equal(claim.value, found)
    if isinstance(found, Unclear):
        return found.reason
    if (isinstance(found, str) and not textual) or isinstance(claim.value, str) != isinstance(found, str):
        return "A number with another unit can be compared with a number only."
    one, other = quantities.number(claim.value), quantities.number(found)
    if one is None or other is None:
        return "A value with a unit is a number."
    converted = other * stored[1] / stated[1]
    if (
        one == converted
        and isinstance(found, int)
        and isinstance(claim.value, float)
        and one.denominator == 1
    ):
        return "Write a whole number without a point."
    return one == converted
