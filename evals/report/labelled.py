"""Labelled entries of a suite: YAML files in a folder of its package, each a list of objects with an id."""

from __future__ import annotations

from importlib.resources import files
from typing import TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from configs.errors import UsageError


class Labelled(BaseModel):
    """An entry of a suite.

    Attributes:
        id: its name, unique in the suite.
    """

    id: str


Entry = TypeVar("Entry", bound=Labelled)


def entries_of(package: str, folder: str, entry: type[Entry], what: str) -> dict[str, Entry]:
    """All entries by id, in the order of the files' names.

    Args:
        package: of the suite.
        folder: in it.
        entry: what each object is; with its fields.
        what: an entry, in a word, for messages.

    Raises:
        UsageError: a file holds something else, or two entries have one id.
    """
    found: dict[str, Entry] = {}
    for path in sorted((files(package) / folder).iterdir(), key=lambda one: one.name):
        try:
            listed = [entry.model_validate(one) for one in yaml.safe_load(path.read_text("utf-8"))]
        except (ValidationError, yaml.YAMLError, TypeError) as error:
            raise UsageError(f"{path.name} holds no {what}s: {error}", "Mend the file.") from error
        for one in listed:
            if one.id in found:
                raise UsageError(f"There are two {what}s {one.id}.", f"Rename one in {path.name}.")
            found[one.id] = one
    return found
