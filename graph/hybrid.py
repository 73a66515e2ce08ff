"""A hybrid: the contractive engine analyses a goal, the reflective one carries out what it recommends.

START -> begin -> analyse (contractive) -> recommend -> next_up
next_up -> execute (reflective), all at once if they only look, one after the other if one changes files
execute -> next_up;  next_up -> (nothing left) conclude -> END
begin, recommend, conclude raise -> END with the failure; an engine that raises brings a finding that says so

`workflow` stands alone in langgraph.json; its engines' events are streamed with `subgraphs=True`.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Literal, TypeAlias

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Checkpointer, Send

from graph.ensemble import CONTRACTIVE, REFLECTIVE
from nodes.collective.child import child
from nodes.collective.failing import on_node_error
from nodes.collective.hybrid.begin import begin
from nodes.collective.hybrid.conclude import conclude
from nodes.collective.hybrid.recommend import recommend
from nodes.collective.hybrid.state import HybridState
from nodes.draining import drainable
from nodes.input_form import input_form
from nodes.reflective.context import RunContext
from nodes.reflective.retrying import RETRY
from nodes.telemetry import RUNS

Hybrid: TypeAlias = CompiledStateGraph[HybridState, RunContext, Any, Any]
# Two steps for each recommendation that is carried out alone, twelve of them at most.
RECURSION_LIMIT = 60
ASKED = input_form(
    HybridState, goal="What is to be analysed and then done.", context="Material the answer may rest on."
)


async def next_up(state: HybridState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Where what was carried out side by side meets, so that what is left is given out once."""
    return {}


def after_begin(state: HybridState) -> list[Send]:
    """The analysis."""
    return [Send("analyse", one.model_dump(mode="json")) for one in state.assignments]


def after_next_up(state: HybridState) -> list[Send] | Literal["conclude"]:
    """What can be carried out now; nothing left leads to the end."""
    sends = [Send("execute", one.model_dump(mode="json")) for one in state.due()]
    return sends or "conclude"


def workflow_builder() -> StateGraph[HybridState, RunContext, Any, Any]:
    """Nodes and edges, not yet compiled."""
    # LangGraph hands a NodeError to handlers by annotation, which its own types cannot express.
    to_the_end: Any = on_node_error
    analyse: Any = drainable(child(CONTRACTIVE.run))
    execute: Any = drainable(child(REFLECTIVE.run))
    graph: StateGraph[HybridState, RunContext, Any, Any] = StateGraph(
        HybridState, RunContext, input_schema=ASKED
    )
    graph.set_node_defaults(error_handler=to_the_end, retry_policy=RETRY)
    graph.add_node("begin", drainable(begin))
    graph.add_node("analyse", analyse)
    graph.add_node("recommend", drainable(recommend))
    graph.add_node("next_up", next_up)
    graph.add_node("execute", execute)
    graph.add_node("conclude", drainable(conclude))
    graph.add_edge(START, "begin")
    graph.add_conditional_edges("begin", after_begin, ["analyse"])
    graph.add_edge("analyse", "recommend")
    graph.add_edge("recommend", "next_up")
    graph.add_conditional_edges("next_up", after_next_up, ["execute", "conclude"])
    graph.add_edge("execute", "next_up")
    graph.add_edge("conclude", END)
    return graph


def build(checkpointer: Checkpointer = None) -> Hybrid:
    """The graph, compiled; with a checkpointer for callers that keep their own threads."""
    # Reading the annotations of every node takes its time: done once a process, not for each run.
    return _compiled().copy({"checkpointer": checkpointer})


@cache
def _compiled() -> Hybrid:
    return (
        workflow_builder()
        .compile(name="hybrid")
        .with_config(recursion_limit=RECURSION_LIMIT, callbacks=[RUNS])
    )


workflow = build()

__all__ = ["RECURSION_LIMIT", "Hybrid", "build", "workflow", "workflow_builder"]
