"""`python -m evals.bench_contractive --json`: does a tree of questions take as long as its levels?

A scripted model takes 100 ms for each reply, doubts every question above the deepest level, and is sure of
all others. The calls of a level (its samples; its splits; its merges) can all be made at once, so with
concurrency c

    ideal = sum over levels of ceil(calls of the level / c) x 100 ms

and the ratio of the measured time to it is what the machinery costs. With a model that answers at once, what
is left is overhead: checkpoints in SQLite, journal, comparison of answers, and the graph.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import re
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import PrivateAttr

from configs.settings import Settings
from evals.report import isolated_home, machine_facts
from graph.contractive import build
from memory.checkpoints import open_project_checkpointer
from models.scripted import Script, register_script
from nodes.reflective.context import RunContext

REPLY_SECONDS = 0.1
TARGET_RATIO = 1.3
TARGET_OVERHEAD = 5.0
SCRIPT = "bench-contractive"
PLACE = re.compile(r"How many crates are stored in (?P<place>.*?)\?")


class Tree(NamedTuple):
    """What is measured: parts of each question, levels below the first, samples, calls at once."""

    branching: int
    depth: int
    samples: int
    concurrency: int


TREES = (Tree(4, 1, 4, 16), Tree(3, 2, 4, 32), Tree(3, 3, 4, 64))
NARROW = 4


class Depot(Script):
    """Doubts every place that is divided further, until it is told what its parts hold."""

    branching: int
    depth: int
    seconds: float
    _asked: Counter[tuple[str, int]] = PrivateAttr(default_factory=Counter)
    _guess: int = PrivateAttr(default=0)

    def decide(self, role: str, prompt: str) -> Any:
        """The reply to a prompt of a role."""
        reply = self._reply(role, prompt)
        return {"delay": self.seconds, "reply": reply} if self.seconds else reply

    def _reply(self, role: str, prompt: str) -> Any:
        found = list(PLACE.finditer(prompt))
        place = found[-1]["place"] if found else "the depot"
        level = 0 if place == "the depot" else place.count(".") + 1
        if role == "planner" and "Question to split" not in prompt:
            self._asked["normalize", level] += 1
            return {"question": f"How many crates are stored in {place}?", "readings": []}
        if role == "planner":
            self._asked["decompose", level] += 1
            within = [
                f"{place}.{number}" if level else f"bay {number}" for number in range(1, self.branching + 1)
            ]
            parts = [f"How many crates are stored in {name}?" for name in within]
            return {"kind": "AND", "parts": [{"question": part, "depends_on": []} for part in parts]}
        told = "Established" in prompt
        self._asked["collapse" if told else "solve", level] += 1
        if told or level == self.depth:
            return f"Counted.\nAnswer: {10 ** (self.depth - level)}"
        self._guess += 1
        return f"Perhaps.\nAnswer: {1000 + 37 * self._guess}"

    def levels(self) -> dict[tuple[str, int], int]:
        """Calls by phase and level."""
        return dict(self._asked)


async def run_tree(tree: Tree, seconds: float) -> dict[str, Any]:
    """One run; wall-clock seconds of the graph alone, and what it did."""
    script = Depot(branching=tree.branching, depth=tree.depth, seconds=seconds)
    register_script(SCRIPT, script)
    settings = {
        "contractive.max_depth": tree.depth,
        "contractive.k_entropy_samples": tree.samples,
        "contractive.k_max_samples": tree.samples,
        "contractive.max_concurrent_calls": tree.concurrency,
        "contractive.max_concurrent_branches": tree.concurrency,
        "contractive.max_global_tokens": 10_000_000,
        "contractive.max_branch_tokens": 10_000_000,
    }
    with tempfile.TemporaryDirectory() as root:
        context = RunContext(root=root, model=f"scripted:{SCRIPT}", settings=settings)
        async with open_project_checkpointer(Path(root), Settings()) as saver:
            graph = build(saver)
            began = time.perf_counter()
            values = await graph.ainvoke(
                {"question": "How many crates are stored in the depot?"},
                {"configurable": {"thread_id": "bench"}},
                context=context,
                durability="sync",
            )
            wall = time.perf_counter() - began
    levels = script.levels()
    ideal = sum(-(-calls // tree.concurrency) for calls in levels.values()) * seconds
    expected = sum(tree.branching**level for level in range(tree.depth + 1))
    if len(values["tree"]) != expected or values["short_answer"] != str(10**tree.depth):
        raise AssertionError(
            f"The tree {tree} came out as {len(values['tree'])} questions, {values['short_answer']!r}, "
            f"stop {values['stop_reason']}: {values['notes']}"
        )
    return {
        "tree": list(tree),
        "questions": expected,
        "calls": sum(levels.values()),
        "waves": len(levels),
        "wall_s": round(wall, 4),
        "ideal_s": round(ideal, 4),
        "ratio": round(wall / ideal, 3) if ideal else None,
    }


async def measured(repeat: int) -> dict[str, Any]:
    """All trees, wide and narrow, and the overhead; the median of some runs each."""
    await run_tree(Tree(2, 1, 4, 8), 0.0)
    # As `reflect think` does: what was imported is not looked through again and again for garbage.
    gc.freeze()
    timed = []
    for tree in [*TREES, *(tree._replace(concurrency=NARROW) for tree in TREES)]:
        runs = [await run_tree(tree, REPLY_SECONDS) for _ in range(repeat)]
        timed.append(sorted(runs, key=lambda run: float(run["ratio"]))[len(runs) // 2])
    instant = []
    for tree in TREES:
        runs = [await run_tree(tree, 0.0) for _ in range(max(3, repeat))]
        each = statistics.median(1000 * run["wall_s"] / run["questions"] for run in runs)
        instant.append(
            {"tree": list(tree), "questions": runs[0]["questions"], "ms_per_question": round(each, 2)}
        )
    return {
        "suite": "bench_contractive",
        "machine": machine_facts(),
        "reply_s": REPLY_SECONDS,
        "trees": timed,
        "overhead": instant,
        "targets": {
            "ratio": {
                "most": TARGET_RATIO,
                "worst": max(run["ratio"] for run in timed),
                "met": all(run["ratio"] <= TARGET_RATIO for run in timed),
            },
            "ms_per_question": {
                "most": TARGET_OVERHEAD,
                "worst": max(run["ms_per_question"] for run in instant),
                "met": all(run["ms_per_question"] <= TARGET_OVERHEAD for run in instant),
            },
        },
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Print what was measured as JSON; exit code 0 if every target is met."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.bench_contractive",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--json", action="store_true", help="one line instead of an indented document")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="runs of each tree (default: 3)")
    arguments = parser.parse_args(argv)
    with isolated_home():
        result = asyncio.run(measured(max(1, arguments.repeat)))
    sys.stdout.write(json.dumps(result, indent=None if arguments.json else 2) + "\n")
    return 0 if all(target["met"] for target in result["targets"].values()) else 1


if __name__ == "__main__":
    sys.exit(main())
