"""Three wirings of one node library: what each does with a failure; a run keeps the one it began with."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.checkpoint.memory import InMemorySaver

from configs.settings import Strategy
from graph.budgets import may_retry
from graph.forking import fork_thread, parse_changes
from graph.reflective import STRATEGIES, build
from models.scripted import Script, register_script
from nodes.reflective.context import RunContext
from nodes.reflective.state import (
    Plan,
    PlanStep,
    ReasoningState,
    RunLimits,
    StepStatus,
    StepTry,
    TaskComplexity,
)
from tests.graph.conftest import Asked
from tests.graph.test_reflective import ANSWER, GOAL, GOOD, PASSED, plan_with
from tools.protocol import ToolCall, ToolResult

LOOP = {"reasoning__strategy": "loop_v1"}
V2 = {"reasoning__strategy": "graph_v2"}
MODERATE = {"complexity": "moderate"}
FAILING = plan_with("grep Nobody data/ships.csv")
AGAIN = {"description": "find the ship", "command": "grep Boreas data/ships.csv"}
DIAGNOSIS = {"diagnosis": "no such ship", "new_plan_summary": "Search for Boreas."}


async def test_the_loop_words_a_failed_step_anew_with_the_error_in_the_prompt(asked: Asked) -> None:
    planner = [FAILING, {"when": "Nobody data/ships.csv.*\n.*failed", "reply": AGAIN}]
    state = await asked(
        GOAL, settings=LOOP, classifier=[MODERATE], planner=planner, worker=[ANSWER], verifier=[PASSED]
    )
    assert (state.status, state.stop_reason, state.final_answer) == ("answered", "success", ANSWER)
    assert state.plan is not None and state.reflection_count == 0 and state.verified
    [step] = state.plan.steps
    assert [one.call.args["command"] for one in step.tries] == ["grep Nobody data/ships.csv"]


async def test_the_loop_never_makes_the_same_call_twice(asked: Asked) -> None:
    same = {"description": "again", "command": "grep  'Nobody' data/ships.csv"}
    state = await asked(GOAL, settings=LOOP, classifier=[MODERATE], planner=[FAILING, *[same] * 3])
    assert (state.status, state.stop_reason) == ("could_not", "max_reflections")
    assert len(state.evidence) == 1 and "failed before" in state.notes[-1]


async def test_the_loop_tries_a_step_twice_more_and_says_what_was_tried(asked: Asked) -> None:
    others = [{"description": "x", "command": f"grep Nobody{number} data/ships.csv"} for number in range(5)]
    state = await asked(GOAL, settings=LOOP, classifier=[MODERATE], planner=[FAILING, *others])
    assert (state.status, state.stop_reason, len(state.evidence)) == ("could_not", "max_reflections", 3)
    assert state.final_answer is not None
    assert "grep Nobody data/ships.csv" in state.final_answer and "Nobody0" in state.final_answer


@pytest.mark.parametrize(
    "reply", ["", "Try another name.", {"description": "x", "command": "rm data/ships.csv"}]
)
async def test_the_loop_ends_honestly_where_no_other_command_is_found(asked: Asked, reply: Any) -> None:
    state = await asked(GOAL, settings=LOOP, classifier=[MODERATE], planner=[FAILING, *[reply] * 6])
    assert (state.status, state.stop_reason) == ("could_not", "max_reflections")
    assert "No other call was found for step 1" in state.notes[-1]


async def test_the_loop_does_not_try_a_recipe_again(asked: Asked) -> None:
    state = await asked("list the functions in zebra.py", settings=LOOP)
    assert state.status == "could_not" and state.usage == {}


async def test_the_loop_ends_when_the_answer_does_not_hold(asked: Asked) -> None:
    no = {"passed": False, "reason": "the flag is not the captain"}
    state = await asked(
        GOAL, settings=LOOP, classifier=[MODERATE], planner=[GOOD], worker=[ANSWER], verifier=[no]
    )
    assert (state.status, state.stop_reason) == ("could_not", "verification_failed")


async def test_graph_v2_plans_anew_while_it_reflects(asked: Asked) -> None:
    state = await asked(
        GOAL,
        settings=V2,
        classifier=[MODERATE],
        planner=[FAILING, GOOD],
        critic=[DIAGNOSIS],
        worker=[ANSWER],
        verifier=[PASSED],
    )
    assert (state.stop_reason, state.reflection_count) == ("success", 1)
    # classify, plan, execute, reflect, execute, verify, respond
    assert state.iterations == 7


async def test_graph_v2_without_a_new_plan_says_so(asked: Asked) -> None:
    state = await asked(GOAL, settings=V2, classifier=[MODERATE], planner=[FAILING] * 4, critic=[DIAGNOSIS])
    assert (state.status, state.stop_reason, state.reflection_count) == ("could_not", "no_plan", 1)
    assert len(state.evidence) == 1


@pytest.mark.parametrize("strategy", ["loop_v1", "graph_v2"])
async def test_a_strategy_without_bypass_answers_nothing_from_the_model_alone(
    asked: Asked, strategy: str
) -> None:
    state = await asked(
        "hello", settings={"reasoning__strategy": strategy}, planner=["Good day."] * 6, worker=["Good day."]
    )
    assert (state.status, state.stop_reason) == ("could_not", "no_plan")
    assert state.complexity is TaskComplexity.SIMPLE and "worker" not in state.usage


@pytest.mark.parametrize("later", get_args(Strategy))
async def test_a_run_goes_on_with_the_strategy_it_began_with(project: Path, later: Strategy) -> None:
    name = f"kept-{later}"
    roles: dict[str, list[Any]] = {
        "classifier": [MODERATE],
        "planner": [FAILING, AGAIN],
        "worker": [ANSWER],
        "verifier": [PASSED],
    }
    register_script(name, Script(roles=roles))
    context = RunContext(
        root=str(project),
        model=f"scripted:{name}",
        strategy="loop_v1",
        settings={"experience.enabled": False},
    )
    saver, config = InMemorySaver(), {"configurable": {"thread_id": name}}
    graph = build(saver)
    await graph.ainvoke({"goal": GOAL}, config, context=context, interrupt_after=["execute"])
    assert (await graph.aget_state(config)).values["plan"]["steps"][0]["status"] == "failed"
    # The script of the roles begins anew with other settings: the planner is asked for the step only.
    register_script(name, Script(roles=roles | {"planner": [AGAIN]}))
    final = await graph.ainvoke(None, config, context=context.model_copy(update={"strategy": later}))
    state = ReasoningState.model_validate(final)
    assert (state.limits.strategy, state.stop_reason, state.reflection_count) == ("loop_v1", "success", 0)
    await fork_thread(saver, project, name, "3", f"{name}-fork", parse_changes(["limits.iterations=40"]))
    forked = await graph.aget_state({"configurable": {"thread_id": f"{name}-fork"}})
    assert (forked.values["limits"]["strategy"], forked.next) == ("loop_v1", ("execute",))


def step(status: StepStatus, tool: str = "command", **result: Any) -> PlanStep:
    outcome = ToolResult(tool=tool, **{"returncode": 1, **result})
    return PlanStep(num=1, description="d", tool_call=ToolCall(tool=tool), status=status, result=outcome)


def loop_state(one: PlanStep, **values: Any) -> ReasoningState:
    return ReasoningState(goal="g", plan=Plan(objective="o", steps=[one]), last_error="no", **values)


@given(tries=st.integers(0, 5), allowed=st.integers(0, 5))
def test_a_step_is_tried_as_often_as_the_limits_say(tries: int, allowed: int) -> None:
    failed = step(StepStatus.FAILED).model_copy(
        update={"tries": [StepTry(call=ToolCall(tool="command"), error="no")] * tries}
    )
    assert may_retry(loop_state(failed, limits=RunLimits(step_retries=allowed))) is (tries < allowed)


@pytest.mark.parametrize(
    ("result", "again"),
    [
        ({"returncode": -1, "error_kind": "access"}, True),
        ({"returncode": -1, "error_kind": "partial"}, False),
        ({"returncode": -1, "error_kind": "timeout"}, False),
        ({"returncode": -1, "error_kind": "interrupted"}, False),
        ({"returncode": 1}, False),
    ],
)
@pytest.mark.parametrize("tool", ["write_file", "run", "python"])
def test_a_change_that_may_have_happened_is_not_tried_again(
    tool: str, result: dict[str, Any], again: bool
) -> None:
    assert may_retry(loop_state(step(StepStatus.FAILED, tool, **result))) is again


def test_every_route_leads_to_nodes_its_strategy_has() -> None:
    for wiring in STRATEGIES.values():
        assert set(wiring.routes) == set(wiring.nodes) - {"respond"}
        assert all(set(wiring.targets(name)) <= set(wiring.nodes) for name in wiring.nodes)
        assert all("respond" in wiring.targets(name) for name in wiring.routes)


states = st.builds(
    ReasoningState,
    complexity=st.sampled_from(TaskComplexity),
    iterations=st.integers(0, 60),
    reflection_count=st.integers(0, 4),
    last_error=st.sampled_from([None, "no"]),
    stop_reason=st.sampled_from([None, "no_plan", "user_abort", "max_reflections"]),
    verified=st.booleans(),
    plan=st.none()
    | st.builds(
        Plan,
        objective=st.just("o"),
        source=st.sampled_from(["recipe", "reused", "model"]),
        steps=st.lists(st.sampled_from(StepStatus).map(step), max_size=3),
    ),
    current_step_index=st.integers(0, 3),
    remaining_steps=st.sampled_from([3, 1000]),
    limits=st.builds(RunLimits, strategy=st.sampled_from(get_args(Strategy)), step_retries=st.integers(0, 2)),
)


@given(states, st.sampled_from(get_args(Strategy)))
def test_any_state_is_routed_to_a_node_the_strategy_has_and_a_spent_run_to_its_answer(
    state: ReasoningState, strategy: Strategy
) -> None:
    wiring = STRATEGIES[strategy]
    for name, route in wiring.routes.items():
        goal = route(state)
        assert goal in wiring.targets(name)
        if state.iterations >= state.limits.iterations or state.remaining_steps == 3:
            assert goal == "respond"
