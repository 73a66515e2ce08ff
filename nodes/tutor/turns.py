"""What a turn was: the move as it was given, and what the tutor made of it."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from nodes.tutor.verdicts import Status

Outcome = Literal["played", "illegal", "failed", "rejected", "won", "lost"]
"""played: legal, and it did what it says; illegal: against the rules, nothing was done; failed: a tool call
that brought no result; rejected: an assertion or answer that is not proved; won and lost end the game."""

EndReason = Literal["answered", "composed", "turns", "answers", "player"]
"""answered: by the player; composed: by the tutor, of what was proved before; both win. The others lose:
no turn left, too many answers rejected, no player left (its model failed)."""


class Turn(BaseModel):
    """One turn.

    Attributes:
        number: from 1.
        given: the move as the player gave it, JSON, or the text that was none.
        move: its kind, or "" if it was none.
        signature: the same text for the same move, whatever its spelling and labels.
        outcome: see `Outcome`.
        otherwise: of a turn that ended the game: what it would have been in the middle of one.
        by: who moved; the tutor composes an answer that is proved and not given.
        message: what the player is told.
        action, observation, claim, question: names of the nodes this turn added to the graph, or "".
        status: of the claim a verdict was given on.
        credited: names of nodes this turn got points for; no node is credited twice in a game.
        gained: points of this turn.
        score: points until now.
        novel: True if it brought knowledge: facts not known before, or a claim whose status changed.
        helped: names of the cards and other helps the player was given with the answer.
        stale: observations this turn cited that were found to tell of the past.
        ended: why the game ended with it, or None.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    number: int
    given: Any
    move: str
    signature: str
    outcome: Outcome
    otherwise: Outcome | None = None
    by: Literal["player", "tutor"] = "player"
    message: str
    action: str = ""
    observation: str = ""
    claim: str = ""
    question: str = ""
    status: Status | Literal["proposed"] | None = None
    credited: tuple[str, ...] = ()
    gained: int = 0
    score: int = 0
    novel: bool = False
    helped: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    ended: EndReason | None = None
