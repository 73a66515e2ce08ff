"""The graph that routes: the engine's node runs, and its finding is the answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from graph.auto import BY_NAME, build, workflow
from models.scripted import Script, register_script
from nodes.collective.engines import ENGINES
from nodes.reflective.context import RunContext
from nodes.routing.state import AutoState


async def routed(root: Path, goal: str, name: str, *, thread: str = "", **given: Any) -> AutoState:
    register_script(name, Script.model_validate({"default": given.pop("says", []), "repeat_last": True}))
    context = RunContext(root=str(root), model=f"scripted:{name}", settings={"experience.enabled": False})
    graph = build(InMemorySaver()) if thread else build()
    config: Any = {"configurable": {"thread_id": thread}} if thread else {}
    return AutoState.model_validate(await graph.ainvoke({"goal": goal, **given}, config, context=context))


def test_every_engine_has_a_node() -> None:
    assert set(BY_NAME) == set(ENGINES) <= set(workflow.get_graph().nodes)


async def test_a_question_about_files_is_answered_by_the_reflective_engine(project: Path) -> None:
    state = await routed(project, "How many python files are there?", "auto-files", thread="files")
    assert state.decision is not None and state.decision.engine == "reflective"
    assert state.status == "answered" and state.final_answer == "There are 10 *.py files."
    (finding,) = state.findings.values()
    assert finding.grounded and finding.worker == "reflective" and finding.evidence


async def test_a_person_may_choose_the_engine(project: Path) -> None:
    state = await routed(
        project, "How old is the oldest oak?", "auto-wanted", wanted="contractive", says=["Answer: 300 years"]
    )
    assert state.decision is not None and state.decision.source == "person"
    assert list(state.findings) == ["contractive"] and state.usage.calls > 0


async def test_a_benchmark_is_not_played_and_claims_nothing(project: Path) -> None:
    state = await routed(project, "benchmark llama3.2:1b", "auto-bench")
    assert state.findings == {} and state.status == "could_not"
    assert "reflect eval tutor --model ollama:llama3.2:1b" in state.final_answer


async def test_an_empty_goal_ends_with_the_failure(project: Path) -> None:
    state = await routed(project, "  ", "auto-empty")
    assert state.status == "error" and state.failure is not None and state.failure.kind == "GoalError"
    assert not state.final_answer and state.findings == {}


async def test_an_engine_that_fails_is_told_as_failed(project: Path) -> None:
    state = await routed(project, "what if the moon vanished?", "auto-fails", says=[{"error": "unavailable"}])
    assert state.decision is not None and state.decision.engine == "contractive"
    assert state.status in ("error", "could_not") and not state.final_answer
    assert state.failure is not None


async def test_a_second_goal_of_a_thread_starts_afresh(project: Path) -> None:
    register_script("auto-twice", Script.model_validate({"default": ["hello"], "repeat_last": True}))
    context = RunContext(
        root=str(project), model="scripted:auto-twice", settings={"experience.enabled": False}
    )
    graph, config = build(InMemorySaver()), {"configurable": {"thread_id": "twice"}}
    first: dict[str, Any] = {"goal": "How many python files are there?"}
    await graph.ainvoke(first, config, context=context)  # type: ignore[arg-type]  # as LangGraph documents it
    second: dict[str, Any] = {"goal": "benchmark llama3.2:1b"}
    values = await graph.ainvoke(second, config, context=context)  # type: ignore[arg-type]  # as above
    state = AutoState.model_validate(values)
    assert state.findings == {} and "eval tutor" in state.final_answer


@pytest.mark.parametrize(
    ("engine", "goal", "said"),
    [
        ("hierarchy", "How many lines do README.md and pyproject.toml have?", "README.md"),
        ("specialists", "Which function is the most complex?", "complexity"),
    ],
)
async def test_an_engine_of_several_engines_answers_through_its_node(
    project: Path, engine: str, goal: str, said: str
) -> None:
    state = await routed(project, goal, f"auto-{engine}", wanted=engine, says=["no"])
    assert state.status == "answered" and said in state.final_answer
    (finding,) = state.findings.values()
    assert finding.worker == engine and finding.answer == state.final_answer
