from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TypedDict

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import GraphDrained
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import RunControl, Runtime

from configs.settings import ToolSettings
from nodes.draining import drainable
from tests.tools.places import living
from tools.protocol import ToolCall
from tools.toolbox import Toolbox

HOLE = 2**36


class Value(TypedDict, total=False):
    value: int


def graph(node: object, checkpointer: InMemorySaver | None = None) -> object:
    builder = StateGraph(Value)
    builder.add_node("work", drainable(node))  # type: ignore[type-var]  # the nodes below
    builder.add_edge(START, "work")
    builder.add_edge("work", END)
    return builder.compile(checkpointer=checkpointer)


async def test_a_node_that_is_not_drained_gives_its_result_or_its_error() -> None:
    async def fine(state: Value, runtime: Runtime[None]) -> Value:
        return {"value": state["value"] + 1}

    async def wrong(state: Value, runtime: Runtime[None]) -> Value:
        raise KeyError("x")

    assert await graph(fine).ainvoke({"value": 1}, control=RunControl()) == {"value": 2}  # type: ignore[attr-defined]  # a graph
    with pytest.raises(KeyError):
        await graph(wrong).ainvoke({"value": 1})  # type: ignore[attr-defined]  # as above


async def test_a_drain_ends_a_running_tool_and_the_run_can_be_resumed(tmp_path: Path) -> None:
    name = "drained-hole.bin"
    hole = tmp_path / name
    with hole.open("wb") as stream:
        stream.truncate(HOLE)
    toolbox = Toolbox(tmp_path, ToolSettings(sandbox="policy"))
    visits = []

    async def sums(state: Value, runtime: Runtime[None]) -> Value:
        visits.append(1)
        result = await toolbox.run(ToolCall(tool="sha256sum", args={"path": name}))
        return {"value": result.returncode}

    compiled = graph(sums, InMemorySaver())
    config = {"configurable": {"thread_id": "t"}}
    control = RunControl()
    running = asyncio.create_task(compiled.ainvoke({"value": 1}, config, control=control))  # type: ignore[attr-defined]  # a graph
    while not living(name):
        await asyncio.sleep(0.02)
    control.request_drain("test")
    with pytest.raises(GraphDrained, match="test"):
        await asyncio.wait_for(running, 5)
    assert living(name) == []
    hole.write_bytes(b"")
    assert await compiled.ainvoke(None, config) == {"value": 0}  # type: ignore[attr-defined]  # as above
    assert len(visits) == 2
