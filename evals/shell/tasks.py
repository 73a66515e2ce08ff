"""The tasks of InterCode-ALFA, read from the installed package without importing it.

Importing `icalfa` needs docker, gymnasium, pandas and more; its data are plain files.
"""

from __future__ import annotations

import importlib.util
import json
import random
from collections.abc import Iterable, Sequence
from pathlib import Path

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from configs.errors import UsageError

FILE_SYSTEMS = (1, 2, 3, 4, 5)
# The 147 tasks that reference figures for small models count; the first file system adds 153.
COUNTED = (2, 3, 4, 5)
INSTALL = "Install it with: pip install --no-deps icalfa==0.3.6"


class Row(BaseModel):
    """A task as the package writes it.

    Attributes:
        query: what is asked, in English.
        gold: the command the benchmark scores against.
        gold2: another command that does the same; the package ships it and does not score with it.
        difficulty: 0 to 2.
    """

    query: str = Field(min_length=1)
    gold: str = Field(min_length=1)
    gold2: str = Field(min_length=1)
    difficulty: int = 0


class Task(Row):
    """A task with its place in the set.

    Attributes:
        id: FILE_SYSTEM-NUMBER, both from the package's order.
        file_system: which set-up script built what it is about.
    """

    id: str
    file_system: int


def installed_assets() -> Path:
    """The folder of the package that holds `datasets/` and `docker/`.

    Raises:
        UsageError: the package is not installed.
    """
    spec = importlib.util.find_spec("icalfa")
    folders = list(spec.submodule_search_locations or ()) if spec else []
    for folder in folders:
        assets = Path(folder) / "assets"
        if (assets / "datasets").is_dir():
            return assets
    raise UsageError("The benchmark InterCode-ALFA (package icalfa) is not installed.", INSTALL)


def read_tasks(assets: Path, file_systems: Iterable[int] = COUNTED) -> list[Task]:
    """The tasks of some file systems, in the package's order.

    Raises:
        UsageError: a file is missing or holds no tasks.
    """
    tasks: list[Task] = []
    for number in file_systems:
        path = assets / "datasets" / f"nl2bash_fs_{number}.json"
        try:
            rows = TypeAdapter(list[Row]).validate_python(json.loads(path.read_text("utf-8")))
        except (OSError, ValueError, ValidationError) as error:
            raise UsageError(f"{path} holds no tasks: {error}", INSTALL) from error
        tasks += [
            Task(id=f"{number}-{place}", file_system=number, **row.model_dump())
            for place, row in enumerate(rows)
        ]
    return tasks


def set_up_script(assets: Path, file_system: int) -> Path:
    """The package's own script that builds a file system.

    Raises:
        UsageError: it is not there.
    """
    path = assets / "docker" / f"setup_nl2b_fs_{file_system}.sh"
    if not path.is_file():
        raise UsageError(f"The set-up script {path} is missing.", INSTALL)
    return path


def chosen(tasks: Sequence[Task], only: Sequence[str], limit: int | None, seed: int) -> list[Task]:
    """The tasks that are named, or a seeded sample, in the set's order.

    A smaller sample of the same seed is part of a larger one, so what was asked before counts.

    Raises:
        UsageError: a name is not in the set.
    """
    if only:
        known = {task.id: task for task in tasks}
        if missing := [name for name in only if name not in known]:
            raise UsageError(f"There is no task {missing[0]!r}.", "Names are FILE_SYSTEM-NUMBER, as 2-17.")
        return [known[name] for name in only]
    if limit is None or limit >= len(tasks):
        return list(tasks)
    order = list(range(len(tasks)))
    random.Random(seed).shuffle(order)
    return [tasks[index] for index in sorted(order[:limit])]
