"""Auto: a goal goes to the engine that fits it, and comes back with the reason and the answer.

START -> route -> the engine's node -> conclude -> END
route -> (there is nothing to run, only something to say) conclude
route, conclude raise -> END with the failure; an engine that raises brings a finding that says so

`workflow` stands alone in langgraph.json; the engine's events are streamed with `subgraphs=True`. Input:
{"goal": "..."}; with "wanted": "research" a person chooses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal, TypeAlias

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Checkpointer, Send

from nodes.collective.child import Engine as ChildEngine
from nodes.collective.child import Run, child
from nodes.collective.engine_reading import of_contractive, of_reflective
from nodes.collective.engines import Engine
from nodes.collective.exchange import Assignment, Finding
from nodes.draining import drainable
from nodes.errors import EngineMissing
from nodes.reflective.context import RunContext
from nodes.reflective.retrying import RETRY
from nodes.routing.conclude import conclude, on_node_error
from nodes.routing.engine_reading import of_research, of_together, of_tutor
from nodes.routing.playing import FREE, Game, game_of
from nodes.routing.route import route
from nodes.routing.state import AutoState

Auto: TypeAlias = CompiledStateGraph[AutoState, RunContext, Any, Any]
RECURSION_LIMIT = 50
STAND_IN: Engine = "reflective"
"""Runs where the right engine is not installed, and the finding says so."""


@dataclass(frozen=True)
class Loader:
    """Where an engine's graph is, and how an assignment is put to it.

    Attributes:
        module: has `workflow`.
        start: the graph's input.
        read: what its final state comes to.
    """

    module: str
    start: Callable[[Assignment], dict[str, Any]]
    read: Callable[[Assignment, Mapping[str, Any]], Finding]


def _goal(given: Assignment) -> dict[str, Any]:
    return {"goal": given.question, "context": given.context}


def _question(given: Assignment) -> dict[str, Any]:
    return {"question": given.question, "context": given.context}


def _game(given: Assignment) -> dict[str, Any]:
    # Where nothing can be played, ROUTE says so and gives no assignment.
    played = game_of(given.question, "proof")
    game = played if isinstance(played, Game) else Game(FREE, goal=given.question)
    return {"game": game.game, "seed": game.seed, "goal": game.goal, "targets": []}


LOADERS: Mapping[Engine, Loader] = {
    "reflective": Loader("graph.reflective", lambda given: {"goal": given.question}, of_reflective),
    "contractive": Loader("graph.contractive", _question, of_contractive),
    "research": Loader("graph.research", lambda given: {"query": given.question}, of_research),
    "tutor": Loader("graph.tutor", _game, of_tutor),
    "specialists": Loader("graph.specialists", _goal, of_together),
    "ensemble": Loader("graph.ensemble", _goal, of_together),
    "hierarchy": Loader("graph.hierarchy", _question, of_together),
    "hybrid": Loader("graph.hybrid", _goal, of_together),
}


def engine_of(engine: Engine) -> ChildEngine | None:
    """An engine ready to be asked; None if its module is not installed."""
    loader = LOADERS[engine]
    try:
        workflow = import_module(loader.module).workflow
    except ModuleNotFoundError as error:
        if error.name != loader.module:
            raise
        return None
    return ChildEngine(graph=workflow, start=loader.start, read=loader.read)


def running(engine: Engine) -> Run:
    """How an assignment for an engine is run: by it, or by what stands in for it."""
    found = engine_of(engine)
    if found is not None:
        return found.run
    stand_in = engine_of(STAND_IN)
    if stand_in is None:
        raise EngineMissing(f"graph.{STAND_IN} cannot be imported.", "Install the package anew.")

    async def run(assignment: Assignment, runtime: Runtime[RunContext]) -> Finding:
        finding = await stand_in.run(assignment, runtime)
        told = f"{engine} would be the right engine and is not installed: {STAND_IN} ran instead."
        return finding.model_copy(update={"notes": [told, *finding.notes]})

    return run


def after_route(state: AutoState) -> list[Send] | Literal["conclude"]:
    """The engine; where there is nothing to run, the answer is there already."""
    given = state.assignment
    return [Send(given.worker, given.model_dump(mode="json"))] if given is not None else "conclude"


def workflow_builder() -> StateGraph[AutoState, RunContext, Any, Any]:
    """Nodes and edges, not yet compiled."""
    # LangGraph hands a NodeError to handlers by annotation, which its own types cannot express.
    to_the_end: Any = on_node_error
    graph: StateGraph[AutoState, RunContext, Any, Any] = StateGraph(AutoState, RunContext)
    graph.set_node_defaults(error_handler=to_the_end, retry_policy=RETRY)
    graph.add_node("route", drainable(route))
    for name in LOADERS:
        node: Any = drainable(child(running(name)))
        graph.add_node(name, node)
        graph.add_edge(name, "conclude")
    graph.add_node("conclude", drainable(conclude))
    graph.add_edge(START, "route")
    graph.add_conditional_edges("route", after_route, [*LOADERS, "conclude"])
    graph.add_edge("conclude", END)
    return graph


def build(checkpointer: Checkpointer = None) -> Auto:
    """The graph, compiled; with a checkpointer for callers that keep their own threads."""
    compiled = workflow_builder().compile(checkpointer=checkpointer, name="auto")
    return compiled.with_config(recursion_limit=RECURSION_LIMIT)


workflow = build()

__all__ = ["LOADERS", "RECURSION_LIMIT", "Auto", "build", "workflow", "workflow_builder"]
