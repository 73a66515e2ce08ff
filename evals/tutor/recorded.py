"""What is written down of a game that was played, by a model through the graph or by another player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evals.report import Case, Planned
from evals.soundness.tree import Tree
from evals.soundness.truth import holds
from evals.tutor.field import NULL
from nodes.reflective.state import RoleUsage
from nodes.tutor.claims import Claim
from nodes.tutor.games.game import Game
from nodes.tutor.identity import normalised
from nodes.tutor.turns import Turn

PUTTING = ("ASSERT", "REFORMULATE")
"""Moves that put a claim."""


@dataclass(frozen=True)
class Played:
    """A game at its end.

    Attributes:
        turns: in order.
        ended: why; None if something other than the game stopped it.
        won: whether the tutor accepted an answer.
        answer: the claims that were accepted.
        score: points.
        justification: of the answer, 0 to 1.
        usage: cost of a model's calls.
        failure: what failed, "" for nothing.
    """

    turns: Sequence[Turn]
    ended: str | None
    won: bool
    answer: Sequence[Claim]
    score: int
    justification: float
    usage: RoleUsage = field(default_factory=RoleUsage)
    failure: str = ""


def case_of(planned: Planned, game: Game, played: Played) -> Case:
    """The record of a game: it went as it should if it was won, or, of a player who knows nothing, lost.

    A failure is an error whatever else is said; an answer the tutor composed is no win of the player.
    """
    status = status_of(played)
    expected = "lost" if planned.model in NULL else "won"
    wrong = wrong_claims(game, played.answer) if played.won else []
    return Case(
        id=planned.id,
        group=game.band,
        variant=planned.variant,
        model=planned.model,
        repeat=planned.repeat,
        seed=planned.seed,
        goal=game.goal,
        passed=status == expected and not wrong,
        false_success=bool(wrong),
        status=status,
        stop_reason=played.ended or "",
        detail=_detail(status, wrong, played) if status != expected or wrong else "",
        model_calls=played.usage.calls,
        tokens=played.usage.prompt_tokens + played.usage.completion_tokens,
        steps=len(played.turns),
        budget_exhausted=played.ended == "turns",
        extra={
            **counted(played.turns),
            "par": game.par,
            "score": played.score,
            "justification": played.justification if played.won else None,
            "rerun_options": ["--seeds", "1", "--players", "none"],
        },
    )


def status_of(played: Played) -> str:
    """error, won, composed (the tutor gave the answer) or lost."""
    if played.failure or played.ended is None or played.ended == "player":
        return "error"
    if not played.won:
        return "lost"
    return "composed" if played.ended == "composed" else "won"


def counted(turns: Sequence[Turn]) -> dict[str, int]:
    """Moves of the player by what became of them; the tutor's own are none of them."""
    own = [turn for turn in turns if turn.by == "player"]
    put = [turn for turn in own if turn.move in PUTTING and _outcome(turn) != "illegal"]
    return {
        "moves": len(own),
        "illegal": sum(_outcome(turn) == "illegal" for turn in own),
        "failed": sum(_outcome(turn) == "failed" for turn in own),
        "asserted": len(put),
        "unsupported": sum(_outcome(turn) == "rejected" for turn in put),
        "answers_rejected": sum(turn.move == "ANSWER" and _outcome(turn) == "rejected" for turn in own),
        "helped": sum(bool(turn.helped) for turn in own),
    }


def wrong_claims(game: Game, answer: Sequence[Claim]) -> list[str]:
    """Claims of an accepted answer that are not so, by plain code that knows nothing of provers."""
    tree = Tree(game.files)
    expected = [normalised(claim) for claim in game.expected]
    return [
        claim.key for claim in answer if normalised(claim) not in expected and not holds(_fields(claim), tree)
    ]


def _fields(claim: Claim) -> Mapping[str, Any]:
    return normalised(claim).model_dump(mode="json")


def _outcome(turn: Turn) -> str:
    """What a turn came to, whether or not the game ended with it."""
    return turn.otherwise or turn.outcome


def _detail(status: str, wrong: Sequence[str], played: Played) -> str:
    if wrong:
        return f"The answer was accepted, and this is not so: {'; '.join(wrong)}"
    if status == "won":
        return "A player who knows nothing won."
    if status == "composed":
        return "The tutor composed the answer of what the player had proved."
    return played.failure or (played.turns[-1].message[-200:] if played.turns else "No turn was played.")
