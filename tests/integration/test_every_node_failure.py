"""Each fault in each node, and what a node that runs twice leaves behind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evals.fixture_repository import build_fixture_repository
from nodes.reflective.retrying import MOST_TRIES
from tests.graph.broken_nodes import FAULTS, NODES, answers_truly, breaking, run, with_node

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_fixture_repository(tmp_path_factory.mktemp("broken"))


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("node", NODES)
async def test_an_answer_comes_back_whatever_a_node_does(
    project: Path, node: str, fault: str, request: pytest.FixtureRequest
) -> None:
    await answers_truly(project, request.node.name, node, fault)


async def test_a_lost_connection_is_tried_again_and_nothing_is_written_twice(
    project: Path, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    node, visits = breaking(1, "execute")
    on = {"experience.enabled": True, "reasoning_trace.enabled": True}
    state = await run(with_node("execute", node), project, request.node.name, "execute", **on)
    assert (state.status, state.stop_reason, len(visits)) == ("answered", "success", 3)
    written = (project / ".reflect" / "experience" / "events.jsonl").read_text("utf-8").splitlines()
    events = [event for event in map(json.loads, written) if event["session_id"] == request.node.name]
    kinds = [event["event_type"] for event in events]
    assert kinds.count("execution") == 2 and kinds.count("respond") == 1
    assert len({event["event_id"] for event in events}) == len(events)
    trace = project / ".reflect" / "reasoning_traces" / f"{request.node.name}.jsonl"
    lines = [json.loads(line) for line in trace.read_text("utf-8").splitlines()]
    told = [line["event_id"] for line in lines if line.get("event_type") == "execution"]
    assert len(told) == len(set(told)) == 2


async def test_what_does_not_pass_is_given_up_after_a_few_tries(
    project: Path, request: pytest.FixtureRequest
) -> None:
    node, visits = breaking(99, "classify")
    state = await run(with_node("classify", node), project, request.node.name, "classify")
    assert (state.stop_reason, len(visits)) == ("error", MOST_TRIES)
