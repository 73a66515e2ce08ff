"""What the end of a run comes to as a record of the results.

Whichever graph answered, a record has status, answer, confidence, evidence, usage, notes, waiting_for and
thread_id in the same sense, as `reflect ask --json` prints them; beside them stands what the command of that
graph prints.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cli.batch.goal import Goal
from cli.running import EXIT_ENVIRONMENT, EXIT_WAITING, end_of
from nodes.collective import result, tree_result
from nodes.collective.engine_reading import of_contractive
from nodes.collective.exchange import Assignment, Finding
from nodes.contractive import events
from nodes.contractive.state import ContractiveState
from nodes.reflective.context import RunContext
from nodes.routing.engine_reading import of_research, of_together
from nodes.specialists import result as specialists_result

Values = Mapping[str, Any]
Questions = Sequence[Mapping[str, Any]]

EXIT_BY_STATUS = {"answered": 0, "uncertain": 0, "partial": 1, "could_not": 1}
_AS_FOUND = ("status", "confidence", "usage", "notes")
_NOTHING_YET: Mapping[str, Any] = {
    "status": "running",
    "answer": None,
    "confidence": None,
    "evidence": [],
    "usage": None,
    "notes": [],
}


def record_of(
    goal: Goal, values: Values, questions: Questions, thread: str, context: RunContext
) -> tuple[dict[str, Any], int]:
    """The record of a run, and the exit code its own command would have had.

    Args:
        goal: that was asked.
        values: of the state, at its end or where it waits.
        questions: those it waits with.
        thread: its name.
        context: choices of the run.
    """
    waiting = [dict(one) for one in questions]
    if goal.graph == "reflective":
        return end_of(dict(values), waiting, thread, context)
    record = {**_PRINTED[goal.graph](values, thread, questions), "thread_id": thread, "waiting_for": waiting}
    if waiting:
        return {**record, **_NOTHING_YET}, EXIT_WAITING
    # Who the worker is called matters where findings are put together, and these are not.
    found = _READ.get(goal.graph, of_together)(
        Assignment(id="goal", worker="direct", question=goal.goal), values
    )
    told = found.model_dump(mode="json", include={*_AS_FOUND, "evidence"})
    failure = f"{found.failure.what} {found.failure.remedy}".strip() if found.failure is not None else None
    record = {"evidence": told["evidence"], **record, **{name: told[name] for name in _AS_FOUND}}
    record |= {"answer": found.answer or None, "failure": failure}
    return record, EXIT_BY_STATUS.get(found.status, EXIT_ENVIRONMENT)


def _thought(values: Values, thread: str, questions: Questions) -> dict[str, Any]:
    line = events.result_of(ContractiveState.model_validate(dict(values)), thread, questions)
    return line.model_dump(mode="json", exclude={"type"})


def _together(values: Values, thread: str, questions: Questions) -> dict[str, Any]:
    return result.result_of(values, thread, questions).model_dump(mode="json")


def _tree(values: Values, thread: str, questions: Questions) -> dict[str, Any]:
    return tree_result.result_of(values, thread, questions).model_dump(mode="json")


def _facts(values: Values, thread: str, questions: Questions) -> dict[str, Any]:
    printed = specialists_result.result_of(values, thread).model_dump(mode="json")
    return {**printed, "evidence": printed["findings"]}


_PRINTED: Mapping[str, Callable[[Values, str, Questions], dict[str, Any]]] = {
    "research": lambda values, thread, questions: {"items": values.get("result") or []},
    "contractive": _thought,
    "ensemble": _together,
    "hybrid": _together,
    "hierarchy": _tree,
    "specialists": _facts,
    "auto": lambda values, thread, questions: {"decision": values.get("decision")},
}
_READ: Mapping[str, Callable[[Assignment, Values], Finding]] = {
    "research": of_research,
    "contractive": of_contractive,
}
