"""The reflective graph: three strategies over one node library, compiled once.

    loop_v1     graph/loop_v1.py      failed steps are tried again
    graph_v2    graph/graph_v2.py     REFLECT writes the next plan
    graph_v30   graph/graph_v30.py    REFLECT diagnoses, PLAN plans; the default

CLASSIFY writes the strategy of the settings (`reasoning.strategy`) into the state, and every route looks it
up there: a run that is resumed or forked goes on with the strategy it began with, whatever the settings say
by then. Being one graph, the three share their checkpoints, threads, forks and the form in Studio.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from langgraph.types import Checkpointer

from configs.settings import Strategy
from graph.budgets import RECURSION_LIMIT
from graph.graph_v2 import GRAPH_V2
from graph.graph_v30 import GRAPH_V30
from graph.loop_v1 import LOOP_V1
from graph.wiring import Builder, Reflective, Wiring, graph_of, graph_of_all
from nodes.telemetry import RUNS

STRATEGIES: Mapping[Strategy, Wiring] = {"graph_v30": GRAPH_V30, "graph_v2": GRAPH_V2, "loop_v1": LOOP_V1}


def workflow_builder() -> Builder:
    """Nodes and edges of all strategies, not yet compiled."""
    return graph_of_all(STRATEGIES, "graph_v30")


def build(checkpointer: Checkpointer = None) -> Reflective:
    """The graph, compiled; with a checkpointer for callers that keep their own threads."""
    # Reading the annotations of every node takes 10 ms: done once a process, not for each run.
    return _compiled().copy({"checkpointer": checkpointer})


@cache
def _compiled() -> Reflective:
    return (
        workflow_builder()
        .compile(name="reflective")
        .with_config(recursion_limit=RECURSION_LIMIT, callbacks=[RUNS])
    )


def build_one(strategy: Strategy) -> Reflective:
    """The graph of one strategy by itself, as it is drawn."""
    return graph_of(STRATEGIES[strategy]).compile(name=strategy)


workflow = build()

__all__ = [
    "RECURSION_LIMIT",
    "STRATEGIES",
    "Reflective",
    "build",
    "build_one",
    "workflow",
    "workflow_builder",
]
