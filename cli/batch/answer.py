"""What became of one goal: a record, and whether it succeeded, failed or was refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

Outcome = Literal["succeeded", "failed", "refused"]
OUTCOMES: tuple[Outcome, ...] = ("succeeded", "failed", "refused")
"""The run succeeded; it failed, and `error` says why; or nobody allowed it to change what it asks for."""

EXIT_ENVIRONMENT = 2
EXIT_WAITING = 3
DRY_RUN = "dry_run"
"""Why a run stopped whose changes were only to be shown."""

_EMPTY: Mapping[str, Any] = {
    "status": "error",
    "answer": None,
    "confidence": None,
    "evidence": [],
    "thread_id": None,
    "notes": [],
    "waiting_for": [],
}


@dataclass(frozen=True)
class Answer:
    """What became of a goal.

    Attributes:
        outcome: see OUTCOMES.
        record: the fields of its line.
    """

    outcome: Outcome
    record: dict[str, Any]

    def dump(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)


def told(record: Mapping[str, Any], code: int) -> Answer:
    """A record with its outcome; one that failed has an error, and no other has.

    Args:
        record: of a run, as `reflect ask --json` prints it, or with an `error`.
        code: exit code its command would have had.
    """
    outcome: Outcome = "succeeded" if code == 0 else "refused" if _is_refused(record, code) else "failed"
    error = (record.get("error") or _reason(record)) if outcome == "failed" else None
    return Answer(outcome, {**_EMPTY, **record, "error": error, "exit_code": code})


def _is_refused(record: Mapping[str, Any], code: int) -> bool:
    """Whether it is undone because nobody allowed it, not because it could not be done."""
    return code == EXIT_WAITING or record.get("stop_reason") == DRY_RUN


def _reason(record: Mapping[str, Any]) -> dict[str, str]:
    """Why a run that came to its end is no success."""
    status, stop = str(record.get("status")), record.get("stop_reason")
    said = record.get("failure") or next(iter(record.get("notes") or ()), "") or record.get("answer") or ""
    what = f"The run ended as {status}{f' ({stop})' if stop else ''}. {said}".strip()
    return {"kind": status, "what": what, "remedy": ""}


def failed(kind: str, what: str, remedy: str = "") -> dict[str, Any]:
    """The record of a goal that has nothing but an error."""
    return {"error": {"kind": kind, "what": what, "remedy": remedy}}


def overdue(seconds: float) -> dict[str, Any]:
    """The record of a goal whose time was over."""
    what = f"The run was ended: it took longer than the {seconds:g} s of --timeout."
    return failed("TimedOut", what, "Go on with its thread by `reflect resume`, or allow more time.")


def died(deaths: int, why: str) -> dict[str, Any]:
    """The record of a goal that no worker survived."""
    what = f"{deaths} workers died while they had the goal; the last: {why}."
    return failed("WorkerDied", what, "Look at memory, and at the log of the workers.")
