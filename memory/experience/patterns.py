"""What fails again and again, and what helped."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

from memory.experience.feedback import Feedback
from memory.experience.recall import Recall
from memory.experience.recollection import recollect, steps_of
from memory.experience.record_queries import RecordRow, failures_of_category

MOST_READ = 200
"""Failures of a category whose remedies are read, the newest."""

MOST_REMEDIES = 3
_CHUNK = 5_000


@dataclass(frozen=True)
class Remedy:
    """What helped against a kind of failure, or what its diagnosis advised, and how often."""

    text: str
    count: int


@dataclass(frozen=True)
class Pattern:
    """A kind of failure.

    Attributes:
        category: as diagnoses name it.
        count: how often it occurred.
        resolved: how many of these a later run solved.
        last: when it occurred last, aware; None when no occurrence has a readable time.
        remedies: the steps that solved it, or else the lessons, the most frequent first.
    """

    category: str
    count: int
    resolved: int
    last: datetime | None
    remedies: tuple[Remedy, ...]

    @property
    def resolved_share(self) -> float:
        """Part that was solved, from 0 to 1."""
        return self.resolved / self.count


@dataclass(frozen=True)
class _Failure:
    recall: Recall
    row: RecordRow
    solved_by: str


def patterns(recalls: Sequence[Recall], feedback: Feedback, category: str | None) -> list[Pattern]:
    """Kinds of failure in some corpora, the most frequent first.

    Args:
        recalls: the corpora; an event that several hold counts once.
        feedback: what is said in all of them.
        category: only this one.
    """
    by_category: dict[str, dict[str, _Failure]] = defaultdict(dict)
    for recall in recalls:
        found = recall.rows(partial(_failures, category=category))
        solved: dict[str, str] = {}
        for start in range(0, len(found), _CHUNK):
            solved |= feedback.resolved([row.identity for _, row in found[start : start + _CHUNK]])
        for name, row in found:
            failure = _Failure(recall, row, row.resolved_by or solved.get(row.identity, ""))
            by_category[name].setdefault(row.identity, failure)
    made = [_pattern(name, list(failures.values()), feedback) for name, failures in by_category.items()]
    return sorted(made, key=lambda pattern: (-pattern.count, pattern.category))


def _failures(database: sqlite3.Connection, category: str | None) -> list[tuple[str, RecordRow]]:
    return failures_of_category(database, category)


def _pattern(category: str, failures: list[_Failure], feedback: Feedback) -> Pattern:
    times = [failure.row.at for failure in failures if failure.row.at is not None]
    newest = sorted(failures, key=lambda failure: failure.row.at or 0.0, reverse=True)[:MOST_READ]
    counted = Counter(text for failure in newest if (text := _remedy(failure, feedback)))
    return Pattern(
        category=category,
        count=len(failures),
        resolved=sum(bool(failure.solved_by) for failure in failures),
        last=datetime.fromtimestamp(max(times), UTC) if times else None,
        remedies=tuple(Remedy(text, count) for text, count in counted.most_common(MOST_REMEDIES)),
    )


def _remedy(failure: _Failure, feedback: Feedback) -> str:
    steps = feedback.steps(failure.solved_by) if failure.solved_by else ""
    if steps:
        return steps
    found = failure.recall.line(failure.row)
    recalled = recollect(found.record) if found else None
    return recalled.lesson if found and recalled and recalled.lesson != steps_of(found.record) else ""
