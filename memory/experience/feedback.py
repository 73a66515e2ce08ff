"""What is said about records, in whichever corpus it is said.

The tables count what their own corpus says. A run of a project may have used a record of the global corpus
and say so in its own: both are counted here, each feedback once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from memory.experience.recall import Recall
from memory.experience.recall_prompt import ExperienceHit, Scope
from memory.experience.recollection import identity, recollect, steps_of
from memory.experience.stored_episode import StoredEpisode


class Said(NamedTuple):
    """What the other corpus says about a record."""

    helpful: int = 0
    harmful: int = 0
    resolved_by: str = ""


class Feedback:
    """Counts over both corpora.

    Args:
        recalls: the project's, then the global one.
    """

    def __init__(self, recalls: Sequence[Recall]) -> None:
        self._recalls = recalls

    def hits(self, hits: Sequence[ExperienceHit]) -> list[ExperienceHit]:
        """Complete the counters of hits, leave out those that sank, and say what later worked."""
        said = self._elsewhere((hit.scope, hit.event_id) for hit in hits)
        kept: list[ExperienceHit] = []
        for hit in hits:
            more = said.get((hit.scope, hit.event_id), Said())
            helpful, harmful = hit.helpful + more.helpful, hit.harmful + more.harmful
            if harmful > helpful:
                continue
            solved = hit.resolved_by or more.resolved_by
            later = self.steps(solved) if solved and hit.recollection.result == "failure" else ""
            kept.append(replace(hit, helpful=helpful, harmful=harmful, resolved_by=solved, later=later))
        return kept

    def episodes(self, episodes: Sequence[StoredEpisode]) -> list[StoredEpisode]:
        """Complete the counters of runs, each once, and leave out those that sank."""
        said = self._elsewhere((episode.scope, episode.event_id) for episode in episodes)
        kept: dict[str, StoredEpisode] = {}
        for episode in episodes:
            more = said.get((episode.scope, episode.event_id), Said())
            helpful, harmful = episode.helpful + more.helpful, episode.harmful + more.harmful
            if harmful <= helpful:
                kept.setdefault(episode.event_id, replace(episode, helpful=helpful, harmful=harmful))
        return list(kept.values())

    def resolved(self, identities: Sequence[str]) -> dict[str, str]:
        """Which of the identities either corpus says are solved, and the episodes that solved them."""
        return {
            row.about: row.resolved_by
            for recall in self._recalls
            for row in (recall.feedback(identities) if identities else [])
            if row.resolved_by and not row.imported
        }

    def _elsewhere(self, records: Iterable[tuple[Scope, str]]) -> dict[tuple[Scope, str], Said]:
        """What the corpus a record is not from says about it, less what its own says as well."""
        wanted = {(scope, event_id) for scope, event_id in records if event_id}
        if len(self._recalls) < 2 or not wanted:
            return {}
        names = {identity(event_id): event_id for _, event_id in wanted}
        rows = {recall.scope: recall.feedback(names) for recall in self._recalls}
        said: dict[tuple[Scope, str], Said] = {}
        for scope, event_id in wanted:
            own = {row.identity for row in rows[scope]}
            for other in (name for name in rows if name != scope):
                for row in rows[other]:
                    if names.get(row.about) == event_id and row.identity not in own and not row.imported:
                        before = said.get((scope, event_id), Said())
                        said[scope, event_id] = Said(
                            before.helpful + row.helpful,
                            before.harmful + row.harmful,
                            before.resolved_by or row.resolved_by,
                        )
        return said

    def steps(self, event_id: str) -> str:
        """The steps of a run; empty when its record is gone, or tells none."""
        for recall in self._recalls:
            record = recall.record(event_id)
            if record is not None:
                recalled = recollect(record)
                return steps_of(record) or (recalled.lesson if recalled else "")
        return ""
