"""What a move of the proof game costs beside its tools: `python -m evals.bench_tutor --json`.

Milliseconds of `Tutor.play` in games of 1, 10, 100 and 1000 observations, without help and with all of it,
for each kind of move (the observer answers from memory, and what it takes is left out); of the menu; and of
the parts: the text of a move parsed, a claim of each predicate examined for the first time and again, a game
exported, and replayed from its export. Medians, 95th percentiles and the fastest by the clock, and the median
of the processor's time, which on a machine with other work (`load` is the load average of a processor) says
best what it costs. `graph_ms_per_turn` is the share of the graph (evals/tutor_graph_times.py).

Beside it, on the same observations in the same process, a scan over all of them for words of the claim, as
the engine this game grew from does for each assertion (it took 38-53 ms at 1000 observations). Targets: a
move in 1 ms however long the game is, and at 1000 observations in no more than twice the time as at one.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from configs.tutor import Arm
from evals.tutor_graph_times import graph_times
from evals.tutor_workloads import FromMemory, built, claim_of, moves, proofs, seen_once
from nodes.tutor.examining import examine
from nodes.tutor.export import export
from nodes.tutor.observations import Observation
from nodes.tutor.parsing import read_move
from nodes.tutor.verifying import verified

SIZES = (1, 10, 100, 1000)
ARMS: tuple[Arm, ...] = ("none", "all")
# A game of so many observations is built anew for every repetition; a longer one hardly grows by them.
BUILT_ANEW = 10
TARGETS = {
    "move_p50_ms": 1.0,
    "times_at_1000": 2.0,
    "export_ms": 500.0,
    "replay_ms": 3000.0,
    "causes_ms": 1.0,
}
PROOFS_EACH = 8
WORD = re.compile(r"\w+")

Times = dict[str, list[tuple[float, float]]]
"""Milliseconds of every repetition by name: of the clock, and of the processor in this process."""


class Stopwatch:
    """Begins when it is made."""

    def __init__(self) -> None:
        self._began, self._worked = time.perf_counter(), time.process_time()

    def read(self, without: float = 0.0) -> tuple[float, float]:
        """Milliseconds since the beginning, without so many seconds that are somebody else's."""
        clock, work = time.perf_counter() - self._began, time.process_time() - self._worked
        return (clock - without) * 1000, (work - without) * 1000


async def move_times(observer: FromMemory, size: int, arm: Arm, rounds: int) -> Times:
    """Milliseconds of every repetition by kind of move, and of the menu after it.

    Raises:
        RuntimeError: a move did not come out as it must; what went wrong has no speed.
    """
    times: Times = {}
    tutor = await built(observer, size, arm)
    for repetition in range(rounds):
        if size <= BUILT_ANEW:
            tutor = await built(observer, size, arm)
        for move in moves(tutor, size, repetition):
            observer.spent, watch = 0.0, Stopwatch()
            turn = await tutor.play(move.given)
            took, watch = watch.read(observer.spent), Stopwatch()
            tutor.menu()
            menu = watch.read()
            if turn.outcome != move.outcome:
                raise RuntimeError(f"{move} at {size} was {turn.outcome}: {turn.message}")
            times.setdefault(move.kind, []).append(took)
            times.setdefault("menu", []).append(menu)
    return {kind: some for kind, some in times.items() if kind}


async def timed(action: Callable[[], Awaitable[object]], rounds: int) -> list[tuple[float, float]]:
    """Milliseconds of every repetition."""
    times = []
    for _ in range(rounds):
        watch = Stopwatch()
        await action()
        times.append(watch.read())
    return times


def scan(claim: str, observations: Sequence[Observation]) -> int:
    """How many words of a claim the best of all observations holds."""
    words = set(WORD.findall(claim.lower()))
    return max(len(words & set(WORD.findall(seen.stdout.lower()))) for seen in observations)


async def part_times(observer: FromMemory, size: int, rounds: int) -> Times:
    """Milliseconds of a move parsed, of the scan, and of export and replay.

    Raises:
        RuntimeError: the export does not replay.
    """
    tutor = await built(observer, size)
    claim = claim_of(size // 2, 0, "not_contains")
    given = json.dumps({"move": "ASSERT", "claim": claim, "evidence": ["o1"]})
    kept = [Observation.model_validate(node.data) for node in tutor.graph.of_kind("observation")]
    document = export(tutor)

    async def parse() -> None:
        read_move(given)

    async def scanned() -> None:
        scan(given, kept)

    async def exported() -> None:
        export(tutor)

    async def replayed() -> None:
        problems = await verified(document)
        if problems:
            raise RuntimeError(f"the export does not replay: {problems[:3]}")

    few = max(3, rounds // 10) if size < SIZES[-1] else 3
    return {
        "parse": await timed(parse, rounds),
        "scan of all observations": await timed(scanned, few),
        "export": await timed(exported, few),
        "replay": await timed(replayed, few),
    }


async def proof_times(each: int, rounds: int) -> dict[str, Times]:
    """Milliseconds of the examination of true claims by predicate: the first one, and those that follow.

    Raises:
        RuntimeError: a claim is not proved.
    """
    times: dict[str, Times] = {}
    for predicate, some in sorted((await proofs(each)).items()):
        times[predicate] = {"first": [], "again": []}
        for repetition in range(rounds):
            for proof in some:
                game = next(iter(proof.observations.values())).game
                watch = Stopwatch()
                examined = examine(proof.claim, proof.cites, proof.observations, game, lambda _: True)
                took = watch.read()
                if examined.verdict.status != "validated":
                    raise RuntimeError(f"{proof.claim} is {examined.verdict}")
                times[predicate]["again" if repetition else "first"].append(took)
    return times


def figures(times: Times) -> dict[str, dict[str, float]]:
    """Median, 95th percentile and fastest by the clock, and the median of the processor's time."""
    return {name: _figures(*zip(*some, strict=True)) for name, some in times.items()}


def _figures(clock: Sequence[float], work: Sequence[float]) -> dict[str, float]:
    return {
        "p50": round(statistics.median(clock), 4),
        "p95": round(sorted(clock)[min(len(clock) - 1, int(0.95 * len(clock)))], 4),
        "fastest": round(min(clock), 4),
        "cpu_p50": round(statistics.median(work), 4),
    }


async def measured(rounds: int) -> dict[str, Any]:
    """All figures."""
    observer = FromMemory(await seen_once())
    played = {
        arm: {size: figures(await move_times(observer, size, arm, rounds)) for size in SIZES} for arm in ARMS
    }
    parts = {size: figures(await part_times(observer, size, rounds)) for size in SIZES}
    proved = {name: figures(times) for name, times in (await proof_times(PROOFS_EACH, 5)).items()}
    return {
        "rounds": rounds,
        "load": round(os.getloadavg()[0] / (os.cpu_count() or 1), 2),
        "move_ms": played,
        "part_ms": parts,
        "prove_ms": proved,
        "graph_ms_per_turn": await graph_times(3),
        **_judged(played, parts[SIZES[-1]], proved),
    }


def _judged(played: dict[Arm, Any], parts: dict[str, Any], proved: dict[str, Any]) -> dict[str, Any]:
    """The figures against the targets; which of them were met depends on what else the machine does."""
    ratios = {
        arm: {
            kind: round(sizes[SIZES[-1]][kind]["p50"] / one["p50"], 2)
            for kind, one in sizes[SIZES[0]].items()
        }
        for arm, sizes in played.items()
    }
    medians = [
        kind["p50"] for sizes in played.values() for kinds in sizes.values() for kind in kinds.values()
    ]
    claim = played["none"][SIZES[-1]]["ASSERT validated"]["p50"]
    found = {
        "move_p50_ms": max(medians),
        "times_at_1000": max(ratio for kinds in ratios.values() for ratio in kinds.values()),
        "export_ms": parts["export"]["p50"],
        "replay_ms": parts["replay"]["p50"],
        "causes_ms": proved["causes"]["first"]["p50"],
    }
    return {
        f"times_at_{SIZES[-1]}": ratios,
        "scan_times_slower_than_a_claim": round(parts["scan of all observations"]["p50"] / claim, 1),
        "targets": TARGETS,
        "found": found,
        "met": {name: found[name] <= target for name, target in TARGETS.items()},
    }


def main() -> int:
    """Print the figures; exit 0 whether or not a target is met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--json", action="store_true", help="print JSON (the default)")
    arguments = parser.parse_args()
    print(json.dumps(asyncio.run(measured(arguments.rounds)), indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
