"""What a move of the proof game costs beside its tools: `python -m evals.bench_tutor --json`.

Milliseconds of `Tutor.play` in games of 1, 10, 100 and 1000 observations: a tool call that shows something
new, a claim that is proved, one that is not, a question, and prose; and of the parts: the text of a move
parsed, a claim examined, a game exported, and replayed from its export. The observer answers from memory, so
no tool's time is in it. Medians, 95th percentiles, and the fastest, which on a machine with other
work (`load` is the load average of a processor) says best what it costs.

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
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from configs.settings import ToolSettings
from configs.tutor import TutorSettings
from nodes.tutor.claims import Claim
from nodes.tutor.engine import Tutor
from nodes.tutor.examining import examine
from nodes.tutor.export import export
from nodes.tutor.moves import Request
from nodes.tutor.observations import Observation
from nodes.tutor.observing.observing import Observer
from nodes.tutor.open_games import free_game
from nodes.tutor.parsing import read_move
from nodes.tutor.verifying import verified

SIZES = (1, 10, 100, 1000)
# A game of so many observations is built anew for every repetition; a longer one hardly grows by them.
BUILT_ANEW = 10
TARGETS = {"move_p50_ms": 1.0, "times_at_1000": 2.0}
NAME = "bench"
NUMBER = "0000"
LINES = 20
WORD = re.compile(r"\w+")


class FromMemory:
    """An observer that has seen one file, and answers as if there were one for each number.

    Args:
        seen: what `cat` showed of the file numbered `NUMBER`.
    """

    def __init__(self, seen: Observation) -> None:
        self._seen = seen.model_dump_json(exclude={"seal"})

    async def observe(self, request: Request, *, id: str, turn: int) -> Observation:
        """The observation of the file a call of `cat` names."""
        number = re.sub(r"\D", "", request.args["path"])
        told = Observation.model_validate_json(self._seen.replace(NUMBER, number))
        return told.model_copy(update={"id": id, "turn": turn}).sealed()

    def is_fresh(self, observation: Observation) -> bool:
        """Nothing changes."""
        return True


async def seen_once() -> Observation:
    """One real observation of a small file."""
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory).resolve()
        lines = [f"line {line} of file {NUMBER} holds value {line * 7}" for line in range(LINES)]
        (root / _path(0)).write_text("\n".join(lines) + "\n", "utf-8")
        request = Request(tool="cat", args={"path": _path(0)})
        return await Observer(root, ToolSettings(), NAME).observe(request, id="o1", turn=1)


def _path(number: int) -> str:
    return f"f{number:04}.txt"


def _cat(number: int) -> dict[str, Any]:
    return {"move": "PROPOSE", "request": {"tool": "cat", "args": {"path": _path(number)}}}


def _claim(number: int, repetition: int, predicate: str) -> dict[str, Any]:
    claim = {"predicate": predicate, "subject": _path(number), "value": f"nowhere {repetition}"}
    return {"move": "ASSERT", "claim": claim, "evidence": [f"o{number + 1}"]}


async def built(observer: FromMemory, size: int) -> Tutor:
    """A game with so many observations.

    Raises:
        RuntimeError: a call brought none.
    """
    game = free_game("bench", [])
    tutor = Tutor(game, NAME, observer, TutorSettings(most_turns=10_000))
    for number in range(size):
        turn = await tutor.play(_cat(number))
        if not turn.observation:
            raise RuntimeError(f"no observation: {turn.message}")
    return tutor


def moves(size: int, repetition: int) -> dict[str, tuple[object, str]]:
    """Moves of every kind, each with the outcome it must have; a repetition has moves of its own."""
    middle = size // 2
    return {
        "call": (_cat(5000 + repetition), "played"),
        "proved claim": (_claim(middle, repetition, "not_contains"), "played"),
        "unproved claim": (_claim(middle, repetition, "contains"), "rejected"),
        "question": ({"move": "ASK", "question": f"why {repetition}?"}, "played"),
        "prose": (f"I think it is {repetition}.", "illegal"),
    }


async def move_times(observer: FromMemory, size: int, rounds: int) -> dict[str, list[float]]:
    """Milliseconds of every repetition by kind of move.

    Raises:
        RuntimeError: a move did not come out as it must; what went wrong has no speed.
    """
    times: dict[str, list[float]] = {}
    tutor = await built(observer, size)
    for repetition in range(rounds):
        if size <= BUILT_ANEW:
            tutor = await built(observer, size)
        for kind, (given, outcome) in moves(size, repetition).items():
            began = time.perf_counter()
            turn = await tutor.play(given)
            times.setdefault(kind, []).append((time.perf_counter() - began) * 1000)
            if turn.outcome != outcome:
                raise RuntimeError(f"{kind} at {size} was {turn.outcome}: {turn.message}")
    return times


async def timed(action: Callable[[], Awaitable[object]], rounds: int) -> list[float]:
    """Milliseconds of every repetition."""
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        await action()
        times.append((time.perf_counter() - began) * 1000)
    return times


def scan(claim: str, observations: list[Observation]) -> int:
    """How many words of a claim the best of all observations holds."""
    words = set(WORD.findall(claim.lower()))
    return max(len(words & set(WORD.findall(seen.stdout.lower()))) for seen in observations)


async def part_times(observer: FromMemory, size: int, rounds: int) -> dict[str, list[float]]:
    """Milliseconds of the parts of a move, of the scan, and of export and replay.

    Raises:
        RuntimeError: the export does not replay.
    """
    tutor = await built(observer, size)
    given = json.dumps(_claim(size // 2, 0, "not_contains"))
    claim = Claim.model_validate(json.loads(given)["claim"])
    kept = {node.id: Observation.model_validate(node.data) for node in tutor.graph.of_kind("observation")}
    cites = [f"o{size // 2 + 1}"]
    document = export(tutor)

    async def parse() -> None:
        read_move(given)

    async def prove() -> None:
        if examine(claim, cites, kept, NAME, observer.is_fresh).verdict.status != "validated":
            raise RuntimeError("the claim is not proved")

    async def scanned() -> None:
        scan(claim.key, list(kept.values()))

    async def exported() -> None:
        export(tutor)

    async def replayed() -> None:
        problems = await verified(document)
        if problems:
            raise RuntimeError(f"the export does not replay: {problems[:3]}")

    few = max(3, rounds // 10) if size < SIZES[-1] else 1
    return {
        "parse": await timed(parse, rounds),
        "prove": await timed(prove, rounds),
        "scan of all observations": await timed(scanned, few),
        "export": await timed(exported, few),
        "replay": await timed(replayed, few),
    }


def figures(times: dict[str, list[float]]) -> dict[str, dict[str, float]]:
    """Median, 95th percentile and fastest, in milliseconds."""
    return {
        name: {
            "p50": round(statistics.median(some), 4),
            "p95": round(_p95(some), 4),
            "fastest": round(min(some), 4),
        }
        for name, some in times.items()
    }


def _p95(times: list[float]) -> float:
    return sorted(times)[min(len(times) - 1, int(0.95 * len(times)))]


async def measured(rounds: int) -> dict[str, Any]:
    """All figures."""
    observer = FromMemory(await seen_once())
    played = {size: figures(await move_times(observer, size, rounds)) for size in SIZES}
    parts = {size: figures(await part_times(observer, size, rounds)) for size in SIZES}
    first, last = played[SIZES[0]], played[SIZES[-1]]
    ratios = {kind: round(last[kind]["p50"] / first[kind]["p50"], 2) for kind in first}
    slowest = max(kind["p50"] for kinds in played.values() for kind in kinds.values())
    scanned = parts[SIZES[-1]]["scan of all observations"]["p50"]
    return {
        "rounds": rounds,
        "load": round(os.getloadavg()[0] / (os.cpu_count() or 1), 2),
        "move_ms": played,
        "part_ms": parts,
        f"times_at_{SIZES[-1]}": ratios,
        "scan_times_slower_than_a_claim": round(scanned / last["proved claim"]["p50"], 1),
        "targets": TARGETS,
        "met": {
            "move_p50_ms": slowest <= TARGETS["move_p50_ms"],
            "times_at_1000": max(ratios.values()) <= TARGETS["times_at_1000"],
        },
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
