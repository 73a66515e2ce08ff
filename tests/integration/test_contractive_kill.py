"""A contractive run killed in the middle of a level: what was answered is not asked again."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes import ROOT

pytestmark = pytest.mark.integration

# Each reply carries a mark of its own, by which a call is known in the journal and in the log of calls.
OWNER = """
import asyncio, hashlib, json, os, sys
from pathlib import Path

from configs.settings import Settings
from graph.contractive import build
from memory.checkpoints import open_project_checkpointer
from models.scripted import register_script
from nodes.reflective.context import RunContext
from tests.nodes.contractive.thinker import Thinker, asked_in, doubt, parts, sure

root, log, resumed = Path(sys.argv[1]), sys.argv[2], sys.argv[3] == "1"
ROOM = "How many chairs are in the whole house?"
FLOORS = [f"How many chairs are on floor {number} of the house?" for number in (1, 2, 3)]


class Marked(Thinker):
    def decide_seeded(self, role, prompt, seed):
        mark = hashlib.sha256(repr((role, prompt, seed)).encode()).hexdigest()[:16]
        with open(log, "a") as stream:
            stream.write(mark + "\\n")
        reply = self.decide(role, prompt)
        if role == "worker":
            reply = f"note {mark}\\n{reply}"
        return {"delay": 0.04, "reply": reply}


register_script("marked", Marked(
    says={ROOM: doubt(3, 50, 17, 400), **dict.fromkeys(FLOORS, sure(4))}, knows={ROOM: sure(12)},
    splits={ROOM: [parts(*FLOORS)]},
))


async def main():
    settings = {"contractive.normalize": "code", "contractive.max_concurrent_calls": 3}
    context = RunContext(root=str(root), model="scripted:marked", settings=settings)
    async with open_project_checkpointer(root, Settings()) as saver:
        graph = build(saver)
        start = None if resumed else {"question": ROOM}
        config = {"configurable": {"thread_id": "killed"}}
        values = await graph.ainvoke(start, config, context=context, durability="sync")
    told = {name: values[name] for name in ("status", "short_answer", "stop_reason", "metrics")}
    print(json.dumps(told | {"tree": len(values["tree"])}), flush=True)


asyncio.run(main())
"""


def start(root: Path, log: Path, *, resumed: bool) -> subprocess.Popen[str]:
    words = [sys.executable, "-c", OWNER, str(root), str(log), str(int(resumed))]
    environment = os.environ | {"HOME": str(root.parent), "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        words, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def lines(path: Path) -> list[str]:
    return path.read_text().split() if path.exists() else []


def journal(root: Path) -> list[dict[str, Any]]:
    """What was written down of the calls; a line that was cut off is not there yet."""
    found = sorted((root / ".reflect" / "contractive").glob("*.jsonl"))
    whole = [line for path in found for line in path.read_text("utf-8").splitlines() if line.endswith("}")]
    return [json.loads(line) for line in whole]


def answered(records: list[dict[str, Any]]) -> set[str]:
    texts = [str(record["facts"].get("text", "")) for record in records if "tokens" in record]
    return {text.split()[1] for text in texts if text.startswith("note ")}


@pytest.mark.parametrize("after", [1, 3, 6, 9, 12, 15, 19])
def test_what_was_answered_before_the_kill_is_not_asked_again(tmp_path: Path, after: int) -> None:
    root, log, again = tmp_path / "project", tmp_path / "first.log", tmp_path / "second.log"
    root.mkdir()
    process = start(root, log, resumed=False)
    end = time.monotonic() + 60
    while len(lines(log)) < after and process.poll() is None and time.monotonic() < end:
        time.sleep(0.002)
    # In the middle of a wave: some of its calls have ended, others are under way.
    time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=30)
    before = journal(root)
    finished = answered(before)

    process = start(root, again, resumed=True)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    told = json.loads(out)
    asked_again = set(lines(again))
    assert not finished & asked_again
    assert (told["status"], told["short_answer"], told["tree"]) == ("answered", "12", 4)
    # Calls that were under way are paid for whether or not their reply came.
    unfinished = len(lines(log)) - sum("tokens" in record for record in before)
    assert told["metrics"]["calls"] >= len(set(lines(log)) | asked_again)
    assert unfinished == 0 or told["metrics"]["tokens"] > sum(r.get("tokens", 0) for r in journal(root))
    if after > 6:
        assert finished


def test_a_finished_run_is_not_run_again(tmp_path: Path) -> None:
    root, log, again = tmp_path / "project", tmp_path / "first.log", tmp_path / "second.log"
    root.mkdir()
    out, err = start(root, log, resumed=False).communicate(timeout=120)
    assert json.loads(out)["short_answer"] == "12", err
    out, err = start(root, again, resumed=True).communicate(timeout=120)
    assert json.loads(out)["short_answer"] == "12", err
    assert lines(again) == []
