"""A strategy as nodes and routes, and the graph that is made of one strategy or of all of them."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, get_args, get_type_hints

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command

from configs.settings import Strategy
from nodes.draining import drainable
from nodes.input_form import input_form
from nodes.reflective.context import RunContext
from nodes.reflective.failure import on_node_error, on_respond_error
from nodes.reflective.retrying import RETRY
from nodes.reflective.state import ReasoningState, Update
from nodes.reflective.time_limits import timed

Node: TypeAlias = Callable[[ReasoningState, Runtime[RunContext]], Awaitable[Update | Command[str]]]
Route: TypeAlias = Callable[[ReasoningState], str]
Reflective: TypeAlias = CompiledStateGraph[ReasoningState, RunContext, Any, Any]
Builder: TypeAlias = StateGraph[ReasoningState, RunContext, Any, Any]

FIRST, LAST = "classify", "respond"
ASKED = input_form(ReasoningState, goal="What is to be found out or done about the files below the root.")


@dataclass(frozen=True)
class Wiring:
    """One strategy.

    Attributes:
        nodes: functions by name; "classify" is the first, "respond" the last.
        routes: what follows each node but the last. A route is pure, and its return type, a Literal, names
            every node it may lead to.
    """

    nodes: Mapping[str, Node]
    routes: Mapping[str, Route]

    def targets(self, node: str) -> tuple[str, ...]:
        """The nodes that may follow one; none for a node this strategy has not."""
        route = self.routes.get(node)
        return get_args(get_type_hints(route)["return"]) if route is not None else ()


def graph_of(wiring: Wiring) -> Builder:
    """One strategy's graph, not yet compiled."""
    return graph_of_all({"graph_v30": wiring}, "graph_v30")


def graph_of_all(wirings: Mapping[Strategy, Wiring], fallback: Strategy) -> Builder:
    """The graph of several strategies, not yet compiled: each run follows its own, which its state holds.

    Args:
        wirings: strategies by name.
        fallback: the one that is followed from a node the run's own strategy does not have; a fork that
            changes the strategy may stand at one.
    """
    names = list(dict.fromkeys(name for wiring in wirings.values() for name in wiring.nodes))
    # LangGraph hands a NodeError to handlers by annotation, which its own types cannot express.
    to_respond: Any = on_node_error
    to_the_end: Any = on_respond_error
    graph: Builder = StateGraph(ReasoningState, RunContext, input_schema=ASKED)
    graph.set_node_defaults(error_handler=to_respond, retry_policy=RETRY)
    for name in names:
        node: Any = drainable(timed(name, _node(wirings, fallback, name)))
        graph.add_node(name, node, error_handler=to_the_end if name == LAST else None)
    graph.add_edge(START, FIRST)
    for name in names:
        targets = list(dict.fromkeys(goal for wiring in wirings.values() for goal in wiring.targets(name)))
        if targets:
            graph.add_conditional_edges(name, _route(wirings, fallback, name), targets)
    # RESPOND leads on by itself where a person says what to do instead of the answer.
    graph.add_edge(LAST, END)
    return graph


def _node(wirings: Mapping[Strategy, Wiring], fallback: Strategy, name: str) -> Node:
    """The node all strategies share, else one that looks up the run's own."""
    functions = {strategy: wiring.nodes[name] for strategy, wiring in wirings.items() if name in wiring.nodes}
    shared = next(iter(functions.values()))
    if all(function is shared for function in functions.values()):
        return shared

    @functools.wraps(shared)
    async def node(state: ReasoningState, runtime: Runtime[RunContext]) -> Update | Command[str]:
        chosen = functions.get(state.limits.strategy) or functions.get(fallback, shared)
        return await chosen(state, runtime)

    return node


def _route(wirings: Mapping[Strategy, Wiring], fallback: Strategy, name: str) -> Route:
    routes = {strategy: wiring.routes[name] for strategy, wiring in wirings.items() if name in wiring.routes}

    def route(state: ReasoningState) -> str:
        chosen = routes.get(state.limits.strategy) or routes.get(fallback) or next(iter(routes.values()))
        return chosen(state)

    route.__name__ = f"after_{name}"
    return route
