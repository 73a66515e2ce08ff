"""Turns and cases made by hand."""

from typing import Any

from evals.report import Case, Planned
from evals.tutor.recorded import Played, case_of
from nodes.tutor.games.game import Game
from nodes.tutor.games.generating import generate
from nodes.tutor.turns import Turn

GAME = generate("B01", 0)


def turn(move: str = "PASS", outcome: str = "played", **more: Any) -> Turn:
    given: dict[str, Any] = {"number": 1, "given": {"move": move}, "move": move, "signature": move}
    return Turn.model_validate({**given, "outcome": outcome, "message": "told", **more})


def played(**more: Any) -> Played:
    made: dict[str, Any] = {
        "turns": [turn()],
        "ended": "answered",
        "won": True,
        "answer": list(GAME.expected),
        "score": 7,
        "justification": 0.5,
    }
    return Played(**{**made, **more})


def lost(**more: Any) -> Played:
    return played(**{"ended": "turns", "won": False, "answer": [], "justification": 0.0, **more})


def case(model: str = "p:m", arm: str = "none", *, seed: int = 0, game: Game = GAME, **more: Any) -> Case:
    """A case of a game that was won, unless it is said otherwise."""
    return case_of(Planned(id=game.id, variant=arm, model=model, seed=seed), game, played(**more))
