"""What savers tell about threads without reading a state."""

from __future__ import annotations

import json
from dataclasses import dataclass


@dataclass(frozen=True)
class ThreadHead:
    """Where a thread stands.

    Attributes:
        thread: its name.
        newest: id of its newest checkpoint.
        checkpoints: how many there are.
        root: directory its run is about, as a server was told it; empty for a run of the command line, which
            is about the project the thread is kept in.
    """

    thread: str
    newest: str
    checkpoints: int
    root: str = ""


@dataclass(frozen=True)
class PrunedRows:
    """What was deleted.

    Attributes:
        checkpoints: number of checkpoints.
        writes: rows of what tasks wrote on top of them.
        blobs: stored values that nothing refers to any more (Postgres).
    """

    checkpoints: int = 0
    writes: int = 0
    blobs: int = 0

    def __add__(self, other: PrunedRows) -> PrunedRows:
        """Both together."""
        return PrunedRows(
            self.checkpoints + other.checkpoints, self.writes + other.writes, self.blobs + other.blobs
        )


def told_root(metadata: str | None) -> str:
    """The directory a checkpoint's metadata names, which LangGraph's server takes from the run's context.

    Args:
        metadata: JSON; of anything else nothing is read.
    """
    try:
        told = json.loads(metadata or "{}")
    except (ValueError, RecursionError):
        return ""
    root = told.get("root") if isinstance(told, dict) else None
    return root if isinstance(root, str) else ""
