"""Entries of the effect journal: where an effect belongs, and how far it got."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel

EffectState = Literal["proposed", "intent", "done", "uncertain"]


@dataclass(frozen=True)
class Slot:
    """Where an effect belongs.

    Attributes:
        thread: the thread, by which entries are pruned.
        task: LangGraph's id of the task: the same when a task runs again after a crash, another in a fork.
        step: number of the plan step.
        call_hash: `call_digest` of the call as planned.
        run: the run of the thread; a fork is of the same run as what it branched off from.
    """

    thread: str
    task: str
    step: int
    call_hash: str
    run: str = ""

    @property
    def key(self) -> tuple[str, int, str]:
        """The primary key."""
        return self.task, self.step, self.call_hash


class Effect(BaseModel):
    """One entry.

    Attributes:
        thread: as in `Slot`; so are `task`, `step`, `call_hash` and `run`.
        call: the call as it is or was run, which a person may have edited.
        shown: fingerprints of the previews a person was asked about, in order.
        state: how far it got.
        started: UTC, ISO, when it was proposed or begun.
        finished: UTC, ISO, when its result was written.
        result: what the call returned, for a done effect.
        repeats: time at which this run did the same before it was branched off, or None.
        after: hash of what the effect will leave behind, by which it can be recognised, or None.
    """

    thread: str
    task: str
    step: int
    call_hash: str
    run: str
    call: dict[str, Any]
    shown: list[str]
    state: EffectState
    started: str
    finished: str | None = None
    result: dict[str, Any] | None = None
    repeats: str | None = None
    after: str | None = None


def call_digest(call: dict[str, Any]) -> str:
    """SHA-256 of a call, the same whatever the order of its arguments."""
    text = json.dumps(call, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()
