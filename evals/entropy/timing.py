"""Times an estimate by code alone: `python -m evals.entropy.timing` prints milliseconds.

Each round asks another question with other texts, so that nothing of it is remembered; the first round, which
loads tables, is left out. Figures are medians and the worst of all rounds, by the clock and of the process.
"""

from __future__ import annotations

import asyncio
import json
import time
from statistics import median

from nodes.contractive.estimating import estimated

ROUNDS = 30
QUESTION = "Why did build {number} of the project fail on the second machine?"
SAMPLES = (
    "The build failed because the module `pack{number}` is not installed on that machine.",
    "There is a syntax error in line {number} of setup.py, so the build stopped.",
    "Based on the log, the second machine ran out of disk space while it linked program {number}.",
    "It uses an older compiler that does not know the flag -std=c++{number}.",
    "The network was down and the packages could not be downloaded from mirror {number}.",
    "A missing environment variable, HOME_{number}, made the build script stop early.",
    "Let's look at the log. First compiler {number} starts. Then the linker fails. So a library is missing.",
    "The tests failed with {number} errors, and the build stops when tests fail.",
    "Permission was denied when the script wrote to /usr/local/{number}.",
    "The clock of machine {number} was wrong, so its certificates were rejected.",
)


async def timed(samples: tuple[str, ...]) -> dict[str, float]:
    """Milliseconds of one estimate of some samples, over rounds."""
    wall: list[float] = []
    process: list[float] = []
    for number in range(100, 101 + ROUNDS):
        told = [sample.format(number=number) for sample in samples]
        began, spent = time.perf_counter(), time.process_time()
        await estimated(QUESTION.format(number=number), told, judge=None, embedder=None)
        wall.append(1000 * (time.perf_counter() - began))
        process.append(1000 * (time.process_time() - spent))
    return {
        "wall": round(median(wall[1:]), 2),
        "worst wall": round(max(wall[1:]), 2),
        "process": round(median(process[1:]), 2),
        "worst process": round(max(process[1:]), 2),
    }


async def measured() -> dict[str, dict[str, float]]:
    """Milliseconds for ten different samples, ten alike, and three alike."""
    return {
        "ten different": await timed(SAMPLES),
        "ten alike": await timed(SAMPLES[6:7] * 10),
        "three alike": await timed(SAMPLES[:1] * 3),
    }


if __name__ == "__main__":
    print(json.dumps(asyncio.run(measured()), indent=1))
