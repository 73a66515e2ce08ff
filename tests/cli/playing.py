"""Scripts of players as YAML files for `scripted:FILE`, and a directory to play about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from nodes.tutor.games.generating import generate

GAME, SEED = "B02", 7
PASS: dict[str, Any] = {"move": "PASS"}
GOAL = "How many lines do the Python files have?"
CLAIM = '{"predicate": "count", "subject": "*.py", "unit": "lines", "scope": "."}'
COUNTED = {"predicate": "count", "subject": "*.py", "value": 5, "unit": "lines", "scope": "."}
NASTY_NAME = '<script>alert(1)\x1bM"&.txt'


def solution(game: str = GAME, seed: int = SEED) -> list[Any]:
    return [move.model_dump(mode="json") for move in generate(game, seed).solution]


def own_moves(value: int = 5) -> list[Any]:
    """Moves about `own_files`, which win with the right number only."""
    return [
        {"move": "PROPOSE", "request": {"raw": "find . -name '*.py' -type f"}},
        {"move": "PROPOSE", "request": {"raw": "wc -l a.py below/b.py"}},
        {"move": "ASSERT", "claim": {**COUNTED, "value": value}, "evidence": ["o1", "o2"]},
        {"move": "ANSWER", "claims": ["c1"]},
    ]


def own_files(folder: Path) -> Path:
    """A directory of somebody's own, with a file whose name and text would act in a terminal or a browser."""
    root = folder / "own"
    (root / "below").mkdir(parents=True)
    (root / "a.py").write_text("one\ntwo\n")
    (root / "below" / "b.py").write_text("one\ntwo\nthree\n")
    (root / NASTY_NAME).write_text("<img src=x onerror=alert(1)>\x1b]0;title\x07</pre><script>x</script>\n")
    return root


def player(folder: Path, *moves: Any, name: str = "player") -> str:
    """Write a script whose last move is repeated; gives the model's name."""
    path = folder / f"{name}.yaml"
    roles = {"worker": list(moves)}
    path.write_text(yaml.safe_dump({"roles": roles, "repeat_last": True}, allow_unicode=True), "utf-8")
    return f"scripted:{path}"
