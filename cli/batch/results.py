"""The results of a batch: a file of JSON objects, one line for each goal that is done, written by one driver.

The file is the record. A line is on the disk (`fsync`) before its goal counts as done, so that a batch which
is begun again asks only what has no line. Beside it lies `FILE.batch`: the name of the batch, from which the
names of all its threads follow, and the lock by which a second driver is kept off, held until the process is
gone.
"""

from __future__ import annotations

import fcntl
import json
import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from cli.batch.answer import EXIT_ENVIRONMENT, OUTCOMES, Answer, Outcome, failed, told
from cli.batch.goal import Goal
from configs.errors import UsageError
from configs.redaction import escaped, path_text
from memory.errors import reason_and_remedy
from memory.json_lines import LONGEST_LINE, TORN, JsonLines, append_whole, encode_line

BESIDE = ".batch"
_PRIVATE = 0o600
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass
class Results:
    """The open file.

    Attributes:
        path: of the file.
        batch: name of the batch.
        descriptor, record: of the file and of the one beside it.
        begun: the name is on the disk.
        done: the outcome of every goal that has a line, by its id.
        mended: bytes of a line that a crash had cut, which were taken away.
    """

    path: Path
    batch: str
    descriptor: int
    record: int
    begun: bool = False
    done: dict[str, Outcome] = field(default_factory=dict)
    mended: int = 0

    def begin(self) -> None:
        """Write down the name of the batch, so that whoever goes on with it finds the same threads.

        It is called before the first goal is handed out: a batch that could not begin is none.

        Raises:
            UsageError: it cannot be written.
        """
        if self.begun:
            return
        try:
            os.ftruncate(self.record, 0)
            append_whole(
                self.record, encode_line({"batch": self.batch, "begun": datetime.now(UTC).isoformat()})
            )
            os.fsync(self.record)
            directory = os.open(self.path.parent, os.O_RDONLY | os.O_DIRECTORY)
            try:
                os.fsync(directory)
            finally:
                os.close(directory)
        except OSError as error:
            raise _unwritable(self.path, error) from error
        self.begun = True

    def add(self, answers: Sequence[tuple[Goal, Answer]]) -> list[tuple[Goal, Answer]]:
        """Write the lines of goals; they are on the disk when this returns.

        Gives the answers as they were written: one too long to be read again has failed.

        Raises:
            UsageError: they cannot be written, and the file is as it was.
            RuntimeError: a goal has a line already, or the batch was not begun.
        """
        names = [goal.id for goal, _ in answers]
        if not self.begun or len({*names}) < len(names) or any(name in self.done for name in names):
            raise RuntimeError(f"of {names}, one has a line already, or the batch has no name yet")
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        written = [(goal, *_fitting(goal, answer, now)) for goal, answer in answers]
        try:
            append_whole(self.descriptor, b"".join(line for _, _, line in written))
            os.fsync(self.descriptor)
        except OSError as error:
            raise _unwritable(self.path, error) from error
        self.done |= {goal.id: answer.outcome for goal, answer, _ in written}
        return [(goal, answer) for goal, answer, _ in written]

    def left(self, goals: Sequence[Goal]) -> list[Goal]:
        """Goals without a line, in order."""
        return [goal for goal in goals if goal.id not in self.done]

    def counted(self, goals: Sequence[Goal]) -> dict[Outcome, int]:
        """How many of the goals came to each outcome."""
        counts: dict[Outcome, int] = dict.fromkeys(OUTCOMES, 0)
        for goal in goals:
            if (outcome := self.done.get(goal.id)) is not None:
                counts[outcome] += 1
        return counts


def _line(goal: Goal, answer: Answer, now: str) -> dict[str, Any]:
    asked = {"id": goal.id, "goal": goal.goal, "graph": goal.graph}
    asked |= {"context": goal.context} if goal.context else {}
    asked |= {"outcome": answer.outcome, "ended": now}
    told = {name: value for name, value in answer.record.items() if name != "context"}
    # What was asked stands first, and is what was asked whatever the record says.
    return {**asked, **told, **asked}


def _fitting(goal: Goal, answer: Answer, now: str) -> tuple[Answer, bytes]:
    """An answer and its line; a line that would be too long for a reader says so instead."""
    line = encode_line(_line(goal, answer, now))
    if len(line) <= LONGEST_LINE:
        return answer, line
    kept: dict[str, Any] = {
        name: answer.record[name] for name in ("thread_id", "seconds", "deaths") if name in answer.record
    }
    what = f"The line of its answer has {len(line)} bytes, and {LONGEST_LINE} is the most."
    remedy = "Its thread holds the answer; ask for less at once."
    short = told({**kept, **failed("AnswerTooLong", what, remedy)}, EXIT_ENVIRONMENT)
    return short, encode_line(_line(goal, short, now))


@contextmanager
def open_results(path: Path, goals: Sequence[Goal], *, resume: bool) -> Iterator[Results]:
    """Have the file alone, with what earlier drivers wrote.

    Args:
        path: of the file; a link is followed.
        goals: all goals of the batch, which its lines must be about.
        resume: go on with a batch, if one was begun; else the file must be new.

    Raises:
        UsageError: it cannot be used: another driver has it, it was written before and is not to be gone on
            with, it is about other goals, or damaged; it stays as it was.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        raise UsageError(
            f"--out {path_text(path)} is no file.", "Name a file; it is made if it is not there."
        )
    beside = target.with_name(f"{target.name}{BESIDE}")
    with _opened(target, _FLAGS | os.O_APPEND) as descriptor, _opened(beside, _FLAGS | os.O_APPEND) as record:
        _lock(record, target)
        batch = _batch_of(record, beside)
        written = os.fstat(descriptor).st_size > 0
        if not resume and (batch or written):
            raise UsageError(
                f"--out {path_text(path)} holds the results of a batch already.",
                f"Go on with it by --resume, or name another file (or remove it and {beside.name}).",
            )
        if batch is None and written:
            raise UsageError(
                f"--out {path_text(path)} is no results of a batch: {beside.name} is not beside it.",
                "Name the file the batch was begun with, or a new one.",
            )
        results = Results(target, batch or _new_name(), descriptor, record, begun=batch is not None)
        _read(results, goals)
        yield results


@contextmanager
def _opened(path: Path, flags: int) -> Iterator[int]:
    try:
        descriptor = os.open(path, flags, _PRIVATE)
    except OSError as error:
        raise _unwritable(path, error) from error
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _lock(record: int, path: Path) -> None:
    try:
        fcntl.flock(record, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise UsageError(
            f"Another `reflect batch` is at work on {path_text(path)}.", "Wait for it, or name another file."
        ) from error


def _batch_of(record: int, beside: Path) -> str | None:
    """The name of the batch; None if none was begun."""
    text = os.pread(record, 1 << 16, 0)
    # Nothing is asked before all of this is on the disk, so what was cut short began nothing.
    if not text.endswith(b"\n"):
        return None
    try:
        name = json.loads(text)["batch"]
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(
            f"{path_text(beside)} is no record of a batch.", "Name another file by --out."
        ) from error
    if not isinstance(name, str) or not name:
        raise UsageError(f"{path_text(beside)} is no record of a batch.", "Name another file by --out.")
    return name


def _new_name() -> str:
    return f"{datetime.now(UTC):%Y%m%d}-{secrets.token_hex(4)}"


def _read(results: Results, goals: Sequence[Goal]) -> None:
    """Take up what was written, and take away what a crash left of a line.

    Raises:
        UsageError: a line is none of this batch.
    """
    known = {goal.id: goal for goal in goals}
    for line in JsonLines(results.path).read():
        if line.problem == TORN:
            results.mended = line.end - line.offset
            os.ftruncate(results.descriptor, line.offset)
            os.fsync(results.descriptor)
            return
        problem = line.problem or _problem(line.record or {}, known, results)
        if problem:
            raise UsageError(
                f"--out {path_text(results.path)}, at byte {line.offset}: {problem}.",
                "Name the file of goals the batch was begun with, or another file by --out.",
            )
        assert line.record is not None
        results.done[line.record["id"]] = line.record["outcome"]


def _problem(line: dict[str, Any], known: dict[str, Goal], results: Results) -> str:
    """Why a line is none of this batch; empty if it is one."""
    name, outcome = line.get("id"), line.get("outcome")
    if not isinstance(name, str) or outcome not in OUTCOMES:
        return "the line has no id, or no outcome"
    goal = known.get(name)
    if goal is None:
        return f"no goal has the id {escaped(name)!r}"
    if name in results.done:
        return f"{escaped(name)!r} has two lines"
    if (line.get("goal"), line.get("graph")) != (goal.goal, goal.graph):
        return f"under the id {escaped(name)!r} another goal, or another graph, was asked"
    if line.get("context", "") != goal.context:
        return f"under the id {escaped(name)!r} the goal was asked about other material"
    return ""


def _unwritable(path: Path, error: OSError) -> UsageError:
    what, remedy = reason_and_remedy(path, error)
    return UsageError(f"Results cannot be written to {what}.", remedy)
