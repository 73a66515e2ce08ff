"""The driver of a batch: gives each goal to one worker at a time, counts deaths, writes the lines."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from cli.batch.answer import EXIT_ENVIRONMENT, Answer, Outcome, died, overdue, told
from cli.batch.crew import Answered, Crew, Died, Event, Left, Ready, Unfit
from cli.batch.goal import Goal
from cli.batch.meeting import Meeting
from cli.batch.results import Results
from cli.batch.stopping import Stopping
from configs.errors import UsageError, WorkersLost

POLL_SECONDS = 0.2
GRACE_SECONDS = 10.0
"""A worker whose goal is overdue may take this long to end the step it is at; then it is ended itself."""
STARTING_SECONDS = 60.0
"""When no worker is ready after so long, people are told what may be missing."""
MOST_FAILED_STARTS = 6
"""Workers that die one after the other before they took a goal."""
MOST_LEFT = 6
"""Goals that each worker may give back, one after the other, while none is answered."""


class Watcher(Protocol):
    """Is told how a batch goes on."""

    def moved(self, under_way: int, workers: int) -> None:
        """Something may have changed; called several times a second."""
        ...

    def ended(self, goal: Goal, outcome: Outcome) -> None:
        """A goal has its line."""
        ...

    def note(self, text: str) -> None:
        """Something a person should know."""
        ...


@dataclass
class _Work:
    """A goal at a worker, and since when, by the clock of this process."""

    goal: Goal
    since: float


@dataclass
class Driving:
    """One batch on its way.

    Attributes:
        crew: the workers.
        results: where lines are written.
        meeting: what workers have to share.
        workers: how many are wanted.
        most_deaths: a goal that so many workers died of has failed.
        timeout: seconds a goal may take, or None.
        watcher: is told how it goes on.
        stopping: what people asked for.
        deaths: of workers since the start.
    """

    crew: Crew
    results: Results
    meeting: Meeting
    workers: int
    most_deaths: int
    timeout: float | None
    watcher: Watcher
    stopping: Stopping
    deaths: int = 0
    _waiting: deque[Goal] = field(default_factory=deque)
    _busy: dict[int, _Work] = field(default_factory=dict)
    _idle: list[int] = field(default_factory=list)
    _starting: set[int] = field(default_factory=set)
    _failed_starts: int = 0
    _met: bool = False
    _left_in_a_row: int = 0
    _ended: list[tuple[Goal, Answer]] = field(default_factory=list)
    _deaths_of: dict[str, int] = field(default_factory=dict)
    _told_stop: bool = False
    _began: float | None = None

    def run(self, goals: Sequence[Goal]) -> None:
        """Have all goals answered, or as many as people let be.

        Raises:
            UsageError: a line cannot be written, or workers cannot work: no goal is lost, and the batch can
                be gone on with.
            WorkersLost: they die before they take one, or give all back that they take; as above.
        """
        self._waiting = deque(goals)
        self._began = time.monotonic()
        try:
            while self._busy or (self._waiting and not self.stopping.asked):
                if self.stopping.asked > 1:
                    return
                self._go_on()
        finally:
            self._write()
            self._tell()

    def _go_on(self) -> None:
        """Give what is to be given, and take what comes; workers do not wait for the disk."""
        self._tell_stopping()
        if not self.stopping.asked:
            self._hire()
            self._give()
        self._write()
        for event in self.crew.happened(POLL_SECONDS):
            self._take(event)
        self._end_overdue()
        self._tell_starting()
        self._tell()

    def _tell(self) -> None:
        self.watcher.moved(len(self._busy), len(self._busy) + len(self._idle))

    def _tell_stopping(self) -> None:
        if self.stopping.asked and not self._told_stop:
            self._told_stop = True
            self.watcher.note(
                f"Stopping when what is under way is finished ({len(self._busy)} goals); "
                "asked once more, it stops at once."
            )

    def _tell_starting(self) -> None:
        """Say once that no worker begins: a cluster without room keeps them waiting for ever."""
        if self._busy or self._idle:
            self._began = None
        elif self._began is not None and time.monotonic() - self._began > STARTING_SECONDS:
            self._began = None
            self.watcher.note(f"No worker has begun for {STARTING_SECONDS:g} s: is there a free processor?")

    def _hire(self) -> None:
        """As many as are wanted, and no more than there is work for."""
        here = len(self._busy) + len(self._idle) + len(self._starting)
        for _ in range(min(self.workers, len(self._waiting) + len(self._busy)) - here):
            self._starting.add(self.crew.hire())

    def _give(self) -> None:
        while self._idle and self._waiting:
            self.results.begin()
            worker, goal = self._idle.pop(), self._waiting.popleft()
            self._busy[worker] = _Work(goal, time.monotonic())
            self.crew.give(worker, goal)

    def _take(self, event: Event) -> None:
        match event:
            case Ready():
                self.meeting.check(event.facts)
                self._starting.discard(event.worker)
                self._failed_starts, self._met = 0, True
                self._idle.append(event.worker)
            case Unfit():
                self._let_go(event)
            case Answered():
                work = self._busy.pop(event.worker)
                self._idle.append(event.worker)
                self._left_in_a_row = 0
                self._end(work.goal, Answer(**event.answer))
            case Left():
                self._take_back(event)
            case Died():
                self._bury(event)

    def _take_back(self, event: Left) -> None:
        """Ask a goal again behind all others: what keeps it from its thread may be over by then."""
        goal = self._busy.pop(event.worker).goal
        self._idle.append(event.worker)
        self._waiting.append(goal)
        self._left_in_a_row += 1
        self.watcher.note(f"{goal.id!r} is asked again later: {event.why}")
        at_once = min(self.workers, len(self._busy) + len(self._waiting))
        if self._left_in_a_row >= MOST_LEFT * at_once and not self.stopping.asked:
            raise WorkersLost(
                f"{self._left_in_a_row} goals were given back, and none was answered meanwhile; "
                f"the last: {event.why}",
                "The batch can be gone on with by --resume.",
            )

    def _let_go(self, event: Unfit) -> None:
        """End the batch, unless some worker was fit: then what this one lacks may be there in a moment."""
        if not self._met:
            raise UsageError(event.what, event.remedy)
        self.crew.dismiss(event.worker)
        self.watcher.note(f"A worker could not begin: {event.what}")
        self._begun_in_vain(event.worker, f"{event.what} {event.remedy}".strip())

    def _bury(self, event: Died) -> None:
        """Give what a dead worker had to another one, unless too many have died of it."""
        self.deaths += 1
        self._idle = [one for one in self._idle if one != event.worker]
        work = self._busy.pop(event.worker, None)
        if work is None:
            self._begun_in_vain(event.worker, event.why)
            return
        goal = work.goal
        count = self._deaths_of[goal.id] = self._deaths_of.get(goal.id, 0) + 1
        if count >= self.most_deaths:
            self._fail(goal, died(count, event.why))
            return
        self.watcher.note(f"A worker died ({event.why}); another goes on with {goal.id!r}.")
        self._waiting.appendleft(goal)

    def _begun_in_vain(self, worker: int, why: str) -> None:
        if worker not in self._starting:
            return
        self._starting.discard(worker)
        self._failed_starts += 1
        if self._failed_starts >= MOST_FAILED_STARTS:
            raise WorkersLost(
                f"{self._failed_starts} workers ended before they took a goal; the last: {why.rstrip('.')}.",
                "Look at their log, and at memory; the batch can be gone on with by --resume.",
            )

    def _end_overdue(self) -> None:
        """End workers that are deaf to the end of their time: the step they are at takes too long."""
        if self.timeout is None:
            return
        now = time.monotonic()
        late = [
            (worker, work)
            for worker, work in self._busy.items()
            if now - work.since > self.timeout + GRACE_SECONDS
        ]
        for worker, work in late:
            self.crew.dismiss(worker)
            del self._busy[worker]
            self._fail(work.goal, overdue(self.timeout) | {"seconds": round(now - work.since, 3)})

    def _fail(self, goal: Goal, record: dict[str, object]) -> None:
        thread = {"thread_id": goal.thread(self.results.batch)}
        self._end(goal, told({**thread, **record}, EXIT_ENVIRONMENT))

    def _end(self, goal: Goal, answer: Answer) -> None:
        counted = {**answer.record, "deaths": self._deaths_of.get(goal.id, 0)}
        self._ended.append((goal, Answer(answer.outcome, counted)))

    def _write(self) -> None:
        """Write the lines of what has ended, all at once."""
        ended, self._ended = self._ended, []
        written = self.results.add(ended) if ended else []
        for goal, answer in written:
            self.watcher.ended(goal, answer.outcome)
