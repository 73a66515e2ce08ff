"""The tasks, one file for each domain."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import yaml
from pydantic import ValidationError

from configs.errors import UsageError
from evals.contractive.checks import Task


@cache
def tasks() -> dict[str, Task]:
    """All tasks by id.

    Raises:
        UsageError: a file holds something else, or two tasks have one id.
    """
    found: dict[str, Task] = {}
    for path in sorted((files("evals.contractive") / "tasks").iterdir(), key=lambda entry: entry.name):
        try:
            listed = [Task.model_validate(entry) for entry in yaml.safe_load(path.read_text("utf-8"))]
        except (ValidationError, yaml.YAMLError, TypeError) as error:
            raise UsageError(f"{path.name} holds no tasks: {error}", "Mend the file.") from error
        for task in listed:
            if task.id in found:
                raise UsageError(f"There are two tasks {task.id}.", f"Rename one in {path.name}.")
            found[task.id] = task
    return found
