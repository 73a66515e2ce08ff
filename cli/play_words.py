"""Claims, moves and calls of a game in words, for people. What files or models wrote is in them as it is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

SIGNS: Mapping[str, str] = {"count": "=", "equals": "=", "value_of": "=", "greater": ">", "less": "<"}
"""Between subject and value; elsewhere the predicate itself stands there."""
LONGEST_VALUE = 400


def claim_words(claim: Mapping[str, Any]) -> str:
    """A claim on one line: "count *.py lines = 12 in ."; a value that is not there is "?".

    Args:
        claim: fields of a `Claim`, or of a `Target` with its `open` ones.
    """
    predicate, unfilled = str(claim.get("predicate", "")), claim.get("open", ())
    value = "?" if "value" in unfilled else _short(claim.get("value", True))
    subject = "?" if "subject" in unfilled else str(claim.get("subject", ""))
    unit = "?" if "unit" in unfilled else claim.get("unit") or ""
    scope = "?" if "scope" in unfilled else claim.get("scope")
    sign = SIGNS.get(predicate, "")
    said = "" if predicate in ("exists", "absent") else f"{sign} {value}".strip()
    where = " -> ".join(map(str, scope)) if isinstance(scope, list | tuple) else scope
    corrected = str(where).startswith("corrected by ")
    parts = [
        predicate,
        subject,
        str(unit),
        said,
        *([] if not where else [where] if corrected else ["in", where]),
    ]
    return " ".join(part for part in parts if part)


def call_words(request: Mapping[str, Any]) -> str:
    """A tool call as a line: what was typed, or the tool with its arguments."""
    if request.get("raw"):
        return str(request["raw"])
    given = " ".join(f"{name}={_short(value)}" for name, value in dict(request.get("args") or {}).items())
    return f"{request.get('tool', '')} {given}".strip()


def move_words(given: Any) -> str:
    """A move as it was given, on one line.

    Args:
        given: the move of a turn: a JSON object, or a text that was none.
    """
    if not isinstance(given, Mapping):
        return f"(no move) {given}"
    kind = str(given.get("move", "?"))
    parts = [
        _told(given.get(name), name)
        for name in ("request", "claim", "into", "falsifier", "claims", "question")
    ]
    evidence = given.get("evidence")
    by = f"by {' '.join(map(str, evidence))}" if isinstance(evidence, list) and evidence else ""
    return " ".join(part for part in (kind, *parts, by) if part)


def _told(value: Any, name: str) -> str:
    if value is None:
        return ""
    if isinstance(value, Mapping):
        words = call_words(value) if name in ("request", "falsifier") else claim_words(value)
        return f"as {words}" if name == "into" else words
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1] + "…"
