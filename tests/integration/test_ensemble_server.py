"""The server of the model goes away in the middle: what was looked up is still the answer."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from graph.ensemble import workflow
from nodes.collective.state import CollectiveState
from nodes.reflective.context import RunContext
from tests.support.processes import ROOT, stop

pytestmark = pytest.mark.integration
LINES = "How many lines does a.txt have?"


@pytest.fixture
def server() -> Iterator[tuple[subprocess.Popen[str], str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.support.ollama_server"], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        yield process, f"http://127.0.0.1:{json.loads(process.stdout.readline())['port']}"
    finally:
        stop(process)
        process.stdout.close()


@pytest.mark.parametrize("goal", [LINES, "What is the capital of France?"])
async def test_a_server_killed_in_the_middle_costs_its_engines_and_no_more(
    tmp_path: Path, server: tuple[subprocess.Popen[str], str], goal: str
) -> None:
    process, address = server
    (tmp_path / "a.txt").write_text("x\ny\n")
    settings: dict[str, Any] = {"models.default.base_url": address, "experience.enabled": False}
    context = RunContext(root=str(tmp_path), model="ollama:smollm2:135m", settings=settings)
    values: dict[str, Any] = {}
    stream = workflow.astream(
        {"goal": goal}, context=context, stream_mode=["values", "messages"], subgraphs=True
    )
    async for _, mode, chunk in stream:
        if mode == "messages" and process.poll() is None:
            # Words have come, so a reply is under way, and others wait for the engine.
            process.kill()
            await asyncio.to_thread(process.wait)
        if mode == "values" and "findings" in chunk and "tree" not in chunk:
            values = chunk
    assert process.poll() is not None
    state = CollectiveState.model_validate(values)
    assert set(state.findings) == {"contractive", "reflective", "direct"}
    if goal == LINES:
        assert (state.status, state.final_answer) == ("answered", "a.txt has 2 lines.")
    else:
        assert state.status in ("error", "could_not", "uncertain") and (state.confidence or 0) <= 0.5
    lost = [one for one in state.findings.values() if one.status == "error"]
    assert lost and all(one.failure is not None and address in one.failure.what for one in lost)
    assert {one.id for one in lost} == {note.split()[0] for note in state.notes if "took no part" in note}
