"""The state: what checkpoints hold, how usage adds up, when a plan is complete."""

import json

from hypothesis import given
from hypothesis import strategies as st

from models.usage import Usage
from nodes.reflective.state import (
    Plan,
    PlanStep,
    ReasoningState,
    ReflectionAttempt,
    RoleUsage,
    StepStatus,
    TaskComplexity,
    add_usage,
    dump,
)
from tools.protocol import ToolCall, ToolResult

STATUSES = st.lists(st.sampled_from(StepStatus), max_size=6)
COUNTS = st.integers(0, 10**6)
USAGES = st.builds(
    Usage, calls=COUNTS, prompt_tokens=COUNTS, completion_tokens=COUNTS, seconds=st.floats(0, 1e4)
)


def plan_of(statuses: list[StepStatus]) -> Plan:
    steps = [PlanStep(num=n, description="d", status=status) for n, status in enumerate(statuses, start=1)]
    return Plan(objective="o", steps=steps)


@given(STATUSES)
def test_a_plan_is_complete_when_it_has_steps_and_none_is_open_or_failed(statuses: list[StepStatus]) -> None:
    open_or_failed = {StepStatus.PENDING, StepStatus.RUNNING, StepStatus.FAILED} & set(statuses)
    assert plan_of(statuses).is_complete is (bool(statuses) and not open_or_failed)


@given(STATUSES, st.integers(-9, 9))
def test_there_is_a_step_at_every_index_of_the_plan_and_nowhere_else(
    statuses: list[StepStatus], index: int
) -> None:
    step = plan_of(statuses).step_at(index)
    assert (step.num if step else None) == (index + 1 if 0 <= index < len(statuses) else None)


@given(st.lists(st.tuples(st.sampled_from(["planner", "worker"]), USAGES), max_size=6))
def test_usage_is_the_sum_of_the_calls_of_each_role(calls: list[tuple[str, Usage]]) -> None:
    state = ReasoningState()
    for role, usage in calls:
        before = state.model_copy(deep=True)
        total = add_usage(state, role, usage)
        assert state == before
        state = state.model_copy(update={"usage": total})
    for role in ("planner", "worker"):
        mine = [usage for name, usage in calls if name == role]
        told = state.usage.get(role, RoleUsage())
        assert told.calls == sum(usage.calls for usage in mine)
        assert told.prompt_tokens == sum(usage.prompt_tokens for usage in mine)
        assert told.completion_tokens == sum(usage.completion_tokens for usage in mine)
        assert abs(told.seconds - sum(usage.seconds for usage in mine)) < 0.001


@given(STATUSES, st.text(max_size=8), st.sampled_from(TaskComplexity))
def test_what_a_node_returns_is_json_and_reads_back_as_it_was(
    statuses: list[StepStatus], text: str, complexity: TaskComplexity
) -> None:
    plan = plan_of(statuses)
    call = ToolCall(tool="command", args={"command": text})
    attempts = [ReflectionAttempt(timestamp="t", failed_step=1, error=text, failed_call=call)]
    done = [PlanStep(num=1, description=text, result=ToolResult(tool="wc", returncode=0, stdout=text))]
    usage = {"worker": RoleUsage(calls=1)}
    update = dump(
        plan=plan,
        reflection_attempts=attempts,
        completed=done,
        usage=usage,
        complexity=complexity,
        goal=text,
        last_error=None,
    )
    assert json.loads(json.dumps(update)) == update
    state = ReasoningState.model_validate(update)
    assert (state.plan, state.reflection_attempts, state.completed) == (plan, attempts, done)
    assert (state.usage, state.complexity, state.goal, state.last_error) == (usage, complexity, text, None)


def test_words_found_to_stand_for_something_else_are_replaced_in_the_goal_but_the_goal_is_kept() -> None:
    first = ReflectionAttempt(timestamp="t", failed_step=1, error="e", corrections={"storge.py": "a.py"})
    second = ReflectionAttempt(timestamp="t", failed_step=1, error="e", corrections={"portz": "ports"})
    state = ReasoningState(goal="find portz in storge.py", reflection_attempts=[first, second])
    assert state.goal_as_corrected() == "find ports in a.py"
    assert state.goal == "find portz in storge.py"


def test_a_fresh_state_has_answered_nothing() -> None:
    state = ReasoningState()
    assert (state.status, state.stop_reason, state.verified, state.final_answer) == (
        "running",
        None,
        False,
        None,
    )
