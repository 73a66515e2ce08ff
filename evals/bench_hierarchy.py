"""`python -m evals.bench_hierarchy`: does a hierarchy take as long as its longest chain of model calls?

Nine questions about nine files go to nine workers at once. A scripted model takes 100 ms for each reply, and
each worker needs three, one after the other: a plan, a wording, a verdict. With calls grouped by the worker
that made them, the calls that were counted in the same run give

    ideal = the most seconds of calls one worker made + what the master made before and after

and the ratio of the measured time to it is what the machinery costs: nine compiled graphs with their
checkpoints, tools in a sandbox, recipes, embeddings. With a model that answers at once only that is left, as
CPU seconds of this process (not of the tools') and wall-clock seconds a worker. The first round of a process
is cold, the others are warm.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import secrets
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from pydantic import PrivateAttr

from configs.settings import Settings
from evals.report import isolated_home, machine_facts
from graph.hierarchy import build
from memory.checkpoints import open_project_checkpointer
from models.scripted import Script, register_script
from nodes.reflective.context import RunContext

LEAVES = 9
REPLY_SECONDS = 0.1
TARGET_RATIO = 1.3
SCRIPT = "bench-hierarchy"


class Archive(Script):
    """Plans and words look-ups of one file each, and counts whose calls they are."""

    seconds: float
    folder: str
    _calls: Counter[str] = PrivateAttr(default_factory=Counter)

    def decide(self, role: str, prompt: str) -> Any:
        """The reply to a prompt of a role."""
        name = f"log{max((number for number in range(LEAVES) if f'log{number}.txt' in prompt), default=-1)}"
        self._calls[name] += 1
        reply = self._reply(role, name)
        return {"delay": self.seconds, "reply": reply} if self.seconds else reply

    def _reply(self, role: str, name: str) -> Any:
        if role == "classifier":
            return {"complexity": "moderate"}
        if role == "planner":
            command = f"grep -n weather {self.folder}/{name}.txt"
            return {"steps": [{"description": "look", "command": command}], "command": command}
        if role == "verifier":
            return {"passed": True, "reason": "the line says so", "confidence": 0.9}
        days = 10 + int(name.removeprefix("log"))
        return f"{self.folder}/{name}.txt tells that the weather at sea was rough for {days} days."

    def ideal(self) -> float:
        """Seconds of the longest chain of calls."""
        workers = [count for name, count in self._calls.items() if name != "log-1"]
        return self.seconds * (max(workers, default=0) + self._calls["log-1"])

    @property
    def calls(self) -> int:
        """How many were made."""
        return sum(self._calls.values())


async def run_once(seconds: float) -> dict[str, Any]:
    """One run of nine workers in a project of its own; wall-clock and CPU seconds of the graph alone."""
    # Names that no run before had, or their vectors would be remembered.
    folder = f"logs_{secrets.token_hex(4)}"
    script = Archive(seconds=seconds, folder=folder)
    register_script(SCRIPT, script)
    with tempfile.TemporaryDirectory() as root:
        paths = _written(Path(root), folder)
        listed = f"{', '.join(paths[:-1])} and {paths[-1]}"
        asked = f"For each of {listed}, what does it tell about the weather at sea?"
        # What a run remembers of the one before would spare it the calls that are measured here.
        settings = {"experience.enabled": False}
        context = RunContext(root=root, model=f"scripted:{SCRIPT}", settings=settings)
        async with open_project_checkpointer(Path(root), Settings()) as saver:
            config: RunnableConfig = {"configurable": {"thread_id": "bench"}}
            began, worked = time.perf_counter(), time.process_time()
            values = await build(saver).ainvoke(
                {"question": asked}, config, context=context, durability="sync"
            )
            wall, cpu = time.perf_counter() - began, time.process_time() - worked
    _check(values)
    ideal = script.ideal()
    return {
        "calls": script.calls,
        "wall_s": round(wall, 4),
        "cpu_s": round(cpu, 4),
        "ideal_s": round(ideal, 4),
        "ratio": round(wall / ideal, 3) if ideal else None,
    }


def _written(root: Path, folder: str) -> list[str]:
    (root / folder).mkdir()
    for number in range(LEAVES):
        text = f"Logbook\nthe weather at sea was rough for {10 + number} days.\nEnd\n"
        (root / folder / f"log{number}.txt").write_text(text)
    return [f"{folder}/log{number}.txt" for number in range(LEAVES)]


def _check(values: dict[str, Any]) -> None:
    """A run that did not do its work is no measurement."""
    told = all(f"{10 + number} days" in values["final_answer"] for number in range(LEAVES))
    if values["status"] != "answered" or len(values["findings"]) != LEAVES or not told:
        raise AssertionError(f"The run came out as {values['status']}: {values['notes']} {values['failure']}")


async def measured(rounds: int) -> dict[str, Any]:
    """Cold once, then several warm rounds, with a slow model and with one that answers at once."""
    cold = await run_once(REPLY_SECONDS)
    # As the commands do: what was imported is not looked through again and again for garbage.
    gc.freeze()
    warm = [await run_once(REPLY_SECONDS) for _ in range(rounds)]
    instant = [await run_once(0.0) for _ in range(rounds)]
    ratio = statistics.median(float(run["ratio"]) for run in warm)
    return {
        "suite": "bench_hierarchy",
        "machine": machine_facts(),
        "leaves": LEAVES,
        "reply_s": REPLY_SECONDS,
        "cold": cold,
        "warm": warm,
        "overhead": {
            "cpu_ms_per_leaf": round(1000 * statistics.median(run["cpu_s"] for run in instant) / LEAVES, 2),
            "wall_ms_per_leaf": round(1000 * statistics.median(run["wall_s"] for run in instant) / LEAVES, 2),
        },
        "targets": {"ratio": {"most": TARGET_RATIO, "median": ratio, "met": ratio <= TARGET_RATIO}},
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Print what was measured as JSON; exit code 0 if the target is met."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.bench_hierarchy",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--json", action="store_true", help="one line instead of an indented document")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="warm rounds (default: 5)")
    arguments = parser.parse_args(argv)
    with isolated_home():
        result = asyncio.run(measured(max(1, arguments.rounds)))
    sys.stdout.write(json.dumps(result, indent=None if arguments.json else 2) + "\n")
    return 0 if all(target["met"] for target in result["targets"].values()) else 1


if __name__ == "__main__":
    sys.exit(main())
