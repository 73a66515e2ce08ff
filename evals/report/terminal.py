"""A report as tables in the terminal."""

from __future__ import annotations

from typing import TextIO

from rich.console import Console
from rich.markup import escape
from rich.table import Table as Grid

from evals.report.case import Report
from evals.report.options import rerun_command
from evals.report.wording import NOTHING, cell, figure, interval, verdict

LISTED = 40
WIDE = 200
STYLES = {True: "green", False: "bold red", None: ""}


def print_report(report: Report, stream: TextIO) -> None:
    """Print metrics, tables, and each failure with the command that runs just it again.

    Args:
        report: what was measured.
        stream: where to; colours only on a terminal.
    """
    console = Console(file=stream, width=None if stream.isatty() else WIDE, highlight=False, soft_wrap=True)
    console.print(f"[bold]{escape(report.suite)}[/bold]  {escape(report.model)}  {report.at}")
    if report.about:
        console.print(escape(report.about))
    console.print(_metrics(report))
    for table in report.tables:
        grid = Grid(title=escape(table.title), title_justify="left", caption=escape(table.note) or None)
        for number, column in enumerate(table.columns):
            grid.add_column(escape(column), justify="right" if number else "left")
        for row in table.rows:
            grid.add_row(*(escape(cell(value)) for value in row))
        console.print(grid)
    _failures(report, console)


def _metrics(report: Report) -> Grid:
    grid = Grid(title="figures", title_justify="left")
    for number, column in enumerate(("metric", "value", "95% interval", "n", "target", "")):
        grid.add_column(column, justify="right" if 0 < number < 4 else "left")
    for metric in report.metrics:
        grid.add_row(
            escape(metric.name),
            figure(metric.value, metric.unit),
            interval(metric),
            str(metric.n),
            escape(metric.target or NOTHING),
            verdict(metric),
            style=STYLES[metric.met],
        )
    return grid


def _failures(report: Report, console: Console) -> None:
    failures = report.failures
    if not failures:
        console.print("Every case passed." if report.cases else "No case was run.")
        return
    console.print(f"[bold]{len(failures)} of {len(report.cases)} cases did not pass[/bold]")
    for case in failures[:LISTED]:
        mark = "[bold red]FALSE SUCCESS[/bold red]" if case.false_success else f"{case.status or 'failed'}"
        console.print(f"{mark} {escape(case.variant)} {escape(case.id)}: {escape(case.detail[:300])}")
        console.print(f"    {escape(rerun_command(report.suite, case))}")
    if len(failures) > LISTED:
        console.print(f"... and {len(failures) - LISTED} more; --json and --html list all of them.")
