"""The end of every suite: print, write, and say by the exit code whether the targets are met."""

from __future__ import annotations

import sys
from collections.abc import Callable

from configs.errors import ReflectError, UsageError
from evals.report.case import Report
from evals.report.options import STDOUT, SuiteOptions
from evals.report.page import json_text, write_html, write_json
from evals.report.terminal import print_report

EXIT_MISSED = 1


def publish(report: Report, options: SuiteOptions) -> int:
    """Print the report and write the files that were asked for.

    With JSON on standard output, the tables go to standard error.

    Returns:
        0 if every target is met, else 1.

    Raises:
        UsageError: a file cannot be written.
    """
    print_report(report, sys.stderr if options.json_to == STDOUT else sys.stdout)
    try:
        if options.json_to == STDOUT:
            sys.stdout.write(json_text(report))
        elif options.json_to is not None:
            write_json(report, options.json_to)
        if options.html_to is not None:
            write_html(report, options.html_to)
    except OSError as error:
        raise UsageError(
            f"The report cannot be written to {error.filename}: {error.strerror}.", "Name another file."
        ) from error
    return 0 if report.every_target_met else EXIT_MISSED


def as_program(suite: Callable[[], int]) -> int:
    """Run a suite's own main function; an expected error becomes a message and exit code 2.

    Args:
        suite: measures and publishes; returns the exit code.
    """
    try:
        return suite()
    except ReflectError as error:
        print(f"{error.what}\n{error.remedy}".rstrip(), file=sys.stderr)
        return error.exit_code
