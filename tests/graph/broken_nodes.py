"""The graph with one node that fails in a way of its own; all else is real."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from configs.settings import GraphSettings, Settings
from graph.graph_v30 import GRAPH_V30
from graph.wiring import Reflective, Wiring, graph_of
from models.errors import ModelError, ModelFailed, ModelMissing, ModelTimeout, ModelUnavailable
from models.scripted import Script, register_script
from nodes.reflective.context import RunContext
from nodes.reflective.state import ReasoningState
from nodes.reflective.time_limits import settings_known
from tests.graph.test_reflective import ANSWER, GOAL, GOOD, PASSED, plan_with

NODES = tuple(GRAPH_V30.nodes)
Broken = Callable[..., Awaitable[Any]]
SIMPLE = "How many lines does data/ships.csv have?"
ROLES: dict[str, list[Any]] = {
    "classifier": [{"complexity": "complex"}],
    "planner": [plan_with("grep Nobody data/ships.csv"), GOOD],
    "critic": [{"diagnosis": "no such ship", "new_plan_summary": "Search for Boreas."}],
    "worker": [ANSWER],
    "verifier": [PASSED],
}


def with_node(name: str, node: Broken) -> Reflective:
    """The graph with one node in place of its own; the rest of it is as it always is."""
    return graph_of(Wiring({**GRAPH_V30.nodes, name: node}, GRAPH_V30.routes)).compile()


async def run(graph: Reflective, project: Path, name: str, node: str, **settings: Any) -> ReasoningState:
    register_script(name, Script(roles=ROLES))
    context = RunContext(
        root=str(project), model=f"scripted:{name}", settings={"experience.enabled": False, **settings}
    )
    goal = SIMPLE if node == "direct_exec" else GOAL
    final = await graph.ainvoke({"goal": goal}, {"configurable": {"thread_id": name}}, context=context)
    return ReasoningState.model_validate(final)


def raising(error: BaseException) -> Broken:
    async def node(state: ReasoningState, runtime: Any) -> Any:
        raise error

    return node


async def hanging(state: ReasoningState, runtime: Any) -> Any:
    settings_known(Settings(graph=GraphSettings(timeout_per_node=0.01)))
    await asyncio.Event().wait()


FAULTS: dict[str, tuple[Broken, str, bool]] = {
    "a defect": (raising(KeyError("x")), "error", False),
    "the model is down": (raising(ModelUnavailable("Nothing answers.", "Start it.")), "error", True),
    "the model is missing": (raising(ModelMissing("Not found.", "Pull it.")), "error", True),
    "the model is too slow": (raising(ModelTimeout("No answer.", "Wait.")), "timeout", True),
    "the disk is full": (raising(OSError(28, "No space left on device")), "error", True),
    "it hangs": (hanging, "timeout", True),
    "it is cancelled from inside": (raising(asyncio.CancelledError()), "error", False),
}


def breaking(times: int, node: str) -> tuple[Broken, list[int]]:
    """The real node, which first does its work and then loses its connection, so many times."""
    visits: list[int] = []

    async def broken(state: ReasoningState, runtime: Any) -> Any:
        visits.append(1)
        update = await GRAPH_V30.nodes[node](state, runtime)
        if len(visits) <= times:
            raise transient()
        return update

    return broken, visits


def transient() -> ModelError:
    error = ModelFailed("The server broke off its reply.", "Try again.")
    error.transient = True
    return error


async def answers_truly(project: Path, name: str, node: str, fault: str) -> None:
    """Run the graph with a fault in one node; an answer must come back that says so."""
    broken, reason, environmental = FAULTS[fault]
    state = await run(with_node(node, broken), project, name, node)
    assert (state.status, state.stop_reason) == ("error", reason)
    assert state.failure is not None and state.failure.node == node
    assert state.failure.environmental is environmental
    assert state.final_answer is not None and state.failure.what in state.final_answer
    assert state.confidence == 0.0
