"""Players by name: in a report `player:oracle` and the others stand where a model would."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_args

from configs.errors import UsageError
from configs.tutor import Arm
from evals.tutor.menu_players import eager_item, first_item, random_item
from evals.tutor.middling import Middling
from evals.tutor.players import Seen, cards_only, dump_everything, oracle
from nodes.tutor.games.game import Game

AnyPlayer = Callable[[Seen], Any]
"""One that may also write what is no move."""

PREFIX = "player:"
ARMS: tuple[Arm, ...] = get_args(Arm)
WITH_MENU: tuple[Arm, ...] = ("menu", "all")
ORACLE = f"{PREFIX}oracle"
MENU_FOLLOWERS = tuple(f"{PREFIX}{name}" for name in ("first-item", "eager-item", "random-item"))
NULL = (f"{PREFIX}cards-only", f"{PREFIX}dump-everything", *MENU_FOLLOWERS)
"""Players who know nothing, and must not win."""

_MADE: Mapping[str, Callable[[Game], AnyPlayer]] = {
    "oracle": oracle,
    "cards-only": lambda game: cards_only,
    "dump-everything": lambda game: dump_everything,
    "first-item": lambda game: first_item,
    "eager-item": lambda game: eager_item,
    "random-item": lambda game: random_item(f"{game.id} {game.seed}"),
    "middling": lambda game: Middling(game, f"{game.id} {game.seed}"),
}
PLAYERS = tuple(_MADE)


def is_player(model: str) -> bool:
    """True for the name of one of these, and for a slip in one."""
    return model.startswith(PREFIX)


def player_of(model: str, game: Game) -> AnyPlayer:
    """A fresh player for one game.

    Raises:
        UsageError: there is none of that name.
    """
    known(model)
    return _MADE[model.removeprefix(PREFIX)](game)


def known(model: str) -> str:
    """The name of a player, as it is.

    Raises:
        UsageError: there is none of that name.
    """
    if model.removeprefix(PREFIX) not in _MADE:
        raise UsageError(f"There is no player {model!r}.", f"Choose from {', '.join(_MADE)}.")
    return model


def arms_of(model: str, arms: Sequence[Arm]) -> list[Arm]:
    """The arms in which somebody plays: who only follows menus needs one."""
    return [arm for arm in arms if arm in WITH_MENU or model not in MENU_FOLLOWERS]
