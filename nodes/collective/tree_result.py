"""What a run of several engines comes to whose state is that of a contractive run with findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nodes.collective.exchange import Finding
from nodes.collective.result import CollectiveResult, told
from nodes.reflective.state import Failure, RoleUsage


def result_of(
    values: Mapping[str, Any], thread: str, waiting: Sequence[Mapping[str, Any]] = ()
) -> CollectiveResult:
    """The result of a hierarchy.

    Args:
        values: of its state: those of a `ContractiveState`, and `findings` by the ids of questions.
        thread: its name.
        waiting: questions it waits for an answer to.
    """
    found = [Finding.model_validate(one) for one in dict(values.get("findings") or {}).values()]
    failure = Failure.model_validate(values["failure"]) if values.get("failure") else None
    status = str(values.get("status") or "running")
    answer = str(values.get("final_answer") or "")
    return CollectiveResult.model_validate(
        {
            "engine": "hierarchy",
            "thread_id": thread,
            "goal": values.get("question") or "",
            "answer": answer,
            "short_answer": values.get("short_answer") or "",
            "status": "could_not" if status == "no_answer" else status,
            "confidence": values.get("confidence") if answer else None,
            "findings": [one.model_copy(update={"vector": []}) for one in found],
            "usage": values.get("usage") or RoleUsage(),
            "notes": values.get("notes") or [],
            "failure": told(failure.what, failure.remedy) if failure is not None else None,
            "waiting_for": [dict(question) for question in waiting],
        }
    )
