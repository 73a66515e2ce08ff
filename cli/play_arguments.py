"""What `reflect play` may be asked for together; nothing heavy is imported to say so."""

from __future__ import annotations

import argparse
import re
from typing import Any

from configs.errors import UsageError

MOST_SEED = 2**63 - 1
MOST_TURNS = 10_000
_NUMBER = re.compile(r"[0-9]{1,19}")
OF_A_GAME = ("game", "goal", "claim", "seed", "arm", "turns", "thread")
"""What a game keeps from its beginning, so that it is not said again."""
OF_PLAYING = (*OF_A_GAME, "resume", "model", "profile", "player", "watch", "export", "html")


def check_arguments(arguments: argparse.Namespace) -> None:
    """Refuse, before anything runs, what cannot be meant, and files that are somebody else's.

    Raises:
        UsageError: no game, two of them, no number where one is wanted, or an output that cannot be.
    """
    if refused := _refused(arguments):
        raise UsageError(*refused)
    if arguments.export or arguments.html:
        from cli.play_files import check_outputs

        check_outputs(arguments)


def _refused(arguments: argparse.Namespace) -> tuple[str, str] | None:
    for alone in ("list", "verify"):
        if getattr(arguments, alone) not in (None, False):
            return _beside(
                arguments, alone, [name for name in (*OF_PLAYING, "list", "verify") if name != alone]
            )
    if arguments.resume is not None:
        return _beside(arguments, "resume", OF_A_GAME)
    if arguments.goal is not None and arguments.game is not None:
        return "A game and --goal are both given.", "Leave out one of them."
    if arguments.goal is None and arguments.game is None:
        return (
            "There is nothing to play: no game is given.",
            "Name one of `reflect play --list`, or give a --goal about the files of --root.",
        )
    return _refused_of_a_game(arguments)


def _refused_of_a_game(arguments: argparse.Namespace) -> tuple[str, str] | None:
    if arguments.goal is None and arguments.claim:
        return "--claim is given without --goal.", "A generated game has its own claims; add --goal TEXT."
    if arguments.goal is not None and arguments.seed is not None:
        return "--seed and --goal are both given.", "A game of your own is not generated: leave out --seed."
    if arguments.watch and arguments.quiet:
        return "--watch and --quiet are both given.", "Leave out one of them."
    if arguments.seed is not None and not _is_number(arguments.seed, 0, MOST_SEED):
        return (
            f"The seed {arguments.seed[:40]!r} is no number.",
            f"Give a whole number from 0 to {MOST_SEED}.",
        )
    if arguments.turns is not None and not _is_number(arguments.turns, 1, MOST_TURNS):
        return (
            f"--turns {arguments.turns[:40]!r} is no number.",
            f"Give a whole number from 1 to {MOST_TURNS}.",
        )
    return None


def _beside(
    arguments: argparse.Namespace, flag: str, others: list[str] | tuple[str, ...]
) -> tuple[str, str] | None:
    """Why a flag cannot stand beside what else is given; None if nothing of it is."""
    given = [name for name in others if getattr(arguments, name) not in (None, False)]
    if not given:
        return None
    told = ", ".join("a game" if name == "game" else f"--{name}" for name in given)
    why = "A game keeps what it was begun with" if flag == "resume" else f"--{flag} plays nothing"
    return f"--{flag} is given together with {told}.", f"{why}: leave that out."


def _is_number(text: str, least: int, most: int) -> bool:
    return _NUMBER.fullmatch(text) is not None and least <= int(text) <= most


def start_of(arguments: argparse.Namespace, about: str) -> dict[str, Any]:
    """The input of a new game.

    Args:
        arguments: of the command.
        about: directory that a game of one's own is about.

    Raises:
        UsageError: there is no such game, the goal is empty or too long, or a claim cannot be one.
    """
    from nodes.tutor.begin import LONGEST_GOAL
    from nodes.tutor.open_games import FREE

    if arguments.goal is None:
        from nodes.tutor.games.generating import generate

        game = str(arguments.game).upper()
        seed = int(arguments.seed or 0)
        generate(game, seed)
        return {"game": game, "seed": seed, "goal": "", "targets": []}
    from cli.play_claims import targets_of

    goal = arguments.goal.encode("utf-8", "replace").decode("utf-8").strip()
    if not 0 < len(goal) <= LONGEST_GOAL:
        raise UsageError(
            f"The goal has {len(goal)} characters.", f"Say in 1 to {LONGEST_GOAL} what is to be found out."
        )
    return {
        "game": FREE,
        "seed": 0,
        "goal": goal,
        "targets": targets_of(arguments.claim or []),
        "about": about,
    }
