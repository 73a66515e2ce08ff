"""A game between a player that is no model and the tutor: engine, sandbox and tools are the real ones."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from configs.settings import ToolSettings
from configs.tutor import Arm, TutorSettings
from configs.work_limits import limits_of
from evals.tutor.field import AnyPlayer
from evals.tutor.players import Seen
from nodes.tutor.engine import Tutor
from nodes.tutor.games.game import Game
from nodes.tutor.games.writing import write_files
from nodes.tutor.helping.node_data import observation_of
from nodes.tutor.observing.observing import Observer
from nodes.tutor.observing.reading import shown
from nodes.tutor.parsing import dumped
from nodes.tutor.turns import Turn

AGAIN = re.compile(r"(o\d+) shows this already")


async def played(game: Game, player: AnyPlayer, arm: Arm, name: str, place: Path) -> Tutor:
    """Play a game to its end.

    Args:
        game: which.
        player: gives the moves.
        arm: help it gets; with any, the work limits of models nobody knows hold.
        name: of the player, as provider:name.
        place: an empty directory for the files.

    Raises:
        ReflectError: the files cannot be written, or a tool met an error that is not the move's.
    """
    settings = TutorSettings(arm=arm)
    if arm != "none":
        settings = settings.model_copy(update={"limits": limits_of(name)})
    write_files(game, place / "files")
    told = f"{game.id}-{game.seed}-{arm}"
    tutor = Tutor(game, told, Observer(place / "files", ToolSettings(), told), settings)
    while tutor.ended is None:
        await tutor.play(player(seen_of(tutor)))
    return tutor


def seen_of(tutor: Tutor) -> Seen:
    """What a player is shown of a game as it stands."""
    own = [turn for turn in tutor.turns if turn.by == "player"]
    last = own[-1] if own else None
    return Seen(
        goal=tutor.game.goal,
        targets=tutor.game.targets,
        # Turns in which the tutor moved are none the player may still make.
        most_turns=tutor.most_turns - (len(tutor.turns) - len(own)),
        rules=tutor.game.rules,
        menu=tuple(dumped(item.move) for item in tutor.menu()),
        card=last.message if last is not None and last.helped else "",
        message=last.message if last is not None else "",
        moves=tuple(turn.given for turn in own),
        shown=_shown(tutor),
        claims=_claims(tutor.turns),
        came_to=_came_to(last),
    )


def _shown(tutor: Tutor) -> dict[str, str]:
    """Whole texts of the observations: such a player has no window that is too small for them."""
    seen = (observation_of(node) for node in tutor.graph.of_kind("observation"))
    return {one.id: shown(one) for one in seen if one is not None}


def _claims(turns: Sequence[Turn]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(turn.claim for turn in turns if turn.claim))


def _came_to(last: Turn | None) -> str:
    if last is None:
        return ""
    again = AGAIN.match(last.message)
    return last.observation or last.claim or (again[1] if again else "")
