"""Moves in a form without nesting, which small models can fill; and back."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, model_validator

from nodes.tutor.parsing import FORMS, NoMove, read_move

Kind = Literal["PROPOSE", "ASSERT", "ASK", "CHALLENGE", "REFORMULATE", "LINK", "ANSWER", "PASS"]
TEXTS = frozenset({"contains", "not_contains", "equals", "before", "after", "causes", "defines", "imports"})
"""Predicates whose value is a text, whatever it looks like."""
_NAMES = re.compile(r"[\s,;\[\]\"']+")


class FlatMove(BaseModel):
    """A move, every field a text; those a move does not need are "".

    Attributes:
        move: which.
        command: PROPOSE and CHALLENGE: a command line, or {"tool": ..., "args": {...}} as text.
        predicate, subject, unit, scope: of the claim of ASSERT and REFORMULATE; two scopes as JSON list. The
            question of ASK is its subject.
        value: of the claim: a text as it stands where the predicate takes one, else JSON; a text that is no
            JSON stands for itself.
        evidence: names of observations, with commas.
        claim: name of the claim meant, or, of ANSWER, names with commas.
    """

    move: Kind
    command: str = ""
    predicate: str = ""
    subject: str = ""
    value: str = ""
    unit: str = ""
    scope: str = ""
    evidence: str = ""
    claim: str = ""

    @model_validator(mode="before")
    @classmethod
    def _flattened(cls, given: Any) -> Any:
        """A move as the engine takes it is one, too: able models are shown its form in cards."""
        if isinstance(given, Mapping) and given.get("move") in FORMS:
            whole = read_move(dict(given))
            if not isinstance(whole, NoMove):
                return flat(whole.model_dump(mode="json"))
        return given

    def whole(self) -> dict[str, Any]:
        """The move as the engine takes it, right or wrong: it says what is wrong with it."""
        made: dict[str, Any] = {"move": self.move}
        match self.move:
            case "PROPOSE":
                made["request"] = _request(self.command)
            case "ASSERT":
                made |= {"claim": self._claim(), "evidence": _names(self.evidence)}
            case "ASK":
                made["question"] = self.subject or self.value or self.command
            case "CHALLENGE":
                made |= {"claim": self.claim.strip(), "evidence": _names(self.evidence)}
                made["falsifier"] = _request(self.command) if self.command.strip() else None
            case "REFORMULATE":
                made |= {"claim": self.claim.strip(), "into": self._claim()}
            case "LINK":
                made |= {"claim": self.claim.strip(), "evidence": _names(self.evidence)}
            case "ANSWER":
                made["claims"] = _names(self.claim)
        return made

    def _claim(self) -> dict[str, Any]:
        return {
            "predicate": self.predicate.strip(),
            "subject": self.subject,
            "value": _value(self.predicate.strip(), self.value),
            "unit": self.unit.strip() or None,
            "scope": _scope(self.scope),
        }


def flat(whole: Mapping[str, Any]) -> dict[str, str]:
    """A move without nesting; `FlatMove.whole` of it is the same move.

    Args:
        whole: a move, as JSON, that is right.
    """
    made = {"move": str(whole["move"])}
    request = whole.get("request") or whole.get("falsifier")
    if request:
        call = {"tool": request.get("tool", ""), "args": request.get("args", {})}
        made["command"] = request.get("raw") or json.dumps(call, ensure_ascii=False)
    claim = whole.get("into") or whole.get("claim")
    if isinstance(claim, Mapping):
        predicate, value, scope = claim["predicate"], claim.get("value", True), claim.get("scope")
        as_text = predicate in TEXTS and isinstance(value, str)
        made |= {
            "predicate": predicate,
            "subject": claim["subject"],
            "value": value if as_text else json.dumps(value, ensure_ascii=False),
            "unit": claim.get("unit") or "",
            "scope": scope if isinstance(scope, str) else json.dumps(scope) if scope else "",
        }
    if isinstance(whole.get("claim"), str):
        made["claim"] = whole["claim"]
    if "claims" in whole:
        made["claim"] = ",".join(whole["claims"])
    if "question" in whole:
        made["subject"] = whole["question"]
    if whole.get("evidence"):
        made["evidence"] = ",".join(whole["evidence"])
    return made


def _request(command: str) -> dict[str, Any]:
    call = _loaded(command)
    if isinstance(call, dict) and set(call) <= {"tool", "args"} and isinstance(call.get("tool"), str):
        return {"tool": call["tool"], "args": call.get("args", {})}
    return {"raw": command.strip()}


def _value(predicate: str, text: str) -> Any:
    if predicate in ("exists", "absent"):
        return _loaded(text) if text.strip() not in ("", "True") else True
    if predicate in TEXTS:
        return text
    value = _loaded(text)
    return text if value is None and text.strip() != "null" else value


def _scope(text: str) -> str | list[str] | None:
    scope = _loaded(text) if text.lstrip().startswith("[") else None
    if isinstance(scope, list):
        return scope
    return text or None


def _names(text: str) -> list[str]:
    return [name for name in _NAMES.split(text) if name]


def _loaded(text: str) -> Any:
    """A JSON value; None for a text that is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
