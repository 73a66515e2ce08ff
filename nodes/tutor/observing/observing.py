"""A tool call runs in the sandbox and becomes an observation."""

from __future__ import annotations

import asyncio
import logging
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from configs.settings import ToolSettings
from nodes.tutor.facts import Entry
from nodes.tutor.moves import Request
from nodes.tutor.observations import Footprint, Observation, Reading
from nodes.tutor.observing.footprints import Look, first_look, holds, stayed
from nodes.tutor.observing.meaning.pipelines import Meaning, meaning_of, over_files
from nodes.tutor.observing.questions.base import Asked
from nodes.tutor.observing.reading import facts_in
from nodes.tutor.observing.requests import stages_of
from tools.arguments import Stage
from tools.errors import ToolError
from tools.pipeline import Outcome
from tools.stages import Vector, stage_vector
from tools.toolbox import Toolbox

log = logging.getLogger(__name__)
# Processes that run at once for one call.
AT_ONCE = 4
# Characters of the list of directories a search went through; a longer one is left out.
MOST_WALKED = 32_768
# What a tool says of an operand at which there is nothing.
_LACKING = re.compile(r"[\w./-]+: (.+): No such file or directory")


@dataclass(frozen=True)
class _Done:
    """What a call did.

    Attributes:
        command: as a person would type it.
        outcome: of its stages, or None if they ran too long or could not be started.
        problem: why, then.
    """

    command: str
    outcome: Outcome | None
    problem: str = ""

    @property
    def succeeded(self) -> bool:
        """Every stage did what was asked, and all of the output is here."""
        done = self.outcome
        return done is not None and done.failed is None and not done.capped and not done.left_out

    def lacked_only(self, missing: Sequence[str]) -> bool:
        """True if all that went wrong is that nothing stands at some operands, and each was told of once."""
        done = self.outcome
        if not missing or done is None or len(done.returncodes) != 1 or done.capped or done.left_out:
            return False
        told = done.stderr.decode("utf-8", "backslashreplace").splitlines()
        found = [_LACKING.fullmatch(line) for line in told]
        return len(found) == len(missing) and all(
            line is not None and operand in line[1] for line, operand in zip(found, missing, strict=True)
        )


class Observer:
    """Makes the observations of one game.

    Args:
        root: the sandbox; no call leaves it.
        settings: limits of the tools and the isolation wanted.
        game: name of the game.
        timeout: seconds one tool may take.

    Raises:
        SandboxUnavailable: isolation is required and does not work here.
    """

    def __init__(self, root: Path, settings: ToolSettings, game: str, *, timeout: float = 20.0) -> None:
        self._toolbox = Toolbox(root, settings, timeout=timeout)
        self._root = self._toolbox.root
        self._game = game

    async def observe(self, request: Request, *, id: str, turn: int) -> Observation:
        """Run a call.

        What it depends on is looked at before and after, so that an observation of files that changed
        meanwhile says so.

        Raises:
            ToolError: it is refused: unknown tool, arguments of another form, or the policy. Nothing has run.
        """
        tool, args, stages = await asyncio.to_thread(stages_of, request, self._root)
        vectors = await asyncio.to_thread(self._vectors, stages)
        meaning = await asyncio.to_thread(meaning_of, vectors, self._root)
        before, look = await asyncio.to_thread(first_look, self._root, meaning.depends)
        again = await asyncio.to_thread(meaning_of, vectors, self._root)
        done, readings = await self._read(stages, meaning)
        unchanged = again == meaning and await asyncio.to_thread(self._is_unchanged, before, look, readings)
        outcome = done.outcome or Outcome()
        observation = Observation(
            id=id, game=self._game, turn=turn, tool=tool, args=args, command=done.command,
            returncode=_returncode(done), stdout=outcome.stdout.decode("utf-8", "backslashreplace"),
            stderr=outcome.stderr.decode("utf-8", "backslashreplace") + done.problem,
            readings=readings, truncated=outcome.capped,
            footprint=before.model_copy(update={"stable": unchanged}),
        )  # fmt: skip
        return observation.sealed()

    def is_fresh(self, observation: Observation) -> bool:
        """True if nothing an observation depends on has changed since."""
        return observation.footprint.stable and holds(self._root, observation.footprint)

    def _vectors(self, stages: Sequence[Stage]) -> list[Vector]:
        return [stage_vector(stage, self._root) for stage in stages]

    def _is_unchanged(self, before: Footprint, look: Look, readings: Sequence[Reading]) -> bool:
        """True if the state is the same after the run, and nothing stands where a tool found nothing."""
        absent = [
            fact.path
            for reading in readings
            for fact in facts_in(reading)
            if isinstance(fact, Entry) and fact.kind == "absent"
        ]
        there = any(os.path.lexists(self._root / path) for path in absent)
        return not there and stayed(self._root, before, look)

    async def _read(self, stages: Sequence[Stage], meaning: Meaning) -> tuple[_Done, tuple[Reading, ...]]:
        """Run the call itself, and what it comes down to; of one that failed only the kinds are certain."""
        asked = (*meaning.kinds, *meaning.questions, *meaning.walked)
        apart = [question for question in asked if not _is_same_run(stages, question.stages())]
        done, found = await asyncio.gather(self._run(stages), self._answers(apart))
        answers = dict(zip(apart, found, strict=True))
        read = [
            answers[question] if question in answers else _reading(question, done.outcome)
            for question in asked
        ]
        certain = asked if done.succeeded or done.lacked_only(meaning.missing) else meaning.kinds
        readings = [
            reading
            for reading in read[: len(certain)]
            if reading and (reading.question not in meaning.walked or len(reading.output) <= MOST_WALKED)
        ]
        if meaning.over and done.succeeded:
            searches = [reading for reading in readings if reading.question in meaning.questions]
            facts = [fact for reading in searches for fact in facts_in(reading)]
            further = await asyncio.to_thread(over_files, meaning, facts, self._root)
            readings += [reading for reading in await self._answers(further) if reading]
        return done, tuple(readings)

    async def _run(self, stages: Sequence[Stage]) -> _Done:
        try:
            return _Done(*await self._toolbox.bytes_of(stages))
        except TimeoutError:
            return _Done("", None, f"timed out after {self._toolbox.timeout:g} seconds\n")
        except OSError as error:
            return _Done("", None, f"could not be started: {error}\n")

    async def _answers(self, questions: Sequence[Asked]) -> list[Reading | None]:
        gate, once = asyncio.Semaphore(AT_ONCE), list(dict.fromkeys(questions))
        found = await asyncio.gather(*(self._answer(question, gate) for question in once))
        answers = dict(zip(once, found, strict=True))
        return [answers[question] for question in questions]

    async def _answer(self, question: Asked, gate: asyncio.Semaphore) -> Reading | None:
        """What a tool says to a question; None if it did not come to an end, or was cut."""
        async with gate:
            try:
                _, outcome = await self._toolbox.bytes_of(question.stages())
            except (ToolError, TimeoutError, OSError) as error:
                log.debug("no answer to %s: %s", question, error)
                return None
        return _reading(question, outcome)


def _is_same_run(stages: Sequence[Stage], asked: Sequence[Stage]) -> bool:
    """True if what was asked for runs the tool of a question on the same operands, and prints no names."""
    runs = (*stages, *asked)
    if len(stages) != 1 or len(asked) != 1 or any(stage.tool != "cat" for stage in runs):
        return False
    one, other = ([word.removeprefix("./") for word in stage.argv or () if word != "--"] for stage in runs)
    return bool(one) and one == other


def _reading(question: Asked, outcome: Outcome | None) -> Reading | None:
    """What a tool said to a question; None if its output was cut, or it did not come to an end."""
    if outcome is None or outcome.capped or outcome.left_out:
        return None
    try:
        output, encoding = outcome.stdout.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        output, encoding = outcome.stdout.decode("latin-1"), "latin-1"
    return Reading.model_validate(
        {
            "question": question, "returncode": _code(outcome), "output": output, "encoding": encoding,
            "errors": outcome.stderr.decode("utf-8", "backslashreplace"),
        }
    )  # fmt: skip


def _code(outcome: Outcome) -> int:
    failed = outcome.failed
    return outcome.returncodes[failed] if failed is not None else outcome.returncodes[-1]


def _returncode(done: _Done) -> int:
    if done.outcome is None or done.outcome.capped or not done.outcome.returncodes:
        return -1
    return _code(done.outcome)
