"""A hierarchy killed in the middle of its fan-out: workers that had finished are not run again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.nodes.hierarchy.clerk import NAMES, days, letters
from tests.support.processes import ROOT

pytestmark = pytest.mark.integration

OWNER = """
import asyncio, json, sys
from pathlib import Path

from configs.settings import Settings
from graph.hierarchy import build
from memory.checkpoints import open_project_checkpointer
from models.scripted import register_script
from nodes.reflective.context import RunContext
from tests.nodes.hierarchy.clerk import Clerk, each

root, log, resumed, more = Path(sys.argv[1]), sys.argv[2], sys.argv[3] == "1", json.loads(sys.argv[4])
paths = sorted(str(path.relative_to(root)) for path in (root / "letters").iterdir())
register_script("clerk", Clerk(seconds=0.1, log=log, hangs=tuple(more.pop("hangs", ()))))


async def main():
    settings = {"experience.enabled": False, "traces.enabled": False, **more}
    settings.setdefault("collective.max_concurrent_children", 2)
    context = RunContext(root=str(root), model="scripted:clerk", settings=settings)
    async with open_project_checkpointer(root, Settings()) as saver:
        start = None if resumed else {"question": each(paths)}
        config = {"configurable": {"thread_id": "killed"}}
        values = await build(saver).ainvoke(start, config, context=context, durability="sync")
    told = {name: values[name] for name in ("status", "final_answer", "notes", "usage")}
    statuses = {name: dict(finding)["status"] for name, finding in values["findings"].items()}
    print(json.dumps(told | {"statuses": statuses}, default=lambda value: value.model_dump()), flush=True)


asyncio.run(main())
"""


def start(root: Path, log: Path, *, resumed: bool, **more: object) -> subprocess.Popen[str]:
    words = [sys.executable, "-c", OWNER, str(root), str(log), str(int(resumed)), json.dumps(more)]
    environment = os.environ | {"HOME": str(root.parent), "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        words, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def calls(log: Path) -> list[tuple[str, str]]:
    """Role and letter of each call that began."""
    lines = log.read_text().splitlines() if log.exists() else []
    return [(line.split()[0], line.split()[1]) for line in lines if len(line.split()) == 3]


@pytest.mark.parametrize("after", [1, 4, 7, 10, 13, 16])
def test_finished_workers_are_not_run_again(tmp_path: Path, after: int) -> None:
    root, log, again = tmp_path / "project", tmp_path / "first.log", tmp_path / "second.log"
    letters(root, 6)
    process = start(root, log, resumed=False)
    end = time.monotonic() + 120
    while len(calls(log)) < after and process.poll() is None and time.monotonic() < end:
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    before = Counter(calls(log))

    process = start(root, again, resumed=True)
    out, err = process.communicate(timeout=240)
    assert process.returncode == 0, err
    told = json.loads(out)
    assert told["status"] == "answered", told
    assert all(f"{days(name)} days" in told["final_answer"] for name in NAMES[:6])
    repeated = before & Counter(calls(again))
    # Only calls that were under way when the process died are made again: one of each worker at work.
    assert sum(repeated.values()) <= 2
    every = before + Counter(calls(again))
    assert all(every[role, name] >= 1 for role in ("planner", "worker", "verifier") for name in NAMES[:6])
    assert max(every.values()) <= 2


def test_a_worker_that_hangs_is_ended_and_the_rest_is_told(tmp_path: Path) -> None:
    root, log = tmp_path / "project", tmp_path / "calls.log"
    letters(root, 3)
    more = {"hangs": ["boris"], "collective.run_timeout_sec": 20, "collective.max_concurrent_children": 3}
    out, err = start(root, log, resumed=False, **more).communicate(timeout=240)
    told = json.loads(out)
    assert told["statuses"] == {"0.1": "answered", "0.2": "error", "0.3": "answered"}, err
    assert told["status"] == "uncertain" and "12 days" not in told["final_answer"]
    assert "11 days" in told["final_answer"] and "13 days" in told["final_answer"]
    assert any("letters/boris.txt" in note for note in told["notes"])
