"""A game whose process is killed at any of its steps goes on where it stood, and no move is played twice."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from configs.loading import load_settings
from memory.checkpoints import open_project_checkpointer

pytestmark = pytest.mark.integration

PROGRAM = """
import asyncio, os, signal, sys
from pathlib import Path
from configs.loading import load_settings
from graph.tutor import build
from memory.checkpoints import open_project_checkpointer
from models.scripted import register_script
from nodes.reflective.context import RunContext
from tests.graph.test_tutor import Player, solution

root, kill_at = Path(sys.argv[1]), int(sys.argv[2])

async def main():
    async with open_project_checkpointer(root, load_settings(root, {}).settings) as saver:
        graph, config = build(saver), {"configurable": {"thread_id": "killed"}}
        values = (await graph.aget_state(config)).values
        register_script("killed", Player(moves=solution()[len(values.get("turns", [])):]))
        run = RunContext(root=str(root), model="scripted:killed")
        start = None if values else {"game": "B02", "seed": 7}
        modes = {"stream_mode": "custom", "durability": "sync"}
        async for event in graph.astream(start, config, context=run, **modes):
            # In the middle of the node: the move is played, and no checkpoint holds it.
            if event["kind"] == "tutor" and event["turn"] == kill_at:
                os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


def played(root: Path, kill_at: int) -> int:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    command = [sys.executable, "-c", PROGRAM, str(root), str(kill_at)]
    return subprocess.run(command, env=environment, timeout=120, check=False).returncode


async def test_a_killed_game_is_won_as_one_that_was_not(tmp_path: Path) -> None:
    for turn in (1, 2, 3):
        assert await asyncio.to_thread(played, tmp_path, turn) == -signal.SIGKILL
    assert await asyncio.to_thread(played, tmp_path, -1) == 0
    settings = load_settings(tmp_path, {}).settings
    async with open_project_checkpointer(tmp_path, settings) as saver:
        found = await saver.aget_tuple({"configurable": {"thread_id": "killed"}})
    assert found is not None
    values = found.checkpoint["channel_values"]
    assert (values["status"], values["ended"]) == ("won", "answered")
    assert [turn["number"] for turn in values["turns"]] == list(range(1, len(values["turns"]) + 1))
    credited = [name for turn in values["turns"] for name in turn["credited"]]
    assert len(credited) == len(set(credited))
    observations = [name for name in values["nodes"] if name.startswith("o")]
    assert observations == [turn["observation"] for turn in values["turns"] if turn["observation"]]
