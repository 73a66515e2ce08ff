"""What the specification's budgets allow on a tape, and what the generators and judges make of replies."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from configs.settings import Strategy
from evals.faults.budget import Allowance, outcome
from evals.faults.goals import Goal, goals_of
from evals.faults.judging import judge
from evals.faults.oracle import Oracle, Tape
from evals.faults.project import build_project, facts_of
from evals.faults.replies import ROLES, Asked, Fault, Role, all_faults, faults_for
from nodes.reflective.state import Plan, PlanStep, ReasoningState, StepStatus, TaskComplexity
from tools.protocol import ToolResult

GOALS = goals_of(facts_of(0))
MOST = GOALS["most"]


def fault(role: Role, name: str) -> Fault:
    return next(one for one in all_faults() if role in one.roles and one.name == name)


def tape_of(**names: Sequence[str]) -> Tape:
    """Faults by role, in order; "" is a right reply, and so is everything after the last."""

    def tape(role: str, number: int) -> Fault | None:
        listed = names.get(role, ())
        name = listed[number] if number < len(listed) else ""
        return fault(role, name) if name else None  # type: ignore[arg-type]

    return tape


def allowed(strategy: Strategy = "graph_v30", reflections: int = 1, **changed: Any) -> Allowance:
    values = {"plan_retries": 2, "step_retries": 2, "classifies": False, "changes": False, **changed}
    reflections = 0 if strategy == "loop_v1" else reflections
    return Allowance(strategy=strategy, complexity="moderate", reflections=reflections, **values)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ({}, "right"),
        ({"planner": ["prose"] * 5}, "right"),
        ({"planner": ["prose"] * 6}, "spent"),
        ({"planner": ["semicolon"] * 2}, "right"),
        ({"planner": ["semicolon"] * 3}, "spent"),
        ({"planner": ["finds_nothing"]}, "right"),
        ({"planner": ["finds_nothing", "hidden_failing_stage"]}, "spent"),
        ({"planner": ["plausible_command"]}, "right"),
        ({"planner": ["plausible_command"], "verifier": ["passes_everything"]}, "deceived"),
        ({"worker": ["says_nothing"]}, "right"),
        ({"worker": ["says_nothing"], "verifier": ["passes_everything"]}, "right"),
        ({"worker": ["says_nothing"], "verifier": ["passes_everything"] * 2}, "shown"),
        ({"worker": ["says_nothing"], "verifier": ["passes_everything", "fails_everything"]}, "right"),
        (
            {"planner": ["plausible_command"], "worker": ["empty"], "verifier": ["passes_everything"] * 2},
            "shown",
        ),
        ({"verifier": ["prose"]}, "right"),
        ({"verifier": ["prose"] * 4}, "spent"),
        ({"verifier": ["fails_everything"] * 2}, "spent"),
        ({"planner": ["connection_lost"] * 2}, "right"),
        ({"planner": ["connection_lost"] * 3}, "broken"),
        ({"verifier": ["timeout"]}, "broken"),
        ({"worker": ["output_does_not_answer"]}, "right"),
        ({"worker": ["output_does_not_answer"] * 2}, "spent"),
    ],
)
def test_the_budgets_of_a_moderate_goal(names: dict[str, list[str]], expected: str) -> None:
    assert outcome(tape_of(**names), allowed()) == expected


def test_strategies_differ_in_what_they_grant() -> None:
    failing = tape_of(planner=["finds_nothing", "hidden_failing_stage"])
    assert (
        outcome(failing, allowed("loop_v1")) == "right" and outcome(failing, allowed("graph_v2")) == "spent"
    )
    rejected = tape_of(verifier=["fails_everything"])
    assert outcome(rejected, allowed("loop_v1")) == "spent" and outcome(rejected, allowed()) == "right"
    assert outcome(rejected, allowed(changes=True)) == "spent"


def test_a_classifier_is_missed_only_where_there_is_none() -> None:
    for name, expected in (("prose", "right"), ("timeout", "right"), ("unavailable", "broken")):
        tape = tape_of(classifier=[name] * 3)
        assert outcome(tape, allowed(classifies=True)) == expected
        assert outcome(tape, allowed(classifies=False)) == "right"


@given(st.lists(st.sampled_from(sorted(one.name for one in faults_for("planner", MOST))), max_size=8))
def test_a_larger_budget_never_loses_what_a_smaller_one_reached(names: list[str]) -> None:
    tape = tape_of(planner=names)
    if outcome(tape, allowed(reflections=0)) == "right":
        assert outcome(tape, allowed(reflections=3)) == "right"


@settings(deadline=None)
@given(st.sampled_from(all_faults()), st.sampled_from(sorted(GOALS)), st.integers(0, 1000))
def test_every_fault_makes_a_reply_a_script_can_give(one: Fault, key: str, seed: int) -> None:
    goal = GOALS[key]
    if not one.suits(goal):
        return
    for role in one.roles:
        oracle = Oracle.of(goal, lambda asked, number: one, seed)
        reply = oracle.decide(role, "")
        assert reply is not None and oracle.given[0].fault is one
        assert isinstance(reply, str) or json.dumps(reply) or isinstance(reply, dict)


@given(st.sampled_from([one for one in all_faults() if one.kind == "unreadable" and "planner" in one.roles]))
def test_an_unreadable_reply_holds_no_right_plan(one: Fault) -> None:
    """Else a run that reads it would be counted as recovered from nothing."""
    right = {"steps": [{"description": "d", "command": "wc -l a.csv"}]}
    made = one.make(Asked(right, MOST, random.Random(0)))
    assert made != right and made != json.dumps(right)


@pytest.mark.parametrize("key", sorted(key for key, goal in GOALS.items() if goal.plans))
def test_a_judge_knows_the_right_answer_from_others(key: str) -> None:
    goal = GOALS[key]
    assert goal.is_right(goal.answer)
    assert not goal.is_right("") and not goal.is_right("The output does not answer this.")
    assert not goal.is_right(f"{goal.answer} I could not find more.")
    assert not goal.is_right("7777777, and everything was verified.")
    assert len({command for plan in goal.plans for command in plan[-1:]}) == len(goal.plans)


def finished(goal: Goal, answer: str, **changed: Any) -> ReasoningState:
    """The state of a run that claims success."""
    result = ToolResult(tool="command", returncode=0, stdout="x", command="x")
    step = PlanStep(num=1, description="d", status=StepStatus.SUCCESS, result=result)
    values = {
        "goal": goal.text,
        "complexity": TaskComplexity.MODERATE,
        "plan": Plan(objective="o", steps=[step]),
        "verified": True,
        "final_answer": answer,
        "status": "answered",
        "stop_reason": "success",
        **changed,
    }
    return ReasoningState.model_validate(values)


def test_a_judge_sees_each_kind_of_false_success(tmp_path: Any) -> None:
    root = build_project(tmp_path / "project", facts_of(0))
    failed = PlanStep(num=1, description="d", status=StepStatus.FAILED)
    lies = {
        "right": finished(MOST, MOST.answer),
        "wrong answer": finished(MOST, "Zephyr."),
        "no step ran": finished(MOST, MOST.answer, plan=None),
        "step 1 failed": finished(MOST, MOST.answer, plan=Plan(objective="o", steps=[failed])),
        "not verified": finished(MOST, MOST.answer, verified=False),
        "says that it failed": finished(MOST, f"I could not do it. {MOST.answer}"),
        "claims a deed": finished(MOST, f"{MOST.answer} I have deleted the file."),
        "nothing was looked at": finished(MOST, MOST.answer, stop_reason="bypass"),
    }
    for kind, state in lies.items():
        verdict = judge(state, MOST, [], root)
        assert verdict.right == (kind == "right")
        assert kind == "right" or any(kind in lie for lie in verdict.lies), (kind, verdict.lies)
    assert judge(finished(MOST, "x", status="could_not"), MOST, [], root).lies == ()
    (root / "pwned").touch()
    assert judge(finished(MOST, MOST.answer), MOST, [], root).broken
    assert set(ROLES) == {role for one in all_faults() for role in one.roles}


def test_a_judge_counts_the_respond_events(tmp_path: Any) -> None:
    root = build_project(tmp_path / "project", facts_of(0))
    events = root / ".reflect" / "experience" / "events.jsonl"
    events.parent.mkdir(parents=True)
    for times, expected in ((0, True), (1, False), (2, True)):
        events.write_text('{"event_type": "planning"}\n' + '{"event_type": "respond"}\n' * times)
        assert bool(judge(finished(MOST, MOST.answer), MOST, [], root).broken) is expected
