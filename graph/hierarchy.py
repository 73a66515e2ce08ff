"""A hierarchy: a contractive master cuts a question up, reflective workers read files, answers come together.

The contractive graph with one more task:

    work    a question that needs facts from files is answered by the reflective graph, run below the node

advance -> each new question: needs files -> (lists parts, or is complex) decompose, else work; else solve
decompose -> parts the wording lists, by code; else the planner's; none -> work
collapse -> parts that rest on evidence are put together without a fact that none of them holds

All workers of a level run side by side, and spend one budget with the master. `workflow` stands alone in
langgraph.json; its workers' events are streamed with `subgraphs=True`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeAlias

from langgraph.graph import StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer

from graph import contractive
from graph.contractive import RECURSION_LIMIT, Wiring, graph_of
from graph.ensemble import REFLECTIVE
from nodes.contractive.advance import Operation
from nodes.hierarchy.advance import advance
from nodes.hierarchy.answer import answer
from nodes.hierarchy.begin import begin
from nodes.hierarchy.collapse import collapse
from nodes.hierarchy.decompose import decompose
from nodes.hierarchy.failing import on_node_error
from nodes.hierarchy.normalize import normalize
from nodes.hierarchy.sharing import sharing
from nodes.hierarchy.state import HierarchyState
from nodes.hierarchy.tasks import hierarchy_task_of
from nodes.hierarchy.work import working
from nodes.reflective.context import RunContext
from nodes.telemetry import RUNS

Hierarchy: TypeAlias = CompiledStateGraph[HierarchyState, RunContext, Any, Any]

NODES: Mapping[str, Any] = {
    **contractive.NODES,
    "begin": begin,
    "normalize": sharing(normalize),
    "advance": advance,
    "answer": answer,
}
TASKS: Mapping[Operation, Any] = {
    "solve": sharing(contractive.TASKS["solve"]),
    "decompose": sharing(decompose),
    "collapse": sharing(collapse),
    "peer_review": sharing(contractive.TASKS["peer_review"]),
    "work": working(REFLECTIVE.run),
}
HIERARCHY = Wiring(HierarchyState, NODES, TASKS, hierarchy_task_of, on_node_error)


def workflow_builder() -> StateGraph[Any, RunContext, Any, Any]:
    """Nodes and edges, not yet compiled."""
    return graph_of(HIERARCHY)


def build(checkpointer: Checkpointer = None) -> Hierarchy:
    """The graph, compiled; with a checkpointer for callers that keep their own threads."""
    return _compiled().copy({"checkpointer": checkpointer})


@cache
def _compiled() -> Hierarchy:
    return (
        workflow_builder()
        .compile(name="hierarchy")
        .with_config(recursion_limit=RECURSION_LIMIT, callbacks=[RUNS])
    )


async def divide(question: str, *, context: str = "", run: RunContext | None = None) -> dict[str, Any]:
    """Have a question cut up, looked up and put together in one call.

    Args:
        question: what is asked.
        context: material the master's samples may rest on; workers read files only.
        run: choices of the run: root, model, settings such as {"collective.max_leaves": 6}.

    Returns:
        The fields of `HierarchyState`, JSON: `final_answer`, `status`, `tree`, `findings`, `edges` and the
        rest. Nothing is raised for a run that fails.
    """
    start = {"question": question, "context": context}
    values = await build().ainvoke(start, context=run or RunContext())
    return dict(values)


workflow = build()

__all__ = [
    "HIERARCHY",
    "RECURSION_LIMIT",
    "Hierarchy",
    "build",
    "divide",
    "workflow",
    "workflow_builder",
]
