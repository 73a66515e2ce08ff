"""The corpora of a project and of its user, searched as one.

`<root>/experience/events.jsonl` is the truth; `<root>/experience/index/` can be deleted at any time.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from configs.errors import SettingsError
from configs.locations import located
from configs.redaction import path_text
from configs.settings import ExperienceSettings
from memory.errors import IndexUnavailable, TransferFailed
from memory.events import ReasoningEvent
from memory.experience.experience_corpus import CorpusStats, ExperienceCorpus
from memory.experience.feedback import Feedback
from memory.experience.mirror import Synced
from memory.experience.patterns import Pattern, patterns
from memory.experience.places import HERE, ExperiencePlaces
from memory.experience.pruning import Pruned
from memory.experience.recall import distinct
from memory.experience.recall_prompt import ExperienceHit, Scope, prompt_block
from memory.experience.recollection import identity
from memory.experience.record_queries import (
    ANYTHING,
    EPISODES,
    EXAMPLES,
    FAILURES,
    SUCCESSES,
    RecordCount,
    Wanted,
)
from memory.experience.similarity import similarity_threshold
from memory.experience.stored_episode import StoredEpisode, first_of_each_plan, most_helpful_first
from memory.experience.text_search import Query
from memory.experience.transfer import Exported, Imported, export_lines, import_lines
from models.errors import ModelError

if TYPE_CHECKING:
    from models.embeddings import Embedder

__all__ = ["CorpusStats", "ExperienceCorpus", "ExperienceHit", "HybridExperience", "StoredEpisode"]

_EXAMPLES_FETCHED = 4
"""Runs fetched for each example that is wanted: several may have the same plan."""

_log = logging.getLogger(__name__)


class HybridExperience:
    """The corpora of a project and of its user, searched as one.

    Args:
        settings: where they lie, and how they are searched.
        root: the project's directory.
        embedder: opens the embedding model; called by searches that have something to search.
        home: the user's home directory; the process's own when None. Without any, there is no global corpus.
        places: servers that share records or have vectors; `memory.corpus_opening` reads them from settings.
    """

    def __init__(
        self,
        settings: ExperienceSettings,
        root: Path,
        embedder: Callable[[], Embedder],
        home: Path | None = None,
        places: ExperiencePlaces = HERE,
    ) -> None:
        self._settings = settings
        self._embedder = embedder
        project = _below(located(root, settings.project_root, home))
        self.project = ExperienceCorpus(project, "project", settings.project_max_age_days, embedder, places)
        shared = _global_directory(settings.global_root, root, home)
        self._unshared = _unshared(shared, root, home) if places.records else ""
        elsewhere = replace(places, records="") if self._unshared else places
        self.shared = (
            ExperienceCorpus(shared, "global", settings.global_max_age_days, embedder, elsewhere)
            if shared is not None and shared.resolve() != project.resolve()
            else None
        )
        self._feedback = Feedback([corpus.recall for corpus in self.corpora])

    @property
    def corpora(self) -> tuple[ExperienceCorpus, ...]:
        """The project's corpus, then the global one, when that is another."""
        return (self.project,) if self.shared is None else (self.project, self.shared)

    def append(self, event: ReasoningEvent, *, to_global: bool = False, once: bool = False) -> None:
        """Append an event to the project's corpus, and to the global one if asked.

        Args:
            event: the event.
            to_global: append it to the global corpus too.
            once: leave a corpus alone that holds an event of that id; reads the whole file.

        Raises:
            CorpusUnwritable: it could not be written.
            ProjectDirectoryUnwritable: the project's directory cannot be used.
        """
        self.project.append(event, once=once)
        if to_global and self.shared is not None:
            self.shared.append(event, once=once)

    def search(
        self, query: str, top_k: int | None = None, *, scope: Scope | None = None, settled: bool = False
    ) -> list[ExperienceHit]:
        """Return past events like the query: the project's first, then global ones, each best first.

        A model that fails is logged, and words alone decide.

        Args:
            query: a goal, or a goal and an error.
            top_k: hits at most; the setting when None.
            scope: of one corpus only.
            settled: what was written since the last search that was not need not be found by its meaning;
            that
                saves embedding it now.
        """
        return self._search(query, top_k, ANYTHING, scope, settled=settled)

    def newest(self, scope: Scope, most: int, skipped: int = 0) -> list[ExperienceHit]:
        """Return past events of one corpus, the newest first; their score is 0, since nothing was asked.

        No embedding model is opened. Those that harmed more than they helped are left out.

        Args:
            scope: of which corpus.
            most: events at most.
            skipped: events left out before them.
        """
        return self._feedback.hits(
            [hit for corpus in self._of(scope) for hit in corpus.recall.newest(most, skipped)]
        )

    def recorded(self, identity: str, scope: Scope) -> ExperienceHit | None:
        """Return the past event of an identity; None when there is none, or it harmed more than it helped."""
        named = [hit for corpus in self._of(scope) if (hit := corpus.recall.named(identity))]
        return next(iter(self._feedback.hits(named)), None)

    def search_failures(self, query: str, top_k: int | None = None) -> list[ExperienceHit]:
        """Like `search`, failures only, each with what later worked."""
        return self._search(query, top_k, FAILURES)

    def search_successes(self, query: str, top_k: int | None = None) -> list[ExperienceHit]:
        """Like `search`, successes only."""
        return self._search(query, top_k, SUCCESSES)

    def find_similar(self, query: str, k: int | None = None) -> list[ExperienceHit]:
        """Like `search`, whole runs only."""
        return self._search(query, k, EPISODES)

    def plan_examples(self, query: str, most: int = 3, *, settled: bool = False) -> list[StoredEpisode]:
        """Return verified runs to plan from, nearest first, each with another plan.

        Args:
            query: a goal.
            most: runs at most.
            settled: as for `search`.
        """
        prepared = self._query(query, most, settled=settled)
        if prepared is None:
            return []
        found: list[StoredEpisode] = []
        for corpus in self.corpora:
            found += corpus.recall.examples(prepared, most * _EXAMPLES_FETCHED, EXAMPLES)
        return first_of_each_plan(self._feedback.episodes(found))[:most]

    def episodes(self, key: str, most: int = 5) -> list[StoredEpisode]:
        """Return verified runs of a goal's skeleton, the most helpful first, then the newest.

        No embedding model is opened.

        Args:
            key: the skeleton.
            most: runs at most.
        """
        return self._of_key(key, most, quarantined=False)

    def quarantined(self, key: str, most: int = 5) -> list[StoredEpisode]:
        """Return imported runs of a goal's skeleton that no run of this project has confirmed."""
        return self._of_key(key, most, quarantined=True)

    def unresolved(self, key: str, *, by: str = "") -> list[str]:
        """Return event ids of failures of a goal's skeleton that no episode is said to have solved.

        Args:
            key: the skeleton.
            by: an episode whose own claims do not count: a task that was killed among them makes all again.
        """
        found = [one for corpus in self.corpora for one in corpus.recall.unresolved(key, by)] if key else []
        said = self._feedback.resolved([name for name, _ in found])
        solved = {name for name, episode in said.items() if episode != by}
        return list(dict.fromkeys(event_id for name, event_id in found if event_id and name not in solved))

    def get_patterns(self, category: str | None = None) -> list[Pattern]:
        """Return kinds of failure, the most frequent first, with how many were solved and what helped.

        Args:
            category: only this one.
        """
        return patterns([corpus.recall for corpus in self.corpora], self._feedback, category)

    def prune(self, scope: Scope | None = None, *, dry_run: bool = False) -> dict[Scope, Pruned]:
        """Remove events that are too old and did not help more than they harmed.

        Args:
            scope: of one corpus only.
            dry_run: only count.

        Raises:
            CorpusUnwritable: a new file cannot be written; the old one is as it was.
            PruneBusy: another process is pruning.
            RecordsUnshared: another process exchanges records of the corpus all the time.
            IndexUnavailable: the table that counts what helped cannot be used.
        """
        return {corpus.scope: corpus.prune(dry_run=dry_run) for corpus in self._of(scope)}

    def forget(
        self, event_ids: Sequence[str], scope: Scope | None = None, *, dry_run: bool = False
    ) -> dict[Scope, int]:
        """Remove records and what is said about them, here and on all hosts that share a corpus.

        Args:
            event_ids: of the records; unknown ones are passed over.
            scope: of one corpus only.
            dry_run: only count.

        Returns:
            Lines that are gone, by corpus.

        Raises:
            CorpusUnwritable: a new file cannot be written; the old one is as it was.
            PruneBusy: another process is rewriting it.
            RecordsUnshared: another process exchanges records of the corpus all the time.
            IndexUnavailable: the record table cannot be used.
        """
        names = [name for event_id in event_ids if (name := identity(event_id.strip()))]
        return {corpus.scope: corpus.forget(names, dry_run=dry_run) for corpus in self._of(scope)}

    def sync(self, scope: Scope | None = None) -> dict[Scope, Synced]:
        """Exchange all records with the hosts that share a corpus; corpora nobody shares are left out.

        Raises:
            RecordsUnshared: the database cannot be used.
            CorpusUnwritable: a corpus of this host cannot be written.
            IndexUnavailable: a record table cannot be used.
        """
        return {corpus.scope: corpus.sync() for corpus in self._of(scope) if corpus.shared_as}

    def shared_records(self, scope: Scope) -> int:
        """How many records the database has of a corpus; 0 when nobody shares it.

        Raises:
            RecordsUnshared: the database cannot be used.
        """
        mirrors = [corpus.mirror for corpus in self._of(scope)]
        return sum(mirror.log.count(mirror.scope) for mirror in mirrors if mirror is not None)

    def problems(self) -> list[str]:
        """What the last searches and appends could not do on servers, each once."""
        told = [problem for corpus in self.corpora for problem in corpus.problems()]
        if self._unshared and self.shared is not None:
            told.append(self._unshared)
        return list(dict.fromkeys(told))

    def export(self, path: Path, scope: Scope | None = None) -> Exported:
        """Write all events to one file of JSON lines, secrets redacted, each once.

        Args:
            path: the file; it appears whole or not at all.
            scope: of one corpus only.

        Raises:
            TransferFailed: it cannot be written.
            IndexUnavailable: the index cannot be used.
        """
        return export_lines([(corpus.file, corpus.table) for corpus in self._of(scope)], path)

    def import_(self, path: Path, scope: Scope = "project") -> Imported:
        """Take in events that somebody else wrote; no search finds them until a run has confirmed them.

        Args:
            path: a file of JSON lines.
            scope: of the corpus they go to.

        Raises:
            TransferFailed: it cannot be read, or there is no such corpus.
            CorpusUnwritable: the corpus cannot be written.
            IndexUnavailable: the index cannot be used.
        """
        target = next(iter(self._of(scope)), None)
        if target is None:
            raise TransferFailed(f"There is no {scope} corpus.", "Set experience.global_root.")
        imported = import_lines(path, target.file, target.table)
        target.send()
        return imported

    def index_problems(self, scope: Scope | None = None) -> list[str]:
        """Say which corpora are indexed with another embedding model; empty when none is.

        Args:
            scope: of one corpus only.
        """
        try:
            embedder = self._embedder()
            return [
                problem for corpus in self._of(scope) if (problem := corpus.recall.index_problem(embedder))
            ]
        except (ModelError, IndexUnavailable) as error:
            return [str(error)]

    def reindex(self, scope: Scope | None = None) -> dict[Scope, int]:
        """Build the indexes anew; returns how many vectors each holds.

        Args:
            scope: of one corpus only.

        Raises:
            IndexUnavailable: an index cannot be written.
            ModelError: the embedding model failed.
        """
        return {corpus.scope: corpus.reindex() for corpus in self._of(scope)}

    def prompt_block(self, hits: Sequence[ExperienceHit]) -> str:
        """Write hits for a prompt; see `memory.experience.recall_prompt`."""
        return prompt_block(hits)

    def stats(self) -> tuple[CorpusStats, ...]:
        """Count the project's corpus, then the global one."""
        return tuple(corpus.stats() for corpus in self.corpora)

    def count(self, scope: Scope) -> RecordCount | None:
        """Count what a search of one corpus may find, and what it leaves out; None without such a corpus.

        Raises:
            IndexUnavailable: its table cannot be used.
        """
        return next((corpus.recall.count() for corpus in self._of(scope)), None)

    def _of(self, scope: Scope | None) -> list[ExperienceCorpus]:
        return [corpus for corpus in self.corpora if scope in (None, corpus.scope)]

    def _search(
        self,
        query: str,
        top_k: int | None,
        wanted: Wanted,
        scope: Scope | None = None,
        *,
        settled: bool = False,
    ) -> list[ExperienceHit]:
        most = self._settings.top_k if top_k is None else top_k
        prepared = self._query(query, most, settled=settled)
        if prepared is None:
            return []
        hits: list[ExperienceHit] = []
        for corpus in self._of(scope):
            hits += corpus.recall.search(prepared, most, wanted)
        return distinct(self._feedback.hits(hits))[:most]

    def _query(self, text: str, most: int, *, settled: bool) -> Query | None:
        """The query with its vector; None when there is nothing to search, or nothing to search for."""
        if most < 1 or not text.strip() or all(corpus.is_empty() for corpus in self.corpora):
            return None
        setting = self._settings.similarity_threshold
        try:
            embedder = self._embedder()
            vector = embedder.embed([text])[0]
        except ModelError as error:
            _log.warning("Experience is searched by words only: %s", error)
            return Query(text, None, None, 1.0)
        return Query(text, vector, embedder, similarity_threshold(embedder.name, setting), settled)

    def _of_key(self, key: str, most: int, *, quarantined: bool) -> list[StoredEpisode]:
        if not key or most < 1:
            return []
        found: list[StoredEpisode] = []
        for corpus in self.corpora:
            found += corpus.recall.episodes(key, most, quarantined=quarantined)
        return most_helpful_first(self._feedback.episodes(found))[:most]


def _below(directory: Path) -> Path:
    return directory / "experience"


def _global_directory(directory: str, root: Path, home: Path | None) -> Path | None:
    try:
        return _below(located(root, directory, home))
    except SettingsError:
        return None


def _unshared(shared: Path | None, root: Path, home: Path | None) -> str:
    """Why the global corpus stays on this machine; empty when it may be shared.

    A repository may name a directory of its own as the global one. Shared, its lines would reach all hosts of
    the team as the user's own, and what the team knows would be written into the repository.
    """
    if shared is None:
        return ""
    usual = _global_directory(str(ExperienceSettings.model_fields["global_root"].default), root, home)
    place = os.path.realpath(shared)
    if usual is not None and place == os.path.realpath(usual):
        return ""
    if not Path(place).is_relative_to(os.path.realpath(root)):
        return ""
    return (
        f"The global corpus {path_text(shared)} lies inside the project and is not shared: "
        "let experience.global_root name a directory outside of it."
    )
