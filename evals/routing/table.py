"""Goals and the engine each should go to, read from a table: columns id, engine, goal, separated by tabs.

A first line that names the columns may stand or not; it may order them anew and name others, which are passed
over. Lines may end in CRLF, the file may begin with a byte order mark, empty lines are passed over. A field
in double quotes loses them, and quotes doubled within stand for one. What stands behind the tab before the
last column is that column, tabs and all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from evals.labelled_goals import TableInvalid
from nodes.collective.engines import ENGINES, Engine

COLUMNS = ("id", "engine", "goal")
QUOTED = re.compile(r'"((?:[^"]|"")*)"')
SEPARATORS = re.compile(r"[^a-z0-9]+")
# One cell may name several, as the decision matrix of the seed does: "ReasoningLoop / v30".
BETWEEN_NAMES = re.compile(r"[/,|]| or ")
_OTHER_NAMES: Mapping[Engine, tuple[str, ...]] = {
    "reflective": (
        "v30", "v3", "v2", "v1", "graph", "graph_v30", "graph_v2", "loop", "loop_v1", "reasoning",
        "ReasoningLoop", "ReasoningLoop v1", "ReasoningGraph", "ReasoningGraph v30", "reasoning_v30",
        "reasoning_v2", "reasoning_v1", "direct", "direct_exec", "direct response", "v30 direct", "simple",
        "simple_exec", "bypass", "ask",
    ),
    "contractive": ("ContractiveReasoner", "contractive reasoning", "reasoning_slim", "think"),
    "research": ("deep_research", "deep research module", "researcher"),
    "tutor": ("Interpreter-Tutor", "reasoning_tutor", "proof_game", "game", "play"),
    "specialists": ("specialist", "specialist collaboration", "audit", "KOAS"),
    "ensemble": ("ensemble reasoning", "second_opinion"),
    "hierarchy": ("hierarchical", "hierarchical reasoning", "master-worker"),
    "hybrid": ("hybrid_reasoning", "hybrid reasoning"),
}  # fmt: skip


Cells: TypeAlias = dict[str, str]


@dataclass(frozen=True)
class RoutedGoal:
    """One row."""

    id: str
    engine: Engine
    goal: str


def _bare(name: str) -> str:
    return SEPARATORS.sub("", name.casefold())


ENGINE_BY_NAME: Mapping[str, Engine] = {
    _bare(name): engine for engine in ENGINES for name in (engine, *_OTHER_NAMES[engine])
}


def engine_named(cell: str) -> Engine | None:
    """The engine a cell names, by any name it has; None if it names none, or two different ones."""
    found = {ENGINE_BY_NAME.get(_bare(name)) for name in BETWEEN_NAMES.split(cell)}
    return found.pop() if len(found) == 1 else None


def read_routed_goals(path: Path) -> list[RoutedGoal]:
    """The rows of a table, in its order.

    Raises:
        TableInvalid: the file cannot be read, a line is not as it should be, or names no engine there is.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise TableInvalid(f"{path}: cannot be read ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise TableInvalid(f"{path}: is not UTF-8 (byte {error.start + 1}); save it as UTF-8.") from error
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    header = _header(lines[0][1]) if lines else None
    rows = [
        (f"{path}, line {number}", _cells(f"{path}, line {number}", line, header))
        for number, line in lines[1 if header else 0 :]
    ]
    if not rows:
        raise TableInvalid(f"{path}: there is no row; write {', '.join(COLUMNS)}, separated by tabs.")
    _check_ids(rows)
    return _named(path, rows)


def _header(line: str) -> list[str] | None:
    """The names of the columns, if the line names all of ours."""
    names = [_plain(cell).casefold() for cell in line.split("\t")]
    return names if set(COLUMNS) <= set(names) else None


def _cells(where: str, line: str, header: Sequence[str] | None) -> Cells:
    names = header or COLUMNS
    fields = line.removesuffix("\r").split("\t", len(names) - 1)
    if len(fields) < len(names):
        raise TableInvalid(
            f"{where}: has {len(fields)} fields, not {len(names)}; write {', '.join(names)} with tabs."
        )
    cells = dict(zip(names, map(_plain, fields), strict=True))
    empty = next((name for name in COLUMNS if not cells[name]), None)
    if empty:
        raise TableInvalid(f"{where}: the {empty} is empty.")
    return cells


def _plain(cell: str) -> str:
    quoted = QUOTED.fullmatch(cell.strip())
    return (quoted[1].replace('""', '"') if quoted else cell).strip()


def _check_ids(rows: Sequence[tuple[str, Cells]]) -> None:
    seen: set[str] = set()
    for where, cells in rows:
        if cells["id"] in seen:
            raise TableInvalid(f"{where}: the id {cells['id']!r} is used twice.")
        seen.add(cells["id"])


def _named(path: Path, rows: Sequence[tuple[str, Cells]]) -> list[RoutedGoal]:
    unknown: dict[str, str] = {}
    goals = []
    for where, cells in rows:
        engine = engine_named(cells["engine"])
        if engine is None:
            unknown.setdefault(cells["engine"], where.removeprefix(f"{path}, "))
        else:
            goals.append(RoutedGoal(cells["id"], engine, cells["goal"]))
    if unknown:
        told = ", ".join(f"{name!r} ({where})" for name, where in unknown.items())
        raise TableInvalid(f"{path}: these name no engine: {told}. Engines are {', '.join(ENGINES)}.")
    return goals
