import operator
import sqlite3
from pathlib import Path
from typing import Annotated, Any, TypedDict

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Send

from memory.checkpoints import open_checkpointer
from memory.errors import CheckpointCorrupt
from memory.thread_history import newest_moment, thread_history

CONFIG: RunnableConfig = {"configurable": {"thread_id": "t"}}


class State(TypedDict, total=False):
    question: str
    done: Annotated[list[str], operator.add]


class Broken(Exception):
    pass


def fanned_out(saver: BaseCheckpointSaver[Any], *, breaks: bool) -> Any:
    """A graph that sends two tasks to one node and one to another."""

    def one(state: State) -> State:
        if breaks:
            raise Broken
        return {"done": ["one"]}

    graph = StateGraph(State)
    graph.add_node("begin", lambda _: {"done": ["begin"]})
    graph.add_node("one", one)
    graph.add_node("other", lambda _: {"done": ["other"]})
    graph.add_edge(START, "begin")
    graph.add_conditional_edges(
        "begin", lambda _: [Send("one", {}), Send("one", {}), Send("other", {})], ["one", "other"]
    )
    graph.add_edge(["one", "other"], END)
    return graph.compile(checkpointer=saver)


async def test_a_run_that_broke_off_side_by_side_says_before_what() -> None:
    saver = InMemorySaver()
    with pytest.raises(Broken):
        await fanned_out(saver, breaks=True).ainvoke({"question": "Why?"}, CONFIG, durability="sync")
    moment = await newest_moment(saver, "t")
    assert moment is not None and moment.next == ("one", "other")
    assert moment.standing == "stopped before one, other"
    assert (moment.kind, moment.asked) == ("think", "Why?")


async def test_nodes_that_ran_side_by_side_are_named_together() -> None:
    saver = InMemorySaver()
    await fanned_out(saver, breaks=False).ainvoke({"question": "Why?"}, CONFIG, durability="sync")
    history = await thread_history(saver, "t")
    assert [moment.node for moment in history[-2:]] == ["begin", "one, other"]
    assert history[-1].next == () and history[-1].standing == "ended"


@pytest.mark.parametrize("column", ["checkpoint", "metadata"])
async def test_a_damaged_checkpoint_is_told_with_its_thread(tmp_path: Path, column: str) -> None:
    path = tmp_path / "threads.sqlite"
    async with open_checkpointer(path) as saver:
        await fanned_out(saver, breaks=False).ainvoke({"question": "Why?"}, CONFIG)
        with sqlite3.connect(path) as database:
            database.execute(f"UPDATE checkpoints SET {column} = ?", (b"\xff[",))
        database.close()
        with pytest.raises(CheckpointCorrupt, match="thread 't'"):
            await newest_moment(saver, "t")
