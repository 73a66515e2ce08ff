"""A corpus file of a gigabyte: whatever is done with it, memory stays flat."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from evals.corpus_fault_place import KEY, ROOT, Corpus, Counts, append_many

MOST_GROWN_MB = 150.0
"""Megabytes an action may take above what the process has; SQLite's log of one transaction is mapped too."""

_LINE_BYTES = 4_000


def gigabyte(place: Path, gigabytes: float) -> Counts:
    """Old and new long events around a few that must be found; each action in a process of its own."""
    corpus = Corpus(place)
    append_many(corpus, "a", 10)
    lines = _fill(corpus.path, int(gigabytes * 1e9))
    append_many(corpus, "b", 10)
    notes: dict[str, Any] = {"bytes": corpus.path.stat().st_size, "lines": lines + 20}
    worst = 0.0
    for name in ACTIONS:
        seconds, grown = _measured(place, name)
        notes[name] = {"seconds": round(seconds, 1), "grown_mb": round(grown, 1)}
        worst = max(worst, grown)
    (place / "out.jsonl").unlink()
    notes["bytes_after_prune"] = corpus.path.stat().st_size
    counts = corpus.count([*corpus.names("a", 10), *corpus.names("b", 10)])
    counts.notes = {**notes, "flat": worst <= MOST_GROWN_MB}
    counts.lost += int(worst > MOST_GROWN_MB)
    return counts


def _catch_up(corpus: Corpus) -> None:
    while not corpus.experience.project.table.catch_up():
        pass


def _fill(path: Path, size: int) -> int:
    """Write lines of the form runs have, every other one old; returns how many."""
    written = number = 0
    with path.open("ab") as stream:
        while written < size:
            old = number % 2 == 0
            record = {
                "timestamp": "2020-01-01T00:00:00+00:00" if old else None,
                "session_id": f"s{number // 7}",
                "event_type": "execution",
                "goal": f"read part {number} of the log",
                "outcome_status": "success",
                "stdout": f"line {number} of the output\n" * (_LINE_BYTES // 24),
                "event_id": f"filler-{number}",
                "meta": {"key": KEY},
            }
            line = json.dumps(record).encode() + b"\n"
            written += stream.write(line)
            number += 1
    return number


def _measured(place: Path, action: str) -> tuple[float, float]:
    """Seconds and megabytes the most that a process needs for an action, above what it began with."""
    command = [sys.executable, "-m", "evals.corpus_gigabyte", str(place), action]
    done = subprocess.run(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, check=True)
    seconds, grown = map(float, done.stdout.split())
    return seconds, grown


def main(argv: Sequence[str]) -> None:
    """Do one thing with a large corpus, and say what it took."""
    corpus, action = Corpus(Path(argv[0])), ACTIONS[argv[1]]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.perf_counter()
    action(corpus)
    seconds = time.perf_counter() - started
    print(seconds, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)


ACTIONS: dict[str, Callable[[Corpus], object]] = {
    "scan": lambda corpus: sum(1 for _ in corpus.experience.project.file.read()),
    "once": lambda corpus: corpus.experience.project.file.holds("nowhere"),
    "read_into_table": _catch_up,
    "stats": lambda corpus: corpus.experience.stats(),
    "prune": lambda corpus: corpus.prune(),
    "export": lambda corpus: corpus.experience.export(corpus.place / "out.jsonl"),
}

if __name__ == "__main__":
    main(sys.argv[1:])
