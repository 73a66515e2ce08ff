"""What a tutor needs of whoever makes its observations."""

from __future__ import annotations

from typing import Protocol

from nodes.tutor.moves import Request
from nodes.tutor.observations import Observation


class Observing(Protocol):
    """What the tutor needs of an observer; `observing.observing.Observer` is the real one."""

    async def observe(self, request: Request, *, id: str, turn: int) -> Observation:
        """Make a call.

        Raises:
            ToolError: it is refused, or the tool cannot run.
        """
        ...

    def is_fresh(self, observation: Observation) -> bool:
        """False if what an observation depends on has changed since."""
        ...
