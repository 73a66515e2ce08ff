"""What a game is: files, a goal, and the claims that settle it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from posixpath import normpath
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_serializer

from nodes.tutor.claims import Claim, Predicate
from nodes.tutor.moves import Move

Band = Literal["search", "formal", "governance", "diagnosis"]
Slot = Literal["subject", "value", "unit", "scope"]
SLOTS: tuple[Slot, ...] = ("subject", "value", "unit", "scope")
PLACES = ("before", "after", "causes")
"""Predicates whose value is the place of a line, as their subject is."""
LITERALS = ("count", "greater", "less", "value_of")
"""Predicates whose subject may be a literal text or a key, where "a//b" is not "a/b"."""


def _pair(scope: object) -> object:
    return tuple(scope) if isinstance(scope, list) else scope


class Target(BaseModel):
    """The form of one claim of the answer: what is given holds, what is open the player has to find.

    Attributes:
        predicate: of the claim.
        open: which of subject, value, unit and scope the player has to find; the others are as given here.
        subject, value, unit, scope: as in `Claim`; not looked at where open.
        wanted: what it tells, in words, for the player.
        seal: `sealed` of the one claim that settles it, where many claims of its form are true and only one
            of them is what the goal asks for; "" where proof alone decides. It tells a reader nothing.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    predicate: Predicate
    open: frozenset[Slot]
    subject: str = ""
    value: Any = None
    unit: str | None = None
    scope: Annotated[str | tuple[str, str] | None, BeforeValidator(_pair)] = None
    wanted: str = ""
    seal: str = ""

    @field_serializer("open", when_used="json")
    def _in_order(self, slots: frozenset[Slot]) -> list[Slot]:
        """The same text in every process: sets are walked in the order of their hashes."""
        return [slot for slot in SLOTS if slot in slots]

    def has_form(self, claim: Claim) -> bool:
        """True if a claim has this form; nothing is said of its being so, or of its being the one wanted."""
        given = [slot for slot in SLOTS if slot not in self.open]
        return _written(claim, given) == _written(self, given)

    def fits(self, claim: Claim) -> bool:
        """True if a claim settles this, if it is so; nothing is said of its being so.

        What is told to a player before the end (points, menus, advice) may rest on `has_form`, and never on
        this: it would tell which of many true claims is the answer.
        """
        return self.has_form(claim) and self.seal in ("", sealed(claim))


def sealed(claim: Claim) -> str:
    """SHA-256, in hexadecimal digits, of what a claim says; the same for "./a" and "a"."""
    return hashlib.sha256(_written(claim, SLOTS).encode("ascii")).hexdigest()


def _written(of: Claim | Target, slots: Sequence[Slot]) -> str:
    """What is said, as JSON, in which 1, 1.0 and true differ at any depth."""
    return json.dumps([of.predicate, *(_said(of, slot) for slot in slots)], sort_keys=True)


def _said(of: Claim | Target, slot: Slot) -> Any:
    """What is said, a path in its plain form; a text that may be no path stays as it is."""
    said = getattr(of, slot)
    is_path = {
        "subject": of.predicate not in LITERALS and of.unit != "value",
        "value": of.predicate in PLACES,
        "unit": False,
        "scope": True,
    }
    if not is_path[slot]:
        return said
    if isinstance(said, tuple):
        return tuple(normpath(one) for one in said)
    return normpath(said) if isinstance(said, str) and said else said


class Game(BaseModel):
    """One game.

    A target whose open fields are filled by a validated claim is settled; the game is won by an ANSWER that
    settles every target, one claim for each, and holds nothing else. The claims expected are never used to
    judge: what is validated and fits is right; where proof alone would leave many claims, a target's seal
    names the one. They are here for the oracle, and for tests that say so.

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
