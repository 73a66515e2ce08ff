"""Probes run through the product's own path: sandboxed tools, sealed observations, examination, proof."""

from __future__ import annotations

import asyncio
import tempfile
import traceback
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import ValidationError

from configs.settings import ToolSettings
from evals.soundness import sandbox
from evals.soundness.probes import BadLine, Probe
from evals.soundness.sandbox import ProbeError
from evals.soundness.tampering import tampered
from nodes.tutor.claims import Claim
from nodes.tutor.examining import examine
from nodes.tutor.moves import Request
from nodes.tutor.observations import Observation
from nodes.tutor.observing.observing import Observer
from nodes.tutor.proving.forms import problem_of
from tools.errors import SandboxUnavailable, ToolError

Result = Literal["accepted", "refuted", "undecidable", "refused", "errors"]
RESULTS: tuple[Result, ...] = get_args(Result)
HOST = "host:"
GAME, OTHER_GAME = "probe", "other"
AT_ONCE = 4


@dataclass(frozen=True)
class Outcome:
    """What became of a probe.

    Attributes:
        id: of the probe.
        result: accepted, refuted, undecidable; refused if the claim has no form that can be judged; errors if
            it could not be set up, or the product raised.
        why: what the product said, or what went wrong.
        refused: why actions brought no observation, by their index.
    """

    id: str | int
    result: Result
    why: str
    refused: dict[int, str]


class Play:
    """One game of a probe: its directory, and what was observed in it.

    Args:
        root: its directory, which is there.
        game: name of the game.
        names: what its observations are called.
    """

    def __init__(self, root: Path, game: str, names: str) -> None:
        self.root = root
        self.game = game
        self.observer = Observer(root, ToolSettings(), game)
        self.observations: dict[int, Observation] = {}
        self.refused: dict[int, str] = {}
        self._names = names

    async def act(self, actions: Sequence[object]) -> None:
        """Make all moves, and the changes of the harness between them.

        Raises:
            ProbeError: a change cannot be made.
        """
        for index, action in enumerate(actions):
            step = _host_step(action)
            if step is not None:
                self._change(*step)
                continue
            try:
                request = Request.model_validate(action)
                self.observations[index] = await self.observer.observe(
                    request, id=f"{self._names}{index}", turn=index + 1
                )
            except SandboxUnavailable as error:
                raise ProbeError(f"nothing can be run here: {error}") from error
            except (ValidationError, ToolError) as error:
                self.refused[index] = str(error)

    def _change(self, name: str, args: dict[str, Any]) -> None:
        expected = {
            "write": {"path", "content"},
            "delete": {"path"},
            "rename": {"path", "to"},
            "tamper": {"observation", "field", "old", "new"},
        }.get(name)
        if expected is None or set(args) != expected:
            raise ProbeError(f"no step of the harness: {name} {args}")
        if name == "write":
            sandbox.write(self.root, args["path"], args["content"])
        elif name == "delete":
            sandbox.delete(self.root, args["path"])
        elif name == "rename":
            sandbox.rename(self.root, args["path"], args["to"])
        else:
            self._tamper(**args)

    def _tamper(self, observation: object, field: object, old: object, new: object) -> None:
        if not isinstance(observation, int) or observation not in self.observations:
            raise ProbeError(f"there is no observation {observation!r} to tamper with")
        stored = self.observations[observation]
        self.observations[observation] = tampered(stored, str(field), old, new)


def _host_step(action: object) -> tuple[str, dict[str, Any]] | None:
    """Name and arguments of a step: `{"tool": "host:write", "args": {}}` or `{"host:write": {}}`."""
    if not isinstance(action, dict):
        return None
    tool = action.get("tool")
    if isinstance(tool, str) and tool.startswith(HOST):
        args = action.get("args", {key: value for key, value in action.items() if key != "tool"})
        return tool.removeprefix(HOST), args if isinstance(args, dict) else {}
    if len(action) == 1:
        [(key, args)] = action.items()
        if isinstance(key, str) and key.startswith(HOST):
            return key.removeprefix(HOST), args if isinstance(args, dict) else {}
    return None


async def run_probe(probe: Probe) -> Outcome:
    """Play a probe in a directory of its own, and judge its claim."""
    # Files are made and removed beside the other probes, which would wait for the disk in between.
    directory = await asyncio.to_thread(partial(tempfile.TemporaryDirectory, prefix="probe-"))
    try:
        return await _judged(probe, Path(directory.name).resolve())
    except ProbeError as error:
        return Outcome(probe.id, "errors", str(error), {})
    # Whatever the product raises is its failure, told with this probe; the others are still to be run.
    except Exception:
        return Outcome(probe.id, "errors", traceback.format_exc(limit=-4), {})
    finally:
        await asyncio.to_thread(directory.cleanup)


async def _judged(probe: Probe, directory: Path) -> Outcome:
    foreign = await _foreign(probe, directory / "other")
    root = directory / "sandbox"
    await asyncio.to_thread(sandbox.build, root, probe.files, probe.links)
    play = Play(root, GAME, _free_names(probe.cites))
    await play.act(probe.actions)
    try:
        claim = Claim.model_validate(probe.claim)
    except ValidationError as error:
        return Outcome(probe.id, "refused", str(error), play.refused)
    problem = problem_of(claim)
    if problem is not None:
        return Outcome(probe.id, "refused", problem, play.refused)
    observations = {observation.id: observation for observation in play.observations.values()}
    cites = [_cited(cite, play) for cite in probe.cites]
    examined = examine(claim, cites, {**foreign, **observations}, GAME, play.observer.is_fresh)
    status = examined.verdict.status
    why = "; ".join((examined.verdict.reason, *(f"{cite}: {why}" for cite, why in examined.ignored.items())))
    return Outcome(probe.id, "accepted" if status == "validated" else status, why, play.refused)


async def _foreign(probe: Probe, root: Path) -> dict[str, Observation]:
    """Observations of the other game, by the names they are cited by: the product has to keep them out."""
    if probe.other_game is None:
        return {}
    await asyncio.to_thread(sandbox.build, root, probe.other_game.files, probe.other_game.links)
    play = Play(root, OTHER_GAME, "o")
    await play.act(probe.other_game.actions)
    return {f"{OTHER_GAME}:{index}": seen for index, seen in play.observations.items()}


def _free_names(cites: Iterable[object]) -> str:
    """A beginning of names that no text among the cites has: a text names no observation of a probe."""
    name = "o"
    while any(
        isinstance(cite, str) and cite.startswith(name) and cite[len(name) :].isdigit() for cite in cites
    ):
        name += "o"
    return name


def _cited(cite: object, play: Play) -> object:
    """The name of the observation an index means; anything else as it is."""
    if type(cite) is int and cite in play.observations:
        return play.observations[cite].id
    return cite


async def run_probes(probes: Iterable[Probe | BadLine], at_once: int = AT_ONCE) -> list[Outcome]:
    """Run probes, some of them at once; outcomes in the order of the probes."""
    gate = asyncio.Semaphore(at_once)

    async def run(probe: Probe | BadLine) -> Outcome:
        if isinstance(probe, BadLine):
            return Outcome(probe.id, "errors", probe.why, {})
        async with gate:
            return await run_probe(probe)

    return await asyncio.gather(*map(run, probes))
