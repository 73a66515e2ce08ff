"""Replays of runs whose query was ambiguous: question, answer and what it narrowed come back as they were."""

from pathlib import Path
from typing import Any

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from graph.research import build
from models.scripted import Script, register_script
from nodes.reflective.context import RunContext
from nodes.research.replaying import start_of_replay
from tests.nodes.research.corpus import DRAFT, ITEMS, PASS, QUERY, REPORT

OPEN_TIME = "What is the latest cargo figure of Lindow harbour?"
READING = {"question": "Which?", "options": [{"label": "port", "query": QUERY}, {"label": "town"}]}


def context_of(root: Path, model: str) -> RunContext:
    return RunContext(root=str(root), model=model, settings={"experience.enabled": False})


async def answered(root: Path, query: str, answer: object, *, judged: bool = False) -> dict[str, Any]:
    """The values of a run that asked what its query means and was given an answer."""
    roles = {"analyst": [READING, DRAFT], "critic": [PASS], "writer": [REPORT]}
    register_script("asked-replay", Script(roles=roles))
    context = context_of(root, "scripted:asked-replay" if judged else "embedded")
    graph = build(InMemorySaver())
    config: RunnableConfig = {"configurable": {"thread_id": "a"}}
    start = {"query": query, "items": ITEMS, "clarify": True, "query_id": "first"}
    assert "__interrupt__" in await graph.ainvoke(start, config, context=context)
    return await graph.ainvoke(Command(resume={"option": answer}), config, context=context)


@pytest.mark.parametrize(
    ("query", "answer", "judged"),
    [(OPEN_TIME, "3", False), (OPEN_TIME, "all", False), (OPEN_TIME, "²", False), ("Lindow", 1, True)],
)
async def test_a_clarified_run_is_replayed_with_its_question_and_answer(
    tmp_path: Path, query: str, answer: object, judged: bool
) -> None:
    first = await answered(tmp_path, query, answer, judged=judged)
    register_script("gone", Script(roles={}))
    start = start_of_replay(first["manifest"]) | {"query_id": "again"}
    again = await build().ainvoke(start, context=context_of(tmp_path, "scripted:gone"))
    assert first["asked"]["query"] == query == start["query"]
    assert any(moment["node"] == "choose" for moment in again["timeline"])
    assert again["result"] == first["result"] and again["notes"] == first["notes"]
    told = "none of the readings" in first["result"][0]["description"]
    assert told is (answer == "²") is any("names none" in note for note in first["notes"])


async def test_a_query_nobody_has_readings_for_is_told_to_be_taken_as_it_is(tmp_path: Path) -> None:
    start = {"query": "Tell me about Lindow harbour", "items": ITEMS, "clarify": True, "query_id": "scope"}
    values = await build().ainvoke(start, context=context_of(tmp_path, "embedded"))
    assert values["ambiguity"] == "scope" and values["status"] == "reported"
    assert any("(scope)" in note for note in values["result"][0]["schema_object"]["notes"])


async def test_an_open_scope_is_asked_of_the_person(tmp_path: Path) -> None:
    roles = {"analyst": [READING, DRAFT], "critic": [PASS], "writer": [REPORT]}
    register_script("scope", Script(roles=roles))
    graph = build(InMemorySaver())
    config: RunnableConfig = {"configurable": {"thread_id": "s"}}
    start = {"query": "Tell me about Lindow harbour", "items": ITEMS, "clarify": True}
    waiting = await graph.ainvoke(start, config, context=context_of(tmp_path, "scripted:scope"))
    (question,) = waiting["__interrupt__"]
    assert question.value["ambiguity_type"] == "scope" and len(question.value["options"]) == 2
