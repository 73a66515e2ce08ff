"""How far an answer may be trusted: never 0 for an answer, 0 without one, and no model's own figure."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from configs.calibration import Calibration
from nodes.reflective.confidence import Features, assess, features_of, group_of, raw_score
from nodes.reflective.state import (
    Plan,
    PlanStep,
    ReasoningState,
    ReflectionAttempt,
    StepStatus,
    TaskComplexity,
    cut_note,
)
from tools.protocol import ToolCall, ToolResult

FEATURES = st.builds(
    Features,
    source=st.sampled_from(["recipe", "reused", "model", "change", "bypass"]),
    conclusive=st.booleans(),
    doubts=st.integers(0, 9),
    unexplained=st.integers(0, 9),
    verified=st.booleans(),
    judged=st.booleans(),
    stated=st.none() | st.floats(0, 1),
    reflections=st.integers(0, 9),
    retries=st.integers(0, 9),
    cut=st.booleans(),
    empty=st.booleans(),
)
RAW = Calibration()


def finished(source: Any = "model", printed: str = "x\n", **values: Any) -> ReasoningState:
    result = ToolResult(tool="command", returncode=0, stdout=printed, command="ls")
    step = PlanStep(
        num=1, description="d", tool_call=ToolCall(tool="ls"), status=StepStatus.SUCCESS, result=result
    )
    plan = Plan(objective="o", steps=[step], source=source, **values.pop("plan", {}))
    given_values = {
        "goal": "look",
        "complexity": TaskComplexity.MODERATE,
        "draft_answer": "x",
        "verified": True,
    }
    return ReasoningState(**(given_values | values), plan=plan)


@given(FEATURES)
def test_a_score_lies_between_0_and_1(features: Features) -> None:
    assert 0 <= raw_score(features) <= 1 and group_of(features)


@given(FEATURES, st.sampled_from(["doubts", "unexplained", "reflections", "retries"]))
def test_more_doubt_never_gives_a_higher_score(features: Features, name: str) -> None:
    worse = features.model_copy(update={name: getattr(features, name) + 1})
    assert raw_score(worse) <= raw_score(features)


@given(FEATURES, st.sampled_from(["cut", "empty"]))
def test_what_was_cut_or_empty_is_trusted_less(features: Features, name: str) -> None:
    worse, better = (features.model_copy(update={name: value}) for value in (True, False))
    assert raw_score(worse) < raw_score(better)


@given(FEATURES, st.floats(0, 1))
def test_a_models_own_word_moves_the_score_a_little_only(features: Features, stated: float) -> None:
    sure, unsure = (features.model_copy(update={"stated": value}) for value in (1.0, stated))
    assert raw_score(sure) * 0.85 - 1e-9 <= raw_score(unsure) <= raw_score(sure)


@given(FEATURES)
def test_judged_by_the_verifier_is_trusted_more(features: Features) -> None:
    judged, unjudged = (features.model_copy(update={"judged": value}) for value in (True, False))
    assert raw_score(judged) >= raw_score(unjudged)


@pytest.mark.parametrize("status", ["could_not", "error", "running"])
def test_without_an_answer_there_is_no_confidence(status: Any) -> None:
    assert assess(finished(confidence=1.0), status, RAW) == (0.0, None)


@pytest.mark.parametrize("status", ["answered", "partial"])
@pytest.mark.parametrize("source", ["recipe", "reused", "model"])
def test_an_answer_always_has_a_confidence(status: Any, source: Any) -> None:
    shown, assessment = assess(finished(source), status, RAW)
    assert 0 < shown < 1 and assessment is not None and assessment.features["source"] == source


def test_an_answer_from_the_models_own_knowledge_has_one_too() -> None:
    state = ReasoningState(goal="what is a list?", complexity=TaskComplexity.BYPASS, draft_answer="A chain.")
    shown, assessment = assess(state, "answered", RAW)
    assert 0 < shown < 1 and assessment is not None and assessment.group == "bypass"


def test_the_features_are_those_of_the_run() -> None:
    state = finished(
        printed=" ",
        plan={"doubts": ["a", "b"], "unexplained": ["c"]},
        judged=True,
        confidence=0.4,
        plan_retries=2,
        reflection_attempts=[ReflectionAttempt(timestamp="t", failed_step=1, error="e")],
        notes=cut_note([], "planner", 12),
    )
    assert features_of(state) == Features(
        source="model", doubts=2, unexplained=1, verified=True, judged=True, stated=0.4,
        reflections=1, retries=2, cut=True, empty=True,
    )  # fmt: skip


def test_the_order_is_recipe_then_memory_then_a_judged_plan_then_an_unjudged_one() -> None:
    sources = [
        finished("recipe"),
        finished("reused"),
        finished(judged=True),
        finished(),
        finished(verified=False),
    ]
    scores = [raw_score(features_of(state)) for state in sources]
    assert scores == sorted(scores, reverse=True) and len(set(scores)) == len(scores)


def test_what_is_shown_is_the_measured_share_of_the_group() -> None:
    table = Calibration(groups={"model_judged": ((0.0, 0.2), (1.0, 0.4))})
    shown, assessment = assess(finished(judged=True, confidence=1.0), "answered", table)
    assert assessment is not None and shown == pytest.approx(0.2 + 0.2 * assessment.raw, abs=1e-3)
    assert assess(finished("recipe"), "answered", table)[0] == pytest.approx(0.95)
