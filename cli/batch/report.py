"""What a batch comes to: counts over all its goals, whoever answered them, and the exit code that follows."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel

from cli.live import printable
from configs.redaction import path_text

EXIT_FAILED = 1
EXIT_REFUSED = 3
EXIT_INTERRUPTED = 130


class BatchReport(BaseModel):
    """The end of a driver's work; what `--json` prints.

    Attributes:
        batch: name of the batch.
        results: the file of lines.
        engine: local or ray.
        workers: how many were wanted.
        goals: all that are asked.
        succeeded, failed, refused: of those, by the outcome of their lines.
        left: goals without a line: the driver was stopped.
        before: goals that had their line when the driver began.
        deaths: of workers.
        seconds: the driver took.
        goals_per_second: that it had answered.
        exit_code: 0 all succeeded; 1 one failed; 3 none failed, and one was refused; 130 stopped before the
            end.
    """

    batch: str
    results: str
    engine: str
    workers: int
    goals: int
    succeeded: int
    failed: int
    refused: int
    left: int
    before: int
    deaths: int
    seconds: float
    goals_per_second: float
    exit_code: int = 0


def exit_code_of(*, failed: int, refused: int, left: int) -> int:
    """The exit code that follows from the counts; see `BatchReport`."""
    if left:
        return EXIT_INTERRUPTED
    return EXIT_FAILED if failed else EXIT_REFUSED if refused else 0


def report_text(report: BatchReport, go_on: str) -> str:
    """The report for people; its last line counts.

    Args:
        report: of the batch.
        go_on: the command that goes on with it.
    """
    lines = [f"Results: {path_text(Path(report.results))}"]
    if report.deaths:
        lines.append(f"Workers that died: {report.deaths}; others went on with what they had.")
    if report.left:
        lines.append(f"Go on with: {printable(go_on)}")
    counts = f"{report.succeeded} succeeded, {report.failed} failed, {report.refused} refused"
    left = f", {report.left} left" if report.left else ""
    took = f"{report.seconds:.1f} s, {report.goals_per_second:.2f} goals/s"
    lines.append(f"{report.goals} goals: {counts}{left} ({took})")
    return "\n".join(lines) + "\n"
