"""A world of a few texts: an observer over a mapping, what its observations show, provers of a few claims.

It stands in for sandbox, reading and provers, which have tests of their own, so that a game takes no process.
"""

import hashlib
from typing import Any

import pytest

from configs.tutor import TutorSettings
from nodes.tutor.claims import Claim
from nodes.tutor.engine import Tutor
from nodes.tutor.facts import Entry, Fact, Text
from nodes.tutor.games.game import Game, Target
from nodes.tutor.moves import Request
from nodes.tutor.observations import Footprint, Observation
from nodes.tutor.proving.world import World
from nodes.tutor.turns import Turn
from nodes.tutor.verdicts import Verdict, refuted, undecidable, validated
from tools.errors import SandboxUnavailable, UnknownTool

FILES = {"a.txt": "alpha\nbeta\n", "b.txt": "gamma\n", "c.txt": "beta\n"}
BETA = Target(predicate="contains", open=frozenset({"subject"}), value="beta", wanted="a file with beta")
LINES = Target(
    predicate="count", open=frozenset({"value"}), subject="a.txt", unit="lines", wanted="lines of a.txt"
)


class Reader:
    """Reads texts by name, as `cat` does."""

    def __init__(self, files: dict[str, str], game: str = "game") -> None:
        self.files, self.game, self.calls = files, game, 0

    async def observe(self, request: Request, *, id: str, turn: int) -> Observation:
        if request.tool == "broken":
            raise SandboxUnavailable("There is no sandbox.")
        if request.tool != "cat" or set(request.args) != {"path"}:
            raise UnknownTool(f"There is no tool {request.tool!r}.", "Use cat.")
        self.calls += 1
        path = str(request.args["path"])
        text = self.files.get(path)
        return Observation(
            id=id,
            game=self.game,
            turn=turn,
            tool="cat",
            args={"path": path},
            command=f"cat {path}",
            returncode=0 if text is not None else 1,
            stdout=text or "",
            stderr="" if text is not None else "cat: no such file",
            footprint=Footprint(paths=(path,), digest=self._digest(path)),
        ).sealed()

    def is_fresh(self, observation: Observation) -> bool:
        return observation.footprint.digest == self._digest(observation.footprint.paths[0])

    def _digest(self, path: str) -> str:
        return hashlib.sha256(repr(self.files.get(path)).encode()).hexdigest()


def facts(observation: Observation) -> tuple[Fact, ...]:
    path = str(observation.args["path"])
    if observation.returncode:
        return (Entry(path=path, kind="absent"),)
    return (Entry(path=path, kind="file"), Text(path=path, text=observation.stdout))


def decide(claim: Claim, world: World) -> Verdict:
    """Judge claims of a file whose text is known."""
    known = world.text(claim.subject)
    if known is None:
        return undecidable(f"The whole of {claim.subject} would show it.")
    so = {
        "contains": str(claim.value) in known.value,
        "not_contains": str(claim.value) not in known.value,
        "count": type(claim.value) is int and claim.value == known.value.count("\n"),
        "equals": claim.value == known.value,
        "exists": True,
        "absent": False,
    }.get(claim.predicate)
    if so is None:
        return undecidable("There is no way to tell.")
    return (validated if so else refuted)(f"{claim.subject} was read.", known.used)


@pytest.fixture
def reading(monkeypatch: pytest.MonkeyPatch) -> None:
    for reader in ("examining.facts_of_intact", "known.facts_of", "recording.facts_of"):
        monkeypatch.setattr(f"nodes.tutor.{reader}", facts)
    monkeypatch.setattr("nodes.tutor.telling.shown", lambda observation: observation.stdout)
    monkeypatch.setattr("nodes.tutor.examining.prove", decide)
    monkeypatch.setattr(
        "nodes.tutor.legality.problem_of", lambda claim: None if claim.subject else "No subject."
    )


def game(*targets: Target, most_turns: int = 24, **more: Any) -> Game:
    return Game(
        id="free",
        seed=0,
        band="search",
        title="small",
        goal="Find beta.",
        targets=targets,
        most_turns=most_turns,
        **more,
    )


def tutor(*targets: Target, files: dict[str, str] | None = None, **settings: Any) -> Tutor:
    reader = Reader(dict(FILES) if files is None else files)
    return Tutor(game(*targets), "game", reader, TutorSettings(**settings))


def cat(path: str) -> dict[str, Any]:
    return {"move": "PROPOSE", "request": {"tool": "cat", "args": {"path": path}}}


def claim(predicate: str, subject: str, value: Any = True, **more: Any) -> dict[str, Any]:
    return {"predicate": predicate, "subject": subject, "value": value, **more}


def put(said: dict[str, Any], *evidence: str) -> dict[str, Any]:
    return {"move": "ASSERT", "claim": said, "evidence": list(evidence)}


def answer(*claims: str) -> dict[str, Any]:
    return {"move": "ANSWER", "claims": list(claims)}


async def played(engine: Tutor, *moves: Any) -> Turn:
    """Play moves; the last turn."""
    for move in moves:
        turn = await engine.play(move)
    return turn
