"""The checkpoints of a thread, told without its graph: which node ran, what comes next, what changed."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal
from uuid import UUID

from memory.errors import CheckpointCorrupt

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig
    from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple

Kind = Literal["ask", "research", "think", "play", "ensemble", "hybrid", "hierarchy", "specialists", "auto"]

ASKED_IN: Mapping[Kind, str] = {"research": "query", "think": "question", "play": "game", "ask": "goal"}
"""The field of a state by which its kind is known; it holds what was asked, or which game is played."""
TOGETHER: Mapping[str, Kind] = {
    "ensemble": "ensemble",
    "hybrid": "hybrid",
    "hierarchy": "hierarchy",
    "specialists": "specialists",
    "auto": "auto",
}
"""What the field `engine` holds in states of several engines, and the kind it stands for."""

START = "__start__"
WAITING = "waiting for an approval"
WAITING_FOR_ANSWER = "waiting for an answer"

_TRIGGER, _SENDS = "branch:to:", "__pregel_tasks"
_INTERRUPT, _RESUME = "__interrupt__", "__resume__"
_GREGORIAN = datetime(1582, 10, 15, tzinfo=UTC)
# What a row that another program wrote, or a disk damaged, may raise where it is decoded and read.
_NO_CHECKPOINT = (ValueError, LookupError, TypeError, AttributeError)
_TIMELESS = frozenset({"remaining_steps"})


@dataclass(frozen=True)
class Moment:
    """One checkpoint.

    Attributes:
        step: its number as LangGraph counts: -1 for a thread's first input. Not unique after a replay.
        checkpoint_id: its id; ids grow with time.
        at: when it was written, UTC, ISO 8601.
        source: what made it: input, loop (a node), update (an edited state) or fork.
        node: the node that ran last, or several side by side; None before the first.
        next: nodes that run next; none at the end of a run.
        waiting: True if it waits for an approval.
        values: the state's fields.
        changed: fields that differ from the checkpoint before, or hold something if that one lacks them.
        forked_from: thread and checkpoint it was copied from, or None.
        kind: the command it belongs to.
        asked: the goal, the query of a research run, the question that is thought about, or the game.
        root: directory the run is about, as a server was told it; empty for a run of the command line.
    """

    step: int
    checkpoint_id: str
    at: str
    source: str
    node: str | None
    next: tuple[str, ...]
    waiting: bool
    values: dict[str, Any]
    changed: tuple[str, ...]
    forked_from: dict[str, Any] | None = None
    kind: Kind = "ask"
    asked: str = ""
    root: str = ""

    @property
    def standing(self) -> str:
        """Where the run stands, in words."""
        if self.waiting:
            return WAITING if self.kind == "ask" else WAITING_FOR_ANSWER
        if self.next:
            return f"stopped before {', '.join(self.next).replace(START, 'its first node')}"
        return str(self.values.get("status") or "ended")


async def newest_moment(saver: BaseCheckpointSaver[Any], thread: str) -> Moment | None:
    """A thread's newest checkpoint; None if there is no such thread.

    Raises:
        CheckpointCorrupt: it holds something else than a checkpoint.
    """
    try:
        found = await saver.aget_tuple(_config(thread))
        return moment_of(found, None) if found is not None else None
    except _NO_CHECKPOINT as error:
        raise CheckpointCorrupt(
            f"The newest checkpoint of thread {thread!r} cannot be read: {error!r}.",
            f"Remove the thread: reflect threads delete {shlex.quote(thread)}",
        ) from error


async def query_ids(saver: BaseCheckpointSaver[Any], thread: str, *, newest: bool = False) -> set[str] | None:
    """Names of the logs that a thread's research runs wrote; none if it is of another kind.

    Args:
        saver: of any kind.
        thread: its name.
        newest: look at the newest checkpoint only.

    Returns:
        The names; None if there is no such thread.
    """
    names: set[str] | None = None
    async for found in saver.alist(_config(thread), limit=1 if newest else None):
        values = found.checkpoint["channel_values"]
        # A run is named when its first node is done, and for its thread if by nothing else.
        names = (names or set()) | ({str(values.get("query_id") or thread)} if "query" in values else set())
    return names


async def thread_history(saver: BaseCheckpointSaver[Any], thread: str) -> list[Moment]:
    """A thread's checkpoints, oldest first; empty if there is no such thread.

    Works with any saver, so notebooks can pass theirs.
    """
    newest_first = [found async for found in saver.alist(_config(thread))]
    by_id = {found.checkpoint["id"]: found for found in newest_first}

    def before(found: CheckpointTuple) -> CheckpointTuple | None:
        parent = (found.parent_config or {}).get("configurable", {}).get("checkpoint_id")
        return by_id.get(str(parent))

    return [moment_of(found, before(found)) for found in reversed(newest_first)]


def moment_of(found: CheckpointTuple, before: CheckpointTuple | None) -> Moment:
    """What a checkpoint tells, compared with the one before."""
    checkpoint = found.checkpoint
    metadata: dict[str, Any] = {**found.metadata}
    values = _fields(checkpoint["channel_values"])
    earlier = _fields(before.checkpoint["channel_values"]) if before is not None else {}
    # A run that was killed before its first node has nothing but what it was given.
    given = checkpoint["channel_values"].get(START)
    said = values if values or not isinstance(given, Mapping) else given
    # Of nodes that are sent to, LangGraph keeps no versions.
    ran = _sent(before.checkpoint["channel_values"]) if before is not None else ()
    written = {channel for _, channel, _ in found.pending_writes or []}
    changed = [
        name for name, value in values.items() if (earlier[name] != value if name in earlier else bool(value))
    ]
    return Moment(
        step=int(metadata.get("step", 0)),
        checkpoint_id=checkpoint["id"],
        at=checkpoint["ts"],
        source=str(metadata.get("source", "loop")),
        node=", ".join(ran) or _last_node(checkpoint["versions_seen"]),
        next=_next_nodes(checkpoint["channel_values"]),
        waiting=_INTERRUPT in written and _RESUME not in written,
        values=values,
        changed=tuple(changed),
        forked_from=metadata.get("forked_from"),
        kind=_kind(said),
        asked=_asked(said),
        root=root if isinstance(root := metadata.get("root"), str) else "",
    )


def _kind(said: Mapping[str, Any]) -> Kind:
    together = TOGETHER.get(str(said.get("engine")))
    if together is not None:
        return together
    return next((kind for kind, name in ASKED_IN.items() if name in said), "ask")


def _asked(said: Mapping[str, Any]) -> str:
    """What was asked; a generated game is known by its seed, one of the caller's own by its goal."""
    if "game" in said:
        return str(said.get("goal") or f"{said['game']}, seed {said.get('seed', 0)}")
    return str(next((said[name] for name in ASKED_IN.values() if name in said), ""))


def first_id_after(moment: datetime) -> str:
    """The smallest checkpoint id of a time: ids are UUIDs of version 6 (RFC 9562, section 5.6)."""
    ticks = (moment - _GREGORIAN) // timedelta(microseconds=1) * 10
    high, low = ticks >> 12, ticks & 0xFFF
    return str(UUID(int=(high << 80) | (0x6 << 76) | (low << 64)))


def _config(thread: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread, "checkpoint_ns": ""}}


def _fields(channel_values: Mapping[str, Any]) -> dict[str, Any]:
    """The state without what LangGraph keeps beside it."""
    return {
        name: value
        for name, value in channel_values.items()
        if not name.startswith((_TRIGGER, "__")) and name not in _TIMELESS
    }


def _next_nodes(channel_values: Mapping[str, Any]) -> tuple[str, ...]:
    """Nodes whose trigger is set. `StateSnapshot.next` is empty for a run that was killed at its end."""
    triggered = [name.removeprefix(_TRIGGER) for name in channel_values if name.startswith(_TRIGGER)]
    return (START,) if START in channel_values else (*triggered, *_sent(channel_values))


def _sent(channel_values: Mapping[str, Any]) -> tuple[str, ...]:
    """Nodes that were sent to, side by side, each named once."""
    return tuple(dict.fromkeys(str(send.node) for send in channel_values.get(_SENDS) or ()))


def _last_node(versions_seen: Mapping[str, Mapping[str, Any]]) -> str | None:
    """The node that saw the newest version of a channel, as `update_state` finds out whose turn it was."""
    seen = {
        node: max(versions.values())
        for node, versions in versions_seen.items()
        if versions and not node.startswith("__")
    }
    return max(seen, key=lambda node: seen[node]) if seen else None
