"""Goals labelled by hand, read from a table: columns id, lang, label, goal, note, separated by tabs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from memory.recipes.exemplars import LABELS, LANGUAGES

COLUMNS = ("id", "lang", "label", "goal", "note")
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class TableInvalid(Exception):
    """The file is no table of labelled goals; the message names file and line and says what to do."""


@dataclass(frozen=True)
class LabelledGoal:
    """One row: the label is one of LABELS, the language one of LANGUAGES."""

    id: str
    lang: str
    label: str
    goal: str
    note: str


def read_labelled_goals(path: Path) -> list[LabelledGoal]:
    """The rows of a table, in its order; empty lines are passed over, and a row may end before its note.

    Raises:
        TableInvalid: the file cannot be read or a line is not as it should be.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise TableInvalid(f"{path}: cannot be read ({error.strerror}).") from error
    if raw.startswith(BYTE_ORDER_MARK):
        raise TableInvalid(f"{path}, line 1: starts with a byte order mark; save it as UTF-8 without one.")
    lines = [_decoded(path, number, line) for number, line in enumerate(raw.split(b"\n"), start=1)]
    if not any(line.strip() for line in lines):
        raise TableInvalid(f"{path}, line 1: the file is empty; its first line names {', '.join(COLUMNS)}.")
    header = tuple(lines[0].split("\t"))
    if header != COLUMNS:
        missing = [name for name in COLUMNS if name not in header]
        what = f"lacks {', '.join(missing)}" if missing else "has other columns or another order"
        raise TableInvalid(f"{path}, line 1: {what}; write {', '.join(COLUMNS)}, separated by tabs.")
    rows: dict[str, LabelledGoal] = {}
    for number, line in enumerate(lines[1:], start=2):
        if line.strip():
            row = _row(f"{path}, line {number}", line)
            if row.id in rows:
                raise TableInvalid(f"{path}, line {number}: the id {row.id!r} is used twice.")
            rows[row.id] = row
    if not rows:
        raise TableInvalid(f"{path}, line 2: there is no row below the header.")
    return list(rows.values())


def _decoded(path: Path, number: int, line: bytes) -> str:
    try:
        return line.removesuffix(b"\r").decode("utf-8")
    except UnicodeDecodeError as error:
        raise TableInvalid(f"{path}, line {number}: is not UTF-8 (byte {error.start + 1}).") from error


def _row(where: str, line: str) -> LabelledGoal:
    fields = line.split("\t")
    if len(fields) not in (len(COLUMNS) - 1, len(COLUMNS)):
        raise TableInvalid(f"{where}: has {len(fields)} fields, not {len(COLUMNS)}.")
    name, lang, label, goal, note = (*fields, "")[: len(COLUMNS)]
    row = LabelledGoal(name, lang, label, goal, note)
    if not row.id.strip() or not row.goal.strip():
        raise TableInvalid(f"{where}: {'the id' if not row.id.strip() else 'the goal'} is empty.")
    if row.lang not in LANGUAGES:
        raise TableInvalid(f"{where}: {row.lang!r} is none of the languages {', '.join(LANGUAGES)}.")
    if row.label not in LABELS:
        raise TableInvalid(f"{where}: {row.label!r} is none of the labels {', '.join(LABELS)}.")
    return row
