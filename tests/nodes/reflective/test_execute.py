"""EXECUTE: tool results decide what succeeded."""

import asyncio
import shlex
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nodes.errors import NoTools
from nodes.reflective.execute import execute, failure_text, succeeded
from nodes.reflective.state import Plan, PlanStep, ReasoningState, StepStatus
from tests.nodes.reflective.bench import Bench
from tools.protocol import ToolCall, ToolResult


def step(num: int, command: str | None, **values: Any) -> PlanStep:
    call = ToolCall(tool="command", args={"command": command}) if command else None
    return PlanStep(num=num, description=f"step {num}", tool_call=call, **values)


def planned(*steps: PlanStep, index: int = 0, **values: Any) -> ReasoningState:
    plan = Plan(objective="look", steps=list(steps))
    return ReasoningState(goal="look", plan=plan, current_step_index=index, **values)


async def test_a_step_that_succeeds_leaves_its_output_and_the_next_step_waits(bench: Bench) -> None:
    state = planned(step(1, "grep Boreas data/ships.csv"), step(2, "wc -l notes.txt"), last_error="before")
    state = await bench.visit(execute, state, bench.context())
    assert state.plan is not None
    assert [one.status for one in state.plan.steps] == [StepStatus.SUCCESS, StepStatus.PENDING]
    assert (state.current_step_index, state.last_error, state.draft_answer) == (1, None, None)
    assert [(item.command, item.text) for item in state.evidence] == [
        ("grep -- Boreas data/ships.csv", "Boreas,240,GR\n")
    ]
    assert [one.num for one in state.completed] == [1]


async def test_after_the_last_step_an_answer_is_drafted(bench: Bench) -> None:
    state = planned(step(1, "wc -l notes.txt"))
    state = await bench.visit(execute, state, bench.context({"worker": ["notes.txt has 3 lines."]}))
    assert state.plan is not None and state.plan.is_complete
    assert state.draft_answer == "notes.txt has 3 lines." and not state.verified


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("grep Nobody data/ships.csv", "gave no reason"),
        ("cat none.txt", "No such file"),
        ("cat notes.txt none.txt | sort", "No such file"),
        ("grep Nobody notes.txt | wc -l", "gave no reason"),
        ("rm notes.txt", "refused"),
        ("cat ../outside", ""),
        ("cat 'unclosed", ""),
    ],
)
async def test_a_step_that_fails_anywhere_is_failed_and_the_run_stays_at_it(
    bench: Bench, command: str, says: str
) -> None:
    state = await bench.visit(execute, planned(step(1, command)), bench.context())
    assert state.plan is not None
    assert state.plan.steps[0].status is StepStatus.FAILED and not state.plan.is_complete
    assert (state.current_step_index, state.completed, state.draft_answer) == (0, [], None)
    assert state.last_error is not None and state.last_error.startswith("Step 1 failed (exit ")
    assert says in state.last_error or "read-only" in state.last_error
    assert (bench.root / "notes.txt").exists()


async def test_a_call_that_never_ran_is_no_evidence(bench: Bench) -> None:
    state = await bench.visit(execute, planned(step(1, "rm notes.txt")), bench.context())
    assert state.evidence == []


async def test_a_failing_command_is_evidence_of_its_failure(bench: Bench) -> None:
    state = await bench.visit(execute, planned(step(1, "grep Nobody notes.txt")), bench.context())
    assert [(item.returncode, item.text) for item in state.evidence] == [(1, "")]


async def test_a_step_that_takes_too_long_is_failed(bench: Bench) -> None:
    state = planned(step(1, "tail -f notes.txt"))
    state = await bench.visit(execute, state, bench.context(graph__timeout_per_step=0.3))
    assert state.plan is not None and state.plan.steps[0].status is StepStatus.FAILED


async def test_an_output_that_was_cut_is_a_failure_not_half_an_answer(bench: Bench) -> None:
    (bench.root / "long.txt").write_text("x" * 5000 + "\n")
    context = bench.context(tools__max_output_bytes=1000)
    state = await bench.visit(execute, planned(step(1, "cat long.txt")), context)
    assert state.plan is not None and state.plan.steps[0].status is StepStatus.FAILED
    assert state.last_error is not None and "cut" in state.last_error


async def test_a_step_reads_the_output_of_the_step_it_names(bench: Bench) -> None:
    first = step(
        1,
        "cat notes.txt",
        status=StepStatus.SUCCESS,
        result=ToolResult(tool="command", returncode=0, stdout="b\na\n"),
    )
    state = planned(first, step(2, "sort", input_from=1), index=1)
    state = await bench.visit(execute, state, bench.context({"worker": [""]}))
    assert state.plan is not None and state.plan.steps[1].result is not None
    assert state.plan.steps[1].result.stdout == "a\nb\n"


async def test_a_step_without_a_call_succeeds_but_is_no_evidence(bench: Bench) -> None:
    state = await bench.visit(execute, planned(step(1, None)), bench.context())
    assert state.plan is not None and state.plan.is_complete
    assert (state.evidence, state.draft_answer) == ([], None)
    assert state.last_error == "No step produced an output."


@pytest.mark.parametrize("state", [ReasoningState(goal="g"), planned(), planned(step(1, "ls"), index=1)])
async def test_with_nothing_to_run_the_run_stops(bench: Bench, state: ReasoningState) -> None:
    state = await bench.visit(execute, state, bench.context())
    assert (state.stop_reason, state.last_error) == ("no_plan", "There is no step to run.")


async def test_the_safe_profile_runs_no_step(bench: Bench) -> None:
    with pytest.raises(NoTools, match="allows no tools"):
        await bench.visit(execute, planned(step(1, "ls")), bench.context(profile="safe"))


async def test_an_expected_exit_code_is_no_failure_unless_output_was_expected(bench: Bench) -> None:
    quiet = step(1, "grep Nobody notes.txt", expect_exit=[0, 1])
    result = await bench.visit(execute, planned(quiet), bench.context({"worker": [""]}))
    assert result.plan is not None and result.plan.is_complete
    loud = quiet.model_copy(update={"expect_output": True})
    result = await bench.visit(execute, planned(loud), bench.context())
    assert result.last_error == "Step 1 failed (exit 1): it printed nothing"


async def test_what_a_step_did_is_remembered(remembering: Bench) -> None:
    await remembering.visit(execute, planned(step(1, "cat none.txt"), session_id="s"), remembering.context())
    (events,) = (remembering.root / ".reflect").rglob("events.jsonl")
    text = events.read_text()
    assert '"execution"' in text and '"failure"' in text and "No such file" in text


@settings(max_examples=200)
@given(
    st.builds(
        ToolResult,
        tool=st.just("command"),
        returncode=st.integers(-2, 3),
        stdout=st.sampled_from(["", "\n", "x"]),
        stderr=st.sampled_from(["", "why"]),
        error=st.none() | st.just("refused"),
        truncated=st.booleans(),
    ),
    st.lists(st.integers(0, 2), max_size=2),
    st.booleans(),
)
def test_success_is_an_expected_exit_without_error_or_cut_and_failure_has_a_reason(
    result: ToolResult, expected: list[int], output: bool
) -> None:
    one = step(1, "ls", expect_exit=expected, expect_output=output, result=result)
    holds = succeeded(one, result)
    assert holds is (
        result.returncode in expected
        and result.error is None
        and not result.truncated
        and (result.stdout == "x" or not output)
    )
    text = failure_text(one)
    assert text.startswith(f"Step 1 failed (exit {result.returncode}): ")
    assert not text.endswith(": ") and (result.error or result.stderr or ": it") in text


def test_a_step_that_did_not_run_says_so() -> None:
    assert failure_text(step(4, "ls")) == "Step 4 did not run."


@settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.text("abc 'é\"$;&|*", min_size=1, max_size=8).filter(lambda text: text.strip()))
def test_a_quoted_word_reaches_the_tool_as_it_is(bench: Bench, word: str) -> None:
    (bench.root / "notes.txt").write_text(f"before\n{word}\nafter\n")
    command = f"grep -nxF -- {shlex.quote(word)} notes.txt"
    state = asyncio.run(
        bench.visit(
            execute, planned(step(1, command)), bench.context({"worker": [{"when": "", "reply": ""}]})
        )
    )
    assert [item.text for item in state.evidence] == [f"2:{word}\n"]
