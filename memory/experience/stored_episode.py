"""Whole runs as the corpus gives them back: to plan from, and to run again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from memory.experience.recall_prompt import Scope

CLOCK_SKEW = timedelta(minutes=5)
"""Times that lie further ahead were written by a clock that was wrong."""


@dataclass(frozen=True)
class StoredEpisode:
    """One whole run.

    Attributes:
        event_id: id of its event.
        scope: the corpus it comes from.
        at: when, aware; None when its line has no readable time.
        goal: what was asked for.
        key: the goal's skeleton; equal keys are the same question with other names, paths or numbers.
        meta: everything else, as the run wrote it: plan, slots, steps, source, status.
        helpful: runs it was used in that succeeded.
        harmful: runs it was used in that failed.
    """

    event_id: str
    scope: Scope
    at: datetime | None
    goal: str
    key: str
    meta: dict[str, Any]
    helpful: int
    harmful: int


def first_of_each_plan(episodes: Sequence[StoredEpisode]) -> list[StoredEpisode]:
    """Keep the first of those that have the same plan; those without a plan by their steps."""
    kept: dict[str, StoredEpisode] = {}
    for episode in episodes:
        plan = episode.meta.get("plan") or episode.meta.get("steps")
        kept.setdefault(json.dumps(plan, sort_keys=True), episode)
    return list(kept.values())


def most_helpful_first(episodes: Sequence[StoredEpisode]) -> list[StoredEpisode]:
    """Order by runs helped less runs harmed, then newest first; a time that is yet to come counts as none."""
    now = datetime.now(UTC)

    def order(episode: StoredEpisode) -> tuple[int, float]:
        at = episode.at.timestamp() if episode.at and episode.at <= now + CLOCK_SKEW else 0.0
        return episode.harmful - episode.helpful, -at

    return sorted(episodes, key=order)
