"""What the experience corpus loses when things go wrong: `python -m evals.corpus_faults --json`.

Each fault has a corpus of its own, with real files, real processes and the embedding model of the settings.
Counted are events that were appended (and must be there), those found again, by key and a sample by search,
those lost, and those that count twice; exit 1 unless lost and duplicated are 0 everywhere.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import random
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from evals.corpus_fault_place import Corpus, Counts, append_many, killed_after, start_child
from evals.corpus_gigabyte import gigabyte
from evals.corpus_walls import disk_full, read_only
from memory.errors import PruneBusy

EPISODE = b'{"event_type": "episode", "goal": "g", "outcome_status": "success", '
BAD_LINES = {
    "garbage": b"\xa5\x01 not json",
    "nul": b"\x00\x00\x00",
    "not_utf8": b'{"goal": "\xff\xfe"}',
    "list": b"[]",
    "number": b"42",
    "null": b"null",
    "empty_object": b"{}",
    "null_fields": b'{"event_type": null, "goal": null, "meta": null, "timestamp": null, "event_id": null}',
    "wrong_types": EPISODE + b'"meta": [1], "timestamp": {}, "event_id": 7}',
    "wrong_meta": EPISODE + b'"meta": {"helpful": "x", "steps": 1, "key": [], "plan": 3, "verified": "yes"}}',
    "half_a_feedback": b'{"event_type": "feedback", "event_id": "h", "meta": {"of": "a0", "harmful": {}}}',
    "infinite_time": EPISODE + b'"timestamp": 1e999}',
    "future_version": b'{"schema_version": 99, "event_type": "dream", "goal": "g", "unknown": {"a": [1]}}',
    "huge_number": b'{"goal": ' + b"9" * 5000 + b"}",
    "deep": b"[" * 100_000,
    "overlong": b"x" * 9_000_000,
    "byte_order_mark": b'\xef\xbb\xbf{"goal": "g"}',
    "lone_surrogate": EPISODE + b'"event_id": "\\ud800", "error": "\\udfff"}',
}
KILLS = 10


def bad_line(raw: bytes) -> Callable[[Path], Counts]:
    """A line of no use between good ones."""

    def fault(place: Path) -> Counts:
        corpus = Corpus(place)
        append_many(corpus, "a", 5)
        corpus.write_raw(raw + b"\n")
        append_many(corpus, "b", 5)
        kept = raw + b"\n" in corpus.path.read_bytes()
        return corpus.count([*corpus.names("a", 5), *corpus.names("b", 5)], bad_line_kept=kept)

    return fault


def torn_tail(place: Path) -> Counts:
    """A line whose writer was killed in the middle."""
    corpus = Corpus(place)
    append_many(corpus, "a", 5)
    whole = corpus.path.read_bytes().splitlines()[0]
    for cut in (1, len(whole) // 2, len(whole) - 1):
        corpus.write_raw(whole[:cut])
        append_many(corpus, f"b{cut}-", 2)
    names = [name for cut in (1, len(whole) // 2, len(whole) - 1) for name in corpus.names(f"b{cut}-", 2)]
    return corpus.count([*corpus.names("a", 5), *names])


def four_processes(place: Path) -> Counts:
    """Four processes append while this one searches."""
    corpus = Corpus(place)
    children = [start_child(place, "append", writer, 250) for writer in "abcd"]
    while any(child.poll() is None for child in children):
        corpus.search("goal of a1")
    for child in children:
        child.communicate()
    return corpus.count([name for writer in "abcd" for name in corpus.names(writer, 250)])


def prune_racing(place: Path) -> Counts:
    """Three processes append, one of them praises, while this one prunes again and again."""
    corpus = Corpus(place)
    append_many(corpus, "old", 500, days_ago=40)
    children = [start_child(place, "append", writer, 200) for writer in "abc"]
    rounds = 0
    while any(child.poll() is None for child in children):
        try:
            corpus.prune()
        except PruneBusy:
            continue
        append_many(corpus, f"old{rounds}-", 20, days_ago=40)
        rounds += 1
    slowest = max(float(child.communicate()[0]) for child in children)
    corpus.prune()
    counts = corpus.count([name for writer in "abc" for name in corpus.names(writer, 200)])
    counts.notes.update(prunings=rounds, slowest_append_ms=round(slowest, 1), old_left=corpus.left_of("old"))
    return counts


def killed_prune(place: Path) -> Counts:
    """A pruning process is killed, again and again, at another moment each time."""
    corpus, rng = Corpus(place), random.Random(0)
    append_many(corpus, "a", 200)
    killed = 0
    for number in range(KILLS):
        append_many(corpus, f"old{number}-", 300, days_ago=40)
        killed += killed_after(start_child(place, "prune"), rng.uniform(0.0, 0.6))
    litter = [
        path.name for path in corpus.path.parent.iterdir() if "prun" in path.name and path.suffix != ".lock"
    ]
    counts = corpus.count(corpus.names("a", 200), allow_more=True)
    corpus.prune()
    counts.notes.update(killed=killed, litter=len(litter), old_left=corpus.left_of("old"))
    return counts


def killed_indexing(place: Path) -> Counts:
    """A process that brings the index up to date is killed at another moment each time."""
    corpus, rng = Corpus(place), random.Random(1)
    killed = 0
    for number in range(KILLS):
        append_many(corpus, f"a{number}-", 100)
        killed += killed_after(start_child(place, "search"), rng.uniform(0.0, 0.5))
    counts = corpus.count([name for number in range(KILLS) for name in corpus.names(f"a{number}-", 100)])
    counts.notes.update(killed=killed)
    return counts


def index_deleted(place: Path) -> Counts:
    """The index directory goes while it is in use."""
    corpus = Corpus(place)
    append_many(corpus, "a", 20)
    corpus.search("goal of a1")
    shutil.rmtree(corpus.index)
    append_many(corpus, "b", 20)
    return corpus.count([*corpus.names("a", 20), *corpus.names("b", 20)])


def index_damaged(pattern: str) -> Callable[[Path], Counts]:
    """A file of the index is overwritten with noise while it is in use."""

    def fault(place: Path) -> Counts:
        corpus = Corpus(place)
        append_many(corpus, "a", 20)
        corpus.search("goal of a1")
        for path in corpus.index.glob(pattern):
            path.write_bytes(os.urandom(path.stat().st_size))
        append_many(corpus, "b", 20)
        return corpus.count([*corpus.names("a", 20), *corpus.names("b", 20)])

    return fault


def other_embedder(place: Path) -> Counts:
    """The index was built with another model of the same dimension."""
    corpus = Corpus(place)
    append_many(corpus, "a", 20)
    with corpus.other_model():
        corpus.search("goal of a1")
    return corpus.count(corpus.names("a", 20))


def clock_backwards(place: Path) -> Counts:
    """Events of the future, then of the past, then a pruning."""
    corpus = Corpus(place)
    append_many(corpus, "future", 10, days_ago=-1000)
    append_many(corpus, "now", 10)
    append_many(corpus, "past", 10, days_ago=20)
    corpus.prune()
    return corpus.count([name for part in ("future", "now", "past") for name in corpus.names(part, 10)])


def repeated_lines(place: Path) -> Counts:
    """Every line is there three times, as after resumes and restored copies."""
    corpus = Corpus(place)
    append_many(corpus, "a", 20)
    corpus.praise(corpus.names("a", 20))
    corpus.write_raw(corpus.path.read_bytes() * 2)
    return corpus.count(corpus.names("a", 20), praised=1, lines_of_each=3)


FAULTS: dict[str, Callable[[Path], Counts]] = {
    **{f"bad line: {name}": bad_line(raw) for name, raw in BAD_LINES.items()},
    "torn tail": torn_tail,
    "four processes append": four_processes,
    "prune races appends": prune_racing,
    "killed prune": killed_prune,
    "killed indexing": killed_indexing,
    "index deleted": index_deleted,
    "table damaged": index_damaged("keywords-*.sqlite"),
    "vectors damaged": index_damaged("events-*/chroma-*/chroma.sqlite3"),
    "vector state damaged": index_damaged("events-*/state.json"),
    "index of another embedder": other_embedder,
    "disk full": disk_full,
    "read-only directory": read_only,
    "clock backwards": clock_backwards,
    "lines repeated": repeated_lines,
}


def main(argv: Sequence[str] | None = None) -> int:
    """Print what each fault cost; exit 1 if one cost an event."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--only", help="faults whose name holds this text")
    parser.add_argument(
        "--gigabytes", type=float, default=1.0, help="size of the large file; 0 leaves it out"
    )
    parser.add_argument("--json", action="store_true", help="print JSON (the default)")
    arguments = parser.parse_args(argv)
    logging.disable(logging.WARNING)
    faults = dict(FAULTS)
    if arguments.gigabytes:
        faults["large file"] = lambda place: gigabyte(place, arguments.gigabytes)
    report: dict[str, dict[str, Any]] = {}
    for name, fault in faults.items():
        if arguments.only and arguments.only not in name:
            continue
        with tempfile.TemporaryDirectory() as directory:
            report[name] = fault(Path(directory)).report()
            print(name, report[name], file=sys.stderr)
    clean = bool(report) and all(one["lost"] == one["duplicated"] == 0 for one in report.values())
    print(json.dumps({"clean": clean, "faults": report}, indent=2))
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main())
