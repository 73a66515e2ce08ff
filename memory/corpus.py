"""The corpora of a project and of its user, searched as one.

`<root>/experience/events.jsonl` is the truth; `<root>/experience/index/` can be deleted at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from configs.settings import ExperienceSettings
from memory.events import ReasoningEvent
from memory.experience_corpus import CorpusStats, ExperienceCorpus, distinct
from memory.recall_prompt import ExperienceHit, prompt_block

if TYPE_CHECKING:
    from models.embeddings import Embedder

__all__ = ["CorpusStats", "ExperienceCorpus", "ExperienceHit", "HybridExperience"]


class HybridExperience:
    """The corpora of a project and of its user, searched as one.

    Args:
        settings: where they lie, and how they are searched.
        root: the project's directory.
        embedder: opens the embedding model; called by searches that have something to search.
        home: the user's home directory; the process's own when None. Without any, there is no global corpus.
    """

    def __init__(
        self,
        settings: ExperienceSettings,
        root: Path,
        embedder: Callable[[], Embedder],
        home: Path | None = None,
    ) -> None:
        self._settings = settings
        self._embedder = embedder
        project = _below(root / _expanded(settings.project_root, home))
        self.project = ExperienceCorpus(project, "project", settings.project_max_age_days, embedder)
        shared = _global_directory(settings.global_root, root, home)
        self.shared = (
            ExperienceCorpus(shared, "global", settings.global_max_age_days, embedder)
            if shared is not None and shared.resolve() != project.resolve()
            else None
        )

    @property
    def corpora(self) -> tuple[ExperienceCorpus, ...]:
        """The project's corpus, then the global one, when that is another."""
        return (self.project,) if self.shared is None else (self.project, self.shared)

    def append(self, event: ReasoningEvent, *, to_global: bool = False, once: bool = False) -> None:
        """Append an event to the project's corpus, and to the global one if asked.

        Args:
            event: the event.
            to_global: append it to the global corpus as well.
            once: append nothing to a corpus that holds an event of that id already.

        Raises:
            CorpusUnwritable: it could not be written.
            ProjectDirectoryUnwritable: the project's directory cannot be used.
        """
        self.project.append(event, once=once)
        if to_global and self.shared is not None:
            self.shared.append(event, once=once)

    def search(self, query: str, top_k: int | None = None) -> list[ExperienceHit]:
        """Return past events like the query: the project's first, then global ones, each nearest first.

        Args:
            query: a goal, or a goal and an error.
            top_k: hits at most; the setting when None.

        Raises:
            ModelError: the embedding model failed.
        """
        wanted = self._settings.top_k if top_k is None else top_k
        searched = [corpus for corpus in self.corpora if not corpus.is_empty()]
        if not searched or wanted < 1 or not query.strip():
            return []
        vector = self._embedder().embed([query])[0]
        hits: list[ExperienceHit] = []
        for corpus in searched:
            hits += corpus.search(vector, wanted, self._settings.similarity_threshold)
        return distinct(hits)[:wanted]

    def prompt_block(self, hits: Sequence[ExperienceHit]) -> str:
        """Write hits for a prompt; see `memory.recall_prompt`."""
        return prompt_block(hits)

    def stats(self) -> tuple[CorpusStats, ...]:
        """Count the project's corpus, then the global one."""
        return tuple(corpus.stats() for corpus in self.corpora)


def _below(directory: Path) -> Path:
    return directory / "experience"


def _expanded(directory: str, home: Path | None) -> Path:
    if home is not None and (directory == "~" or directory.startswith("~/")):
        return home / directory[2:]
    return Path(directory).expanduser()


def _global_directory(directory: str, root: Path, home: Path | None) -> Path | None:
    try:
        return _below(root / _expanded(directory, home))
    except RuntimeError:
        return None
