"""What the reasoning trace costs: `python -m evals.bench_trace --json`, and what it shows a planner: `--ab`.

Figures are of one process: microseconds of one `add_reasoning_entry` (median), milliseconds of a summary of
50 entries, and bytes of an entry in memory (by `tracemalloc`) and on disk. The targets are ten times
under those of seed 003.

`--ab` asks one session of questions three times, with past runs, the session's own trace, or both in the
planner's prompt. The model is scripted, so it shows what a prompt costs, never whether it helps.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import statistics
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memory.session_memory import SessionMemory
from memory.trace.session_trace import SessionTrace

TARGETS = {"entry_us": 50.0, "summary_ms": 1.0, "bytes_in_memory": 500, "bytes_on_disk": 500}
ENTRIES = 50
# Questions no recipe covers, so that a planner is asked; the first plan of the first one fails.
GOALS = (
    (
        "which captain's ship is Boreas moored with, judging by flag, in data/ships.csv",
        "grep {} data/ships.csv",
    ),
    (
        "which captain's ship is Zephyr moored with, judging by flag, in data/ships.csv",
        "grep {} data/ships.csv",
    ),
    (
        "which captain's ship is Boreas moored near, judging by length, in data/ships.csv",
        "grep {} data/ships.csv",
    ),
)
MODES = ("examples", "trace", "both")


def add_typical(memory: SessionMemory, number: int) -> None:
    """An entry like those of an executed step."""
    memory.add_reasoning_entry(
        "execution",
        f"Search the notes for step {number}",
        action="command",
        parameters={"command": f"grep -ril 'tesla {number}' notes"},
        evidence=[f"grep -r -i -l -- tesla notes: notes/tesla-{number}.md"],
        attachments=[{"type": "file", "path": f"notes/tesla-{number}.md", "status": "found"}],
        corrections=["Search for the first word alone."] if number % 10 == 0 else [],
    )


def started(trace: SessionTrace | None = None) -> SessionMemory:
    """A session that keeps a trace."""
    memory = SessionMemory(enable_reasoning_trace=True, trace=trace)
    memory.start_reasoning_trace(memory.add_interaction("Search and email the notes about Tesla"))
    return memory


def entry_microseconds(rounds: int = 4000) -> float:
    """Median of single additions."""
    memory = started()
    times = []
    for number in range(rounds):
        begun = time.perf_counter()
        add_typical(memory, number)
        times.append(time.perf_counter() - begun)
    return statistics.median(times) * 1e6


def summary_milliseconds(rounds: int = 200) -> float:
    """Median of summaries that show all of 50 entries."""
    memory = started()
    for number in range(ENTRIES):
        add_typical(memory, number)
    times = []
    for _ in range(rounds):
        begun = time.perf_counter()
        memory.get_reasoning_summary(ENTRIES)
        times.append(time.perf_counter() - begun)
    return statistics.median(times) * 1e3


def bytes_of_an_entry(entries: int = 500) -> tuple[float, float]:
    """Bytes in memory once written, and on disk."""
    with tempfile.TemporaryDirectory() as name:
        trace = SessionTrace(Path(name), "bench", entries + 10)
        memory = started(trace)
        add_typical(memory, 0)
        memory.flush()
        before_disk = trace.path.stat().st_size
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        for number in range(1, entries + 1):
            add_typical(memory, number)
        memory.flush()
        held = tracemalloc.get_traced_memory()[0] - before
        tracemalloc.stop()
        return held / entries, (trace.path.stat().st_size - before_disk) / entries


def costs() -> dict[str, Any]:
    """All figures, their targets, and whether they are met."""
    in_memory, on_disk = bytes_of_an_entry()
    figures = {
        "entry_us": round(entry_microseconds(), 2),
        "summary_ms": round(summary_milliseconds(), 3),
        "bytes_in_memory": round(in_memory),
        "bytes_on_disk": round(on_disk),
    }
    return {
        "figures": figures,
        "targets": TARGETS,
        "met": {
            name: figures[name] <= limit * (1.2 if "bytes" in name else 1) for name, limit in TARGETS.items()
        },
    }


async def compared() -> dict[str, Any]:
    """Model calls, prompt tokens (words, as the scripted model counts) and stop reasons by mode."""
    results: dict[str, Any] = {}
    for mode in MODES:
        with tempfile.TemporaryDirectory() as name, _home(Path(name) / "home"):
            results[mode] = await _session(Path(name), mode)
    return results


async def _session(place: Path, mode: str) -> dict[str, Any]:
    from evals.ask import ask
    from evals.fixture_repository import build_fixture_repository
    from models.scripted import register_script

    root = build_fixture_repository(place / "project")
    totals = {"model_calls": 0, "prompt_tokens": 0, "planner_prompt_tokens": 0}
    ends = []
    for number, (goal, command) in enumerate(GOALS):
        register_script(f"ab-{mode}-{number}", _script(command, failing=number == 0))
        state = await ask(
            goal,
            root,
            f"scripted:ab-{mode}-{number}",
            "ab",
            reasoning_trace__enabled=True,
            reasoning_trace__context=mode,
        )
        totals["model_calls"] += sum(usage.calls for usage in state.usage.values())
        totals["prompt_tokens"] += sum(usage.prompt_tokens for usage in state.usage.values())
        totals["planner_prompt_tokens"] += state.usage["planner"].prompt_tokens
        ends.append(state.stop_reason)
    return {**totals, "stop_reasons": ends}


def _script(command: str, *, failing: bool) -> Any:
    from models.scripted import Script

    def plan(word: str) -> dict[str, Any]:
        steps = [{"description": f"Look for {word}", "command": command.format(word)}]
        return {"objective": "look", "steps": steps, "confidence": 0.8}

    plans = [plan("Nobody"), plan("Boreas")] if failing else [plan("[BZ]")]
    diagnosis = {"diagnosis": "Nobody is no ship.", "new_plan_summary": "Search for the ship's own name."}
    return Script(
        roles={
            "classifier": [{"complexity": "moderate"}],
            "planner": plans,
            "critic": [diagnosis],
            "worker": ["Boreas stands there."],
            "verifier": [{"passed": True, "reason": "it does", "confidence": 0.9}],
        },
        repeat_last=True,
    )


@contextlib.contextmanager
def _home(home: Path) -> Iterator[None]:
    """A home of its own, so that no earlier run is remembered."""
    home.mkdir()
    before = os.environ.get("HOME")
    os.environ["HOME"] = str(home)
    try:
        yield
    finally:
        if before is None:
            del os.environ["HOME"]
        else:
            os.environ["HOME"] = before


def main() -> int:
    """Print the figures; exit 0 whether or not a target is met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ab", action="store_true", help="compare what planners are shown")
    parser.add_argument("--json", action="store_true", help="print JSON (the default)")
    arguments = parser.parse_args()
    print(json.dumps(asyncio.run(compared()) if arguments.ab else costs(), indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
