"""Are the right specialists chosen? Goals labelled by hand, in tables: id, specialists, goal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from models.embeddings import Embedder
from nodes.specialists.routing import by_exemplars, by_words, in_doubt, scores

HERE = Path(__file__).parent
SETS = ("tuned", "held_out")
COLUMNS = ["id", "specialists", "goal"]


@dataclass(frozen=True)
class Goal:
    """A goal and who should answer it; nobody for what no audit tells."""

    id: str
    specialists: frozenset[str]
    goal: str


def read_goals(path: Path) -> list[Goal]:
    """The rows of a table.

    Raises:
        ValueError: a line has other columns.
    """
    header, *lines = path.read_text("utf-8").splitlines()
    if header.split("\t") != COLUMNS:
        raise ValueError(f"{path}, line 1: the columns are not {', '.join(COLUMNS)}")
    found = []
    for line in lines:
        id, names, goal = line.split("\t")
        found.append(Goal(id, frozenset(names.split(",")) - {"none"}, goal))
    return found


def measure(goals: Sequence[Goal], embedder: Embedder | None) -> dict[str, Any]:
    """Share of goals for which just the right specialists are chosen; without an embedder by words alone."""
    wrong = []
    doubted = 0
    for one in goals:
        if embedder is None:
            given = {chosen.name for chosen in by_words(one.goal).chosen}
        else:
            voted = scores(one.goal, embedder)
            doubted += bool(in_doubt(voted))
            given = {chosen.name for chosen in by_exemplars(one.goal, voted).chosen}
        if given != one.specialists:
            wrong.append({"id": one.id, "right": sorted(one.specialists), "given": sorted(given)})
    off_topic = [one for one in goals if not one.specialists]
    missed = {one["id"] for one in wrong}
    return {
        "goals": len(goals),
        "right": round(1 - len(wrong) / len(goals), 4),
        "none_right": round(1 - sum(one.id in missed for one in off_topic) / len(off_topic), 4),
        "in_doubt": doubted,
        "mistakes": wrong,
    }


def measure_all(embedders: Sequence[Embedder]) -> dict[str, Any]:
    """Every set with every embedder, and with words alone."""
    tables = {name: read_goals(HERE / f"{name}.tsv") for name in SETS}
    return {
        name: {
            **{embedder.name: measure(goals, embedder) for embedder in embedders},
            "words": measure(goals, None),
        }
        for name, goals in tables.items()
    }
