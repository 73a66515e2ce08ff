"""Hosts that share a corpus: a home and a project each, on one machine."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from configs.settings import ExperienceSettings
from memory.corpus import HybridExperience
from memory.events import ReasoningEvent
from memory.experience.chroma_server import chroma_server
from memory.experience.forgotten import is_forgetting
from memory.experience.open_indexes import close_indexes
from memory.experience.places import ExperiencePlaces
from tests.support.hashing_embedder import HashingEmbedder

PROJECT = "ships"


class Host:
    """One host.

    Args:
        place: a directory of its own.
        records: postgres:// URL; empty for none.
        vectors: URL of a Chroma server; empty for none.
        dimension: of its embedding model's vectors.
    """

    def __init__(self, place: Path, records: str = "", vectors: str = "", dimension: int = 64) -> None:
        self.root, self.home = place / "project", place / "home"
        for directory in (self.root, self.home):
            directory.mkdir(parents=True, exist_ok=True)
        self.places = ExperiencePlaces(records, PROJECT, chroma_server(vectors) if vectors else None)
        self.embedder = HashingEmbedder(dimension=dimension)
        self.corpus = self.next_process()

    def next_process(self) -> HybridExperience:
        """The corpora as a process that starts now sees them."""
        close_indexes()
        self.corpus = HybridExperience(
            ExperienceSettings(), self.root, lambda: self.embedder, self.home, self.places
        )
        return self.corpus

    @property
    def file(self) -> Path:
        return self.corpus.project.path

    def append(self, event: ReasoningEvent, **how: Any) -> str:
        self.corpus.append(event, **how)
        return event.event_id

    def goals(self, query: str) -> list[str]:
        """What a search finds after everything was exchanged."""
        self.corpus.sync()
        return [hit.goal for hit in self.corpus.search(query)]

    def ids(self) -> Counter[str]:
        """How often each record's id stands in the project's file; lines of removals are left out."""
        return ids_in(self.file)


def ids_in(file: Path) -> Counter[str]:
    if not file.exists():
        return Counter()
    records = [json.loads(line) for line in file.read_bytes().splitlines() if line.strip()]
    return Counter(record["event_id"] for record in records if not is_forgetting(record))
