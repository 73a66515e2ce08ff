"""A person plays: each turn a line is read, from a terminal or a pipe, until it is a move."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from cli.beside import beside
from cli.live import printable
from cli.play_typing import HELP, NotUnderstood, move_of

PROMPT = "your move (? for help): "
LEAVING = frozenset({"quit", "exit"})
LONGEST_LINE = 100_000


async def at_terminal(question: Mapping[str, Any]) -> Any:
    """Ask for a move; None at the end of input, or for a person who leaves.

    Args:
        question: what the game asks, as PLAYER sends it.
    """
    _tell(f"\nTurn {question.get('turn')} of {question.get('most_turns')}")
    for number, item in enumerate(question.get("menu", []), 1):
        _tell(f"  {number}. {item['label']}")
    while True:
        sys.stderr.write(PROMPT)
        sys.stderr.flush()
        line = str(await beside(sys.stdin.readline, LONGEST_LINE)) if sys.stdin else ""
        if not line or line.strip().lower() in LEAVING:
            return None
        try:
            if line.strip() == "?":
                _tell(HELP)
            elif line.strip():
                return move_of(line)
        except NotUnderstood as problem:
            _tell(str(problem))


def _tell(text: str) -> None:
    sys.stderr.write(f"{printable(text)}\n")
