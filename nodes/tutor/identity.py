"""Which claims say the same: paths and names are written in one way, and a cycle has one start. Pure."""

from __future__ import annotations

from typing import Any

from nodes.tutor.claims import Claim
from nodes.tutor.proving.paths import normal, numbered

PLACES = frozenset({"before", "after", "causes"})
"""Predicates of two places in files."""
ENTRIES = frozenset({"exists", "absent", "contains", "not_contains", "defines", "imports", "cycle"})
"""Predicates whose subject is a path, or the pattern of a name."""
SIZES = frozenset({"count", "greater", "less"})
OF_PATHS = frozenset({"lines", "words", "bytes", "files", "directories"})
"""Units of what is measured at a path; others are of texts and keys."""


def normalised(claim: Claim) -> Claim:
    """The claim as all claims that say the same are written; its label is left out."""
    scope = claim.scope
    if isinstance(scope, str):
        scope = _path(scope)
    elif scope is not None:
        scope = (_path(scope[0]), _path(scope[1]))
    subject, value = _subject(claim), _value(claim)
    return claim.model_copy(update={"subject": subject, "value": value, "scope": scope, "label": ""})


def _subject(claim: Claim) -> str:
    kind = claim.predicate
    if kind in PLACES or kind == "equals":
        return _place(claim.subject)
    of_path = kind in ENTRIES or (kind in SIZES and claim.unit in OF_PATHS)
    changed = kind == "changed_between" and claim.unit != "value"
    return _path(claim.subject) if of_path or changed else claim.subject


def _value(claim: Claim) -> Any:
    value = claim.value
    if isinstance(value, str):
        if claim.predicate in PLACES:
            return _place(value)
        if claim.predicate == "equals" and claim.unit in ("file", "sha256"):
            return _path(value) if claim.unit == "file" else value.lower()
        if claim.predicate in SIZES and claim.unit in OF_PATHS:
            return _path(value)
    if claim.predicate == "cycle" and isinstance(value, list) and all(isinstance(one, str) for one in value):
        first = value.index(min(value)) if value else 0
        return [*value[first:], *value[:first]]
    return value


def _path(written: str) -> str:
    return normal(written) or written


def _place(written: str) -> str:
    place = numbered(written)
    return f"{place[0]}:{place[1]}" if place is not None else _path(written)
