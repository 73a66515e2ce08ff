"""What a task's gold commands print and change: they are bash, run by bash, in the sandbox, on a copy.

A gold command is the benchmark's own ground truth and no model wrote it; it sees the system read-only, has no
network, and can write nothing but its copy. Only here does anything reach a shell.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, Field, ValidationError

from evals.shell.stage import BUILT, Stage
from evals.shell.tasks import Task
from evals.shell.trees import changes, snapshot
from tools.process import environment, run_segment
from tools.sandbox.confinement import Confinement

# The benchmark gives a command ten seconds.
SECONDS = 10.0
MEMORY_BYTES = 2**30
OUTPUT_BYTES = 1_000_000
NOT_FOUND = 127
LAYOUT = 2
COPIED_TIMES = re.compile(r"\s-(?:[ac](?:min|time|newer)|newer[acB]\w)\b|\s--time=")


class Effect(BaseModel):
    """What a command did.

    Attributes:
        output: standard output, then diagnostics, as the benchmark shows them to its check.
        changes: paths that were made, altered or deleted, and what they are now.
        returncode: of bash; None if it ran out of time or printed too much.
        missing: True if a program it names is not installed here.
        timed: True if it asks when a file was last read or its entry changed. No copy keeps those times: in
            the benchmark's image they are as old as the image, here as the copy.
    """

    output: str = ""
    changes: dict[str, str] = Field(default_factory=dict)
    returncode: int | None = None
    missing: bool = False
    timed: bool = False


class Truth(BaseModel):
    """Both gold commands of a task.

    Attributes:
        gold: what the benchmark scores with.
        gold2: what else it ships as right.
        stable: for each of the two, whether a second run did the same.
    """

    gold: Effect
    gold2: Effect
    stable: tuple[bool, bool] = (True, True)

    @property
    def usable(self) -> list[Effect]:
        """The effects something can be held against: complete, repeatable, with every program installed."""
        return [
            effect
            for effect, stable in zip((self.gold, self.gold2), self.stable, strict=True)
            if stable and effect.returncode is not None and not effect.missing and not effect.timed
        ]

    @property
    def vacuous(self) -> bool:
        """True if the first gold command prints nothing and changes nothing: any silent command passes."""
        return not self.gold.output and not self.gold.changes


async def run_gold(command: str, task: Task, stage: Stage) -> Effect:
    """Run one gold command on a fresh copy."""
    before = await asyncio.to_thread(stage.fresh, task)
    limits = Confinement(stage.root, stage.sandbox, MEMORY_BYTES, SECONDS, writable=True)
    argv = ["bash", "-c", stage.here(command, task)]
    timed = bool(COPIED_TIMES.search(command))
    try:
        async with asyncio.timeout(SECONDS):
            segment = await run_segment([argv], None, limits, OUTPUT_BYTES)
    except TimeoutError:
        return Effect(timed=timed)
    done = changes(before, await asyncio.to_thread(snapshot, stage.root))
    output = segment.stdout.decode("utf-8", "backslashreplace") + segment.stderr.decode(
        "utf-8", "backslashreplace"
    )
    code = None if segment.capped else segment.returncodes[-1]
    missing = _missing(code, output)
    return Effect(output=output, changes=done, returncode=code, missing=missing, timed=timed)


def _missing(code: int | None, output: str) -> bool:
    """Bash's exit code for a program that is not there, or its words where a later stage hides the code."""
    return code == NOT_FOUND or "bash: line 1: " in output and ": command not found" in output


class TruthCache:
    """Gold answers of this machine, one file each, below a directory.

    An answer counts for as long as the built file system it was found on; then both are made anew.

    Args:
        folder: where they are kept.
        stage: where they are found.
    """

    def __init__(self, folder: Path, stage: Stage) -> None:
        self._folder, self._stage = folder, stage

    async def prepare(self, tasks: Sequence[Task]) -> dict[str, Truth]:
        """The truth of every task, by id; what is not known yet is run twice, all tasks between the runs."""
        known = {task.id: self._kept(task) for task in tasks}
        new = [task for task in tasks if known[task.id] is None]
        first = {task.id: await self._both(task) for task in new}
        for task in new:
            again = await self._both(task)
            pair = first[task.id]
            truth = Truth(gold=pair[0], gold2=pair[1], stable=(pair[0] == again[0], pair[1] == again[1]))
            known[task.id] = truth
            self._keep(task, truth)
        return {name: truth for name, truth in known.items() if truth is not None}

    async def _both(self, task: Task) -> tuple[Effect, Effect]:
        first = await run_gold(task.gold, task, self._stage)
        return first, first if task.gold2 == task.gold else await run_gold(task.gold2, task, self._stage)

    def _file(self, task: Task) -> Path:
        template = self._stage.template(task.file_system)
        built = template.with_name(f"{template.name}.{BUILT}").stat().st_mtime_ns
        facts = [LAYOUT, built, str(self._stage.root), task.model_dump(), environment(self._stage.root)]
        digest = hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()
        return self._folder / f"{task.id}-{digest[:16]}.json"

    def _kept(self, task: Task) -> Truth | None:
        try:
            return Truth.model_validate_json(self._file(task).read_bytes())
        except (FileNotFoundError, ValidationError):
            return None  # not known, or cut off by a kill: it is found anew and written whole

    def _keep(self, task: Task, truth: Truth) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        file = self._file(task)
        for older in self._folder.glob(f"{task.id}-*.json"):
            older.unlink()
        file.write_text(truth.model_dump_json(), "utf-8")
