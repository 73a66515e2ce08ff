"""A run whose state is full of words that are to be found, or not, in what it leaves."""

from __future__ import annotations

from typing import Any, TypedDict

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt

SECRETS = ["the-secret-goal", "the-secret-output", "the-secret-answer", "the-secret-question"]


class Told(TypedDict, total=False):
    goal: str
    outputs: list[dict[str, Any]]
    answer: str
    decided: str


def look(state: Told) -> Told:
    return {"outputs": [{"stdout": SECRETS[1] * 50}]}


def answer(state: Told) -> Told:
    return {"answer": SECRETS[2]}


def ask(state: Told) -> Told:
    return {"decided": interrupt({"summary": SECRETS[3]})}


async def run_secretly(
    saver: BaseCheckpointSaver[Any], thread: str = "t1", given: Any = None
) -> dict[str, Any]:
    """A run that ends with a question, so that there are pending writes as well; or going on with it."""
    builder = StateGraph[Told, None, Told, Told](Told)
    for name, node in (("look", look), ("answer", answer), ("ask", ask)):
        builder.add_node(name, node)
    builder.add_edge(START, "look")
    builder.add_edge("look", "answer")
    builder.add_edge("answer", "ask")
    builder.add_edge("ask", END)
    config: RunnableConfig = {"configurable": {"thread_id": thread}}
    graph = builder.compile(checkpointer=saver)
    return dict(await graph.ainvoke(given or {"goal": SECRETS[0]}, config, durability="sync"))
