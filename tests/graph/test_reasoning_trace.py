"""Entries and promises across an approval: the node runs again, in another process, and says it once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from graph.reflective import build
from models.scripted import Script, register_script
from nodes.reflective import reasoning
from nodes.reflective.context import RunContext


async def test_a_step_that_waits_for_an_approval_is_entered_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    root = tmp_path / "project"
    root.mkdir()
    call = {"description": "Write it", "tool": "write_file", "args": {"path": "notes.md", "content": "x\n"}}
    verdict = {"passed": True, "reason": "", "confidence": 0.9}
    register_script("approval", Script(roles={"planner": [{"steps": [call]}], "verifier": [verdict]}))
    context = RunContext(
        root=str(root), model="scripted:approval", settings={"reasoning_trace.enabled": True}
    )
    graph = build(InMemorySaver())
    config: RunnableConfig = {"configurable": {"thread_id": "t"}}
    waiting = await graph.ainvoke({"goal": "create the file notes.md that says x"}, config, context=context)
    assert waiting["__interrupt__"] and executions(root) == []
    reasoning._SESSIONS.clear()
    final = await graph.ainvoke(Command(resume="approve"), config, context=context)
    assert (final["stop_reason"], final["commitments"]) == ("success", ["write_file:notes.md"])
    (entry,) = executions(root)
    assert entry["outcome"] == "success"
    assert entry["attachments"] == [{"type": "file", "path": "notes.md", "status": "written"}]


def executions(root: Path) -> list[dict[str, Any]]:
    path = root / ".reflect" / "reasoning_traces" / "t.jsonl"
    lines = path.read_text().splitlines() if path.exists() else []
    return [record for record in map(json.loads, lines) if record.get("stage") == "execution"]
