"""Assignments and findings through JSON, and through a checkpoint that rebuilds no class."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Send
from pydantic import ValidationError

from memory.checkpoints.serializer import ThreadSerializer
from nodes.collective.exchange import Assignment, Finding
from nodes.collective.state import CollectiveState, gathered
from tests.nodes.collective.findings import ASSIGNMENTS, FINDINGS


@settings(max_examples=12)
@given(FINDINGS, ASSIGNMENTS)
def test_nothing_is_lost_as_json(finding: Finding, assignment: Assignment) -> None:
    assert Finding.model_validate(json.loads(json.dumps(finding.model_dump(mode="json")))) == finding
    assert Assignment.model_validate(json.loads(assignment.model_dump_json())) == assignment


@settings(max_examples=12)
@given(st.lists(ASSIGNMENTS, max_size=3, unique_by=lambda one: one.id), FINDINGS)
def test_nothing_is_lost_in_a_checkpoint(assignments: list[Assignment], finding: Finding) -> None:
    async def first(state: CollectiveState) -> dict[str, Any]:
        return {"goal": "g", "assignments": [one.model_dump(mode="json") for one in assignments]}

    async def worker(given: dict[str, Any]) -> dict[str, Any]:
        Assignment.model_validate(given)
        return {"findings": {given["id"]: {**finding.model_dump(mode="json"), "id": given["id"]}}}

    def sends(state: CollectiveState) -> list[Send]:
        return [Send("worker", one.model_dump(mode="json")) for one in state.assignments]

    graph: Any = StateGraph(CollectiveState)
    graph.add_node("first", first)
    graph.add_node("worker", worker)
    graph.add_edge(START, "first")
    graph.add_conditional_edges("first", sends, ["worker"])
    graph.add_edge("worker", END)
    saver = InMemorySaver(serde=ThreadSerializer(None))
    config: Any = {"configurable": {"thread_id": "t"}}
    compiled = graph.compile(checkpointer=saver)

    async def run() -> dict[str, Any]:
        await compiled.ainvoke({"goal": "g"}, config, durability="sync")
        return dict((await compiled.aget_state(config)).values)

    state = CollectiveState.model_validate(asyncio.run(run()))
    assert state.assignments == assignments
    assert state.findings == {one.id: finding.model_copy(update={"id": one.id}) for one in assignments}


@given(
    st.lists(st.dictionaries(st.sampled_from("abcd"), st.integers(), max_size=2), max_size=4), st.randoms()
)
def test_findings_of_one_step_come_together_in_any_order(updates: list[dict[str, int]], lot: Any) -> None:
    own = [{f"{place}{name}": value for name, value in one.items()} for place, one in enumerate(updates)]
    shuffled = own[:]
    lot.shuffle(shuffled)

    def together(steps: list[dict[str, int]]) -> dict[str, int]:
        state: dict[str, int] = {}
        for one in steps:
            state = gathered(state, one)
        return state

    assert together(own) == together(shuffled)


@pytest.mark.parametrize("name", ["", "a b", "../a", "a/b", "▸", "~a", "-a", "a" * 101, "a\n"])
def test_an_id_that_could_name_another_place_is_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        Assignment(id=name, worker="direct", question="q")
