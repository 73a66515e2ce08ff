"""What a stream of the graph carries: tokens with node and role, nodes' updates, progress events."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_type_hints

import pytest

from graph.reflective import workflow
from models.scripted import Script, register_script
from nodes.reflective.context import RunContext
from nodes.reflective.progress_events import EVENTS

# No recipe covers this goal, so the planner must, and nothing tells its label but a model.
PLANNED = "mast?"
FLAG = "Boreas flies the flag GR and is 240 long."
ROLES: dict[str, list[Any]] = {
    "classifier": [{"complexity": "moderate"}],
    "planner": [{"steps": [{"description": "find the ship", "command": "grep Boreas data/ships.csv"}]}],
    "worker": [FLAG],
    "verifier": [{"passed": True, "reason": "the row says so", "confidence": 0.9}],
}


@pytest.fixture
async def streamed(project: Path, request: pytest.FixtureRequest) -> list[tuple[str, Any]]:
    name = request.node.name
    register_script(name, Script(roles=ROLES))
    settings = {"experience.enabled": False, "traces.enabled": False}
    context = RunContext(root=str(project), model=f"scripted:{name}", settings=settings)
    modes = ["messages", "updates", "custom"]
    stream = workflow.astream({"goal": PLANNED}, context=context, stream_mode=modes)  # type: ignore[call-overload]  # a list of modes
    return [part async for part in stream]


async def test_tokens_updates_and_progress_come_in_one_stream(streamed: list[tuple[str, Any]]) -> None:
    said: dict[tuple[str, str, bool], str] = {}
    for mode, part in streamed:
        if mode == "messages":
            chunk, told = part
            key = (told["langgraph_node"], told["role"], told["structured"])
            said[key] = said.get(key, "") + chunk.text
    assert said["execute", "worker", False] == FLAG
    assert {(node, role) for node, role, structured in said if structured} == {
        ("classify", "classifier"),
        ("plan", "planner"),
        ("verify", "verifier"),
    }
    nodes = [node for mode, part in streamed if mode == "updates" for node in part]
    assert nodes == ["classify", "plan", "execute", "verify", "respond"]


async def test_every_event_has_the_fields_its_kind_promises(streamed: list[tuple[str, Any]]) -> None:
    events = [part for mode, part in streamed if mode == "custom"]
    assert [event["kind"] for event in events if event["kind"] != "model_call"] == [
        "model", "plan", "step", "step_done", "verified", "answer",
    ]  # fmt: skip
    assert all(set(event) == set(get_type_hints(EVENTS[event["kind"]])) for event in events)
