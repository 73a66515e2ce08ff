"""A run of some steps, one of which asks."""

from __future__ import annotations

import operator
from typing import Annotated, Any, Literal, TypedDict

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt


class Counted(TypedDict, total=False):
    seen: Annotated[list[str], operator.add]
    ballast: str


class Counting:
    """Counts to a length in one node, and asks at one number.

    Args:
        length: steps of the run.
        asks: number of the step that asks first; none if it is beyond the length.
        size: characters of ballast in the state.
    """

    def __init__(self, length: int, asks: int, size: int = 0) -> None:
        self.length = length
        self.asks = asks
        self.size = size

    @property
    def end(self) -> list[str]:
        return [
            f"{number} yes" if number == self.asks else str(number) for number in range(1, self.length + 1)
        ]

    def count(self, state: Counted) -> Counted:
        number = len(state["seen"]) + 1
        said = f"{number} {interrupt('go on?')}" if number == self.asks else str(number)
        return {"seen": [said], "ballast": str(number) * self.size}

    def after(self, state: Counted) -> Literal["count", "__end__"]:
        return "count" if len(state["seen"]) < self.length else "__end__"

    async def run(self, saver: BaseCheckpointSaver[Any], thread: str, stop: int | None) -> None:
        """Run until it asks or ends, or until some steps are done."""
        stream = self._graph(saver).astream(
            {"seen": []}, _config(thread), stream_mode="updates", durability="sync"
        )
        done = 0
        if stop == 0:
            stop = 1  # without a step there is no thread
        async for _ in stream:
            done += 1
            if done == stop:
                break
        await stream.aclose()  # type: ignore[attr-defined]  # it is a generator

    async def finish(self, saver: BaseCheckpointSaver[Any], thread: str) -> list[str]:
        """Go on with the thread to its end; what it counted."""
        graph = self._graph(saver)
        await graph.ainvoke(None, _config(thread), durability="sync")
        state = await graph.aget_state(_config(thread))
        if state.interrupts:
            await graph.ainvoke(Command(resume="yes"), _config(thread), durability="sync")
        return list((await graph.aget_state(_config(thread))).values["seen"])

    def _graph(self, saver: BaseCheckpointSaver[Any]) -> Any:
        builder = StateGraph[Counted, None, Counted, Counted](Counted)
        builder.add_node("count", self.count)
        builder.add_edge(START, "count")
        builder.add_conditional_edges("count", self.after, {"count": "count", END: END})
        return builder.compile(checkpointer=saver)


def _config(thread: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread}}
