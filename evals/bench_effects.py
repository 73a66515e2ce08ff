"""What an effect's entries cost: `python -m evals.bench_effects --effects 200 --json`.

An effect is written down before (`begin`) and after (`finish`), durably. The same effects are written by
turns into a SQLite file and into a Postgres of the benchmark's own, both syncing to the same disk, so that
the load of the machine is on both alike. The figures are milliseconds for both entries together, of the clock
and of this process's processor time. `at_once` is how many effects in a second one process writes into
Postgres from eight threads; they share one connection.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from configs.settings import Settings
from evals.postgres_server import postgres_server
from memory.effects import EffectJournal, Slot, call_digest
from memory.effects.opening import project_journal
from memory.ownership.session import close_sessions

CALL = {"tool": "write_file", "args": {"path": "notes.txt", "content": "a line of text\n" * 100}}
RESULT = {"tool": "write_file", "returncode": 0, "stdout": "+ a line of text\n" * 100}
WARM_UP = 10
THREADS = 8


def write_down(journal: EffectJournal, number: int) -> tuple[float, float]:
    """Seconds of the clock and of the processor for one effect's entries."""
    slot = Slot(f"thread-{number % 10}", f"task-{number}", 1, call_digest(CALL), "run")
    clock, processor = time.perf_counter(), time.process_time()
    journal.begin(slot, CALL)
    journal.finish(slot, RESULT)
    return time.perf_counter() - clock, time.process_time() - processor


def told(times: list[tuple[float, float]]) -> dict[str, float]:
    """Milliseconds."""
    clock = sorted(one for one, _ in times)
    return {
        "p50_ms": round(1000 * statistics.median(clock), 3),
        "p95_ms": round(1000 * clock[int(0.95 * (len(clock) - 1))], 3),
        "processor_ms": round(1000 * statistics.mean(one for _, one in times), 3),
    }


def measure(effects: int) -> dict[str, Any]:
    """Write effects into both by turns."""
    with tempfile.TemporaryDirectory() as name, postgres_server(durable=True) as server:
        root = Path(name) / "project"
        root.mkdir()
        file = project_journal(root, Settings())
        shared = project_journal(root, Settings.model_validate({"checkpoints": {"path": server.url()}}))
        for number in range(WARM_UP):
            write_down(file, -1 - number)
            write_down(shared, -1 - number)
        times: dict[str, list[tuple[float, float]]] = {"file": [], "postgres": []}
        for number in range(effects):
            times["file"].append(write_down(file, number))
            times["postgres"].append(write_down(shared, number))
        started = time.perf_counter()
        with ThreadPoolExecutor(THREADS) as pool:
            list(pool.map(lambda number: write_down(shared, effects + number), range(effects)))
        at_once = effects / (time.perf_counter() - started)
        close_sessions()
    figures = {name: told(one) for name, one in times.items()}
    return {
        "effects": effects,
        **figures,
        "postgres_to_file": round(figures["postgres"]["p50_ms"] / figures["file"]["p50_ms"], 2),
        "at_once": round(at_once, 1),
        "load": round(os.getloadavg()[0], 1),
        "processors": os.cpu_count(),
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--effects", type=int, default=200, help="effects in each (default: 200)")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args(argv)
    figures = measure(arguments.effects)
    if arguments.json:
        sys.stdout.write(json.dumps(figures, indent=2) + "\n")
    else:
        for name, value in figures.items():
            sys.stdout.write(f"{name:>20}  {value}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
