"""Specialists for a tree of source code: facts of the audit kernels, chosen, counted and put in words.

START -> route -> audit -> security | analysis | documentation, side by side -> synthesise -> END
route finds nobody -> synthesise, which says so
route, audit, synthesise raise -> END with the failure; a specialist that raises brings a finding that says so

`workflow` stands alone in langgraph.json; the specialists' events are streamed with `subgraphs=True`.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer, Send

from nodes.collective.child import child
from nodes.collective.failing import on_node_error
from nodes.draining import drainable
from nodes.input_form import input_form
from nodes.reflective.context import RunContext
from nodes.reflective.retrying import RETRY
from nodes.specialists.audit import audit
from nodes.specialists.route import route
from nodes.specialists.specialist import specialist
from nodes.specialists.state import SpecialistsState
from nodes.specialists.synthesise import synthesise
from nodes.specialists.topics import SPECIALISTS
from nodes.telemetry import RUNS

Specialists: TypeAlias = CompiledStateGraph[SpecialistsState, RunContext, Any, Any]
RECURSION_LIMIT = 50
ASKED = input_form(
    SpecialistsState,
    goal="What is to be found out about the project.",
    only="Specialists that answer; left empty, the goal decides.",
)


def after_route(state: SpecialistsState) -> Literal["audit", "synthesise"]:
    """The kernels, if anybody is to read what they find."""
    return "audit" if state.chosen_specialists else "synthesise"


def after_audit(state: SpecialistsState) -> list[Send]:
    """Every chosen specialist at once."""
    return [Send(one.id, one.model_dump(mode="json")) for one in state.assignments]


def workflow_builder() -> StateGraph[SpecialistsState, RunContext, Any, Any]:
    """Nodes and edges, not yet compiled."""
    # LangGraph hands a NodeError to handlers by annotation, which its own types cannot express.
    to_the_end: Any = on_node_error
    graph: StateGraph[SpecialistsState, RunContext, Any, Any] = StateGraph(
        SpecialistsState, RunContext, input_schema=ASKED
    )
    graph.set_node_defaults(error_handler=to_the_end, retry_policy=RETRY)
    graph.add_node("route", drainable(route))
    graph.add_node("audit", drainable(audit))
    for name in SPECIALISTS:
        node: Any = drainable(child(specialist(name)))
        graph.add_node(name, node)
    graph.add_node("synthesise", drainable(synthesise))
    graph.add_edge(START, "route")
    graph.add_conditional_edges("route", after_route)
    graph.add_conditional_edges("audit", after_audit, list(SPECIALISTS))
    for name in SPECIALISTS:
        graph.add_edge(name, "synthesise")
    graph.add_edge("synthesise", END)
    return graph


def build(checkpointer: Checkpointer = None) -> Specialists:
    """The graph, compiled; with a checkpointer for callers that keep their own threads."""
    compiled = workflow_builder().compile(checkpointer=checkpointer, name="specialists")
    return compiled.with_config(recursion_limit=RECURSION_LIMIT, callbacks=[RUNS])


workflow = build()

__all__ = ["RECURSION_LIMIT", "Specialists", "build", "workflow", "workflow_builder"]
