"""REFLECT: look first, then diagnose; what code found out stays in front."""

import json
from typing import Any

import pytest

from nodes.errors import NoTools
from nodes.reflective.execute import execute
from nodes.reflective.reflect import may_probe, reflect
from nodes.reflective.state import Plan, PlanStep, ReasoningState, ReflectionAttempt, StepStatus
from tests.nodes.reflective.bench import Bench
from tools.protocol import ToolCall

DIAGNOSIS = {
    "diagnosis": "The ship is called Boreas.",
    "fragile": "The name was guessed.",
    "lesson": "Look names up.",
    "new_plan_summary": "Search for Boreas.",
}


async def failed(bench: Bench, command: str, goal: str = "look", **values: Any) -> ReasoningState:
    """The state after a step really failed."""
    call = ToolCall(tool="command", args={"command": command})
    steps = [PlanStep(num=1, description="find the ship", tool_call=call)]
    state = ReasoningState(goal=goal, session_id="s", plan=Plan(objective=goal, steps=steps), **values)
    state = await bench.visit(execute, state, bench.context())
    assert state.plan is not None and state.plan.steps[0].status is StepStatus.FAILED
    return state


async def reflected(bench: Bench, state: ReasoningState, *replies: Any, **settings: Any) -> ReasoningState:
    return await bench.visit(reflect, state, bench.context({"critic": list(replies)}, **settings))


async def test_an_attempt_holds_what_failed_what_was_seen_and_what_to_do(bench: Bench) -> None:
    before = await failed(bench, "grep Nobody data/ships.csv")
    state = await reflected(bench, before, DIAGNOSIS)
    assert state.reflection_count == 1
    (attempt,) = state.reflection_attempts
    assert attempt.failed_step == 1 and attempt.error == before.last_error
    assert attempt.failed_call == before.plan.steps[0].tool_call  # type: ignore[union-attr]  # it failed above
    assert [probe.returncode for probe in attempt.probes] and "data" in attempt.probes[0].stdout
    assert "called Boreas" in attempt.diagnosis and "Search for Boreas." in attempt.new_plan_summary
    assert (attempt.fragile, attempt.lesson) == ("The name was guessed.", "Look names up.")
    assert state.usage["critic"].calls == 1


async def test_attempts_are_kept_in_order(bench: Bench) -> None:
    first = ReflectionAttempt(timestamp="t", failed_step=1, error="first")
    before = await failed(bench, "cat none.txt", reflection_attempts=[first], reflection_count=1)
    state = await reflected(bench, before, DIAGNOSIS)
    assert state.reflection_count == 2
    assert [attempt.error for attempt in state.reflection_attempts] == ["first", before.last_error]


async def test_the_critic_sees_the_failure_and_the_probes(bench: Bench) -> None:
    before = await failed(bench, "cat none.txt")
    seen = {"when": "(?s)cat -- none.txt.*No such file.*notes.txt", "reply": DIAGNOSIS}
    state = await reflected(bench, before, seen)
    assert "called Boreas" in state.reflection_attempts[0].diagnosis
    assert state.reflection_attempts[0].category == "missing_path"


@pytest.mark.parametrize("error", ["unavailable", "missing", "timeout", "failed"])
async def test_without_the_critic_code_diagnoses_alone_and_says_so(bench: Bench, error: str) -> None:
    before = await failed(bench, "cat none.txt", notes=["kept"])
    state = await reflected(bench, before, *[{"error": error}] * 3)
    (attempt,) = state.reflection_attempts
    assert attempt.diagnosis.startswith("A path that the step names does not exist.")
    assert attempt.lesson and attempt.new_plan_summary
    assert state.notes[0] == "kept" and "critic did not answer" in state.notes[1]


@pytest.mark.parametrize("reply", ["", "It just failed.", {"diagnosis": ""}, {"error": "garbage"}])
async def test_a_critic_that_cannot_be_read_changes_nothing(bench: Bench, reply: Any) -> None:
    before = await failed(bench, "grep Nobody data/ships.csv")
    state = await reflected(bench, before, *[reply] * 3)
    (attempt,) = state.reflection_attempts
    assert attempt.diagnosis and attempt.new_plan_summary and state.usage["critic"].calls >= 1


async def test_a_slip_of_the_keyboard_is_corrected_from_what_exists(bench: Bench) -> None:
    before = await failed(bench, "cat storge.py", goal="show the functions in storge.py")
    state = await reflected(bench, before, {"error": "unavailable"})
    assert state.reflection_attempts[0].corrections == {"storge.py": "src/storage.py"}
    assert state.goal_as_corrected() == "show the functions in src/storage.py"
    assert "src/storage.py was meant" in state.reflection_attempts[0].diagnosis


async def test_of_two_names_that_could_be_meant_none_is_chosen(bench: Bench) -> None:
    (bench.root / "src" / "storages.py").write_text("x = 1\n")
    before = await failed(bench, "cat storagee.py", goal="show the functions in storagee.py")
    state = await reflected(bench, before, {"error": "unavailable"})
    attempt = state.reflection_attempts[0]
    assert attempt.corrections == {}
    assert "src/storage.py" in attempt.diagnosis and "src/storages.py" in attempt.diagnosis


async def test_no_model_can_correct_the_goal(bench: Bench) -> None:
    before = await failed(bench, "cat zebra.py", goal="show the functions in zebra.py")
    invented = DIAGNOSIS | {"corrections": {"zebra.py": "/etc/passwd"}, "failed_call": None}
    state = await reflected(bench, before, invented)
    attempt = state.reflection_attempts[0]
    assert attempt.corrections == {} and attempt.failed_call is not None
    assert attempt.diagnosis.startswith("zebra.py does not exist here")


async def test_probes_are_as_many_and_as_long_as_the_settings_allow(bench: Bench) -> None:
    (bench.root / ("x" * 200)).write_text("")
    before = await failed(bench, "grep Nobody data/ships.csv")
    state = await reflected(bench, before, DIAGNOSIS, reflect__max_commands=1, reflect__max_context_chars=200)
    (probe,) = state.reflection_attempts[0].probes
    assert len(probe.stdout) == 200
    for setting in ({"reflect__use_shell": False}, {"reflect__max_commands": 0}):
        state = await reflected(bench, before, DIAGNOSIS, **setting)
        assert state.reflection_attempts[0].probes == []


async def test_after_a_failed_verification_the_last_step_is_the_one_that_did_not_hold(bench: Bench) -> None:
    call = ToolCall(tool="command", args={"command": "cat notes.txt"})
    steps = [
        PlanStep(num=n, description="d", tool_call=call if n == 2 else None, status=StepStatus.SUCCESS)
        for n in (1, 2)
    ]
    state = ReasoningState(
        goal="look",
        session_id="s",
        plan=Plan(objective="o", steps=steps),
        current_step_index=2,
        last_error="Verification failed: that is the flag",
    )
    state = await reflected(bench, state, DIAGNOSIS)
    attempt = state.reflection_attempts[0]
    assert (attempt.failed_step, attempt.failed_call) == (2, call)
    assert "that is the flag" in attempt.diagnosis


async def test_without_a_plan_there_is_still_a_diagnosis(bench: Bench) -> None:
    state = await reflected(bench, ReasoningState(goal="look", session_id="s"), DIAGNOSIS)
    attempt = state.reflection_attempts[0]
    assert (attempt.failed_step, attempt.failed_call) == (-1, None)
    assert attempt.error == "no error was recorded"


async def test_the_shipped_small_model_is_not_asked(bench: Bench) -> None:
    before = await failed(bench, "cat none.txt")
    state = await reflected(bench, before, models__critic__name="embedded")
    assert state.usage == {} and state.reflection_attempts[0].diagnosis


async def test_a_lesson_is_remembered(remembering: Bench) -> None:
    before = await failed(remembering, "cat none.txt")
    await reflected(remembering, before, DIAGNOSIS)
    (events,) = (remembering.root / ".reflect").rglob("events.jsonl")
    assert "Look names up." in events.read_text()


async def test_the_safe_profile_does_not_probe(bench: Bench) -> None:
    with pytest.raises(NoTools):
        await bench.visit(reflect, ReasoningState(goal="look"), bench.context(profile="safe"))


async def test_a_reflection_never_claims_an_answer(bench: Bench) -> None:
    before = await failed(bench, "cat none.txt")
    state = await reflected(bench, before, DIAGNOSIS)
    assert (state.last_error, state.stop_reason, state.draft_answer) == (before.last_error, None, None)


async def test_the_critic_is_asked_again_with_the_probes_it_wanted_in_view(bench: Bench) -> None:
    before = await failed(bench, "grep Nobody data/ships.csv")
    wants = DIAGNOSIS | {"diagnosis": "Let me look.", "commands": ["grep -c Boreas data/ships.csv"]}
    seen = {"when": r"(?s)grep -c -- Boreas data/ships.csv\n1\n", "reply": DIAGNOSIS}
    state, sent = await bench.watched(reflect, before, bench.context({"critic": [seen, wants]}))
    (attempt,) = state.reflection_attempts
    assert "called Boreas" in attempt.diagnosis and "Let me look" not in attempt.diagnosis
    assert attempt.probes[-1].stdout == "1\n" and state.usage["critic"].calls == 2
    assert [event["command"] for event in sent if event["kind"] == "probe"][-1].startswith("grep -c")


REFUSED = [
    "rm -rf .",
    "cat /etc/passwd",
    "cat ../secret",
    "touch x; ls",
    "ls > out",
    "git log",
    "sort notes.txt",
    "find . -delete",
    "",
]


@pytest.mark.parametrize("command", REFUSED)
def test_a_probe_only_reads_with_the_tools_that_are_allowed(bench: Bench, command: str) -> None:
    services = bench.services()
    assert services.toolbox is not None
    allowed = services.settings.reflect.allowed_tools
    assert not may_probe(ToolCall(tool="command", args={"command": command}), allowed, services.toolbox)
    assert not may_probe(ToolCall(tool="delete", args={"path": "x"}), allowed, services.toolbox)
    assert may_probe(
        ToolCall(tool="command", args={"command": "head -n 1 a | wc"}), allowed, services.toolbox
    )


@pytest.mark.parametrize(
    "commands", [None, "nothing", [7, None, {"a": 1}], [*REFUSED, "grep  'Nobody' ./data/ships.csv"]]
)
async def test_a_critic_that_asks_for_nothing_that_may_be_run_loses_nothing(
    bench: Bench, commands: Any
) -> None:
    before = await failed(bench, "grep Nobody data/ships.csv")
    state = await reflected(bench, before, DIAGNOSIS | {"commands": commands})
    (attempt,) = state.reflection_attempts
    assert "called Boreas" in attempt.diagnosis and state.usage["critic"].calls == 1
    assert {probe.command.split()[0] for probe in attempt.probes} <= {"ls", "find"}
    kept = sorted(path.name for path in bench.root.iterdir() if not path.name.startswith("."))
    assert kept == ["data", "notes.txt", "src"]


@pytest.mark.parametrize("second", ["nonsense", {"error": "unavailable"}])
async def test_the_first_diagnosis_stands_when_the_second_cannot_be_had(bench: Bench, second: Any) -> None:
    before = await failed(bench, "grep Nobody data/ships.csv")
    wants = DIAGNOSIS | {"commands": ["head -n 1 data/ships.csv"]}
    state = await reflected(bench, before, wants, *[second] * 3)
    (attempt,) = state.reflection_attempts
    assert "called Boreas" in attempt.diagnosis and attempt.probes[-1].stdout == "name,length,flag\n"
    assert state.usage["critic"].calls >= 2


async def test_probes_of_both_kinds_stay_within_the_limit(bench: Bench) -> None:
    before = await failed(bench, "grep Nobody data/ships.csv")
    wants = DIAGNOSIS | {"commands": [f"head -n {n} data/ships.csv" for n in range(1, 15)]}
    state = await reflected(bench, before, wants, wants)
    assert len(state.reflection_attempts[0].probes) == 5
    state = await reflected(bench, before, wants, reflect__max_commands=2)
    assert len(state.reflection_attempts[0].probes) == 2 and state.usage["critic"].calls == 1


async def test_the_nearest_directory_that_exists_is_listed(bench: Bench) -> None:
    before = await failed(bench, "cat data/2024/none.csv")
    state = await reflected(bench, before, DIAGNOSIS)
    listed = [probe.stdout for probe in state.reflection_attempts[0].probes if "data" in probe.command]
    assert listed == ["ships.csv\n"]


async def test_a_call_that_never_answered_is_counted(bench: Bench) -> None:
    before = await failed(bench, "cat none.txt")
    state = await reflected(bench, before, {"error": "timeout"})
    assert state.usage["critic"].calls == 1


async def test_the_failed_plan_is_kept_whole(bench: Bench) -> None:
    before = await failed(bench, "cat none.txt")
    state = await reflected(bench, before, DIAGNOSIS)
    assert state.reflection_attempts[0].failed_plan == [before.plan.steps[0].tool_call]  # type: ignore[union-attr]  # it failed above


async def test_what_a_critic_thinks_aloud_is_told_and_in_no_diagnosis(bench: Bench) -> None:
    before = await failed(bench, "cat none.txt")
    reply = f"<think>secret thought</think>{json.dumps(DIAGNOSIS)}"
    state, sent = await bench.watched(reflect, before, bench.context({"critic": [reply]}))
    assert [event["text"] for event in sent if event["kind"] == "thinking"] == ["secret thought"]
    assert "secret" not in state.model_dump_json()
