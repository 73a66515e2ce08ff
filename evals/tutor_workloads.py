"""What the proof game is timed on: long games, moves of every kind, and proofs of every predicate."""

from __future__ import annotations

import re
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from configs.settings import ToolSettings
from configs.tutor import Arm, TutorSettings
from evals.soundness import sandbox
from evals.soundness.generating import TRUE, generate
from evals.soundness.running import GAME, Play
from nodes.tutor.claims import Claim
from nodes.tutor.engine import Tutor
from nodes.tutor.games.game import Target
from nodes.tutor.moves import Request
from nodes.tutor.observations import Observation
from nodes.tutor.observing.observing import Observer
from nodes.tutor.open_games import free_game

NAME = "bench"
NUMBER = "0000"
LINES = 20
NEW = 5000
"""Numbers from here on are of files that no game of the bench has seen when it is built."""
PROBES = 300


class FromMemory:
    """An observer that has seen one file, and answers as if there were one for each number.

    Args:
        seen: what `cat` showed of the file numbered `NUMBER`.

    Attributes:
        spent: seconds it took to answer, which a move is not charged with.
    """

    def __init__(self, seen: Observation) -> None:
        self._seen = seen.model_dump_json(exclude={"seal"})
        self.spent = 0.0

    async def observe(self, request: Request, *, id: str, turn: int) -> Observation:
        """The observation of the file a call of `cat` names."""
        began = time.perf_counter()
        number = re.sub(r"\D", "", request.args["path"])
        told = Observation.model_validate_json(self._seen.replace(NUMBER, number))
        observation = told.model_copy(update={"id": id, "turn": turn}).sealed()
        self.spent += time.perf_counter() - began
        return observation

    def is_fresh(self, observation: Observation) -> bool:
        """Nothing changes."""
        return True


async def seen_once() -> Observation:
    """One real observation of a small file."""
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory).resolve()
        lines = [f"line {line} of file {NUMBER} holds value {line * 7}" for line in range(LINES)]
        (root / path_of(0)).write_text("\n".join(lines) + "\n", "utf-8")
        request = Request(tool="cat", args={"path": path_of(0)})
        return await Observer(root, ToolSettings(), NAME).observe(request, id="o1", turn=1)


def path_of(number: int) -> str:
    """The file with a number."""
    return f"f{number:04}.txt"


def claim_of(number: int, repetition: int, predicate: str) -> dict[str, Any]:
    """A claim of a file, of its own for each repetition: `contains` is false, `not_contains` is true."""
    return {"predicate": predicate, "subject": path_of(number), "value": f"nowhere {repetition}"}


async def built(observer: FromMemory, size: int, arm: Arm = "none") -> Tutor:
    """A game with so many observations, and a target that no move of the bench settles.

    Raises:
        RuntimeError: a call brought none.
    """
    target = Target(predicate="count", subject=path_of(0), unit="lines", open=frozenset({"value"}))
    game = free_game("bench", [target])
    tutor = Tutor(game, NAME, observer, TutorSettings(arm=arm, most_turns=10_000))
    for number in range(size):
        turn = await tutor.play(_cat(number))
        if not turn.observation:
            raise RuntimeError(f"no observation: {turn.message}")
    return tutor


@dataclass(frozen=True)
class Timed:
    """A move, and the outcome it must have.

    Attributes:
        kind: of the row in the report; "" for a move that only prepares another one.
        given: the move.
        outcome: of its turn.
    """

    kind: str
    given: object
    outcome: str


def moves(tutor: Tutor, size: int, repetition: int) -> Iterator[Timed]:
    """Moves of every kind, to be played as they come; a repetition has moves of its own."""
    number, seen = size // 2, f"o{size // 2 + 1}"
    yield Timed("PROPOSE", _cat(NEW + repetition), "played")
    yield Timed("ASSERT validated", _assert(claim_of(number, repetition, "not_contains"), seen), "played")
    proved = tutor.turns[-1].claim
    yield Timed("ASSERT refuted", _assert(claim_of(number, repetition, "contains"), seen), "rejected")
    falsifier = {"tool": "cat", "args": {"path": path_of(NEW + NEW // 2 + repetition)}}
    yield Timed("CHALLENGE", {"move": "CHALLENGE", "claim": proved, "falsifier": falsifier}, "played")
    yield Timed("", _assert(claim_of(number, repetition, "contains") | {"unit": "word"}), "rejected")
    put = tutor.turns[-1].claim
    yield Timed("LINK", {"move": "LINK", "claim": put, "evidence": [seen]}, "played")
    yield Timed("ASK", {"move": "ASK", "question": f"why {repetition}?"}, "played")
    yield Timed("illegal", f"I think it is {repetition}.", "illegal")


def _cat(number: int) -> dict[str, Any]:
    return {"move": "PROPOSE", "request": {"tool": "cat", "args": {"path": path_of(number)}}}


def _assert(claim: dict[str, Any], *evidence: str) -> dict[str, Any]:
    return {"move": "ASSERT", "claim": claim, "evidence": list(evidence)}


@dataclass(frozen=True)
class Proof:
    """A true claim, what is cited for it, and the observations."""

    claim: Claim
    cites: Sequence[object]
    observations: dict[str, Observation]


async def proofs(each: int) -> dict[str, list[Proof]]:
    """Generated true claims, at most so many of each predicate, with real observations that show them."""
    found: dict[str, list[Proof]] = defaultdict(list)
    for probe in generate(PROBES, 0, (TRUE,)):
        predicate = probe["claim"]["predicate"]
        if "falsity" not in probe and len(found[predicate]) < each:
            found[predicate].append(await _proof(probe))
    return dict(found)


async def _proof(probe: dict[str, Any]) -> Proof:
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory).resolve() / "sandbox"
        sandbox.build(root, probe["files"], probe.get("links", {}))
        play = Play(root, GAME, "o")
        await play.act(probe["actions"])
    seen = {observation.id: observation for observation in play.observations.values()}
    cites = [play.observations[at].id for at in probe["cites"] if type(at) is int and at in play.observations]
    return Proof(Claim.model_validate(probe["claim"]), cites, seen)
