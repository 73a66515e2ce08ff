"""VERIFY: what code finds, what the verifier may add, and that it can take nothing away."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.errors import ModelTimeout
from nodes.reflective.state import Evidence, Plan, PlanStep, ReasoningState, StepStatus, TaskComplexity, Turn
from nodes.reflective.verify import code_findings, must_verify, unjudged_findings, verify
from tests.nodes.reflective.bench import Bench
from tools.protocol import ToolCall, ToolResult

COMMAND = "grep Boreas data/ships.csv"
YES = {"passed": True, "reason": "the row says so", "confidence": 0.9}


def finished(draft: str | None, **values: Any) -> ReasoningState:
    """A run whose one step printed the row of Boreas."""
    result = ToolResult(tool="command", returncode=0, stdout="Boreas,240,GR\n", command=COMMAND)
    step = PlanStep(
        num=1,
        description="find the ship",
        tool_call=ToolCall(tool="command", args={"command": COMMAND}),
        status=StepStatus.SUCCESS,
        result=result,
    )
    defaults: dict[str, Any] = {
        "goal": "how long is Boreas, in data/ships.csv?",
        "complexity": TaskComplexity.MODERATE,
        "plan": Plan(objective="o", steps=[step]),
        "evidence": [Evidence(source="tool", step=1, command=COMMAND, text=result.stdout)],
        "draft_answer": draft,
    }
    return ReasoningState(**{**defaults, **values})


async def test_a_grounded_answer_that_the_verifier_passes_is_verified(bench: Bench) -> None:
    state = await bench.visit(verify, finished("Boreas is 240 long."), bench.context({"verifier": [YES]}))
    assert (state.verified, state.last_error, state.confidence) == (True, None, 0.9)
    assert state.usage["verifier"].calls == 1


@pytest.mark.parametrize("draft", ["Boreas is 241 long.", "See src/x.py.", 'It says "Boreas,9".', "", None])
async def test_a_verifier_is_not_even_asked_about_what_code_failed(bench: Bench, draft: str | None) -> None:
    state = await bench.visit(verify, finished(draft), bench.context({"verifier": [YES] * 2}))
    assert not state.verified and state.last_error is not None and state.usage == {}


@pytest.mark.parametrize(
    "reply",
    [
        {"passed": False, "reason": "that is the flag", "confidence": 1.0},
        {"passed": False},
        "Looks right to me!",
        "",
        {"reason": "no verdict"},
        {"passed": "perhaps"},
        {"error": "garbage"},
        {"passed": True, "confidence": 7},
    ],
)
async def test_only_a_readable_yes_is_a_yes(bench: Bench, reply: Any) -> None:
    context = bench.context({"verifier": [reply] * 3})
    state = await bench.visit(verify, finished("Boreas is 240 long."), context)
    assert not state.verified
    assert state.last_error is not None and state.last_error.startswith("Verification failed: ")


async def test_a_no_is_told_in_the_verifiers_words(bench: Bench) -> None:
    context = bench.context({"verifier": [{"passed": False, "reason": "that is the flag"}]})
    state = await bench.visit(verify, finished("Boreas is 240 long."), context)
    assert state.last_error == "Verification failed: that is the flag"


async def test_a_later_no_takes_an_earlier_yes_back(bench: Bench) -> None:
    context = bench.context({"verifier": [{"passed": False}]})
    state = await bench.visit(verify, finished("Boreas is 240 long.", verified=True), context)
    assert not state.verified


@given(st.integers(2, 10**6).filter(lambda number: number != 240), st.sampled_from(["It is ", "", "("]))
def test_an_answer_with_a_number_that_no_output_holds_is_found(number: int, before: str) -> None:
    assert any("no output holds" in found for found in code_findings(finished(f"{before}{number}.")))
    assert code_findings(finished(f"{before}240.")) == []


@pytest.mark.parametrize(
    "result",
    [None, ToolResult(tool="command", returncode=-1, error="refused", error_kind="refused")],
)
def test_a_run_in_which_no_tool_ran_is_found(result: ToolResult | None) -> None:
    step = PlanStep(num=1, description="d", status=StepStatus.SUCCESS, result=result)
    state = finished("There it is.", plan=Plan(objective="o", steps=[step]))
    assert "no tool ran" in code_findings(state)
    assert "no tool ran" in code_findings(finished("There it is.", plan=None))


def test_a_failed_step_is_found_among_others_that_succeeded() -> None:
    state = finished("Boreas is 240 long.")
    assert state.plan is not None
    failed = PlanStep(num=2, description="d", status=StepStatus.FAILED)
    plan = state.plan.model_copy(update={"steps": [*state.plan.steps, failed]})
    assert code_findings(state.model_copy(update={"plan": plan})) == ["step 2 failed"]


def test_the_goal_and_the_command_hold_facts_too() -> None:
    goal = 'how long is "Boreas" of fleet 77?'
    assert code_findings(finished("Fleet 77: `grep Boreas data/ships.csv` says 240.", goal=goal)) == []


def test_without_a_judge_every_content_word_must_be_taken_up() -> None:
    plan = finished("x").plan
    covered = finished("x", goal="show Boreas in data/ships.csv", plan=plan)
    assert unjudged_findings(covered) == []
    more = finished("x", goal="show the captain of Boreas in data/ships.csv", plan=plan)
    assert any("captain" in finding for finding in unjudged_findings(more))
    vague = finished("x", goal="what is this?", plan=plan)
    assert unjudged_findings(vague) != []


@pytest.mark.parametrize(
    ("verify_setting", "source", "complexity", "wanted"),
    [
        ("model_plans", "model", TaskComplexity.SIMPLE, True),
        ("model_plans", "recipe", TaskComplexity.SIMPLE, False),
        ("model_plans", "recipe", TaskComplexity.COMPLEX, True),
        ("complex", "model", TaskComplexity.MODERATE, False),
        ("complex", "model", TaskComplexity.COMPLEX, True),
        ("all", "recipe", TaskComplexity.SIMPLE, True),
    ],
)
def test_what_must_be_verified_follows_the_setting_and_the_source(
    verify_setting: str, source: str, complexity: TaskComplexity, wanted: bool
) -> None:
    limits = {"verify": verify_setting}
    state = ReasoningState.model_validate(
        {"complexity": complexity, "plan": {"objective": "o", "source": source}, "limits": limits}
    )
    assert must_verify(state) is wanted


async def test_the_verdict_is_remembered(remembering: Bench) -> None:
    context = remembering.context({"verifier": [{"passed": False, "reason": "that is the flag"}]})
    await remembering.visit(verify, finished("Boreas is 240 long.", session_id="s"), context)
    texts = [path.read_text() for path in (remembering.root / ".reflect").rglob("*.jsonl")]
    assert any('"verification"' in text and "that is the flag" in text for text in texts)


async def test_the_shipped_small_model_is_no_judge_so_code_alone_decides(bench: Bench) -> None:
    context = bench.context(models__verifier__name="embedded")
    more = finished("Boreas is 240 long.", goal="which captain has Boreas in data/ships.csv")
    state = await bench.visit(verify, more, context)
    assert not state.verified and state.usage == {}
    plain = finished("Boreas is 240 long.", goal="show Boreas in data/ships.csv")
    assert (await bench.visit(verify, plain, context)).verified


def test_a_step_whose_own_result_speaks_against_it_is_found() -> None:
    state = finished("Boreas is 240 long.")
    assert state.plan is not None and state.plan.steps[0].result is not None
    for spoilt in ({"returncode": 1}, {"truncated": True}, {"error": "timed out", "error_kind": "timeout"}):
        result = state.plan.steps[0].result.model_copy(update=spoilt)
        step = state.plan.steps[0].model_copy(update={"result": result})
        plan = state.plan.model_copy(update={"steps": [step]})
        assert code_findings(state.model_copy(update={"plan": plan})) != []


async def test_the_verifier_is_told_what_code_could_not_see(bench: Bench) -> None:
    told = {"when": "(?s)take up the number 3.*look at that closely", "reply": YES}
    doubtful = finished("Boreas is 240 long.")
    assert doubtful.plan is not None
    plan = doubtful.plan.model_copy(update={"doubts": ["the number 3"], "validation": "One row."})
    state = doubtful.model_copy(update={"plan": plan})
    no = {"passed": False, "reason": "not told"}
    seen = await bench.visit(verify, state, bench.context({"verifier": [told, no]}))
    assert seen.verified and seen.judged
    plain = await bench.visit(
        verify, finished("Boreas is 240 long."), bench.context({"verifier": [told, no]})
    )
    assert not plain.verified and not plain.judged


@pytest.mark.parametrize(
    ("instead", "kept"), [("Boreas flies GR.", True), ("Boreas is 999 long.", False), ("", False)]
)
async def test_what_the_verifier_would_rather_say_counts_only_where_it_is_grounded(
    bench: Bench, instead: str, kept: bool
) -> None:
    reply = {"passed": False, "reason": "that is the length", "answer": instead}
    state = await bench.visit(verify, finished("Boreas is 240 long."), bench.context({"verifier": [reply]}))
    assert not state.verified and state.draft_answer == "Boreas is 240 long."
    assert ("rather say" in (state.last_error or "")) is kept


async def test_a_verifier_that_raises_is_no_pass(bench: Bench) -> None:
    context = bench.context({"verifier": [{"error": "timeout"}] * 3})
    with pytest.raises(ModelTimeout):
        await bench.visit(verify, finished("Boreas is 240 long."), context)


def test_nothing_found_is_0_and_holds_no_other_number() -> None:
    evidence = [Evidence(source="tool", step=1, command="grep -c x notes", text="")]
    assert code_findings(finished("There are 0 of them.", evidence=evidence)) == []
    assert code_findings(finished("There are 4 of them.", evidence=evidence)) != []


@pytest.mark.parametrize(("said", "held"), [("", True), ("is it more than 100?", False)])
def test_what_an_earlier_answer_said_is_no_evidence_for_this_one(said: str, held: bool) -> None:
    # A goal read with earlier turns may hold their figures; nobody looked them up in this run.
    turn = Turn(goal="how long?", answer="It is 731.", status="answered", said="how long?")
    state = finished("Boreas is 731, more than 100.", goal="is 731 more than 100?", said=said, turns=[turn])
    assert (code_findings(state) == []) is held


def test_what_the_person_said_before_may_stand_in_a_later_answer() -> None:
    turn = Turn(goal="is 7 in it?", answer="It is 731.", status="answered", said="is 7 in it?")
    state = finished("Boreas is 240; 7 is not in it.", goal="and 731?", said="and this one?", turns=[turn])
    assert code_findings(state) == []
