"""One batch, from what is said before it begins to its report."""

from __future__ import annotations

import os
import sys
import time
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from cli.ask_command import print_json
from cli.batch.answer import Outcome
from cli.batch.crew import Crew
from cli.batch.driving import Driving
from cli.batch.goal import Goal
from cli.batch.meeting import Meeting, met
from cli.batch.orders import Orders
from cli.batch.processes import Processes, log_path
from cli.batch.progress import Told
from cli.batch.ray_actors import ray_crew
from cli.batch.report import BatchReport, exit_code_of, report_text
from cli.batch.results import Results
from cli.batch.stopping import Stopping
from configs.redaction import path_text
from configs.settings import ApprovalChoice, Settings

APPROVALS: dict[ApprovalChoice, str] = {
    "ask": "Nobody is asked: a goal that wants to change files is refused, and its thread waits for "
    "`reflect resume`. (--yes makes changes unasked, --dry-run shows them.)",
    "dry_run": "Changes of files are shown, and not made.",
    "yes": "Changes of files are made unasked.",
}


@dataclass(frozen=True)
class Batch:
    """A batch.

    Attributes:
        arguments: of `reflect batch`.
        root: the project.
        settings: in force.
        goals: all that are asked.
        results: where their lines are.
    """

    arguments: Namespace
    root: Path
    settings: Settings
    goals: list[Goal]
    results: Results

    def run(self, go_on: str) -> BatchReport:
        """Answer what has no line yet, and print the report.

        Args:
            go_on: the command that goes on with the batch.

        Raises:
            ReflectError: the batch stopped and can be gone on with.
        """
        started, left = time.monotonic(), self.results.left(self.goals)
        self._tell_beginning(len(self.goals) - len(left), go_on)
        deaths = self._answered(left) if left else 0
        report = self._report(len(self.goals) - len(left), deaths, time.monotonic() - started)
        if self.arguments.json:
            print_json(report.model_dump(mode="json"))
        else:
            sys.stdout.write(report_text(report, go_on))
            sys.stdout.flush()
        return report

    def _answered(self, left: list[Goal]) -> int:
        """Answer goals; gives the number of workers that died."""
        given = self.arguments
        shown = None if given.quiet else sys.stderr
        counts: dict[Outcome, int] = self.results.counted(self.goals)
        with (
            met(self.root, self.settings, self.results.batch) as meeting,
            Told(counts, len(self.goals), shown, sys.stderr) as watcher,
            self._crew(self._orders(left, meeting), len(left)) as crew,
            # After the crew: Ray has its own idea of SIGTERM.
            Stopping().by_signals() as stopping,
        ):
            driving = Driving(
                crew, self.results, meeting, given.workers, given.deaths, given.timeout, watcher, stopping
            )
            driving.run(left)
        return driving.deaths

    def _orders(self, left: list[Goal], meeting: Meeting) -> Orders:
        given = self.arguments
        return Orders(
            batch=self.results.batch,
            root=str(self.root),
            graphs=tuple(sorted({goal.graph for goal in left})),
            # As they are in force here: a worker elsewhere may have other settings.
            model=self.settings.model,
            profile=self.settings.profile,
            strategy=self.settings.reasoning.strategy,
            approval=self.settings.tools.approval,
            timeout=given.timeout,
            mark=str(meeting.mark),
            word=meeting.word,
            # A process of this machine stands where this one does.
            directory=os.getcwd() if given.engine == "ray" else "",
        )

    @contextmanager
    def _crew(self, orders: Orders, left: int) -> Iterator[Crew]:
        wanted = min(self.arguments.workers, left)
        if self.arguments.engine == "ray":
            with ray_crew(orders, wanted, self.arguments.address) as actors:
                yield actors
            return
        processes = Processes(orders)
        try:
            yield processes
        finally:
            processes.close()

    def _tell_beginning(self, before: int, go_on: str) -> None:
        if self.results.mended:
            cut = f"A line of {self.results.mended} bytes that a crash had cut was taken away"
            sys.stderr.write(f"{cut}; its goal is asked again.\n")
        if self.arguments.quiet:
            return
        done = f", {before} done before" if before else ""
        sys.stderr.write(
            f"{len(self.goals)} goals{done}; engine {self.arguments.engine}, {self.arguments.workers} "
            f"workers; results in {path_text(self.results.path)}.\n"
            f"{APPROVALS[self.settings.tools.approval]}\n"
            f"If this is cut short, go on with: {go_on}\n"
        )
        if self.arguments.engine == "local":
            log = path_text(log_path(self.root, self.results.batch))
            sys.stderr.write(f"What workers have to say beside their answers: {log}\n")
        sys.stderr.flush()

    def _report(self, before: int, deaths: int, seconds: float) -> BatchReport:
        counts = self.results.counted(self.goals)
        left = len(self.results.left(self.goals))
        answered = len(self.goals) - before - left
        return BatchReport(
            batch=self.results.batch,
            results=str(self.results.path),
            engine=self.arguments.engine,
            workers=self.arguments.workers,
            goals=len(self.goals),
            succeeded=counts["succeeded"],
            failed=counts["failed"],
            refused=counts["refused"],
            left=left,
            before=before,
            deaths=deaths,
            seconds=round(seconds, 3),
            goals_per_second=round(answered / seconds, 3),
            exit_code=exit_code_of(failed=counts["failed"], refused=counts["refused"], left=left),
        )
