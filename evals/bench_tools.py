"""What confinement costs: `python -m evals.bench_tools --json`.

Times are milliseconds of one call through `Toolbox.run`, medians of rounds in which every level and the bare
command take turns, so that a slow moment of the machine falls on all. Bare is the same program as an asyncio
subprocess, its output read and nothing else. Memory is the growth of the peak resident size of a fresh Python
process, after a warm-up call, in MB of 10^6 bytes. `load` is the load average of a processor: above 1,
it is the fastest rounds that say what a call costs. Cancellation is the time from `task.cancel()` to the end
of the task, when no process is left.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import get_args

from configs.settings import SandboxChoice, ToolSettings
from tools.errors import SandboxUnavailable
from tools.protocol import ToolCall
from tools.toolbox import Toolbox

LEVELS: tuple[SandboxChoice, ...] = tuple(
    level for level in get_args(SandboxChoice) if level not in ("auto", "required")
)
FILES = 200
LINES = 50
CALLS: dict[str, tuple[ToolCall, list[str]]] = {
    "ls": (ToolCall(tool="ls", args={"path": "small"}), ["/usr/bin/ls", "small"]),
    "grep": (
        ToolCall(tool="grep", args={"pattern": "needle", "path": ".", "recursive": True}),
        ["/usr/bin/grep", "-r", "needle", "."],
    ),
}
TARGETS = {"bwrap_adds_ms": 6.0, "memory_mb": 20.0, "cancel_ms": 300.0}
# Each writes 330 MB: output that is cut, output another tool reads, output whose lines are names.
FLOODS = (
    "seq 1 40000000",
    "seq 1 40000000 | wc -c",
    "seq 1 40000000 | xargs basename -a",
)
GROWTH = """
import asyncio, json, sys
from pathlib import Path
from configs.settings import ToolSettings
from tools.protocol import ToolCall
from tools.toolbox import Toolbox
def peak():
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) * 1024
async def run(toolbox, command):
    return await toolbox.run(ToolCall(tool="command", args={"command": command}))
async def main():
    toolbox = Toolbox(Path(sys.argv[1]), ToolSettings(sandbox=sys.argv[2]))
    await run(toolbox, "seq 1 3 | xargs basename -a")
    before = peak()
    result = await run(toolbox, sys.argv[3])
    print(json.dumps({"bytes": peak() - before, "error": result.error, "level": result.sandbox_level}))
asyncio.run(main())
"""


def grown(root: Path, level: str, command: str) -> int:
    """Bytes by which the peak resident size of a fresh Python process grew over one call.

    Raises:
        RuntimeError: the call did not run at that level; what did not run took no memory.
    """
    here = Path(__file__).resolve().parent.parent
    done = subprocess.run(
        [sys.executable, "-c", GROWTH, str(root), level, command],
        cwd=here,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError(f"{command} at {level} failed: {done.stderr[-500:]}")
    found = json.loads(done.stdout)
    if found["level"] != level:
        raise RuntimeError(f"{command} at {level} was not run: {found['error']}")
    return int(found["bytes"])


async def bare(root: Path, words: list[str]) -> None:
    """The program without any wall."""
    process = await asyncio.create_subprocess_exec(
        *words, cwd=root, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE
    )
    await process.communicate()
    if process.returncode != 0:
        raise RuntimeError(f"{words} exited {process.returncode}")


async def timed(action: Callable[[], Awaitable[object]]) -> float:
    """Milliseconds of one action."""
    start = time.perf_counter()
    await action()
    return (time.perf_counter() - start) * 1000


async def called(toolbox: Toolbox, call: ToolCall) -> None:
    """One call that must work; a call that failed has no speed."""
    result = await toolbox.run(call)
    if not result.ok:
        raise RuntimeError(f"{result.command} at {result.sandbox_level}: {result.error or result.stderr}")


async def call_times(
    root: Path, toolboxes: dict[str, Toolbox], rounds: int
) -> dict[str, dict[str, list[float]]]:
    """Milliseconds of every round by call and by level, with "bare" beside them."""
    report = {}
    for name, (call, words) in CALLS.items():
        actions: dict[str, Callable[[], Awaitable[object]]] = {"bare": lambda words=words: bare(root, words)}  # type: ignore[misc]  # a default binds it
        for level, toolbox in toolboxes.items():
            actions[level] = lambda toolbox=toolbox, call=call: called(toolbox, call)  # type: ignore[misc]  # the same
        times: dict[str, list[float]] = {label: [] for label in actions}
        for number in range(rounds + 2):
            for label, action in actions.items():
                spent = await timed(action)
                if number >= 2:
                    times[label].append(spent)
        report[name] = times
    return report


def summed_up(
    times: dict[str, dict[str, list[float]]], figure: Callable[[list[float]], float]
) -> dict[str, dict[str, dict[str, float]]]:
    """One figure of the rounds by call and level: itself, its difference to bare, its ratio to bare."""
    report = {}
    for call, levels in times.items():
        bare_figure = figure(levels["bare"])
        figures = {level: figure(values) for level, values in levels.items()}
        report[call] = {
            "milliseconds": {level: round(value, 2) for level, value in figures.items()},
            "adds": {level: round(value - bare_figure, 2) for level, value in figures.items()},
            "times_bare": {level: round(value / bare_figure, 2) for level, value in figures.items()},
        }
    return report


async def cancel_times(toolboxes: dict[str, Toolbox], rounds: int) -> dict[str, float]:
    """Longest milliseconds by level from the cancellation of a running call to its end."""
    call = ToolCall(tool="command", args={"command": "seq 1 999999999999 | grep -c x | cat"})
    longest = {}
    for level, toolbox in toolboxes.items():
        times = []
        for _ in range(rounds):
            task = asyncio.create_task(toolbox.run(call))
            await asyncio.sleep(0.15)
            start = time.perf_counter()
            task.cancel()
            await asyncio.wait([task])
            times.append((time.perf_counter() - start) * 1000)
            if not task.cancelled():
                raise RuntimeError(f"the call at {level} had ended before it was cancelled")
        longest[level] = round(max(times), 1)
    return longest


def project(root: Path) -> None:
    """A directory with a few files, and FILES to search in."""
    for place, count in (("small", 5), ("many", FILES)):
        (root / place).mkdir()
        for number in range(count):
            lines = [f"line {line} of file {number}" for line in range(LINES)]
            (root / place / f"{number}.txt").write_text("\n".join([*lines, "needle"]) + "\n")


def run(rounds: int) -> dict[str, object]:
    """All figures, for every level that works here, and why the others do not."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name).resolve()
        project(root)
        toolboxes: dict[str, Toolbox] = {}
        missing: dict[str, str] = {}
        for level in LEVELS:
            try:
                toolboxes[level] = Toolbox(root, ToolSettings(sandbox=level))
            except SandboxUnavailable as error:
                missing[level] = error.what
        times = asyncio.run(call_times(root, toolboxes, rounds))
        cancels = asyncio.run(cancel_times(toolboxes, max(3, rounds // 5)))
        memory = {level: max(grown(root, level, flood) for flood in FLOODS) / 1e6 for level in toolboxes}
    medians = summed_up(times, statistics.median)
    met = {
        "cancel_ms": max(cancels.values()) <= TARGETS["cancel_ms"],
        "memory_mb": max(memory.values()) <= TARGETS["memory_mb"],
    }
    if "bwrap" in toolboxes:
        met["bwrap_adds_ms"] = max(of["adds"]["bwrap"] for of in medians.values()) <= TARGETS["bwrap_adds_ms"]
    return {
        "rounds": rounds,
        "load": round(os.getloadavg()[0] / (os.cpu_count() or 1), 2),
        "median": medians,
        "fastest": summed_up(times, min),
        "cancel_milliseconds": cancels,
        "memory_growth_mb": {level: round(grew, 1) for level, grew in memory.items()},
        "not_available": missing,
        "targets": TARGETS,
        "met": met,
    }


def main() -> int:
    """Print the figures; exit 0 whether or not a target is met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--json", action="store_true", help="print JSON (the default)")
    arguments = parser.parse_args()
    print(json.dumps(run(arguments.rounds), indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
