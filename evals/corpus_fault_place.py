"""A corpus to be ill-treated, and how what is left of it is counted.

As a module it is a child process, which says `ready` and then appends, prunes, searches, or reads as another
user: `python -m evals.corpus_fault_place PLACE ACTION [WRITER COUNT]`.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.settings import ExperienceSettings, Settings
from memory.corpus import HybridExperience
from memory.errors import MemoryStoreError
from memory.events import ReasoningEvent
from memory.experience.open_indexes import close_indexes
from memory.experience.recall_prompt import ExperienceHit
from models.embeddings import Embedder, open_embedder

KEY = "goal of <name>"
SAMPLE = 8
READY = "ready\n"
NOBODY = 65_534
ROOT = Path(__file__).resolve().parent.parent


@dataclass
class Counts:
    """What a fault cost.

    Attributes:
        appended: events that were appended and are to be there.
        found: those that are given back by their key.
        lost: those that are not, or that a search of a sample does not find.
        duplicated: events that are given back twice, or counted twice.
        notes: anything else worth knowing.
    """

    appended: int
    found: int
    lost: int
    duplicated: int
    notes: dict[str, Any] = field(default_factory=dict)

    def report(self) -> dict[str, Any]:
        """As JSON."""
        named = {name: getattr(self, name) for name in ("appended", "found", "lost", "duplicated")}
        return {**named, **self.notes}


class Mirrored:
    """Another model of the same dimension: the vectors of the first, mirrored, so that mixing them shows."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.name = f"mirrored-{embedder.name}"
        self.dimension = embedder.dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of unit length, shape (len(texts), dimension)."""
        return np.ascontiguousarray(-self._embedder.embed(texts)[:, ::-1])


class Corpus:
    """A project's corpus.

    Args:
        place: an existing directory, to hold project and home.
    """

    def __init__(self, place: Path) -> None:
        self.place = place
        self._embedder: Embedder = open_embedder(Settings())
        for name in ("project", "home"):
            (place / name).mkdir(exist_ok=True)
        self.path = place / "project" / ".reflect" / "experience" / "events.jsonl"
        self.index = self.path.parent / "index"
        self.experience = self._open()

    def reopen(self) -> None:
        """Open it as a process does that starts now."""
        close_indexes()
        self.experience = self._open()

    def _open(self) -> HybridExperience:
        return HybridExperience(
            ExperienceSettings(), self.place / "project", lambda: self._embedder, self.place / "home"
        )

    def append(self, name: str, days_ago: float = 0.0) -> None:
        """Append a verified run of that name."""
        at = datetime.now(UTC) - timedelta(days=days_ago)
        self.experience.append(
            ReasoningEvent(
                timestamp=at.isoformat(),
                session_id="faults",
                event_type="episode",
                goal=f"goal of {name}",
                outcome_status="success",
                event_id=name,
                meta={"verified": True, "key": KEY, "plan": {"of": name}, "steps": ["find", "count"]},
            )
        )

    def praise(self, names: Sequence[str]) -> None:
        """Say of runs that they helped."""
        for name in names:
            self.experience.append(
                ReasoningEvent(
                    timestamp=datetime.now(UTC).isoformat(),
                    session_id="faults",
                    event_type="feedback",
                    goal="",
                    event_id=f"praise-{name}",
                    meta={"of": name, "helpful": 1},
                )
            )

    def names(self, prefix: str, count: int) -> list[str]:
        """Names `append_many` gives."""
        return [f"{prefix}{number}" for number in range(count)]

    def write_raw(self, raw: bytes) -> None:
        """Write bytes at the end of the file, past every lock."""
        with self.path.open("ab") as stream:
            stream.write(raw)

    def search(self, query: str) -> list[ExperienceHit]:
        """Search."""
        return self.experience.search(query, top_k=20)

    def prune(self) -> None:
        """Prune the project's corpus."""
        self.experience.prune("project")

    @contextlib.contextmanager
    def other_model(self) -> Iterator[None]:
        """Another embedding model for a while."""
        mine, self._embedder = self._embedder, Mirrored(self._embedder)
        yield
        self._embedder = mine

    def left_of(self, prefix: str) -> int:
        """Events in the file whose names begin so."""
        return sum(
            str(line.record.get("event_id")).startswith(prefix)
            for line in self.experience.project.file.read()
            if line.record
        )

    def count(
        self,
        names: Sequence[str],
        *,
        praised: int = 0,
        lines_of_each: int = 1,
        allow_more: bool = False,
        **notes: Any,
    ) -> Counts:
        """Hold what is given back against what was appended, as a process that starts now sees it.

        Args:
            names: of the runs that must be there.
            praised: how often each is to be called helpful.
            lines_of_each: lines of each in the file.
            allow_more: other runs may be there too.
            notes: for the report.
        """
        wanted = set(names)
        lines: dict[str, int] = {}
        for line in self.experience.project.file.read():
            if line.record is not None:
                name = str(line.record.get("event_id"))
                lines[name] = lines.get(name, 0) + 1
        lost, twice = 0, sum(lines.get(name, 0) > lines_of_each for name in wanted)
        found: set[str] = set()
        for round in range(2):  # As this process sees it, then as the next one does.
            if round:
                self.reopen()
            while not self.experience.project.table.catch_up():
                pass
            given = self.experience.episodes(KEY, most=1_000_000)
            found = {one.event_id for one in given}
            missed = wanted - found
            strange = (
                set()
                if allow_more
                else {name for name in found - wanted if name.startswith(("old", "a", "b"))}
            )
            sample = list(wanted)[:: max(1, len(wanted) // SAMPLE)]
            unsearched = [name for name in sample if not self._searched(name)]
            lost = max(lost, len(missed | set(unsearched)))
            twice += len(given) - len(found) + len(strange)
            twice += sum(one.helpful != praised for one in given if one.event_id in wanted)
        return Counts(len(wanted), len(found & wanted), lost, twice, notes)

    def _searched(self, name: str) -> bool:
        return any(hit.event_id == name for hit in self.experience.search(f"goal of {name}", top_k=50))


def append_many(corpus: Corpus, prefix: str, count: int, days_ago: float = 0.0) -> float:
    """Append runs of numbered names; returns milliseconds of the slowest append."""
    slowest = 0.0
    for name in corpus.names(prefix, count):
        started = time.perf_counter()
        corpus.append(name, days_ago)
        slowest = max(slowest, (time.perf_counter() - started) * 1000)
    return slowest


def start_child(place: Path, *arguments: object) -> subprocess.Popen[str]:
    """Start this module as a process; returns when it is ready."""
    command = [sys.executable, "-m", "evals.corpus_fault_place", str(place), *map(str, arguments)]
    child = subprocess.Popen(command, cwd=ROOT, text=True, stdout=subprocess.PIPE)
    if child.stdout is None or child.stdout.readline() != READY:
        raise RuntimeError(f"{arguments} did not start")
    return child


def killed_after(child: subprocess.Popen[str], seconds: float) -> bool:
    """Kill a process; returns whether it was still at work.

    Raises:
        RuntimeError: it failed by itself.
    """
    time.sleep(seconds)
    child.kill()
    child.communicate()
    if child.returncode not in (0, -signal.SIGKILL):
        raise RuntimeError(f"a process that was to be killed ended with {child.returncode}")
    return child.returncode != 0


def _as_another_user(corpus: Corpus) -> str:
    """What a reader finds: runs by key, whether a search finds one, whether appends are refused."""
    if os.getuid() == 0:
        # What is imported later may lie where the other user may not read.
        corpus.search("goal of a1")
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    corpus.reopen()
    found = len(corpus.experience.episodes(KEY, most=100))
    searched = int(any(hit.event_id == "a1" for hit in corpus.search("goal of a1")))
    try:
        corpus.append("refused")
    except MemoryStoreError:
        return f"{found} {searched} 1"
    return f"{found} {searched} 0"


def main(argv: Sequence[str]) -> None:
    """Do one thing to a corpus."""
    corpus, action = Corpus(Path(argv[0])), argv[1]
    print(READY, end="", flush=True)
    if action == "append":
        print(append_many(corpus, argv[2], int(argv[3])))
    elif action == "prune":
        corpus.prune()
    elif action == "search":
        corpus.search("goal of a1")
    else:
        print(_as_another_user(corpus))


if __name__ == "__main__":
    main(sys.argv[1:])
