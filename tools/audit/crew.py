"""Worker processes that look at files, so that a hostile one costs itself and nothing else."""

from __future__ import annotations

import os
import pickle
import threading
from collections import deque
from collections.abc import Callable, Sequence
from multiprocessing.connection import wait
from typing import Any, Generic, TypeVar

from configs.audit import AuditSettings
from tools.audit.kernels import Kernel
from tools.audit.report import Skipped
from tools.audit.serving import Answer, Failure, Task
from tools.audit.sources import Source
from tools.audit.worker import Worker
from tools.errors import AuditFailed

T = TypeVar("T")
Work = Callable[[Source, AuditSettings], T]
Told = Callable[[str, int, int], None]
"""Progress: name of the kernel, files done, files of it in all."""

MOST_PROCESSES = 4
FILES_WORTH_A_PROCESS = 24
"""Below this many files for each, starting one more process takes longer than it saves."""
AHEAD = 4
"""Tasks a worker is sent before it has answered the first, so that it never waits for the next."""


class Crew:
    """Runs a function over files in worker processes of its own.

    A worker that dies, or that a file keeps for longer than `file_seconds`, costs that file only. What kills
    a worker is tried once more in a new one, so that no file pays for what another left behind. The processes
    start with the first call, stay for the next, and are gone after `close`.

    They are started by hand and not by `multiprocessing`, whose own processes (fork server, resource tracker)
    outlive its pools, and whose children run the caller's main module again.

    Args:
        settings: `processes` and `file_seconds`; handed to the work.
        told: is told of progress, from the thread that calls `over`.
    """

    def __init__(self, settings: AuditSettings, told: Told | None = None) -> None:
        self._settings = settings
        self._told = told
        self._workers: list[Worker] = []
        self._closed = False
        self._changing = threading.Lock()
        self._one_call = threading.RLock()

    def __enter__(self) -> Crew:
        """Itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End all workers."""
        self.close()

    def over(
        self, work: Work[T], files: Sequence[Source], *, kernel: Kernel
    ) -> tuple[list[tuple[Source, T]], list[Skipped]]:
        """Run a function over files; results and what was left out both keep the order of the files.

        Args:
            work: a function at the top of a module, so that a worker can import it. It may raise `Unusable`.
            files: to look at.
            kernel: whose work it is, for progress and for what is left out.

        Raises:
            AuditFailed: the workers cannot be started, or `close` was called meanwhile.
        """
        job: _Job[T] = _Job(work, files)
        with self._one_call:
            try:
                while job.open:
                    self._hand_out(job)
                    for worker in self._with_news():
                        self._listen(worker, job)
                        if self._told is not None:
                            self._told(kernel, len(files) - job.open, len(files))
            except BaseException:
                self.close()  # what was handed out would be answered to the next call
                raise
        return job.results(kernel)

    def close(self) -> None:
        """End all workers, and a call of `over` in another thread with them."""
        with self._changing:
            self._closed = True
            workers = list(self._workers)
        for worker in workers:
            worker.kill()
        with self._one_call:  # a call that goes on in another thread still looks at their pipes
            for worker in workers:
                worker.bury()
            self._workers.clear()

    def _hand_out(self, job: _Job[T]) -> None:
        while job.again:
            self._started().send(job.task(job.again.popleft()))
        wanted = min(processes(self._settings), -(-job.open // FILES_WORTH_A_PROCESS))
        while len(self._workers) < wanted:
            self._started()
        for worker in self._workers:
            while job.waiting and len(worker.numbers) < AHEAD:
                worker.send(job.task(job.waiting.popleft()))

    def _started(self) -> Worker:
        with self._changing:
            if self._closed:
                raise AuditFailed("The audit was stopped.")
            self._workers.append(Worker(self._settings))
            return self._workers[-1]

    def _with_news(self) -> list[Worker]:
        by_pipe: dict[Any, Worker] = {worker.answers: worker for worker in self._workers}
        return [by_pipe[pipe] for pipe in wait(list(by_pipe))]

    def _listen(self, worker: Worker, job: _Job[T]) -> None:
        """Take one answer of a worker; if it is dead, give back what it had, but for what killed it."""
        try:
            answer: Answer | None = worker.answers.recv()
        except (EOFError, OSError) as error:
            with self._changing:
                if self._closed:
                    raise AuditFailed("The audit was stopped.") from error
            cause = worker.cause_of_death()
            with self._changing:
                self._workers.remove(worker)
            worker.bury()
            job.lose(list(worker.numbers), cause)
            return
        worker.began = True
        if answer is not None:
            worker.numbers.remove(answer.number)
            job.answers[answer.number] = answer


def processes(settings: AuditSettings) -> int:
    """How many workers there may be at once."""
    return settings.processes or min(len(os.sched_getaffinity(0)), MOST_PROCESSES)


class _Job(Generic[T]):
    """One call: what waits, what has to be tried again, what was answered.

    Attributes:
        waiting: numbers of files, the largest first, so that no worker is left alone with it at the end.
        again: those that killed a worker once.
        answers: by number.
    """

    def __init__(self, work: Work[T], files: Sequence[Source]) -> None:
        self._work = pickle.dumps(work)
        self._files = files
        self._tried: set[int] = set()
        self.waiting = deque(sorted(range(len(files)), key=lambda number: -files[number].size))
        self.again: deque[int] = deque()
        self.answers: dict[int, Answer] = {}

    @property
    def open(self) -> int:
        """How many files have no answer."""
        return len(self._files) - len(self.answers)

    def task(self, number: int) -> Task:
        return Task(number, self._work, self._files[number])

    def lose(self, numbers: Sequence[int], cause: Failure) -> None:
        """Tasks of a dead worker, in their order: it died of the first one, and did not begin the others."""
        self.waiting.extendleft(reversed(numbers[1:]))
        for number in numbers[:1]:
            if cause.reason == "crashed" and number not in self._tried:
                self._tried.add(number)
                self.again.append(number)
            else:
                self.answers[number] = Answer(number, failure=cause)

    def results(self, kernel: Kernel) -> tuple[list[tuple[Source, T]], list[Skipped]]:
        found: list[tuple[Source, T]] = []
        skipped: list[Skipped] = []
        for number, source in enumerate(self._files):
            failure = self.answers[number].failure
            if failure is None:
                found.append((source, self.answers[number].value))
            else:
                skipped.append(
                    Skipped(
                        file=source.file,
                        kernel=kernel,
                        reason=failure.reason,
                        what=failure.what,
                        line=failure.line,
                    )
                )
        return found, skipped
