"""`python -m evals.bench_collective --json`: do engines at once take as long as the slowest of them?

A table of benches, each of which measures ratios within one run, several rounds each; the first round of the
process is told apart as cold: it imports, opens embedders, and reads exemplars.

    ensemble   wall clock of the whole over that of its slowest engine, as the events of the run tell them;
               a scripted model takes a while for each reply, or `--model` names a real one

With `--model ollama:NAME --base-url URL` the same goals are put to a real model, whose server may well answer
one call at a time: then the slowest engine waits for the others, and that is part of its time. There the
contractive engine has its preset `fast`, cuts nothing into parts, and all make MOST_CALLS calls at most.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from configs.settings import Settings
from evals.report import isolated_home, machine_facts
from graph.ensemble import build
from memory.checkpoints import open_project_checkpointer
from models.scripted import Script, register_script
from nodes.reflective.context import RunContext

TARGET_RATIO = 1.15
REPLY_SECONDS = (0.1, 0.5)
MOST_CALLS = 6
SCRIPT = "bench-collective"
GOALS = {"files": "How many lines does a.txt have?", "no files": "What is three times three?"}


class Delayed(Script):
    """Answers 9 after a while, whatever is asked."""

    seconds: float

    def decide(self, role: str, prompt: str) -> Any:
        """The reply to any prompt."""
        return {"delay": self.seconds, "reply": "Answer: 9"}


@dataclass(frozen=True)
class Chosen:
    """What the caller wants measured.

    Attributes:
        rounds: runs of each case after the cold one.
        model: provider:model, or None for the scripted one.
        base_url: of its server, or None.
    """

    rounds: int
    model: str | None
    base_url: str | None


async def one_run(goal: str, context: RunContext) -> dict[str, Any]:
    """One ensemble; seconds of the whole and of each engine."""
    began = time.perf_counter()
    at: dict[tuple[str, str], float] = {}
    root = Path(context.root)
    async with open_project_checkpointer(root, Settings()) as saver:
        graph = build(saver)
        stream = graph.astream(
            {"goal": goal},
            {"configurable": {"thread_id": f"bench-{began}"}},
            context=context,
            stream_mode="custom",
            durability="sync",
        )
        began = time.perf_counter()
        async for event in stream:
            if isinstance(event, dict) and event.get("kind") in ("child", "child_done"):
                at[str(event["kind"]), str(event["id"])] = time.perf_counter() - began
        wall = time.perf_counter() - began
    engines = {name: at["child_done", name] - at["child", name] for kind, name in at if kind == "child"}
    slowest = max(engines.values())
    return {
        "wall_s": round(wall, 4),
        "slowest_s": round(slowest, 4),
        "before_s": round(min(at.values()), 4),
        "after_s": round(wall - max(at.values()), 4),
        "engines_s": {name: round(seconds, 4) for name, seconds in sorted(engines.items())},
        "ratio": round(wall / slowest, 3),
    }


async def ensemble(chosen: Chosen) -> dict[str, Any]:
    """Every goal with every delay: the cold run, and the median of the warm ones."""
    cases = []
    delays: Sequence[float | None] = REPLY_SECONDS if chosen.model is None else (None,)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "a.txt").write_text("x\ny\n", "utf-8")
        cold = await one_run(GOALS["files"], _context(folder, delays[0], chosen))
        # As `reflect ensemble` does: what was imported is not looked through again and again for garbage.
        gc.freeze()
        for what, goal in GOALS.items():
            for seconds in delays:
                context = _context(folder, seconds, chosen)
                runs = [await one_run(goal, context) for _ in range(chosen.rounds)]
                median = statistics.median(run["ratio"] for run in runs)
                told = min(runs, key=lambda run: abs(run["ratio"] - median))
                ratios = [run["ratio"] for run in runs]
                cases.append(
                    {"goal": what, "reply_s": seconds, "ratio": round(median, 3), "ratios": ratios, **told}
                )
    worst = max(case["ratio"] for case in cases)
    target = {"most": TARGET_RATIO, "worst": worst, "met": worst <= TARGET_RATIO}
    return {"cold": cold, "warm": cases, "targets": {"ratio": target}}


def _context(folder: str, seconds: float | None, chosen: Chosen) -> RunContext:
    settings: dict[str, Any] = {}
    if chosen.base_url is not None:
        settings["models.default.base_url"] = chosen.base_url
    if chosen.model is None:
        register_script(SCRIPT, Delayed(seconds=seconds or 0.0))
        # No one call is to stand before the others that the delay is measured by.
        settings["contractive.normalize"] = "code"
    else:
        # A small model that rambles on a slow machine is not sampled for an hour.
        settings |= {
            "contractive.preset": "fast",
            "contractive.max_depth": 0,
            "collective.max_calls": MOST_CALLS,
        }
    return RunContext(root=folder, model=chosen.model or f"scripted:{SCRIPT}", settings=settings)


BENCHES: Mapping[str, Callable[[Chosen], Awaitable[dict[str, Any]]]] = {"ensemble": ensemble}


async def measured(names: Sequence[str], chosen: Chosen) -> dict[str, Any]:
    """What each of the named benches gives, and all targets, by `bench.target`."""
    found = {name: await BENCHES[name](chosen) for name in names}
    targets = {
        f"{name}.{target}": told
        for name, result in found.items()
        for target, told in result.pop("targets").items()
    }
    return {
        "suite": "bench_collective",
        "machine": machine_facts(),
        "model": chosen.model or "scripted",
        "benches": found,
        "targets": targets,
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Print what was measured as JSON; exit code 0 if every target is met."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.bench_collective",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--json", action="store_true", help="one line instead of an indented document")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="warm runs of a case (default: 5)")
    parser.add_argument("--bench", choices=BENCHES, action="append", help="only this one; may be repeated")
    parser.add_argument("--model", metavar="P:M", help="a real model instead of the scripted one")
    parser.add_argument("--base-url", metavar="URL", help="of the model's server")
    arguments = parser.parse_args(argv)
    chosen = Chosen(max(1, arguments.rounds), arguments.model, arguments.base_url)
    with isolated_home():
        result = asyncio.run(measured(arguments.bench or list(BENCHES), chosen))
    sys.stdout.write(json.dumps(result, indent=None if arguments.json else 2) + "\n")
    return 0 if all(target["met"] for target in result["targets"].values()) else 1


if __name__ == "__main__":
    sys.exit(main())
