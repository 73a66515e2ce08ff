"""Hosts that share a corpus: a home and a project each, on one machine."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from configs.settings import ExperienceSettings
from memory.corpus import HybridExperience
from memory.events import ReasoningEvent
from memory.experience.chroma_address import chroma_server
from memory.experience.forgotten import is_forgetting
from memory.experience.open_indexes import close_indexes
from memory.experience.places import ExperiencePlaces
from tests.support.hashing_embedder import HashingEmbedder
from tests.support.processes import ROOT, wait_until

PROJECT = "ships"


class Writer:
    """A process that prints the id of each record once it is kept, and is killed without warning.

    Args:
        code: its program.
        words: its arguments.
        python: how the interpreter is started.
    """

    def __init__(self, code: str, *words: str, python: Sequence[str] = (sys.executable,)) -> None:
        self._errors = tempfile.TemporaryFile("w+")
        self._process = subprocess.Popen(
            [*python, "-c", code, *words],
            cwd=ROOT,
            text=True,
            stdout=subprocess.PIPE,
            # A pipe nobody reads would fill up with warnings, and stop it.
            stderr=self._errors,
        )
        self._lines: list[str] = []
        self._reading = threading.Thread(target=self._read)
        self._reading.start()

    def wait_for(self, count: int) -> None:
        """Wait until it has kept that many more."""
        wanted = len(self._lines) + count
        assert wait_until(60, lambda: len(self._lines) >= wanted or not self._reading.is_alive())
        assert len(self._lines) >= wanted, self._told()

    def kill(self) -> set[str]:
        """End it; the ids it acknowledged."""
        self._process.kill()
        self._reading.join()
        self._process.communicate(timeout=30)
        told = self._told()
        self._errors.close()
        assert "Traceback" not in told, told
        return self.acknowledged

    @property
    def acknowledged(self) -> set[str]:
        """Ids of what it has kept."""
        return {line.strip() for line in self._lines if len(line) == 33}

    def _told(self) -> str:
        self._errors.seek(0)
        return self._errors.read()[-5000:]

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.append(line)


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
