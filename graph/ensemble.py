"""An ensemble: several engines answer the same question, and what they agree on is told with its evidence.

START -> begin -> contractive | reflective | direct, side by side -> merge -> END
begin, merge raise -> END with the failure; an engine that raises brings a finding that says so

`workflow` stands alone in langgraph.json; its engines' events are streamed with `subgraphs=True`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeAlias

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer, Send

from configs.collective import Member
from graph import contractive, reflective
from nodes.collective.begin import begin
from nodes.collective.child import Engine, Run, child
from nodes.collective.direct import ask_directly
from nodes.collective.engine_reading import of_contractive, of_reflective
from nodes.collective.failing import on_node_error
from nodes.collective.merge import merge
from nodes.collective.state import CollectiveState
from nodes.draining import drainable
from nodes.input_form import input_form
from nodes.reflective.context import RunContext
from nodes.reflective.retrying import RETRY
from nodes.telemetry import RUNS

Ensemble: TypeAlias = CompiledStateGraph[CollectiveState, RunContext, Any, Any]
RECURSION_LIMIT = 50

REFLECTIVE = Engine(
    graph=reflective.workflow,
    start=lambda given: {
        "goal": given.question,
        "turns": [turn.model_dump(mode="json") for turn in given.turns],
    },
    read=of_reflective,
)
CONTRACTIVE = Engine(
    graph=contractive.workflow,
    start=lambda given: {"question": given.question, "context": given.context},
    read=of_contractive,
)
MEMBERS: Mapping[Member, Run] = {
    "contractive": CONTRACTIVE.run,
    "reflective": REFLECTIVE.run,
    "direct": ask_directly,
}
ASKED = input_form(CollectiveState, goal="What is asked.", context="Material the answer may rest on.")


def after_begin(state: CollectiveState) -> list[Send]:
    """Every member at once."""
    return [Send(one.worker, one.model_dump(mode="json")) for one in state.assignments]


def workflow_builder() -> StateGraph[CollectiveState, RunContext, Any, Any]:
    """Nodes and edges, not yet compiled."""
    # LangGraph hands a NodeError to handlers by annotation, which its own types cannot express.
    to_the_end: Any = on_node_error
    graph: StateGraph[CollectiveState, RunContext, Any, Any] = StateGraph(
        CollectiveState, RunContext, input_schema=ASKED
    )
    graph.set_node_defaults(error_handler=to_the_end, retry_policy=RETRY)
    graph.add_node("begin", drainable(begin))
    for name, run in MEMBERS.items():
        node: Any = drainable(child(run))
        graph.add_node(name, node)
    graph.add_node("merge", drainable(merge))
    graph.add_edge(START, "begin")
    graph.add_conditional_edges("begin", after_begin, list(MEMBERS))
    for name in MEMBERS:
        graph.add_edge(name, "merge")
    graph.add_edge("merge", END)
    return graph


def build(checkpointer: Checkpointer = None) -> Ensemble:
    """The graph, compiled; with a checkpointer for callers that keep their own threads."""
    # Reading the annotations of every node takes its time: done once a process, not for each run.
    return _compiled().copy({"checkpointer": checkpointer})


@cache
def _compiled() -> Ensemble:
    return (
        workflow_builder()
        .compile(name="ensemble")
        .with_config(recursion_limit=RECURSION_LIMIT, callbacks=[RUNS])
    )


workflow = build()

__all__ = [
    "CONTRACTIVE",
    "RECURSION_LIMIT",
    "REFLECTIVE",
    "Ensemble",
    "build",
    "workflow",
    "workflow_builder",
]
