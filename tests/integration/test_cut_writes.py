"""A run that is cut off at every single line it writes, and gone on with: each line is there once."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver

from evals.crash_runs import ANSWER, GLOBAL, GOAL, lay_out, script
from graph.reflective import build
from memory.experience.open_indexes import close_indexes
from memory.json_lines import JsonLines
from models.scripted import register_script
from nodes.reflective import services
from nodes.reflective.context import RunContext

pytestmark = pytest.mark.integration


class Cut(BaseException):
    """The end of a process, as far as its writing goes."""


class Writing:
    """Lets through so many writes, and ends the run in place of the next one."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.left: int | None = None
        extend = JsonLines.extend

        def cut(file: JsonLines, records: Sequence[dict[str, Any]]) -> None:
            if self.left == 0:
                self.left = None
                raise Cut
            if self.left is not None:
                self.left -= 1
            extend(file, records)

        monkeypatch.setattr(JsonLines, "extend", cut)


@pytest.fixture
def writing(monkeypatch: pytest.MonkeyPatch) -> Iterator[Writing]:
    yield Writing(monkeypatch)
    close_indexes()


def left_by(root: Path) -> dict[str, list[tuple[Any, ...]]]:
    files = {
        "corpus": root / ".reflect" / "experience" / "events.jsonl",
        "global": root / GLOBAL / "experience" / "events.jsonl",
        "trace": root / ".reflect" / "reasoning_traces" / "cut.jsonl",
    }
    told = {}
    for name, path in files.items():
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        assert len({line["event_id"] for line in lines}) == len(lines)
        about = ("event_type", "step_num", "outcome_status", "tool_input", "stdout", "error")
        told[name] = [
            (*(line.get(key) for key in about), sorted(line.get("meta", {}).keys())) for line in lines
        ]
    return told


async def run(root: Path, writing: Writing, lines: int | None, monkeypatch: pytest.MonkeyPatch) -> bool:
    """A run cut off after some writes, and gone on with as by another process; whether it was cut off."""
    lay_out(root)
    register_script("cut", script())
    context = RunContext(root=str(root), model="scripted:cut", settings={"experience.global_root": GLOBAL})
    config: RunnableConfig = {"configurable": {"thread_id": "cut"}}
    graph = build(InMemorySaver())
    writing.left = lines
    was_cut = False
    try:
        await graph.ainvoke({"goal": GOAL}, config, context=context)
    except Cut:
        was_cut = True
        monkeypatch.setattr(services, "_OPEN", services._OpenRuns())
        await graph.ainvoke(None, config, context=context)
    writing.left = None
    assert (await graph.aget_state(config)).values["final_answer"] == ANSWER
    return was_cut


async def test_each_line_is_written_once_wherever_a_run_is_cut_off(
    tmp_path: Path, writing: Writing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert not await run(tmp_path / "calm", writing, None, monkeypatch)
    calm = left_by(tmp_path / "calm")
    cuts = 0
    for lines in itertools.count():
        root = tmp_path / str(lines)
        if not await run(root, writing, lines, monkeypatch):
            break
        assert left_by(root) == calm, f"cut off after {lines} lines"
        cuts += 1
    assert cuts >= sum(len(lines) for lines in calm.values()) > 15
