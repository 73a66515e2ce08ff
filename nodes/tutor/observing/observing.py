"""From a request to a sealed observation."""

from __future__ import annotations

from pathlib import Path

from configs.settings import ToolSettings
from nodes.tutor.moves import Request
from nodes.tutor.observations import Observation
from tools.errors import UnknownTool


class Observer:
    """Makes the calls of one game.

    Args:
        root: the sandbox.
        settings: of tools.
        game: its name.
    """

    def __init__(self, root: Path, settings: ToolSettings, game: str) -> None:
        self.root, self.settings, self.game = root, settings, game

    async def observe(self, request: Request, *, id: str, turn: int) -> Observation:
        """Make a call.

        Raises:
            ToolError: it is refused.
        """
        raise UnknownTool(f"There is no tool {request.tool!r} yet.")

    def is_fresh(self, observation: Observation) -> bool:
        """False if what an observation depends on has changed since."""
        return False
