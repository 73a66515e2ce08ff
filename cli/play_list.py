"""`reflect play --list`: the games there are."""

from __future__ import annotations

import sys
from typing import Any

from nodes.tutor.games.generating import GAMES, generate


def games() -> list[dict[str, Any]]:
    """Of each game its id, band, title, and the turns it has and needs at least, for the seed 0."""
    made = [generate(name, 0) for name in GAMES]
    return [
        {"id": one.id, "band": one.band, "title": one.title, "most_turns": one.most_turns, "par": one.par}
        for one in made
    ]


def print_games(*, as_json: bool) -> int:
    """Print them; returns 0."""
    if as_json:
        from cli.ask_command import print_json

        print_json({"games": games()})
        return 0
    for one in games():
        sys.stdout.write(f"{one['id']}  {one['band']:<10}  {one['title']}\n")
    return 0
