"""Speed and size of the experience corpus: `python -m evals.bench_memory --events 1000,10000,100000 --json`.

Each size has a process of its own, which fills a project's corpus through `append`, builds the index with the
embedding model of the settings, and asks questions that are in other words than the events. Beside it, on the
same file in the same process, the linear scan of the documents this project grew from: read all lines, parse
them, filter by time, count the words of the query in each.

Targets, at 100,000 events: a search, embedding of the query included, in 10 ms (p50), and a hundred times
faster than the scan; an append in 1 ms (p50). The load of the machine stands beside the figures.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from configs.settings import ExperienceSettings, Settings
from evals.memory_events import made_up_events, paraphrased_queries
from memory.corpus import HybridExperience
from models.embeddings import open_embedder

TARGETS = {"append_p50_ms": 1.0, "search_p50_ms": 10.0, "times_faster_than_scan": 100.0}
APPENDS_MEASURED = 1_000
SCAN_SECONDS = 10.0
MAX_AGE_DAYS = 30


def linear_scan(path: Path, query: str, top_k: int = 5) -> list[dict[str, Any]]:
    """Search a file as the first design did (seed 001, `ExperienceCorpus.search`)."""
    cutoff = datetime.now(UTC) - timedelta(days=MAX_AGE_DAYS)
    recent = []
    with path.open("r", encoding="utf-8") as stream:
        for line in stream:
            try:
                record = json.loads(line)
                if datetime.fromisoformat(record["timestamp"]) >= cutoff:
                    recent.append(record)
            except (ValueError, KeyError):
                continue
    tokens = query.lower().split()
    candidates = []
    for record in recent:
        parts = ("goal", "step_description", "error", "llm_critique")
        blob = " ".join(record.get(part) or "" for part in parts).lower()
        score = sum(1 for token in tokens if token in blob)
        if score > 0:
            candidates.append((score, record))
    candidates.sort(key=lambda candidate: candidate[0], reverse=True)
    return [record for _, record in candidates[:top_k]]


def timed(work: Callable[[], object]) -> float:
    """Milliseconds one call takes."""
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000


def measure(events: int, queries: int, place: Path) -> dict[str, Any]:
    """Fill a corpus and measure it."""
    root, home = place / "project", place / "home"
    root.mkdir()
    home.mkdir()
    embedder = open_embedder(Settings())
    corpus = HybridExperience(ExperienceSettings(), root, lambda: embedder, home)
    appends = [timed(lambda event=event: corpus.append(event)) for event in made_up_events(events)]  # type: ignore[misc]
    reindexing = timed(corpus.reindex) / 1000
    asked = paraphrased_queries(queries)
    for query in asked[:5]:
        corpus.search(query)
    found = 0
    searches = []
    for query in asked:
        started = time.perf_counter()
        found += bool(corpus.search(query))
        searches.append((time.perf_counter() - started) * 1000)
    embedding = [timed(lambda query=query: embedder.embed([query])) for query in asked]  # type: ignore[misc]
    rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    scans: list[float] = []
    while len(scans) < 3 or (sum(scans) < SCAN_SECONDS * 1000 and len(scans) < 20):
        query = asked[len(scans) % len(asked)]
        scans.append(timed(lambda query=query: linear_scan(corpus.project.path, query)))  # type: ignore[misc]
    stats = corpus.stats()[0]
    if (stats.events, stats.indexed) != (events, stats.texts):
        raise RuntimeError(f"{events} events were appended, {stats} is there: no speed of that counts")
    quantiles = statistics.quantiles(searches, n=20)
    return {
        "events": events,
        "texts": stats.texts,
        "file_mb": round(stats.bytes / 1e6, 1),
        "append_p50_ms": round(statistics.median(appends[-APPENDS_MEASURED:]), 3),
        "search_p50_ms": round(statistics.median(searches), 2),
        "search_p95_ms": round(quantiles[18], 2),
        "embedding_p50_ms": round(statistics.median(embedding), 2),
        "queries": queries,
        "queries_with_hits": found,
        "scan_p50_ms": round(statistics.median(scans), 1),
        "times_faster_than_scan": round(statistics.median(scans) / statistics.median(searches), 1),
        "reindex_seconds": round(reindexing, 1),
        "rss_mb": round(rss),
        "load": [round(value, 1) for value in os.getloadavg()],
    }


def in_process(events: int, queries: int) -> dict[str, Any]:
    """Measure one size in a process of its own, so that its memory is its own.

    Raises:
        RuntimeError: it failed.
    """
    command = [sys.executable, "-m", "evals.bench_memory", "--one", str(events), "--queries", str(queries)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{events} events: {done.stderr[-2000:]}")
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def main(argv: Sequence[str] | None = None) -> int:
    """Print the figures; exit 0 whether or not a target is met."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--events", default="1000,10000,100000", help="sizes, separated by commas")
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true", help="print JSON (the default)")
    arguments = parser.parse_args(argv)
    if arguments.one is not None:
        with tempfile.TemporaryDirectory() as name:
            print(json.dumps(measure(arguments.one, arguments.queries, Path(name))))
        return 0
    sizes = [in_process(int(size), arguments.queries) for size in arguments.events.split(",")]
    largest = max(sizes, key=lambda size: size["events"])
    met = {
        name: largest[name] >= limit if name.startswith("times") else largest[name] <= limit
        for name, limit in TARGETS.items()
    }
    print(json.dumps({"sizes": sizes, "targets": TARGETS, "met_at_the_largest": met}, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
