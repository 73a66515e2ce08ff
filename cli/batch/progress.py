"""How a batch goes on, on standard error: a bar in a terminal, a line now and then elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta
from types import TracebackType
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from cli.batch.answer import OUTCOMES, Outcome
from cli.batch.goal import Goal
from cli.live import printable

LINE_SECONDS = 5.0
"""Between two lines where there is no terminal."""


REFRESHED = 4
"""Times a second, in a terminal."""


def seconds_left(done: int, left: int, elapsed: float) -> float | None:
    """How long the rest takes at the pace so far; None before anything is done.

    Args:
        done: goals answered since the start of this driver.
        left: goals that have no line yet.
        elapsed: seconds since the first worker was ready.
    """
    return None if not done else left * elapsed / done


def eta_text(seconds: float | None) -> str:
    """Seconds as H:MM:SS, or a dash."""
    return "-" if seconds is None else str(timedelta(seconds=round(seconds)))


class Told:
    """Tells how a batch goes on. Used as a context.

    Args:
        counts: outcomes of goals that have their line already.
        total: all goals.
        stream: where it is told; None to tell nothing but notes.
        notes: where notes are told.
        clock: gives seconds.
    """

    def __init__(
        self,
        counts: dict[Outcome, int],
        total: int,
        stream: TextIO | None,
        notes: TextIO,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.counts = dict(counts)
        self._before = sum(counts.values())
        self._total = total
        self._stream = stream
        self._notes = notes
        self._clock = clock
        self._began: float | None = None
        self._told_at: float | None = None
        self._told = ""
        self._bar = _bar(stream) if stream is not None and stream.isatty() else None
        self._task = self._bar.add_task("", total=total, completed=self._before) if self._bar else None

    def __enter__(self) -> Told:
        """Show the bar."""
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the last state standing."""
        if self._bar is not None:
            self._bar.stop()

    def moved(self, under_way: int, workers: int) -> None:
        """See `Watcher`."""
        if workers and self._began is None:
            self._began = self._clock()
        done = sum(self.counts.values())
        elapsed = self._clock() - self._began if self._began is not None else 0.0
        eta = f"ETA {eta_text(seconds_left(done - self._before, self._total - done, elapsed))}"
        counted = f"{done} of {self._total} done"
        if self._bar is not None and self._task is not None:
            # What fits into a line of 80 columns beside the bar.
            undone = ", ".join(f"{self.counts[name]} {name}" for name in OUTCOMES[1:])
            self._bar.update(self._task, completed=done, description=f"{counted} ({undone}), {eta}")
            return
        outcomes = ", ".join(f"{self.counts[name]} {name}" for name in OUTCOMES)
        text = f"{counted} ({outcomes}), {under_way} under way at {workers} workers, {eta}"
        if self._is_due(text):
            self._line(text)

    def ended(self, goal: Goal, outcome: Outcome) -> None:
        """See `Watcher`."""
        self.counts[outcome] += 1

    def note(self, text: str) -> None:
        """See `Watcher`."""
        if self._bar is not None:
            self._bar.console.print(printable(text), markup=False, highlight=False)
        else:
            self._notes.write(f"{printable(text)}\n")
            self._notes.flush()

    def _is_due(self, text: str) -> bool:
        if self._stream is None or text == self._told:
            return False
        now = self._clock()
        finished = sum(self.counts.values()) == self._total
        if self._told_at is not None and now - self._told_at < LINE_SECONDS and not finished:
            return False
        self._told_at = now
        return True

    def _line(self, text: str) -> None:
        assert self._stream is not None
        self._told = text
        self._stream.write(f"{text}\n")
        self._stream.flush()


def _bar(stream: TextIO) -> Progress:
    console = Console(file=stream, highlight=False)
    return Progress(
        BarColumn(bar_width=16),
        TextColumn("{task.description}", markup=False),
        console=console,
        refresh_per_second=REFRESHED,
    )
