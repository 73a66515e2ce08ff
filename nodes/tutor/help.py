"""What a turn adds for a player that is helped: a card where it is stuck, a nudge where enough is proved."""

from __future__ import annotations

from collections.abc import Sequence

from configs.tutor import TutorSettings
from nodes.tutor.games.game import Game
from nodes.tutor.helping.cards import card_for
from nodes.tutor.helping.failures import detect
from nodes.tutor.helping.menus import MenuItem, menu_of
from nodes.tutor.helping.synthesis import Advice
from nodes.tutor.proof_graph import ProofGraph
from nodes.tutor.telling import joined
from nodes.tutor.turns import Turn

NUDGE = "nudge"


class Help:
    """The help of one game.

    Args:
        game: what it is about.
        graph: of the game.
        turns: of the game, to which the engine adds.
        settings: say which arm it is.
    """

    def __init__(self, game: Game, graph: ProofGraph, turns: Sequence[Turn], settings: TutorSettings) -> None:
        self._game, self._graph, self._turns, self._settings = game, graph, turns, settings
        self._shown = [one for turn in turns for one in turn.helped if one != NUDGE]

    def menu(self) -> tuple[MenuItem, ...]:
        """The moves to choose from; none in arms without menus."""
        if self._settings.arm not in ("menu", "all"):
            return ()
        return menu_of(self._game, self._graph, self._turns, self._settings.menu_size)

    def added(self, turn: Turn, advice: Advice) -> Turn:
        """The last turn, with a card and a nudge added to what it tells."""
        texts, helped = [], []
        if self._settings.arm in ("cards", "all"):
            patterns = detect(self._turns, self._shown)
            card = card_for(patterns, self._turns, self._graph, self._shown, self._game)
            if card is not None:
                texts.append(card.text)
                helped.append(card.name)
                self._shown.append(card.name)
        if advice.kind == "nudge":
            texts.append(advice.text)
            helped.append(NUDGE)
        told = {"message": joined(turn.message, *texts), "helped": tuple(helped)}
        return turn.model_copy(update=told) if helped else turn
