"""Questions restated, harmlessly or not, and answers with the verdict they deserve, as tab-separated lines.

The checks were made with the `tuned` lines. `held` lines were written before the checks were, and only
measured on until their first figures were known; `second` and later ones were written after those, each
measured before it was looked at.
"""

import csv
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Restatement:
    """A question and a restatement of it; what is wrong with it, or `harmless`."""

    language: str
    label: str
    question: str
    restated: str
    earlier: tuple[str, ...]


@dataclass(frozen=True)
class Reviewed:
    """A question, an answer, and the verdict it deserves."""

    language: str
    verdict: str
    question: str
    answer: str
    support: float
    entropy: float


def _rows(name: str) -> list[dict[str, str]]:
    with (FOLDER / f"{name}.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [{key: (value or "").replace("\\n", "\n") for key, value in row.items()} for row in rows]


def restatements(name: str) -> list[Restatement]:
    return [
        Restatement(
            row["language"],
            row["label"],
            row["question"],
            row["restated"],
            tuple(filter(None, row["earlier"].split("|"))),
        )
        for row in _rows(f"restatements_{name}")
    ]


def reviewed(name: str) -> list[Reviewed]:
    return [
        Reviewed(
            row["language"],
            row["verdict"],
            row["question"],
            row["answer"],
            float(row["support"]),
            float(row["entropy"]),
        )
        for row in _rows(f"reviews_{name}")
    ]
