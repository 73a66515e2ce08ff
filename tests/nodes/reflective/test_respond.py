"""RESPOND: what may be called a success, and what is said when it may not."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.reflective.respond import INCONCLUSIVE, UNCHECKED, decide, respond
from nodes.reflective.state import (
    Evidence,
    Failure,
    Plan,
    PlanStep,
    ReasoningState,
    ReflectionAttempt,
    RunLimits,
    StepStatus,
    TaskComplexity,
)
from nodes.reflective.verify import code_findings, must_verify
from tests.nodes.reflective.bench import Bench
from tools.protocol import ToolResult

COMMAND = "grep Boreas data/ships.csv"
RESULT = ToolResult(tool="command", returncode=0, stdout="Boreas,240,GR\n", command=COMMAND)
STEPS = st.builds(
    PlanStep,
    num=st.integers(1, 3),
    description=st.just("d"),
    tool_call=st.none(),
    status=st.sampled_from(StepStatus),
    result=st.sampled_from([None, RESULT, RESULT.model_copy(update={"returncode": -1, "error": "no"})]),
)
STATES = st.builds(
    ReasoningState,
    goal=st.just("how long is Boreas?"),
    complexity=st.sampled_from([None, *TaskComplexity]),
    plan=st.none()
    | st.builds(
        Plan,
        objective=st.just("o"),
        steps=st.lists(STEPS, max_size=3),
        source=st.sampled_from(["model", "recipe"]),
        conclusive=st.booleans(),
    ),
    draft_answer=st.sampled_from([None, "", " ", "Boreas is 240 long.", "Boreas is 999 long."]),
    evidence=st.sampled_from([[], [Evidence(source="tool", step=1, command=COMMAND, text=RESULT.stdout)]]),
    stop_reason=st.sampled_from(
        [None, "success", "bypass", "partial_success", "max_reflections", "no_plan", "timeout", "user_abort"]
    ),
    last_error=st.sampled_from([None, "it failed"]),
    failure=st.none() | st.builds(Failure, node=st.just("plan"), kind=st.just("K"), what=st.just("w")),
    verified=st.booleans(),
    limits=st.builds(RunLimits, verify=st.sampled_from(["complex", "model_plans", "all"])),
)


def finished(**values: Any) -> ReasoningState:
    """A run of a recipe whose answer holds."""
    step = PlanStep(num=1, description="d", status=StepStatus.SUCCESS, result=RESULT)
    defaults: dict[str, Any] = {
        "goal": "how long is Boreas?",
        "session_id": "s",
        "complexity": TaskComplexity.MODERATE,
        "plan": Plan(objective="o", steps=[step], source="recipe"),
        "evidence": [Evidence(source="tool", step=1, command=COMMAND, text=RESULT.stdout)],
        "draft_answer": "Boreas is 240 long.",
        "confidence": 0.9,
    }
    return ReasoningState(**{**defaults, **values})


@settings(max_examples=300)
@given(STATES)
def test_success_means_that_tools_ran_every_step_succeeded_and_the_answer_holds(
    state: ReasoningState,
) -> None:
    reason, problem = decide(state)
    held = ("success", "partial_success", "dry_run")
    assert reason in (*held, "bypass") or problem or reason == state.stop_reason
    if reason in held:
        assert state.failure is None and state.last_error is None
        assert state.complexity is not TaskComplexity.BYPASS
        assert state.plan is not None and state.plan.is_complete
        skipped = any(step.status is StepStatus.SKIPPED for step in state.plan.steps)
        assert skipped is (reason == "dry_run")
        assert skipped or state.plan.conclusive is (reason == "success")
        assert any(step.result is not None and step.result.returncode == 0 for step in state.plan.steps)
        assert state.draft_answer == "Boreas is 240 long." and state.evidence
        assert code_findings(state) == []
        assert state.verified or not must_verify(state)
    if reason == "bypass":
        assert state.complexity is TaskComplexity.BYPASS and (state.draft_answer or "").strip()
        assert state.failure is None


@pytest.mark.parametrize(("doubtful", "status"), [(False, "answered"), (True, "partial")])
async def test_the_word_of_a_model_too_small_to_judge_is_shown_and_not_claimed(
    bench: Bench, doubtful: bool, status: str
) -> None:
    said = finished(
        complexity=TaskComplexity.BYPASS, plan=None, evidence=[], draft_answer="It is old.", doubtful=doubtful
    )
    state = await bench.visit(respond, said, bench.context())
    assert (state.status, state.stop_reason) == (status, "bypass")
    assert "It is old." in (state.final_answer or "") and UNCHECKED in (state.final_answer or "")


async def test_an_answer_that_holds_is_given_as_it_stands(bench: Bench) -> None:
    state = await bench.visit(respond, finished(), bench.context())
    assert (state.status, state.stop_reason, state.last_error) == ("answered", "success", None)
    assert state.final_answer == "Boreas is 240 long." and 0 < (state.confidence or 0) < 1


async def test_a_models_plan_that_the_limit_kept_from_being_verified_is_no_success(bench: Bench) -> None:
    made = finished(plan=finished().plan.model_copy(update={"source": "model"}))  # type: ignore[union-attr]
    state = await bench.visit(respond, made, bench.context())
    assert (state.status, state.stop_reason) == ("could_not", "max_iterations")
    assert state.final_answer is not None and "not verified" in state.final_answer
    passed = made.model_copy(update={"verified": True})
    assert (await bench.visit(respond, passed, bench.context())).stop_reason == "success"


async def test_an_answer_that_states_more_than_the_output_is_not_given_as_one(bench: Bench) -> None:
    state = await bench.visit(respond, finished(draft_answer="Boreas is 999 long."), bench.context())
    assert (state.status, state.stop_reason, state.confidence) == ("could_not", "verification_failed", 0.0)
    assert state.final_answer is not None and state.final_answer.startswith("I could not answer this.")


async def test_a_plan_that_only_shows_what_may_answer_is_a_partial_success_and_says_so(bench: Bench) -> None:
    plan = finished().plan.model_copy(update={"conclusive": False})  # type: ignore[union-attr]
    state = await bench.visit(respond, finished(plan=plan), bench.context())
    assert (state.status, state.stop_reason) == ("partial", "partial_success")
    assert state.final_answer == f"Boreas is 240 long.\n\n{INCONCLUSIVE}"


async def test_a_claim_of_bypass_does_not_excuse_a_goal_about_files(bench: Bench) -> None:
    claimed = finished(stop_reason="bypass", plan=None, evidence=[], draft_answer="It is long.")
    state = await bench.visit(respond, claimed, bench.context())
    assert (state.status, state.stop_reason) == ("could_not", "max_iterations")


async def test_a_models_own_knowledge_is_marked_as_such(bench: Bench) -> None:
    said = ReasoningState(goal="hello", complexity=TaskComplexity.BYPASS, draft_answer="Good day.")
    state = await bench.visit(respond, said, bench.context())
    assert (state.status, state.stop_reason) == ("answered", "bypass")
    assert state.final_answer == f"Good day.\n\n{UNCHECKED}"


async def test_a_failure_is_told_with_its_remedy(bench: Bench) -> None:
    failure = Failure(node="plan", kind="ModelMissing", what="No such model.", remedy="Pull it.")
    state = await bench.visit(respond, finished(failure=failure), bench.context())
    assert (state.status, state.stop_reason) == ("error", "error")
    assert state.final_answer == "I could not answer this. No such model.\n\nPull it."


@pytest.mark.parametrize(
    ("category", "advice"),
    [("missing_path", "Check the name"), ("timeout", "smaller directory"), ("other", None)],
)
async def test_a_spent_budget_tells_every_attempt_and_what_would_help(
    bench: Bench, category: str, advice: str | None
) -> None:
    attempts = [
        ReflectionAttempt(timestamp="t", failed_step=1, error=f"e{n}", diagnosis=f"d{n}", category=category)
        for n in (1, 2)
    ]
    failed = PlanStep(num=1, description="d", status=StepStatus.FAILED)
    plan = Plan(objective="o", steps=[failed])
    spent = finished(plan=plan, reflection_attempts=attempts, last_error="e3")
    state = await bench.visit(respond, spent, bench.context())
    text = state.final_answer or ""
    assert state.stop_reason == "max_reflections" and "I could not answer this. e3" in text
    assert "1. e1\n   Diagnosis: d1\n2. e2\n   Diagnosis: d2" in text
    assert "Boreas is 240" not in text
    assert advice in text if advice else text.endswith("d2")


async def test_a_draft_that_was_not_confirmed_is_shown_as_such(bench: Bench) -> None:
    state = await bench.visit(respond, finished(last_error="no"), bench.context())
    assert state.stop_reason == "verification_failed"
    assert "not confirmed to answer the goal:\nBoreas is 240 long." in (state.final_answer or "")


async def test_without_a_plan_another_wording_is_recommended(bench: Bench) -> None:
    state = await bench.visit(respond, finished(plan=None, stop_reason="no_plan"), bench.context())
    assert "in other words" in (state.final_answer or "")


async def test_one_respond_event_is_written_whatever_happened(remembering: Bench) -> None:
    await remembering.visit(respond, finished(last_error="no"), remembering.context())
    texts = [path.read_text() for path in (remembering.root / ".reflect").rglob("events.jsonl")]
    assert sum(text.count('"respond"') for text in texts) == 1
    assert all("verification_failed" in text for text in texts)


async def test_an_answer_is_given_although_it_cannot_be_remembered(remembering: Bench) -> None:
    context = remembering.context()
    (remembering.root / ".reflect" / "experience").mkdir(parents=True)
    (remembering.root / ".reflect" / "experience" / "events.jsonl").mkdir()
    state = await remembering.visit(respond, finished(), context)
    assert state.final_answer == "Boreas is 240 long." and state.status == "answered"
    assert any("not remembered" in note for note in state.notes)


async def test_an_answer_is_given_although_the_settings_broke_on_the_way(bench: Bench) -> None:
    context = bench.context(graph__max_iterations="many")
    state = await bench.visit(respond, finished(), context)
    assert state.final_answer == "Boreas is 240 long."
    assert any("not remembered" in note for note in state.notes)
