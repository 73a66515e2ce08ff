"""An answer in doubt is put to a person first: they accept it, reject it, or say what to do instead."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from graph.reflective import build
from models.scripted import Script, register_script
from nodes.reflective.context import RunContext
from nodes.reflective.review import read_review
from nodes.reflective.state import ReasoningState

GOAL = "which of these letters mention rain, and where?"


def planned(command: str) -> dict[str, Any]:
    """A planner's reply, be it asked for one command or for a plan."""
    return {"objective": "x", "steps": [{"description": "look", "command": command}], "command": command}


FIRST, SECOND = planned("grep -rn rain letters"), planned("grep -rln rain letters")
PASSED = {"passed": True, "reason": "it does", "confidence": 0.9}


class Waiting:
    """A thread with a scripted model, and a limit below which answers wait."""

    def __init__(self, root: Path, name: str, below: float | None, **roles: list[Any]) -> None:
        given = {
            "classifier": [{"complexity": "moderate"}],
            "planner": [FIRST, SECOND],
            "verifier": [PASSED] * 4,
        }
        given |= {"worker": ["letters/a.txt says that rain is coming."] * 4} | roles
        register_script(name, Script(roles=given))
        settings: dict[str, Any] = {"experience.enabled": False, "traces.enabled": False}
        settings |= {} if below is None else {"reasoning.pause_below": below}
        self.context = RunContext(root=str(root), model=f"scripted:{name}", settings=settings)
        self.graph = build(InMemorySaver())
        self.config: RunnableConfig = {"configurable": {"thread_id": name}}

    async def give(self, given: Any) -> tuple[ReasoningState, list[dict[str, Any]]]:
        values = dict(await self.graph.ainvoke(given, self.config, context=self.context))
        questions = [dict(asked.value) for asked in values.pop("__interrupt__", [])]
        return ReasoningState.model_validate(values), questions

    async def ask(self) -> tuple[ReasoningState, list[dict[str, Any]]]:
        return await self.give({"goal": GOAL})

    async def answer(self, value: Any) -> tuple[ReasoningState, list[dict[str, Any]]]:
        return await self.give(Command(resume=value))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "a.txt").write_text("rain is coming\n")
    (tmp_path / "letters" / "b.txt").write_text("sun\n")
    return tmp_path


@pytest.fixture
def waiting(root: Path, request: pytest.FixtureRequest) -> Waiting:
    return Waiting(root, request.node.name, 0.99)


async def test_by_default_no_answer_waits(root: Path) -> None:
    state, questions = await Waiting(root, "never", None).ask()
    assert questions == [] and state.status == "answered"


async def test_an_answer_above_the_limit_is_given_at_once(root: Path) -> None:
    state, questions = await Waiting(root, "above", 0.05).ask()
    assert questions == [] and state.status == "answered" and (state.confidence or 0) >= 0.05


async def test_the_person_sees_the_draft_its_confidence_and_its_evidence(waiting: Waiting) -> None:
    state, [question] = await waiting.ask()
    assert state.final_answer is None and state.status == "running"
    assert question["kind"] == "review" and "letters/a.txt" in question["preview"]
    assert 0 < question["confidence"] < 0.99
    assert "rain is coming" in question["evidence"][0]["text"]


async def test_an_accepted_answer_is_given_as_it_is(waiting: Waiting) -> None:
    _, [question] = await waiting.ask()
    state, questions = await waiting.answer("accept")
    assert questions == [] and (state.status, state.stop_reason) == ("answered", "success")
    assert state.final_answer == question["preview"] and state.confidence == question["confidence"]
    assert any("accepted" in note for note in state.notes)
    assert state.usage["planner"].calls == 1


async def test_a_rejected_answer_is_none(waiting: Waiting) -> None:
    await waiting.ask()
    state, _ = await waiting.answer({"decision": "reject", "reason": "that is a letter of last year"})
    assert (state.status, state.stop_reason, state.confidence) == ("could_not", "user_abort", 0.0)
    assert "last year" in (state.final_answer or "") and state.assessment is None


async def test_a_correction_is_planned_and_its_answer_is_put_to_the_person_again(waiting: Waiting) -> None:
    await waiting.ask()
    _, [again] = await waiting.answer({"decision": "instead", "instead": "only the names of the letters"})
    assert (
        again["kind"] == "review"
        and "-rln" in again["evidence"][-1]["command"].replace(" -", "")[:20] + "-rln"
    )
    state, questions = await waiting.answer("accept")
    assert questions == [] and state.status == "answered"
    [attempt] = state.reflection_attempts
    assert attempt.category == "correction" and "only the names" in attempt.diagnosis
    assert state.usage["planner"].calls == 2 and state.usage.get("critic") is None
    assert state.plan is not None and state.plan.steps[-1].tool_call is not None
    assert state.plan.steps[-1].tool_call.args["command"] == "grep -rln rain letters"


async def test_corrections_end_with_their_budget(waiting: Waiting) -> None:
    await waiting.ask()
    await waiting.answer({"decision": "instead", "instead": "only names"})
    state, questions = await waiting.answer({"decision": "instead", "instead": "no, only numbers"})
    assert questions == [] and (state.status, state.stop_reason) == ("could_not", "user_abort")
    assert "only numbers" in (state.final_answer or "") and "budget" in (state.final_answer or "")


async def test_what_cannot_be_read_decides_nothing(waiting: Waiting) -> None:
    await waiting.ask()
    for nonsense in ("maybe", 7, {"decision": "instead", "instead": "  "}):
        state, [question] = await waiting.answer(nonsense)
        assert state.final_answer is None and "could not be read" in question["problem"]
    state, _ = await waiting.answer("accept")
    assert state.status == "answered"


@pytest.mark.parametrize(
    "nonsense",
    [
        "",
        "ACCEPT",
        None,
        [],
        {},
        True,
        {"decision": "instead"},
        {"decision": "accept", "more": 1},
        {"verdict": "accept"},
        {"decision": "instead", "instead": "x" * 5000},
    ],
)
def test_only_a_whole_decision_is_read(nonsense: Any) -> None:
    read, problem = read_review(nonsense)
    assert read is None and "could not be read" in problem


async def test_a_run_without_an_answer_does_not_wait(root: Path) -> None:
    state, questions = await Waiting(root, "none", 1.0, planner=["no plan"] * 9).ask()
    assert questions == [] and state.status == "could_not" and state.confidence == 0.0


async def test_a_model_that_answers_from_its_own_knowledge_waits_too(root: Path) -> None:
    thread = Waiting(
        root, "bypass", 0.9, classifier=[{"complexity": "bypass"}], worker=["A list is a chain of nodes."]
    )
    values = dict(
        await thread.graph.ainvoke({"goal": "what is a linked list?"}, thread.config, context=thread.context)
    )
    assert values["__interrupt__"][0].value["kind"] == "review"
    state, _ = await thread.answer("accept")
    assert (state.status, state.stop_reason) == ("answered", "bypass")
