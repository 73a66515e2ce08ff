"""The tasks, one file for each domain."""

from __future__ import annotations

from functools import cache

from evals.contractive.checks import Task
from evals.report.labelled import entries_of


@cache
def tasks() -> dict[str, Task]:
    """All tasks by id.

    Raises:
        UsageError: a file holds something else, or two tasks have one id.
    """
    return entries_of("evals.contractive", "tasks", Task, "task")
