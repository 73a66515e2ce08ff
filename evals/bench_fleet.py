"""What several model servers bring, and what one that dies costs: `python -m evals.bench_fleet --json`.

Servers are processes of `evals.model_server`: `--slots` calls at once, `--latency` seconds each. Twice as
many conversations as there are slots ask without a pause; the ideal is calls x latency / slots. The client is
this process, through the same code as every run. Both share one machine with whoever else is on it, and its
load is told.

`throughput` is for one, two and three servers by turns: `ideal_ratio` of the median round, and of the best,
which was disturbed least; `scaling` is calls a second for each server, beside those of one server in the same
round. `killed` and `hung`: of three servers one is killed (SIGKILL) or stopped (SIGSTOP) after a third of the
calls; told are the calls lost and answered twice, the longest call, and how fast the rest went, against the
ideal of the two that are left. `overhead` is the processor's time of a call with a list of two addresses
beside that with one address, by turns, of servers without a latency.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langchain_core.messages import HumanMessage

from configs.settings import Settings
from models.errors import ModelError
from models.identifiers import ModelId
from models.roles import RoleModels
from models.selection import ModelChoice

LEAST_SCALING = 0.8
SCRIPT = "roles: {bosun: ['Aye.']}\n"
ASK = [HumanMessage("Report.")]
HOSTS = 3
ROUND_CALLS = 40


@dataclass(frozen=True)
class Pace:
    """Seconds of a call, calls at once of one server, and calls for each slot."""

    latency: float
    slots: int
    calls: int


@dataclass(frozen=True)
class Call:
    """A call that ended: when it began, how long it took, and whether a reply came."""

    began: float
    seconds: float
    answered: bool


class Host:
    """A server in a process of its own."""

    def __init__(self, script: Path, latency: float, slots: int) -> None:
        pace = ("--latency", str(latency), "--slots", str(slots))
        command = [sys.executable, "-m", "evals.model_server", "--script", str(script), *pace]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.address = f"http://127.0.0.1:{json.loads(self._process.stdout.readline())['port']}"

    def signal(self, number: int) -> None:
        """Send it a signal."""
        self._process.send_signal(number)

    def answered(self) -> int:
        """Calls it answered since its start."""
        with urllib.request.urlopen(f"{self.address}/stats", timeout=20) as reply:
            return sum(json.load(reply)["calls"].values())

    def end(self) -> None:
        """Kill it."""
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


@contextmanager
def serving(count: int, latency: float, slots: int) -> Iterator[list[Host]]:
    """Several servers of one pace."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        script = Path(folder) / "crew.yaml"
        script.write_text(SCRIPT)
        hosts = []
        for _ in range(count):
            hosts.append(Host(script, latency, slots))
            stack.callback(hosts[-1].end)
        yield hosts


class Crowd:
    """Conversations that ask a model of several servers, one question after the other."""

    def __init__(self, addresses: Sequence[str], size: int) -> None:
        named = {"base_urls": list(addresses)} if len(addresses) > 1 else {"base_url": addresses[0]}
        settings = Settings.model_validate({"models": {"default": named}})
        choice = ModelChoice(ModelId("ollama", "bosun"), "bench")
        self.runs = [RoleModels(settings, choice) for _ in range(size)]
        self.ended: list[Call] = []

    async def ask(self, calls: int) -> float:
        """Make so many calls; seconds they took together."""
        left = iter(range(calls))
        began = time.perf_counter()
        await asyncio.gather(*(self._converse(run, left) for run in self.runs))
        return time.perf_counter() - began

    async def _converse(self, run: RoleModels, left: Iterator[int]) -> None:
        for _ in left:
            began = time.perf_counter()
            try:
                await run.text("worker", ASK)
            except ModelError as error:
                sys.stderr.write(f"lost: {error}\n")
                self.ended.append(Call(began, time.perf_counter() - began, answered=False))
            else:
                self.ended.append(Call(began, time.perf_counter() - began, answered=True))

    def moved(self) -> list[str]:
        """What the conversations tell of servers that failed."""
        return [line for run in self.runs for line in run.remarks if "answered instead" in line]

    async def aclose(self) -> None:
        """Close every connection."""
        for run in self.runs:
            await run.aclose()


async def throughput(pace: Pace, rounds: int) -> dict[str, Any]:
    """One server, two, three, by turns: seconds against the ideal, all calls answered once."""
    with serving(HOSTS, pace.latency, pace.slots) as hosts:
        addresses = [host.address for host in hosts]
        crowds = {count: Crowd(addresses[:count], 2 * pace.slots * count) for count in range(1, HOSTS + 1)}
        for crowd in crowds.values():
            # Clients are opened, and libraries imported, before the clock starts.
            await crowd.ask(len(crowd.runs))
        seconds: dict[int, list[float]] = {count: [] for count in crowds}
        for _ in range(rounds):
            for count, crowd in crowds.items():
                seconds[count].append(await crowd.ask(pace.calls * pace.slots * count))
        asked = sum(len(crowd.ended) for crowd in crowds.values())
        answered = sum(host.answered() for host in hosts)
        for crowd in crowds.values():
            await crowd.aclose()
    ideal = pace.calls * pace.latency
    # A crowd makes as many calls for each server as the others, so that seconds compare.
    scaling = {
        count: statistics.median(one / many for one, many in zip(seconds[1], taken, strict=True))
        for count, taken in seconds.items()
    }
    return {
        "rounds": rounds,
        "servers": [
            {
                "servers": count,
                "calls": pace.calls * pace.slots * count * rounds,
                "ideal_ratio": round(ideal / statistics.median(taken), 3),
                "ideal_ratio_best": round(ideal / min(taken), 3),
                "scaling": round(scaling[count], 3),
            }
            for count, taken in seconds.items()
        ],
        "lost": sum(not call.answered for crowd in crowds.values() for call in crowd.ended),
        "twice": answered - asked,
    }


async def failing(pace: Pace, number: int) -> dict[str, Any]:
    """Three servers, one of which gets a signal after a third of the calls."""
    with serving(HOSTS, pace.latency, pace.slots) as hosts:
        slots = pace.slots * HOSTS
        crowd = Crowd([host.address for host in hosts], 2 * slots)
        await crowd.ask(2 * slots)
        calls, known = pace.calls * slots, len(crowd.ended)
        before = sum(host.answered() for host in hosts)
        asked = asyncio.ensure_future(crowd.ask(calls))
        while len(crowd.ended) - known < calls // 3:
            await asyncio.sleep(0.005)
        by_first = hosts[0].answered()
        hosts[0].signal(number)
        struck = time.perf_counter()
        await asked
        ended = crowd.ended[known:]
        after = [call for call in ended if call.began >= struck]
        rest = max(call.began + call.seconds for call in ended) - struck
        waiting = [call for call in ended if call.began < struck <= call.began + call.seconds]
        ideal = (len(after) + len(waiting)) * pace.latency / (pace.slots * (HOSTS - 1))
        row = {
            "calls": calls,
            "lost": sum(not call.answered for call in ended),
            "moved_lines": len(crowd.moved()),
            "longest_call_s": round(max(call.seconds for call in ended), 3),
            "median_call_s": round(statistics.median(call.seconds for call in ended), 3),
            "rest_ideal_ratio": round(ideal / rest, 3),
            "twice": max(0, by_first + sum(host.answered() for host in hosts[1:]) - before - calls),
        }
        await crowd.aclose()
    return row


async def overhead(rounds: int) -> dict[str, Any]:
    """Processor time of a call with one address and with two, by turns."""
    with serving(2, 0.0, 64) as hosts:
        one, two = Crowd([hosts[0].address], 4), Crowd([host.address for host in hosts], 4)
        ratios, spent = [], []
        for number in range(rounds + 1):
            turn = {}
            for name, crowd in (("one", one), ("two", two))[:: 1 if number % 2 else -1]:
                worked = time.process_time()
                await crowd.ask(ROUND_CALLS)
                turn[name] = (time.process_time() - worked) * 1000 / ROUND_CALLS
            if number:
                ratios.append(turn["two"] / turn["one"])
                spent.append(turn)
        await one.aclose()
        await two.aclose()
    return {
        "rounds": rounds,
        "one_address_ms": round(statistics.median(turn["one"] for turn in spent), 2),
        "two_addresses_ms": round(statistics.median(turn["two"] for turn in spent), 2),
        "ratio": round(statistics.median(ratios), 3),
    }


async def measured(pace: Pace, rounds: int) -> dict[str, Any]:
    """All figures, and whether they keep the targets."""
    load = os.getloadavg()[0]
    spread = await throughput(pace, rounds)
    killed = await failing(pace, signal.SIGKILL)
    hung = await failing(pace, signal.SIGSTOP)
    scaling = min(row["scaling"] for row in spread["servers"])
    lost, twice = (sum(part[name] for part in (spread, killed, hung)) for name in ("lost", "twice"))
    return {
        "pace": {"latency_s": pace.latency, "slots": pace.slots, "calls_a_slot": pace.calls},
        "load_before": round(load, 2),
        "throughput": spread,
        "killed": killed,
        "hung": hung,
        "overhead": await overhead(rounds),
        "load_after": round(os.getloadavg()[0], 2),
        "targets": {
            "scaling": {"least": LEAST_SCALING, "worst": scaling, "met": scaling >= LEAST_SCALING},
            "lost": {"most": 0, "found": lost, "met": lost == 0},
            "twice": {"most": 0, "found": twice, "met": twice == 0},
        },
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Print the figures; 0 if the targets are kept."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="one JSON object instead of indented text")
    parser.add_argument("--latency", type=float, default=0.1, metavar="SECONDS", help="of one call")
    parser.add_argument("--slots", type=int, default=2, metavar="N", help="calls a server answers at once")
    parser.add_argument("--calls", type=int, default=20, metavar="N", help="for each slot of a round")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="of what is compared by turns")
    asked = parser.parse_args(argv)
    figures = asyncio.run(measured(Pace(asked.latency, asked.slots, asked.calls), asked.rounds))
    sys.stdout.write(json.dumps(figures, indent=None if asked.json else 2) + "\n")
    return 0 if all(target["met"] for target in figures["targets"].values()) else 1


if __name__ == "__main__":
    sys.exit(main())
