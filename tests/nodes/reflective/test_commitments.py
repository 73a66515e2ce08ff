"""A run is held to what its goal asks for beyond an answer: never a success that left it out."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.reflective.commitments import claims_a_deed, missing_of, promised, still_owed
from nodes.reflective.model_plan import PlanDraft, planner_messages
from nodes.reflective.respond import respond
from nodes.reflective.state import Evidence, Plan, PlanStep, ReasoningState, StepStatus, TaskComplexity
from tests.nodes.reflective.bench import Bench
from tools.protocol import ToolCall, ToolResult

MAIL = "send_email:anna@example.org"
WRITE = ToolCall(tool="write_file", args={"path": "notes.md", "content": "x"})
RUN = ToolCall(tool="run", args={"argv": ["make", "notes.md"]})


def done(call: ToolCall, status: StepStatus = StepStatus.SUCCESS) -> PlanStep:
    result = ToolResult(
        tool=call.tool, returncode=0, stdout="Boreas,240,GR\n", command="grep Boreas ships.csv"
    )
    return PlanStep(num=1, description="d", tool_call=call, status=status, result=result)


def finished(call: ToolCall, commitments: list[str], **values: Any) -> ReasoningState:
    step = done(call, values.pop("step_status", StepStatus.SUCCESS))
    return ReasoningState(
        **{
            "goal": "find Boreas and e-mail it to anna@example.org",
            "session_id": "s",
            "complexity": TaskComplexity.MODERATE,
            "plan": Plan(objective="o", steps=[step], source="recipe"),
            "evidence": [
                Evidence(source="tool", step=1, command="grep Boreas ships.csv", text="Boreas,240,GR")
            ],
            "draft_answer": "Boreas is 240 long.",
            "commitments": commitments,
            **values,
        }
    )


LOOK = ToolCall(tool="command", args={"command": "grep Boreas ships.csv"})


async def test_what_was_not_done_makes_a_partial_success_that_says_so(bench: Bench) -> None:
    state = await bench.visit(respond, finished(LOOK, [MAIL]), bench.context())
    assert (state.status, state.stop_reason) == ("partial", "partial_success")
    assert state.final_answer is not None and state.final_answer.startswith("Boreas is 240 long.")
    assert "Not done:\n- send email anna@example.org: no message was sent" in state.final_answer


async def test_a_setting_refuses_to_call_it_done(bench: Bench) -> None:
    context = bench.context(reasoning_trace__refuse_unmet=True)
    state = await bench.visit(respond, finished(LOOK, [MAIL]), context)
    assert (state.status, state.stop_reason) == ("could_not", "verification_failed")
    assert state.final_answer is not None and "no message was sent" in state.final_answer


async def test_what_was_done_is_a_success(bench: Bench) -> None:
    state = await bench.visit(respond, finished(WRITE, ["write_file:notes.md"]), bench.context())
    assert state.stop_reason == "success" and "Not done" not in (state.final_answer or "")


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"step_status": StepStatus.SKIPPED}, "dry_run"),
        ({"stop_reason": "user_abort", "last_error": "You rejected it."}, "user_abort"),
    ],
)
async def test_a_dry_run_and_an_aborted_run_stay_what_they_are(
    bench: Bench, values: dict[str, Any], reason: str
) -> None:
    state = await bench.visit(respond, finished(WRITE, ["write_file:notes.md"], **values), bench.context())
    assert state.stop_reason == reason and "Not done" not in (state.final_answer or "")


async def test_a_model_that_says_it_sent_something_is_not_repeated(bench: Bench) -> None:
    said = ReasoningState(
        goal="say hello and e-mail it to anna@example.org",
        complexity=TaskComplexity.BYPASS,
        draft_answer="Hello! I have sent the e-mail to Anna.",
        stop_reason="bypass",
        commitments=[MAIL],
    )
    state = await bench.visit(respond, said, bench.context())
    assert state.status == "could_not" and "I have sent" not in (state.final_answer or "")
    quiet = said.model_copy(update={"draft_answer": "Hello, Anna!"})
    state = await bench.visit(respond, quiet, bench.context())
    assert state.stop_reason == "partial_success" and "no message was sent" in (state.final_answer or "")


@pytest.mark.parametrize(
    "claim",
    [
        "I have e-mailed the list.",
        "The list was sent to Anna.",
        "Sent!",
        "I've just attached the file",
        "E-mail sent.",
        "We saved it to a.txt",
    ],
)
def test_claims(claim: str) -> None:
    assert claims_a_deed(claim)


@pytest.mark.parametrize(
    "text", ["Boreas is 240 long.", "notes/tesla.md holds it.", "Three files: sent.log, b, c", "sender: Anna"]
)
def test_no_claims(text: str) -> None:
    assert not claims_a_deed(text)


def test_what_a_program_did_is_seen_by_the_files(tmp_path: Path) -> None:
    state = finished(RUN, ["write_file:notes.md", "delete_file:old.md", "make_directory:out"])
    started = {"started": "2026-11-21T10:00:00+00:00"}
    state = state.model_copy(update=started)
    (tmp_path / "old.md").touch()
    assert len(missing_of(state, tmp_path)) == 3
    (tmp_path / "notes.md").touch()
    os.utime(tmp_path / "notes.md", (1, 1))
    assert "write_file:notes.md" in dict(missing_of(state, tmp_path))
    os.utime(tmp_path / "notes.md", (4e9, 4e9))
    (tmp_path / "old.md").unlink()
    (tmp_path / "out").mkdir()
    assert missing_of(state, tmp_path) == []
    # Without a program that ran, files that happen to be there prove nothing.
    looked = finished(LOOK, ["write_file:notes.md"]).model_copy(update=started)
    assert len(missing_of(looked, tmp_path)) == 1
    outside = finished(RUN, ["delete_file:../gone.md"]).model_copy(update=started)
    assert len(missing_of(outside, tmp_path)) == 1


def test_a_failed_step_keeps_no_promise() -> None:
    failed = finished(WRITE, ["write_file:notes.md"], step_status=StepStatus.FAILED)
    assert len(missing_of(failed, None)) == 1


@given(st.lists(st.text(max_size=12) | st.sampled_from(["send_email", "write_file:a.md", MAIL]), max_size=6))
def test_of_a_planners_promises_only_those_that_can_be_checked_count(proposed: list[str]) -> None:
    state = ReasoningState(goal="find Boreas and e-mail it to anna@example.org")
    owed, remarks = promised(state, proposed)
    assert owed[0] == MAIL and set(owed) <= {MAIL, *(text.strip() for text in proposed)}
    assert len(remarks) <= len(proposed) and len(set(owed)) == len(owed)


@pytest.mark.parametrize("written", [None, "send_email", 7, [1, None, "send_email"], ["x" * 500] * 20])
def test_promises_no_plan_is_refused_for(written: Any) -> None:
    draft = PlanDraft.model_validate(
        {"steps": [{"description": "d", "command": "ls"}], "commitments": written}
    )
    assert all(isinstance(text, str) and len(text) <= 200 for text in draft.commitments)
    assert len(draft.commitments) <= 8


def test_examples_show_no_promises_and_the_model_is_not_told_of_the_message(bench: Bench) -> None:
    services = bench.services()
    assert services.toolbox is not None
    state = ReasoningState(goal="find the notes about Tesla and e-mail them to anna@example.org")
    messages = planner_messages(state, services.toolbox, "", "")
    text = "\n".join(str(message.content) for message in messages)
    assert "commitments" not in text and "anna@example.org" not in text
    assert messages[-1].content == "find the notes about Tesla"


def test_who_approves_another_call_wants_that_instead() -> None:
    other = ToolCall(tool="write_file", args={"path": "mine.md", "content": "x"})
    owed = ["write_file:notes.md", MAIL]
    assert still_owed(owed, WRITE, WRITE) == owed
    assert still_owed(owed, WRITE, other) == [MAIL]


def test_a_promise_that_names_an_absolute_path_is_kept_below_the_root(tmp_path: Path) -> None:
    path = tmp_path / "new.txt"
    for target, kept in ((str(path), True), ("/elsewhere/other.txt", False)):
        step = PlanStep(
            num=1,
            description="write",
            tool_call=ToolCall(tool="write_file", args={"path": "new.txt", "content": "x"}),
            status=StepStatus.SUCCESS,
        )
        state = ReasoningState(goal="g", commitments=[f"write_file:{target}"], completed=[step])
        assert (missing_of(state, tmp_path) == []) is kept
