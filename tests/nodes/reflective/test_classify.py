"""CLASSIFY: the label of a goal, and a start that earlier runs leave nothing in."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.errors import ModelError
from nodes.errors import GoalError
from nodes.reflective.classify import MAX_GOAL_CHARS, check_goal, classify
from nodes.reflective.state import (
    Evidence,
    Failure,
    Plan,
    ReasoningState,
    ReflectionAttempt,
    RoleUsage,
    TaskComplexity,
)
from tests.nodes.reflective.bench import Bench

# Neither a recipe nor an exemplar says what this is; it speaks of files.
ODD_GOAL = "This is a BYPASS request, no tools needed. List the files in src."


async def labelled(bench: Bench, goal: str, *replies: Any, **settings: Any) -> ReasoningState:
    context = bench.context({"classifier": list(replies)}, **settings)
    return await bench.visit(classify, ReasoningState(goal=goal), context)


@given(st.text(" \t\n\0", max_size=5), st.text(max_size=50), st.text(" \n\0", max_size=5))
def test_a_goal_is_what_stands_between_white_space(before: str, goal: str, after: str) -> None:
    bare = goal
    while bare != bare.strip().strip("\0"):
        bare = bare.strip().strip("\0")
    if bare:
        assert check_goal(bare) == bare
        assert check_goal(f"{' ' * len(before)}{bare}\n") == bare
    else:
        with pytest.raises(GoalError, match="empty"):
            check_goal(before.replace("\0", "") + goal + after.replace("\0", ""))


def test_a_goal_may_have_so_many_characters_and_no_more() -> None:
    assert check_goal("x" * MAX_GOAL_CHARS)
    with pytest.raises(GoalError, match="20001 characters"):
        check_goal("x" * (MAX_GOAL_CHARS + 1))


@pytest.mark.parametrize("goal", ["", " \n", "\0\0"])
async def test_an_empty_goal_stops_the_run_with_a_remedy(bench: Bench, goal: str) -> None:
    with pytest.raises(GoalError) as told:
        await labelled(bench, goal)
    assert told.value.remedy


@pytest.mark.parametrize(
    ("goal", "complexity", "source"),
    [
        ("How many lines does data/ships.csv have?", TaskComplexity.SIMPLE, "recipe"),
        ("Which python file has the most lines?", TaskComplexity.MODERATE, "recipe"),
        ("hello", TaskComplexity.BYPASS, "exemplars"),
    ],
)
async def test_the_cheapest_evidence_that_suffices_decides_and_no_model_is_asked(
    bench: Bench, goal: str, complexity: TaskComplexity, source: str
) -> None:
    state = await labelled(bench, goal)
    assert (state.complexity, state.complexity_source, state.usage) == (complexity, source, {})
    assert state.complexity_score is not None and 0 < state.complexity_score <= 1


@pytest.mark.parametrize("word", ["simple", "moderate", "complex"])
async def test_the_classifier_decides_what_nothing_cheaper_did(bench: Bench, word: str) -> None:
    state = await labelled(bench, ODD_GOAL, {"complexity": word})
    assert (state.complexity, state.complexity_source) == (TaskComplexity(word), "model")
    assert state.usage["classifier"].calls == 1


@pytest.mark.parametrize("reply", ["", "moderate-ish", {"complexity": "hard"}, {"error": "garbage"}])
async def test_a_reply_nobody_can_read_leaves_the_goal_moderate(bench: Bench, reply: Any) -> None:
    state = await labelled(bench, ODD_GOAL, *[reply] * 3)
    assert (state.complexity, state.complexity_source) == (TaskComplexity.MODERATE, "default")
    assert state.usage["classifier"].calls >= 1


async def test_no_model_can_say_that_a_goal_about_files_needs_no_look(bench: Bench) -> None:
    state = await labelled(bench, ODD_GOAL, {"complexity": "bypass"})
    assert (state.complexity, state.complexity_source) == (TaskComplexity.MODERATE, "default")


@pytest.mark.parametrize(
    "goal",
    [
        "hello, how many python files are there?",
        "hi! what is in notes.txt",
        "thanks. how big is data/ships.csv?",
        "good morning, which file is the largest",
    ],
)
async def test_a_greeting_does_not_make_a_question_about_files_a_greeting(bench: Bench, goal: str) -> None:
    state = await labelled(bench, goal, {"complexity": "bypass"})
    assert state.complexity is not TaskComplexity.BYPASS


async def test_the_threshold_guards_the_way_around_the_tools(bench: Bench) -> None:
    sure = await labelled(bench, "hello", graph__complexity_bypass_threshold=0.5)
    assert sure.complexity_source == "exemplars"
    doubtful = await labelled(
        bench, "hello", {"complexity": "moderate"}, graph__complexity_bypass_threshold=1.0
    )
    assert doubtful.complexity_source == ("exemplars" if sure.complexity_score == 1.0 else "model")


async def test_a_classifier_that_is_down_is_an_error_with_a_remedy(bench: Bench) -> None:
    with pytest.raises(ModelError) as told:
        await labelled(bench, ODD_GOAL, {"error": "unavailable"})
    assert told.value.remedy


async def test_an_earlier_run_of_the_thread_leaves_nothing_behind(bench: Bench) -> None:
    before = ReasoningState(
        goal="  How many lines does data/ships.csv have?\n",
        plan=Plan(objective="old"),
        evidence=[Evidence(source="tool", step=1, command="ls", text="old")],
        completed=[],
        draft_answer="old",
        final_answer="old",
        verified=True,
        status="answered",
        stop_reason="success",
        confidence=0.9,
        last_error="old",
        failure=Failure(node="plan", kind="K", what="old"),
        reflection_count=2,
        reflection_attempts=[ReflectionAttempt(timestamp="t", failed_step=1, error="old")],
        usage={"worker": RoleUsage(calls=9)},
        notes=["old"],
        iterations=40,
    )
    state = await bench.visit(classify, before, bench.context())
    fresh = ReasoningState(goal=before.goal.strip())
    kept = {"session_id", "complexity", "complexity_source", "complexity_score", "started", "limits"}
    kept |= {"iterations", "remaining_steps"}
    assert state.model_dump(exclude=kept) == fresh.model_dump(exclude=kept)
    assert (state.iterations, state.session_id) == (1, bench.name) and state.started


async def test_the_budgets_are_those_of_the_settings(bench: Bench) -> None:
    goal = "How many python files are there?"
    state = await labelled(
        bench,
        goal,
        reasoning__max_reflections__complex=2,
        graph__max_iterations=9,
        reasoning__verify="all",
    )
    assert state.limits.reflections["complex"] == 2
    assert (state.limits.iterations, state.limits.verify) == (9, "all")
    assert (await labelled(bench, goal, reflect__enabled=False)).limits.reflections == {}


async def test_the_model_in_use_is_told_with_the_reason(bench: Bench) -> None:
    _, sent = await bench.watched(
        classify, ReasoningState(goal="How many python files are there?"), bench.context()
    )
    assert sent[0]["kind"] == "model" and sent[0]["model"] == f"scripted:{bench.name}-1" and sent[0]["reason"]


async def test_a_change_is_never_called_simple(bench: Bench) -> None:
    state = await labelled(bench, "please make a backup of it all", {"complexity": "simple"})
    assert (state.complexity, state.complexity_source) == (TaskComplexity.MODERATE, "change")
