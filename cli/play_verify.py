"""`reflect play --verify FILE`: an exported game proved again; what was checked, and every problem.

Exit codes: 0 all of it holds; 1 something does not. A file that is no exported game at all is a usage error.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cli.live import printable
from cli.play_live import counted
from configs.errors import UsageError
from configs.redaction import path_text

LARGEST = 256 * 1024 * 1024
"""Bytes; no game of 10 000 turns comes near it."""
LONGEST = 2000
MARKS = (b'{"answer":[', b"reflective-graph/tutor-game", b'"seal":"')
"""A file that holds none of these was never an exported game; damage to one place leaves another."""


@dataclass(frozen=True)
class Checked:
    """What an exported game says of itself, as far as it can be read.

    Attributes:
        game: id and seed, or the goal of a free game.
        turns: how many are replayed.
        observations: how many seals are checked.
        proved: how many claims it says are proved; each is proved again.
        calls: how many tool calls are made again; None in a free game, whose files are not at hand.
        won: what it says.
        score: what it says.
    """

    game: str
    turns: int
    observations: int
    proved: int
    calls: int | None
    won: bool
    score: int


def verify_file(path: Path, *, as_json: bool, quiet: bool) -> int:
    """Prove a game again and print what was found; the exit codes are those of the module.

    Raises:
        UsageError: the file cannot be read, or is no exported game.
    """
    from nodes.tutor.verifying import verify

    data = _read(path)
    problems = verify(data)
    checked = None if problems else checked_of(data)
    if as_json:
        from cli.ask_command import print_json

        print_json(
            {
                "verified": not problems,
                "problems": problems,
                "checked": asdict(checked) if checked is not None else None,
            }
        )
    else:
        for problem in problems:
            sys.stdout.write(f"{printable(' '.join(problem.split()))[:LONGEST]}\n")
        if checked is not None and not quiet:
            sys.stdout.write("".join(f"{printable(line)}\n" for line in checked_lines(checked)))
        count = counted(len(problems), "problem")
        sys.stdout.write(f"Not verified: {count}.\n" if problems else "Verified: all of it holds.\n")
    return 1 if problems else 0


def _read(path: Path) -> bytes:
    told = f"--verify {path_text(path)}"
    try:
        with path.open("rb") as stream:
            data = stream.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"{told} cannot be read: {why}.", "Name a file that --export wrote.") from error
    if len(data) > LARGEST:
        raise UsageError(f"{told} has over {LARGEST} bytes.", "Name a file that --export wrote.")
    if not any(mark in data for mark in MARKS):
        raise UsageError(f"{told} is no exported game.", "Name a file that --export wrote.")
    return data


def checked_of(data: bytes) -> Checked:
    """What was checked of a game that holds.

    Args:
        data: of an exported game without problems.
    """
    document: dict[str, Any] = json.loads(data)
    game, nodes = document["game"], document["nodes"]
    generated = game["id"] != "free"
    calls = sum(node["kind"] == "action" and "request" in node["data"] for node in nodes)
    return Checked(
        game=f"{game['id']}, seed {game['seed']}" if generated else f"a free game: {game['goal']}",
        turns=len(document["turns"]),
        observations=sum(node["kind"] == "observation" for node in nodes),
        proved=sum(node["kind"] == "claim" and node["status"] == "validated" for node in nodes),
        calls=calls if generated else None,
        won=document["won"],
        score=document["score"],
    )


def checked_lines(checked: Checked) -> list[str]:
    """What was checked, in words."""
    made = (
        f"calls: {checked.calls} were made again in the generated files, and print what they printed"
        if checked.calls is not None
        else "calls: not made again, as its files are not at hand; it rests on the outputs that were recorded"
    )
    return [
        f"game: {' '.join(checked.game.split())[:LONGEST]}",
        "form: canonical, and the seal of the whole holds",
        f"observations: {checked.observations}, every seal holds",
        f"turns: {checked.turns} were replayed, with the same outcomes, words and points",
        f"claims: {checked.proved} are proved again by what they cite",
        made,
        f"end: {'won' if checked.won else 'not won'}, score {checked.score}",
    ]
