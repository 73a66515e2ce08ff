"""Engines at work killed at any moment: who had finished is not run again, and nothing is paid for twice."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes import ROOT

pytestmark = pytest.mark.integration

# Every call is logged with what it asks and, when its reply is given, once more: a call of which only the
# beginning is there was under way.
OWNER = """
import asyncio, hashlib, json, sys
from pathlib import Path

from configs.settings import Settings
from graph.ensemble import build as ensemble
from graph.hybrid import build as hybrid
from memory.checkpoints import open_project_checkpointer
from models.scripted import register_script
from nodes.reflective.context import RunContext
from tests.graph.talking import Talker

root, log, graph, goal, resumed = Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4], sys.argv[5] == "1"


class Logged(Talker):
    def decide_seeded(self, role, prompt, seed):
        mark = hashlib.sha256(repr((role, prompt, seed)).encode()).hexdigest()[:16]
        with open(log, "a") as stream:
            stream.write(f"{self.who(role, prompt)}:{mark}\\n")
        reply = super().decide(role, prompt)
        if self.who(role, prompt) == "sample":
            reply = f"note {mark}\\n{reply}"
        return {"delay": 0.05, "reply": reply}


FILES = ("a.txt", "b.txt", "c.txt")
steps = [{"goal": f"How many lines does {name} have?", "why": "w", "needs": "facts"} for name in FILES]
register_script("logged", Logged(recommends={"recommendations": steps}))


async def main():
    settings = {"contractive.normalize": "code", "experience.enabled": False}
    context = RunContext(root=str(root), model="scripted:logged", settings=settings)
    async with open_project_checkpointer(root, Settings()) as saver:
        built = {"ensemble": ensemble, "hybrid": hybrid}[graph](saver)
        config = {"configurable": {"thread_id": "killed"}}
        start = None if resumed else {"goal": goal, "engine": graph}
        values = await built.ainvoke(start, config, context=context, durability="sync")
    keys = ("status", "final_answer", "run_id", "usage")
    print(json.dumps({name: values[name] for name in keys} | {"findings": sorted(values["findings"])}))


asyncio.run(main())
"""
SUM = "What is three times three?"
COMPARE = "Which of a.txt, b.txt and c.txt has the most lines?"


class World:
    """A project, and the logs of its runs."""

    def __init__(self, folder: Path, graph: str, goal: str) -> None:
        self.root, self.graph, self.goal = folder / "project", graph, goal
        self.first, self.second = folder / "first.log", folder / "second.log"
        self.root.mkdir()
        for number, name in enumerate(("a.txt", "b.txt", "c.txt"), 2):
            (self.root / name).write_text("x\n" * number)

    def start(self, *, resumed: bool) -> "subprocess.Popen[str]":
        log = self.second if resumed else self.first
        words = [
            sys.executable,
            "-c",
            OWNER,
            str(self.root),
            str(log),
            self.graph,
            self.goal,
            str(int(resumed)),
        ]
        environment = os.environ | {"HOME": str(self.root.parent), "PYTHONPATH": str(ROOT)}
        return subprocess.Popen(
            words, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def resumed(self) -> dict[str, Any]:
        process = self.start(resumed=True)
        out, err = process.communicate(timeout=200)
        assert process.returncode == 0, err
        return dict(json.loads(out))

    def killed(self, when: Any, *, then: float) -> None:
        process = self.start(resumed=False)
        end = time.monotonic() + 120
        while not when() and process.poll() is None and time.monotonic() < end:
            time.sleep(0.002)
        time.sleep(then)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=30)

    def journal(self, place: str = "collective") -> list[dict[str, Any]]:
        found = sorted((self.root / ".reflect" / place).glob("*.jsonl"))
        whole = [
            line for path in found for line in path.read_text("utf-8").splitlines() if line.endswith("}")
        ]
        return [json.loads(line) for line in whole]

    def answered(self) -> set[str]:
        """Samples whose replies were written down."""
        texts = [str(one["facts"].get("text", "")) for one in self.journal("contractive") if "tokens" in one]
        return {f"sample:{text.split()[1]}" for text in texts if text.startswith("note ")}


def lines(path: Path) -> list[str]:
    return path.read_text().split() if path.exists() else []


def ended(records: list[dict[str, Any]]) -> int:
    return sum("tokens" in one and not one["key"].startswith("worked-") for one in records)


@pytest.mark.parametrize("seed", range(6))
def test_an_ensemble_killed_anywhere_goes_on(tmp_path: Path, seed: int) -> None:
    world, lot = World(tmp_path, "ensemble", SUM), random.Random(seed)
    calls = lot.randrange(7)
    world.killed(lambda: len(lines(world.first)) >= calls, then=lot.random() * 0.15)
    before, answered = world.journal(), world.answered()
    told = world.resumed()
    assert told["findings"] == ["contractive", "direct", "reflective"] and "9" in told["final_answer"]
    # A call whose end was written down is asked again by nobody, but for those of a node that had not ended:
    # the direct call, and the one the reflective engine answers from memory by.
    first, again = lines(world.first), lines(world.second)
    assert not answered & set(again)
    assert sum(mark.startswith("direct") for mark in again) <= 2
    # What was spent before the kill counts after it, calls under way as well.
    after = world.journal()
    begun = sum("most" in one for one in after)
    assert after[: len(before)] == before and begun == len(first) + len(again)
    assert ended(after) >= ended(before)


def test_engines_that_had_finished_are_not_run_again(tmp_path: Path) -> None:
    world = World(tmp_path, "hybrid", COMPARE)
    world.killed(lambda: any(mark.startswith("recommends") for mark in lines(world.first)), then=1.0)
    told = world.resumed()
    again = lines(world.second)
    assert told["status"] == "answered" and all(
        f"{name}.txt has {n} lines" in told["final_answer"] for name, n in (("a", 2), ("b", 3), ("c", 4))
    )
    assert not any(mark.startswith("sample") for mark in again)
    assert told["findings"] == ["analysis", "step-1", "step-2", "step-3"]
    third = world.resumed()
    assert third == told and lines(world.second) == again


@pytest.mark.parametrize("seed", range(4))
def test_a_hybrid_killed_anywhere_goes_on(tmp_path: Path, seed: int) -> None:
    world, lot = World(tmp_path, "hybrid", COMPARE), random.Random(seed)
    calls = lot.randrange(1, 6)
    world.killed(lambda: len(lines(world.first)) >= calls, then=lot.random() * 0.4)
    told = world.resumed()
    assert told["status"] == "answered" and "c.txt has 4 lines" in told["final_answer"]
    assert sum(mark.startswith("recommends") for mark in lines(world.second)) <= 1
