"""What the final states of research, of the proof game and of engines together come to as findings. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from nodes.collective.exchange import LONGEST_TEXT, Assignment, Cited, Finding, FindingStatus
from nodes.reflective.state import Failure, RoleUsage

_RESEARCH: Mapping[str, FindingStatus] = {"reported": "answered", "no_data": "could_not", "error": "error"}
_TUTOR: Mapping[str, FindingStatus] = {"won": "answered", "lost": "could_not", "error": "error"}
_TOGETHER: Mapping[str, FindingStatus] = {
    "answered": "answered",
    "uncertain": "uncertain",
    "partial": "partial",
    "could_not": "could_not",
    "no_answer": "could_not",
    "error": "error",
}
CLAIM = ("predicate", "subject", "unit", "value", "scope")


def of_research(assignment: Assignment, values: Mapping[str, Any]) -> Finding:
    """The finding of a research run: its items' texts; what it rests on are the sources it used."""
    status = _RESEARCH.get(str(values.get("status")), "error")
    items = [dict(item) for item in values.get("result") or ()]
    texts = [str(item.get("description") or item.get("name") or "") for item in items]
    reported = status == "answered"
    cited = [
        Cited(
            kind="source", where=str(source.get("url", "")), text=str(source.get("name", ""))[:LONGEST_TEXT]
        )
        for source in (dict(one) for one in values.get("sources") or ())
    ]
    return _finding(
        assignment,
        values,
        status=status,
        answer="\n\n".join(text for text in texts if text),
        grounded=reported and bool(cited),
        evidence=cited if reported else [],
    )


def of_tutor(assignment: Assignment, values: Mapping[str, Any]) -> Finding:
    """The finding of a game: the claims that were proved, and what each rests on."""
    status = _TUTOR.get(str(values.get("status")), "error")
    nodes: Mapping[str, Any] = values.get("nodes") or {}
    proved = [dict(nodes[name].get("data") or {}) for name in values.get("answer") or () if name in nodes]
    lines = [claim_line(claim) for claim in proved]
    return _finding(
        assignment,
        values,
        status=status,
        answer="\n".join(lines),
        grounded=status == "answered",
        evidence=[
            Cited(kind="proof", where=name, text=line[:LONGEST_TEXT])
            for name, line in zip(values.get("answer") or (), lines, strict=False)
        ],
        figures={"score": float(values.get("score") or 0), "turns": float(len(values.get("turns") or ()))},
        data={"claims": [{name: claim.get(name) for name in CLAIM} for claim in proved]},
        data_schema="nodes.tutor.claims.Claim",
    )


def of_together(assignment: Assignment, values: Mapping[str, Any]) -> Finding:
    """The finding of a graph of several engines, whose findings it hands on as evidence."""
    status = _TOGETHER.get(str(values.get("status")), "error")
    own = [Finding.model_validate(one) for one in (values.get("findings") or {}).values()]
    grounded = [one for one in own if one.grounded]
    answer = str(values.get("final_answer") or "")
    return _finding(
        assignment,
        values,
        status=status,
        answer=answer,
        short=str(values.get("short_answer") or ""),
        confidence=values.get("confidence") if answer else None,
        grounded=bool(grounded) and status in ("answered", "partial"),
        evidence=[cited for one in grounded for cited in one.evidence],
    )


def claim_line(claim: Mapping[str, Any]) -> str:
    """A proved claim on one line: its predicate, then the fields that hold something."""
    said = [
        value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for name in CLAIM
        if (value := claim.get(name)) is not None
    ]
    return " ".join(said)


def _finding(assignment: Assignment, values: Mapping[str, Any], **told: Any) -> Finding:
    """The fields all have alike; a state that has no usage as one figure brings none."""
    usage = values.get("usage")
    failure = values.get("failure")
    return Finding.model_validate(
        {
            "id": assignment.id,
            "worker": assignment.worker,
            "question": assignment.question,
            "usage": usage if _is_usage(usage) else RoleUsage(),
            "notes": [str(note) for note in values.get("notes") or ()],
            "failure": Failure.model_validate(failure) if failure is not None else None,
            **told,
        }
    )


def _is_usage(usage: Any) -> bool:
    return isinstance(usage, RoleUsage) or (isinstance(usage, Mapping) and "calls" in usage)
