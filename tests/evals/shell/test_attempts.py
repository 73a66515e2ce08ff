"""What a model writes becomes a command for the tools; what a run left behind becomes an attempt."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.report import Case, SuiteOptions
from evals.shell.bare import INTERPRETERS, first_command
from evals.shell.figures import metrics, plots, tables
from evals.shell.product import attempt_of, cause_of
from evals.shell.suite import Choices, planned_cases
from evals.shell.tasks import Task
from nodes.reflective.state import Evidence, Failure, Plan, PlanStep, ReasoningState, StepStatus
from tools.protocol import ToolCall, ToolResult

ROOT = Path("/play/fs")


@pytest.mark.parametrize(
    ("reply", "command"),
    [
        ("ls -l\nThis lists.", "ls -l"),
        ("\n  $ ls -l\n", "ls -l"),
        ("```bash\nls -l\n```", "ls -l"),
        ("Sure:\n```\nls -l\n```\nDone", "ls -l"),
        ("```\nls -l", "ls -l"),
        ("`ls -l`", "ls -l"),
        ("", ""),
        ("```\n```", "```"),
    ],
)
def test_the_first_line_is_the_command(reply: str, command: str) -> None:
    assert first_command(reply) == command.strip("`")


@given(st.text(alphabet="a`$ \n", max_size=20))
def test_a_command_is_one_line(reply: str) -> None:
    assert "\n" not in first_command(reply)


@pytest.mark.parametrize(
    "name", ["bash", "sh", "/bin/sh", "dash", "python3", "python3.11", "awk", "env", "xargs"]
)
def test_interpreters_are_known(name: str) -> None:
    assert INTERPRETERS.fullmatch(name)


@pytest.mark.parametrize("name", ["touch", "mkdir", "chmod", "gzip", "sha1sum", "shred", "bashful", "envy"])
def test_other_programs_are_no_interpreters(name: str) -> None:
    assert not INTERPRETERS.fullmatch(name)


def step(num: int, tool: str, stdout: str, *, kind: str | None = None) -> PlanStep:
    result = ToolResult(
        tool=tool,
        returncode=-1 if kind else 0,
        stdout=stdout,
        command=f"{tool} {num}",
        error="no" if kind else None,
        error_kind=kind,
    )
    status = StepStatus.FAILED if kind else StepStatus.SUCCESS
    return PlanStep(num=num, description="d", tool_call=ToolCall(tool=tool), status=status, result=result)


def state_of(*steps: PlanStep, **others: object) -> ReasoningState:
    evidence = [
        Evidence(source="tool", step=one.num, command=one.result.command, text=one.result.stdout)
        for one in steps
        if one.result is not None and one.result.error is None
    ]
    plan = Plan(objective="o", steps=list(steps))
    values = {"plan": plan, "evidence": evidence, "status": "answered"}
    return ReasoningState.model_validate(values | others)


def test_the_last_output_and_all_outputs_count() -> None:
    attempt = attempt_of(state_of(step(1, "find", "a\n"), step(2, "wc", "1\n")), ROOT, "t")
    assert attempt.outputs == ["1\n", "a\n1\n"] and attempt.ran and attempt.claims and not attempt.cause


def test_what_an_earlier_plan_printed_does_not_count() -> None:
    state = state_of(step(1, "wc", "1\n"))
    earlier = Evidence(source="tool", step=1, command="cat other", text="gold")
    derived = Evidence(source="computed", step=1, command="wc 1", text="gold")
    state = state.model_copy(update={"evidence": [earlier, *state.evidence, derived]})
    assert attempt_of(state, ROOT, "t").outputs == ["1\n"]


def test_a_typed_change_prints_nothing() -> None:
    attempt = attempt_of(state_of(step(1, "make_dir", "would show a diff")), ROOT, "t")
    assert attempt.ran and attempt.outputs == [""]


def test_nothing_ran_where_the_policy_refused() -> None:
    attempt = attempt_of(state_of(step(1, "find", "", kind="refused"), status="could_not"), ROOT, "t")
    assert not attempt.ran and attempt.outputs == [] and not attempt.claims
    assert attempt.cause == "refused by the policy"


@pytest.mark.parametrize(
    ("others", "part"),
    [
        ({"status": "answered"}, ""),
        ({"status": "error", "failure": Failure(node="plan", kind="X", what="w")}, "error"),
        ({"status": "partial"}, "partial"),
        ({"status": "could_not", "plan": None, "stop_reason": "no_plan"}, "no usable plan"),
        ({"status": "could_not", "plan": None, "final_answer": "x does not exist here."}, "not found"),
        ({"status": "could_not", "stop_reason": "verification_failed"}, "not verified"),
        ({"status": "could_not", "stop_reason": "max_reflections"}, "command failed"),
    ],
)
def test_every_end_of_a_run_has_a_class(others: dict[str, object], part: str) -> None:
    cause = cause_of(state_of(step(1, "find", ""), **others))
    assert part in cause and bool(cause) == bool(part)


OPTIONS = SuiteOptions(
    models=("m:1", "m:2"), strategies=(), repeat=2, limit=None, only=(), seed=3,
    json_to=None, html_to=None, resume=None, jobs=1,
)  # fmt: skip
TASKS = [Task(id=f"2-{n}", file_system=2, query="q", gold="g", gold2="g") for n in range(3)]


def test_each_case_is_planned_once_and_choices_make_another_one() -> None:
    variants = ["S0", "graph_v30"]
    plain = planned_cases(TASKS, OPTIONS, variants, ROOT, Choices())
    assert len({one.key for one in plain}) == len(plain) == 2 * 2 * 3 * 2
    shown = planned_cases(TASKS, OPTIONS, variants, ROOT, Choices(examples=True))
    changed = planned_cases(TASKS, OPTIONS, variants, ROOT, Choices(settings={"graph.max_iterations": "9"}))
    keys = {variant: {one.key for one in plain if one.variant == variant} for variant in variants}
    assert {one.key for one in shown if one.variant == "graph_v30"} == keys["graph_v30"]
    assert not {one.key for one in shown if one.variant == "S0"} & keys["S0"]
    assert {one.key for one in changed if one.variant == "S0"} == keys["S0"]
    assert not {one.key for one in changed if one.variant == "graph_v30"} & keys["graph_v30"]


def case(variant: str, task: str, *, passed: bool, false: bool = False, silent: bool = False) -> Case:
    level = "same" if passed else "different"
    extra = {
        "by_gold": level, "by_either": level, "same_paths": False, "decidable": True, "vacuous": silent,
        "cause": "" if passed else "another output",
    }  # fmt: skip
    return Case(
        id=task, group="file system 2", variant=variant, passed=passed, false_success=false,
        status="answered", extra=extra,
    )  # fmt: skip


def test_figures_count_what_cases_say() -> None:
    cases = [
        case("S0", "2-0", passed=False, false=True),
        case("graph_v30", "2-0", passed=True),
        case("S0", "2-1", passed=False, false=True),
        case("graph_v30", "2-1", passed=False, false=True),
    ]
    found = {metric.name: metric for metric in metrics(cases, 0)}
    assert found["graph_v30: solved by execution"].value == 0.5
    assert found["graph_v30: more solved than S0"].value == 0.5
    assert found["graph_v30: more solved than S0"].met is True
    assert found["graph_v30: false successes"].met is False
    assert found["S0: false successes"].value == 1 and found["S0: false successes"].met is None
    counts, causes, _ = tables(cases)
    assert [row[0] for row in counts.rows] == ["S0", "graph_v30"]
    assert ["solved", 0, 1] in causes.rows and ["another output", 2, 1] in causes.rows
    assert len(plots(cases, 0)) == 2


def test_what_silence_solves_is_told_apart() -> None:
    cases = [case("S0", "2-0", passed=True, silent=True), case("S0", "2-1", passed=False)]
    found = {metric.name: metric for metric in metrics(cases, 0)}
    assert found["S0: solved by execution"].value == 0.5
    assert found["S0: solved, silent gold commands left out"].value == 0
    assert found["S0: solved, silent gold commands left out"].n == 1
