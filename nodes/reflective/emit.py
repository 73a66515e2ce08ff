"""What a run tells the outside: live progress for people, events for the experience corpus."""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

from langchain_core.runnables.config import var_child_runnable_config
from langgraph.config import get_config, get_stream_writer
from langgraph.runtime import ExecutionInfo, get_runtime

from memory.events import ReasoningEvent
from nodes.reflective.kept import until_kept
from nodes.reflective.services import Services

ID_CHARS = 32
THOUGHT_CHARS = 4000
DURABILITY = "__pregel_durability"

_counts: ContextVar[tuple[str, Counter[tuple[str, int | None, str]]] | None] = ContextVar(
    "counts", default=None
)
"""How many events of each type and step the running task wrote. Each attempt at a task starts anew, because
LangGraph runs it in a context of its own."""


def now() -> str:
    """The time, UTC, ISO with seconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def progress(kind: str, **values: Any) -> None:
    """Send one progress event to whoever streams the run in `custom` mode."""
    get_stream_writer()({"kind": kind, **values})


def thought(role: str, text: str) -> None:
    """Send what a reasoning model thought aloud; it is progress only, never part of an answer or a prompt."""
    if text:
        progress("thinking", role=role, text=text[:THOUGHT_CHARS], chars=len(text))


async def record(services: Services, event: ReasoningEvent, *, to_global: bool = False) -> str:
    """Append an event to the session's trace and to the project's corpus, when memory is on.

    A task that runs again after a crash gives its events the ids they had, and what is in a file by its id
    is not appended again.

    Args:
        services: of the run.
        event: the event; inside a run it is given the id of its place in the run.
        to_global: append it to the global corpus as well.

    Returns:
        The event's id.

    Raises:
        MemoryStoreError: it cannot be written.
        NotKept: the checkpoint the task runs from is not on the disk.
    """
    info = _execution()
    once = False
    if info is not None:
        event = event.model_copy(update={"event_id": _place(info, event)})
        once = services.written.perhaps_before(info.task_id, event.event_id)
    if services.experience is None:
        return event.event_id
    if info is not None and get_config()["configurable"].get(DURABILITY) in (None, "async"):
        # A checkpoint that is lost with the process takes the task with it: its events would stay, and the
        # task that runs in its place would write them under other ids.
        await until_kept(info.checkpoint_id)
    experience, trace = services.experience, services.trace(event.session_id)

    def write() -> None:
        if trace is not None:
            trace.append(event.model_dump(mode="json"), once=once)
        experience.append(event, to_global=to_global, once=once)

    await asyncio.to_thread(write)
    return event.event_id


def _execution() -> ExecutionInfo | None:
    """The running task; None outside a graph."""
    return get_runtime().execution_info if var_child_runnable_config.get() else None


def _place(info: ExecutionInfo, event: ReasoningEvent) -> str:
    """The event's id: a hash of thread, task, type, step, and how many of these the task wrote before.

    Feedback is told apart by what it is about: what is left to be said may be less when a task runs again.
    """
    known = _counts.get()
    counts = known[1] if known is not None and known[0] == info.task_id else Counter()
    _counts.set((info.task_id, counts))
    kind = (event.event_type, event.step_num, str(event.meta.get("of", "")))
    counts[kind] += 1
    place = (info.thread_id or event.session_id, info.task_id, *kind, counts[kind])
    return hashlib.sha256(repr(place).encode("utf-8", "backslashreplace")).hexdigest()[:ID_CHARS]
