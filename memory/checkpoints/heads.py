"""What savers tell about threads without reading a state."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ThreadHead:
    """Where a thread stands.

    Attributes:
        thread: its name.
        newest: id of its newest checkpoint.
        checkpoints: how many there are.
    """

    thread: str
    newest: str
    checkpoints: int


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
