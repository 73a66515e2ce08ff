"""`python -m evals.bench_collective --json`: do engines at once take as long as the slowest of them?

A table of benches, each of which measures ratios within one run, several rounds each; the first round of the
process is told apart as cold: it imports, opens embedders, and reads exemplars.

    ensemble   wall clock of the whole over that of its slowest engine, as the events of the run tell them;
               a scripted model takes a while for each reply, or `--model` names a real one

With `--model ollama:NAME --base-url URL` the same goals are put to a real model, whose server may well answer
one call at a time: then the slowest engine waits for the others, and that is part of its time. It is made
to end soon on a slow machine: one round, replies of MOST_TOKENS tokens, MOST_CALLS calls of all engines
together, two samples of the contractive engine and no parts. What has not ended after `--seconds` is told as
unfinished, with the runs that had, and no target is met. Progress goes to standard error, and the load of the
machine stands beside the figures.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
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
MOST_TOKENS = 48
ROUNDS, ROUNDS_OF_A_MODEL = 5, 1
SECONDS = 600.0
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
        seconds: the runs may take together.
    """

    rounds: int
    model: str | None
    base_url: str | None
    seconds: float = SECONDS


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
    """Every goal with every delay: the cold run, and the median of the warm ones that ended in time."""
    delays: Sequence[float | None] = REPLY_SECONDS if chosen.model is None else (None,)
    warm: dict[tuple[str, float | None], list[dict[str, Any]]] = {
        (what, seconds): [] for what in GOALS for seconds in delays
    }
    cold: dict[str, Any] | None = None
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "a.txt").write_text("x\ny\n", "utf-8")
        try:
            async with asyncio.timeout(chosen.seconds):
                cold = await _told("cold", GOALS["files"], _context(folder, delays[0], chosen))
                # As `reflect ensemble` does: what was imported is not looked through again for garbage.
                gc.freeze()
                for (what, seconds), runs in warm.items():
                    for _ in range(chosen.rounds):
                        runs.append(await _told(what, GOALS[what], _context(folder, seconds, chosen)))
        except TimeoutError:
            sys.stderr.write(f"unfinished: the runs took longer than {chosen.seconds:g} s\n")
    cases = [_case(what, seconds, runs) for (what, seconds), runs in warm.items() if runs]
    unfinished = [what for (what, _), runs in warm.items() if len(runs) < chosen.rounds]
    worst = max((case["ratio"] for case in cases), default=None)
    met = not unfinished and worst is not None and worst <= TARGET_RATIO
    target = {"most": TARGET_RATIO, "worst": worst, "met": met}
    return {"cold": cold, "warm": cases, "unfinished": unfinished, "targets": {"ratio": target}}


async def _told(what: str, goal: str, context: RunContext) -> dict[str, Any]:
    """One run, told of on standard error: whoever waits for a real model sees that it goes on."""
    sys.stderr.write(f"{what}: {goal} ...")
    sys.stderr.flush()
    run = await one_run(goal, context)
    sys.stderr.write(f" {run['wall_s']:.1f} s, ratio {run['ratio']}\n")
    return run


def _case(what: str, seconds: float | None, runs: list[dict[str, Any]]) -> dict[str, Any]:
    """The run in the middle, and the ratios of all."""
    ratios = [run["ratio"] for run in runs]
    median = statistics.median(ratios)
    middle = min(runs, key=lambda run: abs(run["ratio"] - median))
    return {"goal": what, "reply_s": seconds, **middle, "ratio": round(median, 3), "ratios": ratios}


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
            "contractive.k_entropy_samples": 2,
            "contractive.k_max_samples": 2,
            "collective.max_calls": MOST_CALLS,
            "models.default.max_tokens": MOST_TOKENS,
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
        "load": [round(load, 2) for load in os.getloadavg()],
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
    parser.add_argument(
        "--rounds",
        type=int,
        metavar="N",
        help=f"warm runs of a case (default: {ROUNDS}, of a real model {ROUNDS_OF_A_MODEL})",
    )
    parser.add_argument(
        "--seconds", type=float, default=SECONDS, metavar="S", help=f"for all runs (default: {SECONDS:g})"
    )
    parser.add_argument("--bench", choices=BENCHES, action="append", help="only this one; may be repeated")
    parser.add_argument("--model", metavar="P:M", help="a real model instead of the scripted one")
    parser.add_argument("--base-url", metavar="URL", help="of the model's server")
    arguments = parser.parse_args(argv)
    rounds = arguments.rounds or (ROUNDS_OF_A_MODEL if arguments.model else ROUNDS)
    chosen = Chosen(max(1, rounds), arguments.model, arguments.base_url, arguments.seconds)
    with isolated_home():
        result = asyncio.run(measured(arguments.bench or list(BENCHES), chosen))
    sys.stdout.write(json.dumps(result, indent=None if arguments.json else 2) + "\n")
    return 0 if all(target["met"] for target in result["targets"].values()) else 1


if __name__ == "__main__":
    sys.exit(main())
