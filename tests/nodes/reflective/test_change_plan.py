from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from configs.settings import ToolSettings
from memory.recipes.places import Whereabouts
from memory.recipes.reading import read_goal
from nodes.errors import PlanInvalid
from nodes.reflective.change_plan import ChangeDraft, change_messages, check_change
from nodes.reflective.lookup import Located
from nodes.reflective.state import Plan, PlanStep, ReasoningState, ReflectionAttempt
from tools.protocol import ToolCall
from tools.toolbox import Access, Toolbox

GOAL = "create notes.txt with the text 'hi there'"
WRITE: dict[str, Any] = {"tool": "write_file", "args": {"path": "notes.txt", "content": "hi there\n"}}
LOOK: dict[str, Any] = {"tool": "command", "args": {"command": "grep -c hi notes.txt"}}


def box(root: Path, access: Access = "read_write") -> Toolbox:
    return Toolbox(root, ToolSettings(sandbox="policy"), access)


def checked(root: Path, *steps: dict[str, Any], goal: str = GOAL, **state: Any) -> Plan:
    draft = ChangeDraft.model_validate({"steps": list(steps)})
    located = Located(read_goal(goal), Whereabouts(), (), ())
    return check_change(draft, ReasoningState(goal=goal, **state), located, box(root))


def test_a_draft_becomes_a_plan_of_calls(tmp_path: Path) -> None:
    plan = checked(tmp_path, WRITE, LOOK)
    assert plan.source == "model" and plan.objective == GOAL
    assert [step.tool_call for step in plan.steps] == [ToolCall(**WRITE), ToolCall(**LOOK)]
    assert plan.steps[0].description == "write_file"


def test_a_step_may_need_what_an_earlier_one_makes(tmp_path: Path) -> None:
    edit = {"tool": "edit_file", "args": {"path": "notes.txt", "old": "hi", "new": "hello"}}
    assert len(checked(tmp_path, WRITE, edit).steps) == 2
    assert not (tmp_path / "notes.txt").exists()


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ([LOOK], "No step makes the change"),
        ([WRITE, {"tool": "write_file", "args": {"path": "x"}}], "Step 2.*content"),
        ([WRITE, {"tool": "command", "args": {"command": "rm -rf ."}}], "Step 2.*'rm'"),
        ([WRITE, {"tool": "format_disk", "args": {}}], "Step 2.*format_disk"),
        ([WRITE, WRITE], "Step 2 is done already"),
        ([{**WRITE, "args": {"path": "other.txt", "content": "hi there"}}], "'notes.txt'"),
        ([{**WRITE, "args": {"path": "notes.txt", "content": "hello"}}], "'hi there'"),
    ],
)
def test_a_draft_that_does_not_do_what_was_asked_is_refused(
    tmp_path: Path, steps: list[dict[str, Any]], message: str
) -> None:
    with pytest.raises(PlanInvalid, match=message):
        checked(tmp_path, *steps)
    assert list(tmp_path.iterdir()) == []


def test_what_failed_or_was_done_before_is_not_planned_again(tmp_path: Path) -> None:
    call = ToolCall(**WRITE)
    failed = ReflectionAttempt(timestamp="t", failed_step=1, error="e", failed_call=call)
    with pytest.raises(PlanInvalid, match="failed before"):
        checked(tmp_path, WRITE, reflection_attempts=[failed])
    done = PlanStep(num=1, description="d", tool_call=call)
    with pytest.raises(PlanInvalid, match="done already"):
        checked(tmp_path, WRITE, completed=[done])
    # A change in between makes it worth another try.
    run = {"tool": "run", "args": {"argv": ["./notes.txt"]}}
    tried = ReflectionAttempt(timestamp="t", failed_step=1, error="e", failed_call=ToolCall(**run))
    assert len(checked(tmp_path, WRITE, run, reflection_attempts=[tried]).steps) == 2
    # What was done before takes up its part of the goal.
    other = {"tool": "make_dir", "args": {"path": "kept"}}
    assert len(checked(tmp_path, other, completed=[done]).steps) == 1


def test_the_prompt_tells_the_tools_their_arguments_and_what_failed(tmp_path: Path) -> None:
    failed = ReflectionAttempt(timestamp="t", failed_step=1, error="no space", failed_call=ToolCall(**WRITE))
    state = ReasoningState(goal=GOAL, reflection_attempts=[failed])
    messages = change_messages(state, box(tmp_path), "it went well once", "too long")
    system = str(messages[0].content)
    assert "- write_file(path, content, overwrite?)" in system and "- grep:" in system
    assert all(part in system for part in ("no space", "it went well once", "too long"))
    assert messages[-1].content == GOAL
    drafts = [ChangeDraft.model_validate_json(str(message.content)) for message in messages[2:-1:2]]
    assert drafts and all(draft.steps for draft in drafts)


@pytest.mark.parametrize(
    "adding",
    [
        {"tool": "append_file", "args": {"path": "log.txt", "text": "once"}},
        {"tool": "edit_file", "args": {"path": "log.txt", "old": "b", "new": "bb"}},
    ],
)
def test_what_was_added_once_is_not_added_again_whatever_lies_between(
    tmp_path: Path, adding: dict[str, Any]
) -> None:
    done = PlanStep(num=1, description="d", tool_call=ToolCall(**adding))
    with pytest.raises(PlanInvalid, match="Step 2 is done already"):
        checked(tmp_path, WRITE, adding, completed=[done])
    assert len(checked(tmp_path, WRITE, adding).steps) == 2
