"""Facts about tables and settings."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

from evals.reflective.facts.registry import fact
from evals.reflective.facts.tree import text_of


@fact
def table_key_of_largest(root: Path, path: str, key: str, column: str) -> list[str]:
    """Key of the row whose column holds the largest number; several where they tie."""
    with (root / path).open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    bound = max(int(row[column]) for row in rows)
    return [row[key] for row in rows if int(row[column]) == bound]


@fact
def table_rows(root: Path, path: str, key: str = "", value: str = "") -> int:
    """Rows of a CSV file without its head, those with a value in a column if one is named."""
    with (root / path).open(encoding="utf-8", newline="") as stream:
        return sum(not key or row[key] == value for row in csv.DictReader(stream))


@fact
def true_keys(root: Path, path: str) -> list[str]:
    """Keys of a JSON object whose value is true."""
    return sorted(key for key, value in json.loads(text_of(root, path)).items() if value is True)


@fact
def setting(root: Path, path: str, key: str) -> str:
    """What follows `key:` or `key =` on a line of a settings file."""
    match = re.search(rf"^{key}\s*[:=]\s*(.+)$", text_of(root, path), re.MULTILINE)
    assert match is not None, f"{path} has no {key}"
    return match.group(1).strip().strip('"')
