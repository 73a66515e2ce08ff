"""No path through the graph may end as a success when it is none, under any strategy and any replies.

The rules are those of the design; the replies are the fault suite's, met here in small numbers. The suite
itself runs a sample of them, with memory on and `respond` events counted, in tests/integration/.
"""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from configs.settings import Strategy
from evals.faults.cases import noisy_tape
from evals.faults.goals import Goal, goals_of
from evals.faults.oracle import Tape
from evals.faults.project import facts_of
from evals.faults.replies import Fault, Role, all_faults, faults_for, plan_of
from evals.faults.running import Ran, run_oracle

STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)
FACTS = facts_of(0)
GOALS = goals_of(FACTS)
MOST = GOALS["most"]
_runs = 0


async def run(tape: Tape, strategy: Strategy = "graph_v30", goal: Goal = MOST) -> Ran:
    """One run with replies as the tape says; nothing it breaks passes unseen."""
    global _runs
    _runs += 1
    chosen = {"reasoning__strategy": strategy, "experience__enabled": False}
    ran = await run_oracle(f"truth-{_runs}", goal, FACTS, tape, 0, chosen)
    assert ran.state is not None, ran.raised
    assert ran.verdict.lies == () and ran.verdict.broken == (), (ran.verdict, ran.state.final_answer)
    return ran


def fault(role: Role, name: str) -> Fault:
    return next(one for one in all_faults() if role in one.roles and one.name == name)


def always(role: Role, name: str) -> Tape:
    bad = fault(role, name)
    return lambda asked, number: bad if asked == role else None


def planned(*commands: str) -> Tape:
    """A planner that writes the same plan whenever it is asked, and a verifier that passes it."""
    written = Fault("written", "misleading", ("planner",), lambda asked: plan_of(*commands, goal=asked.goal))
    passing = fault("verifier", "passes_everything")
    replies = {"planner": written, "verifier": passing}
    return lambda asked, number: replies.get(asked)


@pytest.mark.parametrize("strategy", STRATEGIES)
async def test_right_replies_are_a_success_so_the_rules_below_are_not_kept_by_refusing_all(
    strategy: Strategy,
) -> None:
    ran = await run(lambda role, number: None, strategy)
    assert ran.state is not None and ran.verdict.right
    assert (ran.state.status, ran.state.stop_reason) == ("answered", "success")


@pytest.mark.parametrize("strategy", STRATEGIES)
async def test_no_success_when_no_step_ran(strategy: Strategy) -> None:
    ran = await run(always("planner", "zero_steps"), strategy)
    assert ran.state is not None and ran.verdict.met
    assert (ran.state.status, ran.state.stop_reason) == ("could_not", "no_plan")


@pytest.mark.parametrize("strategy", STRATEGIES)
async def test_no_success_when_a_step_failed_and_was_not_recovered(strategy: Strategy) -> None:
    ran = await run(always("planner", "hidden_failing_stage"), strategy)
    assert ran.state is not None and ran.verdict.met
    assert ran.state.status == "could_not"


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(
    ("role", "name"),
    [("planner", "prose"), ("planner", "empty"), ("verifier", "prose"), ("verifier", "empty")],
)
async def test_no_success_when_the_output_could_not_be_parsed(
    strategy: Strategy, role: Role, name: str
) -> None:
    ran = await run(always(role, name), strategy)
    assert ran.state is not None and ran.verdict.met
    assert ran.state.status == "could_not"


@pytest.mark.parametrize("strategy", STRATEGIES)
async def test_no_success_when_the_verifier_raised(strategy: Strategy) -> None:
    ran = await run(always("verifier", "server_error"), strategy)
    assert ran.state is not None
    assert ran.state.status == "error" and ran.state.failure is not None
    assert ran.state.failure.node == "verify"


@pytest.mark.parametrize("strategy", STRATEGIES)
async def test_no_success_when_the_answer_says_it_failed(strategy: Strategy) -> None:
    """The worker says so, as it is told to, of an output that is no answer; the verifier passes all."""
    bad = {
        "worker": fault("worker", "output_does_not_answer"),
        "verifier": fault("verifier", "passes_everything"),
    }
    ran = await run(lambda asked, number: bad.get(asked), strategy)
    assert ran.state is not None and ran.state.status == "could_not"


@pytest.mark.parametrize("name", ["refusal", "says_it_failed", "claims_a_deed", "nul_bytes", "megabyte"])
async def test_no_success_when_a_model_without_tools_gives_no_answer(name: str) -> None:
    ran = await run(always("worker", name), goal=GOALS["hello"])
    assert ran.state is not None and ran.verdict.met
    assert ran.state.status in ("could_not", "error")


async def test_no_success_when_a_wrong_output_is_passed_by_a_verifier_that_passes_everything() -> None:
    ran = await run(planned(MOST.wrong[1]))
    assert ran.state is not None and ran.state.status == "could_not"


@pytest.mark.parametrize("name", ["says_nothing", "claims_a_deed", "invented_number"])
async def test_words_that_no_output_holds_give_way_to_the_output(name: str) -> None:
    """A verifier that says what the answer in the output is bears it out."""
    ran = await run(always("worker", name))
    assert ran.verdict.right


@pytest.mark.parametrize("name", ["says_nothing", "claims_a_deed", "invented_number"])
async def test_an_output_that_only_a_bare_pass_speaks_for_is_shown_and_not_claimed(name: str) -> None:
    bad = {"worker": fault("worker", name), "verifier": fault("verifier", "passes_everything")}
    ran = await run(lambda asked, number: bad.get(asked))
    assert ran.state is not None and (ran.state.status, ran.state.stop_reason) == (
        "partial",
        "partial_success",
    )
    assert MOST.is_right(ran.state.final_answer or "")


def test_there_are_far_more_faults_than_are_met_here() -> None:
    faults = all_faults()
    assert len({(role, one.name) for one in faults for role in one.roles}) >= 120
    assert all(faults_for(role, MOST) for role in ("classifier", "planner", "worker", "verifier", "critic"))


@settings(
    max_examples=6,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(
    seed=st.integers(0, 2**32),
    right=st.sampled_from([0.0, 0.3, 0.6]),
    strategy=st.sampled_from(STRATEGIES),
    key=st.sampled_from(sorted(key for key, goal in GOALS.items() if goal.plans)),
)
async def test_no_replies_at_all_lead_to_a_lie(seed: int, right: float, strategy: Strategy, key: str) -> None:
    """Random replies for every role, in any order; `run` asserts that each run tells the truth and ends."""
    tape = noisy_tape(GOALS[key], right, seed)

    def told_apart(role: str, number: int) -> Fault | None:
        # What is lost on the way is asked for again after a while, which the suite waits for.
        met = tape(role, number)
        return None if met is not None and met.name == "connection_lost" else met

    await run(told_apart, strategy, GOALS[key])


UNUSABLE = [one.name for one in all_faults() if one.roles == ("worker",) and one.kind == "misleading"]


@settings(
    max_examples=4,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(
    worded=st.sampled_from(sorted(set(UNUSABLE) - {"json_instead"})),
    strategy=st.sampled_from(STRATEGIES),
    key=st.sampled_from(sorted(key for key, goal in GOALS.items() if goal.wrong and goal.change is None)),
    data=st.data(),
)
async def test_no_wrong_plan_is_a_success_because_a_verifier_passes_everything(
    worded: str, strategy: Strategy, key: str, data: st.DataObject
) -> None:
    """A wrong plan, words that cannot be used, and a verifier that passes whatever it is shown."""
    goal = GOALS[key]
    wrong = data.draw(st.sampled_from(goal.wrong))
    written = Fault("written", "misleading", ("planner",), lambda asked: plan_of(wrong, goal=asked.goal))
    replies = {
        "planner": written,
        "worker": fault("worker", worded),
        "verifier": fault("verifier", "passes_everything"),
    }
    ran = await run(lambda asked, number: replies.get(asked), strategy, goal)
    assert ran.state is not None and (ran.state.status != "answered" or ran.verdict.right)
