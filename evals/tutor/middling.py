"""A player of middling skill: it knows the shortest solution and errs at random.

What it is made of, so that figures can be read:
- At each turn it errs with RATE. Of its errors some are claims with a wrong value, some moves against the
  rules (prose, a tool there is not), some answers too early, and some the beginning of a loop: the last move
  again, and again with STUCK each turn.
- A card breaks a loop, and who has just read one errs half as often.
- With a menu that offers its next good move it takes that one where it would have put a wrong value. Where it
  would have broken the rules it takes any item.

So what an arm gains here is what that help is worth to a player who heeds it; how many models do is not told.
RATE is so high that without help about half of the games are lost; the rest was fitted to nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from evals.tutor.menu_players import PASS
from evals.tutor.players import MoveJson, Seen
from nodes.tutor.games.game import Game

RATE = 0.6
STUCK = 0.75
ADVISED = 0.5
ERRORS = {"value": 0.4, "rules": 0.3, "loop": 0.2, "early": 0.1}
PROSE = "I would look at the files first, and then tell what I have found."
NO_TOOL: MoveJson = {"move": "PROPOSE", "request": {"raw": "awk '{print}' notes.txt"}}


class Middling:
    """Plays one game.

    Args:
        game: whose solution it knows.
        seed: of its errors.
        rate: how often it errs, 0 to 1.
    """

    def __init__(self, game: Game, seed: str, rate: float = RATE) -> None:
        self._solution = [move.model_dump(mode="json") for move in game.solution]
        self._lot = Random(seed)
        self._rate = rate
        self._at = 0
        self._pending = False
        self._looping = False
        self._names: dict[str, str] = {}
        self._kinds = {"o": 0, "c": 0}

    def __call__(self, seen: Seen) -> Any:
        """The next move; a text where it breaks the rules by prose."""
        self._take_note(seen)
        if self._looping and not seen.card and self._lot.random() < STUCK:
            return seen.moves[-1]
        self._looping = False
        if self._lot.random() < self._rate * (ADVISED if seen.card else 1):
            return self._error(seen)
        return self._good_move()

    def _take_note(self, seen: Seen) -> None:
        """After a good move: what its observation or claim is called in this game."""
        if not self._pending:
            return
        self._pending = False
        letter = {"PROPOSE": "o", "ASSERT": "c"}.get(self._solution[self._at]["move"])
        if letter is not None and not seen.came_to.startswith(letter):
            return
        if letter is not None:
            self._kinds[letter] += 1
            self._names[f"{letter}{self._kinds[letter]}"] = seen.came_to
        self._at += 1

    def _good_move(self) -> MoveJson:
        if self._at >= len(self._solution):
            return PASS
        self._pending = True
        return self._named(self._solution[self._at])

    def _named(self, move: MoveJson) -> MoveJson:
        """A move of the solution with the names this game has."""
        for field in ("evidence", "claims"):
            if field in move:
                move = {**move, field: [self._names[name] for name in move[field]]}
        return move

    def _error(self, seen: Seen) -> Any:
        kind = self._lot.choices(list(ERRORS), list(ERRORS.values()))[0]
        if kind == "loop" and seen.moves:
            self._looping = True
            return seen.moves[-1]
        if kind == "early" and seen.claims:
            return {"move": "ANSWER", "claims": list(seen.claims)}
        if kind == "value" and seen.shown:
            return self._wrong_value(seen)
        if seen.menu:
            return self._lot.choice(seen.menu)
        return self._lot.choice([PROSE, NO_TOOL])

    def _wrong_value(self, seen: Seen) -> MoveJson:
        """A claim that is wanted, with a value nobody has seen; with a menu, the good move if it is there."""
        if self._at < len(self._solution) and _same_in(seen.menu, self._named(self._solution[self._at])):
            return self._good_move()
        wanted = [move["claim"] for move in self._solution if move["move"] == "ASSERT"]
        claim = self._lot.choice(wanted)
        return {
            "move": "ASSERT",
            "claim": {**claim, "value": self._spoiled(claim["value"])},
            "evidence": [self._lot.choice(list(seen.shown))],
        }

    def _spoiled(self, value: Any) -> Any:
        """Another value of the same type."""
        if isinstance(value, bool):
            return not value
        if isinstance(value, int | float):
            return value + self._lot.choice((-10, -1, 1, 10))
        if isinstance(value, list):
            return value[::-1] if value[::-1] != value else [*value, *value]
        return f"{value}{self._lot.randrange(10)}"


def _same_in(menu: Sequence[MoveJson], good: MoveJson) -> bool:
    """True if a menu offers a call or a claim, whatever evidence stands beside it."""
    told = ("move", "request", "claim", "claims")
    return any(all(item.get(name) == good.get(name) for name in told) for item in menu)
