"""Auto: a goal goes to the engine that fits it, and comes back with the reason and the answer.

START -> route -> the engine's node -> conclude -> END
route -> (there is nothing to run, only something to say) conclude
route, conclude raise -> END with the failure; an engine that raises brings a finding that says so

`workflow` stands alone in langgraph.json; the engine's events are streamed with `subgraphs=True`. Input:
{"goal": "..."}; with "wanted": "research" a person chooses.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer, Send

from graph import ensemble, hierarchy, hybrid, research, specialists, tutor
from graph.ensemble import CONTRACTIVE, REFLECTIVE
from nodes.collective.child import Engine as ChildEngine
from nodes.collective.child import child
from nodes.collective.engines import Engine
from nodes.collective.exchange import Assignment
from nodes.draining import drainable
from nodes.input_form import input_form
from nodes.reflective.context import RunContext
from nodes.reflective.retrying import RETRY
from nodes.routing.conclude import conclude, on_node_error
from nodes.routing.engine_reading import of_research, of_together, of_tutor
from nodes.routing.playing import FREE, Game, game_of
from nodes.routing.route import route
from nodes.routing.state import AutoState
from nodes.telemetry import RUNS

Auto: TypeAlias = CompiledStateGraph[AutoState, RunContext, Any, Any]
RECURSION_LIMIT = 50
ASKED = input_form(
    AutoState,
    goal="What is asked.",
    wanted="The graph that is to answer; left empty, the goal decides.",
    context="Material the answer may rest on.",
)


def _goal(given: Assignment) -> dict[str, Any]:
    return {"goal": given.question, "context": given.context}


def _question(given: Assignment) -> dict[str, Any]:
    return {"question": given.question, "context": given.context}


def _game(given: Assignment) -> dict[str, Any]:
    # Where nothing can be played, ROUTE says so and gives no assignment.
    played = game_of(given.question, "proof")
    game = played if isinstance(played, Game) else Game(FREE, goal=given.question)
    return {"game": game.game, "seed": game.seed, "goal": game.goal, "targets": []}


BY_NAME: Mapping[Engine, ChildEngine] = {
    "reflective": REFLECTIVE,
    "contractive": CONTRACTIVE,
    "research": ChildEngine(research.workflow, lambda given: {"query": given.question}, of_research),
    "tutor": ChildEngine(tutor.workflow, _game, of_tutor),
    "specialists": ChildEngine(specialists.workflow, _goal, of_together),
    "ensemble": ChildEngine(ensemble.workflow, _goal, of_together),
    "hierarchy": ChildEngine(hierarchy.workflow, _question, of_together),
    "hybrid": ChildEngine(hybrid.workflow, _goal, of_together),
}


def after_route(state: AutoState) -> list[Send] | Literal["conclude"]:
    """The engine; where there is nothing to run, the answer is there already."""
    given = state.assignment
    return [Send(given.worker, given.model_dump(mode="json"))] if given is not None else "conclude"


def workflow_builder() -> StateGraph[AutoState, RunContext, Any, Any]:
    """Nodes and edges, not yet compiled."""
    # LangGraph hands a NodeError to handlers by annotation, which its own types cannot express.
    to_the_end: Any = on_node_error
    graph: StateGraph[AutoState, RunContext, Any, Any] = StateGraph(AutoState, RunContext, input_schema=ASKED)
    graph.set_node_defaults(error_handler=to_the_end, retry_policy=RETRY)
    graph.add_node("route", drainable(route))
    for name, engine in BY_NAME.items():
        node: Any = drainable(child(engine.run))
        graph.add_node(name, node)
        graph.add_edge(name, "conclude")
    graph.add_node("conclude", drainable(conclude))
    graph.add_edge(START, "route")
    graph.add_conditional_edges("route", after_route, [*BY_NAME, "conclude"])
    graph.add_edge("conclude", END)
    return graph


def build(checkpointer: Checkpointer = None) -> Auto:
    """The graph, compiled; with a checkpointer for callers that keep their own threads."""
    compiled = workflow_builder().compile(checkpointer=checkpointer, name="auto")
    return compiled.with_config(recursion_limit=RECURSION_LIMIT, callbacks=[RUNS])


workflow = build()

__all__ = ["BY_NAME", "RECURSION_LIMIT", "Auto", "build", "workflow", "workflow_builder"]
