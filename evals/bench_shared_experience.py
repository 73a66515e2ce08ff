"""What servers cost the experience corpus: `python -m evals.bench_shared_experience --json`.

Each figure stands beside that of the same corpus on this machine alone, taken in turns in one run: an append
with and without Postgres, with the database away, and by several threads at once; a search with the vectors
on a Chroma server and in a directory; and how long 1000 records take to be sent and to be taken in by another
host. Vectors are made of hashed words, so that no embedding model is measured.

The servers are named by `--records postgres://...` and `--chroma http://...`; what is not named is left out.
Use empty ones: the corpora are left there.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from uuid import uuid4

from configs.settings import ExperienceSettings
from evals.hashed_corpus import HashedWords
from evals.memory_events import made_up_events, paraphrased_queries
from memory.corpus import HybridExperience
from memory.events import ReasoningEvent
from memory.experience.chroma_address import chroma_server
from memory.experience.places import HERE, ExperiencePlaces
from models.embeddings import MiniLMEmbedder

NOWHERE = "postgres://nobody@127.0.0.1:1/nothing"
THREADS = 8


def timed(work: Callable[[], object]) -> float:
    """Milliseconds one call takes."""
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000


def opened(place: Path, places: ExperiencePlaces) -> HybridExperience:
    """The corpus of a project in a place of its own."""
    for name in ("project", "home"):
        (place / name).mkdir(parents=True, exist_ok=True)
    embedder = HashedWords(MiniLMEmbedder.name, MiniLMEmbedder.dimension)
    return HybridExperience(ExperienceSettings(), place / "project", lambda: embedder, place / "home", places)


def appending(url: str, events: Sequence[ReasoningEvent], place: Path) -> dict[str, Any]:
    """Appends, in turns: with Postgres, without, and with a database that is not there."""
    project = f"bench-{uuid4().hex}"
    corpora = {
        "local": opened(place / "local", HERE),
        "postgres": opened(place / "shared", ExperiencePlaces(url, project)),
        "away": opened(place / "away", ExperiencePlaces(NOWHERE, project)),
    }
    taken: dict[str, list[float]] = {name: [] for name in corpora}
    for event in events:
        for name, corpus in corpora.items():
            taken[name].append(timed(lambda corpus=corpus, event=event: corpus.append(event)))  # type: ignore[misc]
    p50 = {f"{name}_p50_ms": round(statistics.median(times), 3) for name, times in taken.items()}
    p95 = {f"{name}_p95_ms": round(statistics.quantiles(times, n=20)[18], 3) for name, times in taken.items()}
    ratio = statistics.median(taken["postgres"]) / statistics.median(taken["local"])
    again = [event.model_copy(update={"event_id": uuid4().hex}) for event in events]
    started = time.perf_counter()
    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(corpora["postgres"].append, again))
    together = len(again) / (time.perf_counter() - started)
    if corpora["postgres"].stats()[0].waiting or corpora["away"].stats()[0].waiting != len(events):
        raise RuntimeError("records wait that were sent, or were sent to nobody: no speed of that counts")
    return {**p50, **p95, "times_local": round(ratio, 1), f"per_second_of_{THREADS}_threads": round(together)}


def mirroring(url: str, count: int, place: Path) -> dict[str, Any]:
    """Sending what a corpus held before it was shared, and taking it in elsewhere."""
    places = ExperiencePlaces(url, f"bench-{uuid4().hex}")
    events = made_up_events(count)
    alone = opened(place / "one", HERE)
    for event in events:
        alone.append(event)
    sending = timed(opened(place / "one", places).sync)
    other = opened(place / "other", places)
    taking = timed(other.sync)
    nothing = statistics.median(timed(other.sync) for _ in range(20))
    if other.stats()[0].events != count:
        raise RuntimeError(f"of {count} records {other.stats()[0].events} came: no speed of that counts")
    return {
        "records": count,
        "send_ms_per_1000": round(sending / count * 1000, 1),
        "take_in_ms_per_1000": round(taking / count * 1000, 1),
        "nothing_new_ms": round(nothing, 2),
    }


def searching(url: str, count: int, queries: int, place: Path) -> dict[str, Any]:
    """Searches of one corpus, in turns: vectors in a directory, and on a server."""
    events = list(made_up_events(count))
    corpora = {
        "local": opened(place / "local", HERE),
        "server": opened(place / "server", ExperiencePlaces(vectors=chroma_server(url))),
    }
    found: dict[str, Any] = {"events": count}
    for name, corpus in corpora.items():
        corpus.project.file.extend([event.model_dump(mode="json") for event in events])
        found[f"{name}_index_seconds"] = round(timed(corpus.reindex) / 1000, 1)
    asked = paraphrased_queries(queries)
    taken: dict[str, list[float]] = {name: [] for name in corpora}
    same = 0
    for number, query in enumerate(asked[:5] + asked):
        hits = {}
        for name, corpus in corpora.items():
            started = time.perf_counter()
            hits[name] = [hit.event_id for hit in corpus.search(query)]
            if number >= 5:
                taken[name].append((time.perf_counter() - started) * 1000)
        same += number >= 5 and hits["local"][:1] == hits["server"][:1]
    if (
        corpora["server"].problems()
        or corpora["server"].stats()[0].indexed != corpora["local"].stats()[0].indexed
    ):
        raise RuntimeError(f"not all vectors are on the server: {corpora['server'].problems()}")
    for name, times in taken.items():
        found[f"{name}_p50_ms"] = round(statistics.median(times), 2)
        found[f"{name}_p95_ms"] = round(statistics.quantiles(times, n=20)[18], 2)
    found["times_local"] = round(statistics.median(taken["server"]) / statistics.median(taken["local"]), 2)
    return {**found, "queries": len(asked), "same_first_hit": same}


def main(argv: Sequence[str] | None = None) -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--records", metavar="URL", help="an empty Postgres database")
    parser.add_argument("--chroma", metavar="URL", help="an empty Chroma server")
    parser.add_argument("--appends", type=int, default=500)
    parser.add_argument("--mirrored", type=int, default=5_000)
    parser.add_argument("--events", type=int, default=10_000, help="records that are searched")
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--json", action="store_true", help="print JSON (the default)")
    arguments = parser.parse_args(argv)
    measured: dict[str, Any] = {"load_before": [round(value, 1) for value in os.getloadavg()]}
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        if arguments.records:
            events = list(made_up_events(arguments.appends))
            measured["append"] = appending(arguments.records, events, place / "append")
            measured["mirror"] = mirroring(arguments.records, arguments.mirrored, place / "mirror")
        if arguments.chroma:
            measured["search"] = searching(
                arguments.chroma, arguments.events, arguments.queries, place / "search"
            )
    measured["load_after"] = [round(value, 1) for value in os.getloadavg()]
    sys.stdout.write(json.dumps(measured, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
