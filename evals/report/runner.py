"""Running the cases of a suite, some at once, so that an interrupted measurement goes on where it stopped."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import logging
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

from filelock import FileLock, Timeout
from pydantic import ValidationError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from configs.errors import UsageError
from evals.report.case import Case, Planned
from evals.report.options import SuiteOptions
from memory.json_lines import JsonLines
from models.errors import ModelUnavailable
from tools.writing.threads import finished as finished_writing

RunOnce = Callable[[Planned], Awaitable[Case]]
OnCase = Callable[[Case, int, int], None]


def settings_digest(settings: dict[str, Any]) -> str:
    """Twelve hexadecimal digits that change with any setting."""
    text = json.dumps(settings, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


async def run_cases(
    planned: Sequence[Planned],
    run_one: RunOnce,
    *,
    resume: Path | None = None,
    progress: OnCase | None = None,
    jobs: int = 1,
) -> list[Case]:
    """Run every case once and return what came of them, in the order they were planned.

    Args:
        planned: the cases; no two alike.
        run_one: runs one; what it raises ends the whole measurement, and finished cases stay written down.
        resume: a JSONL to which each case is appended when it is finished; those in it are not run again.
        progress: told of each case, how many are done, and of how many.
        jobs: how many run at once.

    Raises:
        UsageError: another process is at the same file, or it holds something else.
        ValueError: two cases have the same key.
    """
    if len({one.key for one in planned}) < len(planned):
        raise ValueError("Two of the planned cases are the same.")
    with _alone_at(resume):
        record = JsonLines(resume) if resume else None
        finished = await asyncio.to_thread(_read_finished, record) if record else {}
        total, done = len(planned), 0
        gate = asyncio.Semaphore(max(1, jobs))

        async def settle(one: Planned) -> Case:
            nonlocal done
            async with gate:
                case = finished.get(one.key)
                if case is None:
                    case = await run_one(one)
                    if record is not None:
                        entry = {"key": one.key, "case": case.model_dump(mode="json")}
                        await finished_writing(record.extend, [entry])
            done += 1
            if progress is not None:
                progress(case, done, total)
            return case

        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(settle(one)) for one in planned]
        except BaseExceptionGroup as errors:
            # The first is the cause; the others were cancelled because of it.
            raise errors.exceptions[0] from errors
        return [task.result() for task in tasks]


async def run_planned(planned: Sequence[Planned], run_one: RunOnce, options: SuiteOptions) -> list[Case]:
    """Run a suite's cases as its options say, with a bar on standard error; see `run_cases`."""
    with terminal_progress(sys.stderr) as told:
        return await run_cases(planned, run_one, resume=options.resume, progress=told, jobs=options.jobs)


def refuse_silence(cases: Sequence[Case]) -> None:
    """Figures of a model that never answered would say nothing of it.

    Raises:
        ModelUnavailable: every run of a model ended in an error.
    """
    for model in dict.fromkeys(case.model for case in cases):
        own = [case for case in cases if case.model == model]
        if all(case.status == "error" for case in own):
            raise ModelUnavailable(
                f"No run with {model} came to an answer: {own[0].detail}", "Run `reflect doctor`."
            )


@contextlib.contextmanager
def _alone_at(resume: Path | None) -> Iterator[None]:
    """Two processes that go on from one file would both run what is missing in it.

    Raises:
        UsageError: another process holds the file, or its directory cannot be written.
    """
    if resume is None:
        yield
        return
    lock = FileLock(f"{resume}.running", timeout=0)
    try:
        resume.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except Timeout as error:
        raise UsageError(
            f"Another process is writing {resume}.", "Wait for it, or name another file after --resume."
        ) from error
    except OSError as error:
        raise UsageError(
            f"{resume} cannot be written: {error.strerror or error}.", "Name another file after --resume."
        ) from error
    try:
        yield
    finally:
        lock.release()


def _read_finished(record: JsonLines) -> dict[str, Case]:
    """Cases by key; a line that a kill cut off is a case that was not finished.

    Raises:
        UsageError: the file holds other objects.
    """
    finished = {}
    for line in record.read():
        if line.record is None:
            continue
        try:
            finished[str(line.record["key"])] = Case.model_validate(line.record["case"])
        except (KeyError, ValidationError) as error:
            raise UsageError(
                f"{record.path} holds something else than finished cases.",
                "Name another file after --resume.",
            ) from error
    return finished


@contextlib.contextmanager
def terminal_progress(stream: TextIO) -> Iterator[OnCase]:
    """A bar on a stream (standard error), with how many have passed."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[told]}"),
    )
    with Progress(*columns, console=Console(file=stream), transient=True) as bar:
        task = bar.add_task("running", total=None, told="")
        passed = 0

        def told(case: Case, done: int, total: int) -> None:
            nonlocal passed
            passed += case.passed
            bar.update(task, completed=done, total=total, told=f"{passed} passed; {case.variant} {case.id}")

        yield told


@contextlib.contextmanager
def nothing_logged(level: int) -> Iterator[None]:
    """Nothing at or below a level is logged: runs that fail on purpose warn of nothing to be mended."""
    before = logging.root.manager.disable
    logging.disable(level)
    try:
        yield
    finally:
        logging.disable(before)


@contextlib.contextmanager
def isolated_home() -> Iterator[Path]:
    """An empty home directory for this process, so that nobody's settings or memories count.

    Caches stay where they are: an embedded model's weights are written there once.
    """
    names = ("HOME", "XDG_CACHE_HOME")
    before = {name: os.environ.get(name) for name in names}
    caches = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    with tempfile.TemporaryDirectory(prefix="reflect-eval-") as home:
        os.environ.update({"HOME": home, "XDG_CACHE_HOME": caches})
        try:
            yield Path(home)
        finally:
            for name, value in before.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value
