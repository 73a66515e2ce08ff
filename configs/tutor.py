"""Settings of the proof game: how long it lasts, what help a player gets, and what a move is worth."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from configs.section import Section
from configs.work_limits import WorkLimits

Arm = Literal["none", "menu", "cards", "all"]
Player = Literal["model", "person"]


class Points(Section):
    """What a turn brings. A node of the graph is credited once in a game, whatever is done with it.

    | turn                                              | points                                |
    |---------------------------------------------------|---------------------------------------|
    | a tool call that shows a fact not known before    | knowledge                             |
    | a claim proved that fills a target not yet filled | target                                |
    | another claim proved                              | claim                                 |
    | a tool call without any new fact                  | repeated                              |
    | a tool call that brings no result                 | failed                                |
    | a claim put that is not proved, or without proof  | unsupported                           |
    | a move against the rules                          | illegal                               |
    | an answer that is not accepted                    | rejected                              |
    | an answer that is accepted                        | won, and beyond_par a turn beyond par |
    | ASK, PASS, and whatever else                      | 0                                     |
    """

    knowledge: int = Field(1, description="New facts.")
    target: int = Field(10, description="A target filled by a validated claim.")
    claim: int = Field(2, description="Any other claim validated.")
    repeated: int = Field(-1, description="A tool call that showed nothing new.")
    failed: int = Field(-1, description="A tool call without a result.")
    unsupported: int = Field(-3, description="A claim that is not proved.")
    illegal: int = Field(-2, description="A move that was refused.")
    rejected: int = Field(-5, description="An answer that was not accepted.")
    won: int = Field(50, description="The answer that wins.")
    beyond_par: int = Field(-1, description="Each turn a game was won later than its shortest solution.")


class TutorSettings(Section):
    """A game: the player proposes, code proves.

    With `limits` unset, those of the table of models hold (`configs/work_limits.yaml`).
    """

    player: Player = Field("model", description="Who moves: the model, or a person who is asked each turn.")
    arm: Arm = Field(
        "none",
        description="Help for the player: none, a menu of moves, cards when it is stuck, or all. With any of "
        "them work limits hold, and an answer that is long proved is composed after two nudges.",
    )
    most_turns: int | None = Field(None, ge=1, le=10_000, description="Turns at most; unset: the game's own.")
    most_answers: int = Field(3, ge=1, le=100, description="Rejected answers after which a game is lost.")
    menu_size: int = Field(8, ge=1, le=30, description="Moves a menu offers at most.")
    shown_chars: int = Field(
        2000, ge=200, le=100_000, description="Characters of an observation the player is told at once."
    )
    max_tokens: int = Field(256, ge=32, description="Tokens of a player's reply.")
    limits: WorkLimits = WorkLimits()
    points: Points = Points()
