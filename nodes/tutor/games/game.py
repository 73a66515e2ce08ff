"""What a game is: files, a goal, and the claims that settle it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from nodes.tutor.claims import Claim, Predicate
from nodes.tutor.moves import Move

Band = Literal["search", "formal", "governance", "diagnosis"]


def _pair(scope: object) -> object:
    return tuple(scope) if isinstance(scope, list) else scope


class Target(BaseModel):
    """The form of one claim of the answer: what is given holds, what is open the player has to find.

    Attributes:
        predicate: of the claim.
        open: which of subject, value, unit and scope the player has to find; the others are as given here.
        subject, value, unit, scope: as in `Claim`; not looked at where open.
        wanted: what it tells, in words, for the player.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    predicate: Predicate
    open: frozenset[Literal["subject", "value", "unit", "scope"]]
    subject: str = ""
    value: Any = None
    unit: str | None = None
    scope: Annotated[str | tuple[str, str] | None, BeforeValidator(_pair)] = None
    wanted: str = ""

    def has_form(self, claim: Claim) -> bool:
        """True if a claim has this form; nothing is said of its being so, or of its being the one wanted."""
        if claim.predicate != self.predicate:
            return False
        given = {"subject", "value", "unit", "scope"} - self.open
        return all(
            type(getattr(claim, name)) is type(getattr(self, name))
            and getattr(claim, name) == getattr(self, name)
            for name in given
        )

    def fits(self, claim: Claim) -> bool:
        """True if a claim settles this, if it is so; nothing is said of its being so.

        What is told to a player before the end (points, menus, advice) may rest on `has_form`, and never on
        this: it would tell which of many true claims is the answer.
        """
        return self.has_form(claim)


class Game(BaseModel):
    """One game.

    A target whose open fields are filled by a validated claim is settled; the game is won by an ANSWER that
    settles every target, one claim for each, and holds nothing else. The claims expected are never used to
    judge: what is validated and fits is right. They are here for the oracle, and for tests that say so.

    Attributes:
        id: B01 to B10, or "free" for a goal of the user's own.
        seed: it was generated from.
        band: of the benchmark.
        title: a line.
        goal: what the player is told: the task, and which claims settle it.
        rules: further rules of this game the player is told, and the tutor enforces or not as they say.
        files: relative path to text; empty for a free game, which is played where the user says.
        targets: what the answer has to hold, in order.
        expected: one claim for each target.
        solution: the shortest sequence of moves that wins, for the oracle; observations are named "o1", "o2"
            and so on in the order in which they are made, claims "c1", "c2" as they are put.
        needed: facts expected as evidence, as (tool, path), for the score of justification.
        most_turns: after which the game is lost.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    seed: int
    band: Band
    title: str
    goal: str
    rules: tuple[str, ...] = ()
    files: dict[str, str] = Field(default_factory=dict)
    targets: tuple[Target, ...]
    expected: tuple[Claim, ...] = ()
    solution: tuple[Move, ...] = ()
    needed: tuple[tuple[str, str], ...] = ()
    most_turns: int = 24

    @property
    def par(self) -> int:
        """Turns the shortest solution takes."""
        return len(self.solution)
