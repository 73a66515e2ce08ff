"""A hybrid: what the analysis recommends is carried out, and only what was found is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from graph.hybrid import build, workflow
from memory.checkpoints.serializer import ThreadSerializer
from nodes.collective import budgets
from nodes.collective.hybrid.conclude import ONLY_FOUND
from nodes.collective.hybrid.recommending import NONE_PASSED
from nodes.collective.hybrid.state import HybridState
from tests.graph.talking import Talker, context_of

COMPARE = "Which of a.txt and b.txt has more lines?"
CHANGE = "create the file notes.txt with the text hi and tell how many lines a.txt has"
MAKE = "create the file notes.txt with the text hi"
COUNT = "How many lines does {} have?"
PLAN = {
    "objective": "x",
    "steps": [{"description": "write", "tool": "write_file", "args": {"path": "notes.txt", "content": "hi"}}],
}
PASSED = {"passed": True, "reason": "done", "confidence": 0.9}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "a.txt").write_text("x\ny\n")
    (tmp_path / "p" / "b.txt").write_text("x\ny\nz\n")
    return tmp_path / "p"


def recommending(*goals: str, **more: Any) -> Talker:
    recommended = [{"goal": goal, "why": "w", "needs": "facts"} for goal in goals]
    return Talker(recommends={"recommendations": recommended}, sample="Answer: 99 lines", **more)


async def hybrid(goal: str, script: Talker, root: Path, **settings: Any) -> HybridState:
    values = await workflow.ainvoke({"goal": goal}, context=context_of(root, script, "hybrid", **settings))
    assert not budgets._OPEN
    return HybridState.model_validate(values)


async def test_each_recommendation_is_carried_out_and_told_with_its_command(root: Path) -> None:
    script = recommending(COUNT.format("a.txt"), COUNT.format("b.txt"))
    state = await hybrid(COMPARE, script, root)
    assert state.status == "answered" and ONLY_FOUND in state.notes
    assert "a.txt has 2 lines.\n(by `wc -l -- a.txt`)" in state.final_answer
    assert "b.txt has 3 lines.\n(by `wc -l -- b.txt`)" in state.final_answer
    assert "99" not in state.final_answer and 0 < (state.confidence or 0) <= 1
    assert list(state.findings) == ["analysis", "step-1", "step-2"]
    assert state.usage.calls == len(script.asked) and "99 lines" in script.prompts("recommends")[0]


@pytest.mark.parametrize("recommends", [{"error": "failed"}, "no json", {"recommendations": []}])
async def test_without_recommendations_the_goal_itself_is_carried_out(root: Path, recommends: Any) -> None:
    goal = COUNT.format("a.txt")
    state = await hybrid(goal, Talker(recommends=recommends), root)
    assert (state.status, state.final_answer, state.chosen) == ("answered", "a.txt has 2 lines.", "step-1")
    assert NONE_PASSED in state.notes and ONLY_FOUND not in state.notes


async def test_one_that_fails_never_ends_the_others_and_is_told(root: Path) -> None:
    gone = "zebra/quokka.csv"
    script = recommending(COUNT.format(gone), COUNT.format("a.txt"))
    state = await hybrid(f"Which of {gone} and a.txt has more lines?", script, root)
    assert state.status == "partial" and "a.txt has 2 lines." in state.final_answer
    assert f"{COUNT.format(gone)}\nNot done: " in state.final_answer
    assert any(note.startswith(f"step-1 ({COUNT.format(gone)}) was not done") for note in state.notes)


async def test_an_analysis_that_fails_is_told_and_the_goal_is_carried_out(root: Path) -> None:
    script = Talker(sample={"error": "unavailable"})
    state = await hybrid(COUNT.format("a.txt"), script, root)
    assert state.status == "answered" and state.findings["analysis"].status == "error"
    assert any(note.startswith("The analysis failed") for note in state.notes)


async def test_what_a_model_says_without_a_look_is_no_part_of_the_answer(root: Path) -> None:
    state = await hybrid("What is three times three?", Talker(direct="It is 9."), root)
    assert state.status == "could_not" and not state.final_answer and state.confidence == 0
    assert any("Without evidence, a model says: It is 9." in note for note in state.notes)


async def test_a_budget_that_is_used_up_still_lets_code_look(root: Path) -> None:
    script = Talker()
    state = await hybrid(COUNT.format("a.txt"), script, root, collective__max_tokens=10)
    assert not script.asked and (state.status, state.final_answer) == ("answered", "a.txt has 2 lines.")


class Asked:
    """A thread in which a change is asked about."""

    def __init__(self, root: Path, script: Talker, **settings: Any) -> None:
        self.script = script
        self.context = context_of(root, script, "asked", **settings)
        self.graph = build(InMemorySaver(serde=ThreadSerializer(None)))
        self.config: Any = {"configurable": {"thread_id": "t"}}

    async def run(self, given: Any) -> dict[str, Any]:
        return dict(await self.graph.ainvoke(given, self.config, context=self.context, durability="sync"))


def changing() -> Talker:
    return recommending(COUNT.format("a.txt"), MAKE, rest={"planner": PLAN, "verifier": PASSED})


async def test_a_change_is_asked_about_made_once_and_what_was_done_is_not_done_again(root: Path) -> None:
    here = Asked(root, changing())
    values = await here.run({"goal": CHANGE})
    [asked] = values["__interrupt__"]
    assert asked.value["tool"] == "write_file" and not (root / "notes.txt").exists()
    assert list(values["findings"]) == ["analysis", "step-1"]
    before = list(here.script.asked)
    state = HybridState.model_validate(await here.run(Command(resume={"decision": "approve"})))
    assert state.status == "answered" and (root / "notes.txt").read_text() == "hi"
    assert "write_file notes.txt" in state.final_answer and "a.txt has 2 lines." in state.final_answer
    assert not set(here.script.asked[len(before) :]) & {"sample", "recommends"}
    (root / "notes.txt").unlink()
    assert (await here.run(None))["status"] == "answered" and not (root / "notes.txt").exists()


async def test_a_change_that_is_rejected_is_told_and_the_rest_is_answered(root: Path) -> None:
    here = Asked(root, changing())
    await here.run({"goal": CHANGE})
    state = HybridState.model_validate(await here.run(Command(resume={"decision": "reject", "reason": "no"})))
    assert state.status == "partial" and not (root / "notes.txt").exists()
    assert f"{MAKE}\nNot done: " in state.final_answer and "Done:" not in state.final_answer


async def test_a_dry_run_changes_nothing_and_does_not_say_it_did(root: Path) -> None:
    state = await hybrid(CHANGE, changing(), root, approval="dry_run")
    assert not (root / "notes.txt").exists() and "Done:" not in state.final_answer
