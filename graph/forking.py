"""Forking a thread: its state at one step, copied into a new thread, changed if asked, and gone on with.

The source is only read. The copy has a checkpoint id of its own, so its tasks have ids of their own: what the
source did after that step does not count as done, and a change that waits for an approval is asked about
again. Steps the copied state holds as done stay done. What a person allowed for the whole of the source's run
is asked about anew.

    async with open_project_checkpointer(root, settings) as saver:
        await fork_thread(saver, root, "source", "3", "fork", parse_changes(["complexity=complex"]))
        await build(saver).ainvoke(None, {"configurable": {"thread_id": "fork"}}, context=context)
"""

from __future__ import annotations

import asyncio
import difflib
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, Checkpoint, CheckpointMetadata
from langgraph.checkpoint.base.id import uuid6
from langgraph.checkpoint.memory import InMemorySaver
from pydantic import ValidationError

from configs.errors import UsageError
from graph.reflective import build
from memory.thread_history import START, Moment, thread_history
from memory.threads import copy_artifacts
from nodes.reflective.classify import check_goal
from nodes.reflective.state import ReasoningState, StepStatus

SETTABLE = (
    "goal",
    "complexity",
    "plan",
    "limits",
    "iterations",
    "reflection_count",
    "plan_retries",
    "commitments",
    "last_error",
)
"""Fields a fork may change. The others say what happened: to set them would be to claim it."""

_BEFORE_CLASSIFY = (START, "classify")


def parse_changes(words: Sequence[str]) -> dict[str, Any]:
    """Read `field=value` words; a value is JSON if it can be read as JSON, else text.

    Raises:
        UsageError: a word has no `=`, or a field is named twice.
    """
    changes: dict[str, Any] = {}
    for word in words:
        name, sign, text = word.partition("=")
        if not sign or not name or name in changes:
            raise UsageError(
                f"{word!r} sets nothing, or sets it twice.", "Write --set field=value, once a field."
            )
        changes[name] = text if name == "goal" else _value(text)
    return changes


async def find_moment(saver: BaseCheckpointSaver[Any], thread: str, at: str) -> Moment:
    """The checkpoint a person names, by its step's number, its id, or the beginning of its id.

    Raises:
        UsageError: there is no such thread or step, or more than one.
    """
    history = await thread_history(saver, thread)
    if not history:
        raise UsageError(
            f"There is no thread {thread!r} here.", "`reflect threads list` names those there are."
        )
    named = [moment for moment in history if str(moment.step) == at] or [
        moment for moment in history if len(at) > 3 and moment.checkpoint_id.startswith(at)
    ]
    if len(named) == 1:
        return named[0]
    if named:
        ids = ", ".join(moment.checkpoint_id for moment in named)
        raise UsageError(f"Step {at} of {thread!r} is there more than once: {ids}.", "Name one of these ids.")
    steps = ", ".join(str(moment.step) for moment in history)
    raise UsageError(
        f"Thread {thread!r} has no step {at!r}; it has {steps}.", "`reflect history` shows them."
    )


async def fork_thread(
    saver: BaseCheckpointSaver[Any],
    root: Path,
    source: str,
    at: str,
    target: str,
    changes: Mapping[str, Any] | None = None,
    *,
    keep_plan: bool = False,
) -> Moment:
    """Copy a thread's state at one step into a new thread, which then can be resumed.

    A new goal is a new question: the fork starts at CLASSIFY, unless it keeps the plan. A new plan is carried
    out from its first step. After any other change the routes of that step are taken anew.

    The new thread comes into being whole, with its first checkpoint, or not at all.

    Args:
        saver: where both threads are kept; of any kind.
        root: the project, below which stored outputs lie.
        source: the thread's name.
        at: a step's number or a checkpoint's id.
        target: name of the new thread.
        changes: new values by field; those of `SETTABLE`, or parts of them as `limits.iterations`.
        keep_plan: go on with the plan although the goal is another.

    Returns:
        The step it was copied from.

    Raises:
        UsageError: a thread or step does not exist, the target does, or a change cannot be made.
        MemoryStoreError: the checkpoints or stored outputs cannot be read or written.
    """
    moment = await find_moment(saver, source, at)
    if moment.kind != "ask":
        raise UsageError(
            f"The thread {source!r} is a {moment.kind} run, which cannot be forked.",
            f"Run `reflect {moment.kind}` anew.",
        )
    if await saver.aget_tuple(_config(target)) is not None:
        raise UsageError(f"There is a thread {target!r} already.", "Give the fork another name.")
    checked, as_node = _checked(moment, dict(changes or {}), keep_plan)
    found = await saver.aget_tuple(_config(source, moment.checkpoint_id))
    if found is None:
        raise UsageError(f"Step {at} of {source!r} was pruned meanwhile.", "Fork a later step.")
    checkpoint = await _changed(_copied(found.checkpoint, moment, source, target), checked, as_node)
    await asyncio.to_thread(copy_artifacts, root, source, target, json.dumps(moment.values))
    origin = {"thread": source, "checkpoint_id": moment.checkpoint_id, "step": moment.step}
    metadata = cast(
        CheckpointMetadata, {"source": "fork", "step": moment.step, "parents": {}, "forked_from": origin}
    )
    await saver.aput(_config(target), checkpoint, metadata, checkpoint["channel_versions"])
    return moment


def _copied(checkpoint: Checkpoint, moment: Moment, source: str, target: str) -> Checkpoint:
    """The checkpoint under an id of its own, its state told that it is of another thread."""
    values = dict(checkpoint["channel_values"])
    if "session_id" in values:
        told = f"Forked from step {moment.step} of thread {source}: what that run did before is not repeated."
        values |= {"session_id": target, "allowed_tools": [], "notes": [*values.get("notes", []), told]}
    now = datetime.now(UTC).isoformat()
    return {**checkpoint, "id": str(uuid6(clock_seq=-2)), "ts": now, "channel_values": values}


async def _changed(checkpoint: Checkpoint, changes: dict[str, Any], as_node: str | None) -> Checkpoint:
    """The checkpoint after a node returned the changes; made in memory, so that only the result is kept."""
    if as_node is None:
        return checkpoint
    draft = InMemorySaver()
    config = _config("draft")
    metadata = cast(CheckpointMetadata, {"source": "fork", "step": 0, "parents": {}})
    await draft.aput(config, checkpoint, metadata, checkpoint["channel_versions"])
    await build(draft).aupdate_state(config, changes, as_node=as_node)
    found = await draft.aget_tuple(config)
    assert found is not None
    return found.checkpoint


def _checked(moment: Moment, changes: dict[str, Any], keep_plan: bool) -> tuple[dict[str, Any], str | None]:
    """What is written into the state, and the node it is written as; None to change nothing.

    Raises:
        UsageError: it cannot be written.
    """
    if not changes:
        return {}, None
    state = _validated(moment.values, changes)
    fields = {name.partition(".")[0] for name in changes}
    written = state.model_dump(mode="json", include=fields)
    if "goal" in fields:
        written["goal"] = check_goal(state.goal)
        if not keep_plan:
            if fields != {"goal"}:
                raise UsageError(
                    "A new goal starts anew at CLASSIFY, which forgets the other changes.",
                    "Set the goal alone, or say --keep-plan.",
                )
            return written, START
    if not set(moment.next).isdisjoint(_BEFORE_CLASSIFY) or moment.node is None:
        raise UsageError(
            f"At step {moment.step} only the goal can be set: CLASSIFY, which comes next, starts anew.",
            "Fork a later step.",
        )
    # A success is claimed by what happens after the fork only.
    written |= {"verified": False, "final_answer": None, "status": "running"}
    if "plan" in fields:
        return written | _plan_anew(state), "plan"
    if not moment.next:
        raise UsageError(f"At step {moment.step} the run is at its end.", "Fork an earlier step.")
    # What was verified was another state.
    return written, "execute" if moment.node == "verify" else moment.node


def _plan_anew(state: ReasoningState) -> dict[str, Any]:
    """A plan none of whose steps has run, checked as one a model wrote."""
    if state.plan is None or not state.plan.steps:
        raise UsageError("A plan without steps cannot be carried out.", "Set a plan with steps.")
    steps = [
        step.model_copy(update={"status": StepStatus.PENDING, "result": None}) for step in state.plan.steps
    ]
    plan = state.plan.model_copy(
        update={"steps": steps, "source": "model", "recipe": None, "answer": None, "slots": {}}
    )
    return {
        "plan": plan.model_dump(mode="json"),
        "current_step_index": 0,
        "draft_answer": None,
        "last_error": None,
        "stop_reason": None,
        "failure": None,
    }


def _validated(values: Mapping[str, Any], changes: Mapping[str, Any]) -> ReasoningState:
    changed: dict[str, Any] = ReasoningState.model_validate(dict(values)).model_dump(mode="json")
    for name, value in changes.items():
        *path, last = name.split(".")
        field = name.partition(".")[0]
        if field not in SETTABLE:
            raise _not_settable(field)
        place = changed
        for part in path:
            inner = place.get(part)
            if not isinstance(inner, dict):
                raise UsageError(f"{name!r} names nothing: {part!r} has no parts.", "Set the whole field.")
            place = inner
        if path and last not in place:
            raise UsageError(f"{name!r} names nothing; there are {', '.join(place)}.", "Name one of these.")
        place[last] = value
    try:
        return ReasoningState.model_validate(changed)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UsageError(
            f"{where} cannot be set to that: {first['msg']}.", "See `reflect history`."
        ) from error


def _not_settable(field: str) -> UsageError:
    if field in ReasoningState.model_fields:
        why = f"{field!r} says what happened in a run, so it cannot be set."
    else:
        near = difflib.get_close_matches(field, SETTABLE, 1)
        why = f"The state has no field {field!r}" + (f"; {near[0]!r} was perhaps meant." if near else ".")
    return UsageError(why, f"What can be set: {', '.join(SETTABLE)}.")


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _config(thread: str, checkpoint_id: str | None = None) -> RunnableConfig:
    configurable = {"thread_id": thread, "checkpoint_ns": ""}
    return {"configurable": configurable | ({"checkpoint_id": checkpoint_id} if checkpoint_id else {})}
