"""Contractive reasoning: a question is tried, and only where the samples disagree is it cut into parts.

START -> begin -> normalize -> (ambiguous, and a person may be asked) clarify -> advance
advance -> one task for every question that can be worked on now, side by side -> advance
    solve        samples; uncertain -> decompose, else review
    decompose    parts, each a question of its own
    collapse     all parts done: sampled again given their answers, kept if surer
    peer_review  a peer's verdict, one revision
advance -> (nothing left to do) conclude -> (new evidence may be had) advance; else -> answer -> END
any node raises -> answer

One superstep works at all questions of a level; `workflow` stands alone in langgraph.json.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeAlias, get_args, get_type_hints

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer, Send

from nodes.contractive.advance import Operation, advance, ready
from nodes.contractive.answer import answer
from nodes.contractive.begin import begin
from nodes.contractive.clarify import clarify
from nodes.contractive.collapse import collapse
from nodes.contractive.conclude import conclude
from nodes.contractive.decompose import decompose
from nodes.contractive.failing import on_answer_error, on_node_error
from nodes.contractive.normalize import normalize
from nodes.contractive.peer_review import peer_review
from nodes.contractive.solve import solve
from nodes.contractive.state import ContractiveState
from nodes.contractive.tasks import Task, task_of
from nodes.draining import drainable
from nodes.input_form import input_form
from nodes.reflective.context import RunContext
from nodes.reflective.retrying import RETRY
from nodes.telemetry import RUNS

Contractive: TypeAlias = CompiledStateGraph[ContractiveState, RunContext, Any, Any]
# A level takes two steps for each of solve, decompose, collapse and review; 12 levels, 50 passes at most.
RECURSION_LIMIT = 6000
# CONCLUDE or ANSWER needs one step, the step that leads to it another; a task and ADVANCE take two at a time.
# `update_state`, which edits or forks a thread outside any run, routes with 2 left: a number no run gets to
# see where it could still turn.
TURN_AT = (3, 4)


def after_normalize(state: ContractiveState) -> Literal["clarify", "advance"]:
    """A person is asked only if the question has two readings, and one may be asked."""
    readings = state.root.normal.readings if state.root.normal is not None else []
    return "clarify" if state.limits.clarify and readings and state.clarification is None else "advance"


def after_clarify(state: ContractiveState) -> Literal["advance"]:
    """The answer binds."""
    return "advance"


def after_conclude(state: ContractiveState) -> Literal["advance", "answer"]:
    """Another pass, unless there is a reason to stop."""
    return "advance" if state.stop_reason is None and state.remaining_steps not in TURN_AT else "answer"


NODES: Mapping[str, Any] = {
    "begin": begin,
    "normalize": normalize,
    "clarify": clarify,
    "advance": advance,
    "conclude": conclude,
    "answer": answer,
}
TASKS: Mapping[Operation, Any] = {
    "solve": solve,
    "decompose": decompose,
    "collapse": collapse,
    "peer_review": peer_review,
}
ROUTES: Mapping[str, Any] = {
    "normalize": after_normalize,
    "clarify": after_clarify,
    "conclude": after_conclude,
}


@dataclass(frozen=True)
class Wiring:
    """What a graph of this shape is made of.

    Attributes:
        state: its state.
        nodes: "begin", "normalize", "clarify", "advance", "conclude", "answer".
        tasks: what can be done to a question; each leads back to "advance".
        task_of: what a task is given of the state.
        on_error: what becomes of an exception in a node.
    """

    state: type[ContractiveState]
    nodes: Mapping[str, Any]
    tasks: Mapping[Operation, Any]
    task_of: Callable[[Any, str], Task]
    on_error: Any


CONTRACTIVE = Wiring(ContractiveState, NODES, TASKS, task_of, on_node_error)


def graph_of(wiring: Wiring) -> StateGraph[Any, RunContext, Any, Any]:
    """Nodes and edges, not yet compiled."""

    def after_advance(state: ContractiveState) -> list[Send] | Literal["conclude", "answer"]:
        """Everything that can be done now, at once; nothing left ends the pass."""
        if state.failure is not None or state.remaining_steps in TURN_AT:
            return "answer"
        tasks = ready(state.tree)
        return [Send(one.operation, wiring.task_of(state, one.node).packed()) for one in tasks] or "conclude"

    form = input_form(
        wiring.state,
        question="What is asked.",
        context="Material the answer may rest on.",
        seed="Of the samples: another number draws others.",
    )
    # LangGraph hands a NodeError to handlers by annotation, which its own types cannot express.
    to_the_end: Any = on_answer_error
    graph: StateGraph[Any, RunContext, Any, Any] = StateGraph(wiring.state, RunContext, input_schema=form)
    graph.set_node_defaults(error_handler=wiring.on_error, retry_policy=RETRY)
    for name, node in [*wiring.nodes.items(), *wiring.tasks.items()]:
        graph.add_node(name, drainable(node), error_handler=to_the_end if name == "answer" else None)
    graph.add_edge(START, "begin")
    graph.add_edge("begin", "normalize")
    for name, route in ROUTES.items():
        graph.add_conditional_edges(name, route, list(get_args(get_type_hints(route)["return"])))
    graph.add_conditional_edges("advance", after_advance, [*wiring.tasks, "conclude", "answer"])
    for name in wiring.tasks:
        graph.add_edge(name, "advance")
    graph.add_edge("answer", END)
    return graph


def workflow_builder() -> StateGraph[Any, RunContext, Any, Any]:
    """Nodes and edges of contractive reasoning, not yet compiled."""
    return graph_of(CONTRACTIVE)


def build(checkpointer: Checkpointer = None) -> Contractive:
    """The graph, compiled; with a checkpointer for callers that keep their own threads."""
    # Reading the annotations of every node takes 10 ms: done once a process, not for each run.
    return _compiled().copy({"checkpointer": checkpointer})


@cache
def _compiled() -> Contractive:
    return (
        workflow_builder()
        .compile(name="contractive")
        .with_config(recursion_limit=RECURSION_LIMIT, callbacks=[RUNS])
    )


async def think(question: str, *, context: str = "", run: RunContext | None = None) -> dict[str, Any]:
    """Think about a question in one call.

    Args:
        question: what is asked.
        context: material the answer may rest on.
        run: choices of the run: root, model, profile, settings such as {"contractive.preset": "math"}.

    Returns:
        The fields of `ContractiveState`, JSON: `final_answer`, `status`, `stop_reason`, `tree` and the rest.
        Nothing is raised for a run that fails.
    """
    start = {"question": question, "context": context}
    values = await build().ainvoke(start, context=run or RunContext())
    return dict(values)


workflow = build()

__all__ = [
    "CONTRACTIVE",
    "RECURSION_LIMIT",
    "Contractive",
    "Wiring",
    "build",
    "graph_of",
    "think",
    "workflow",
    "workflow_builder",
]
