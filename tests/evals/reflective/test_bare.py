"""The bare model gets one prompt and one command, which reaches no shell."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.reflective.bare import BareRun, ask_bare, first_command
from models.scripted import Script, register_script


async def asked(tmp_path: Path, reply: str, **fields: bool) -> BareRun:
    register_script("bare-test", Script(default=[reply]))
    chosen = {"needs_tools": True, "changes": False} | fields
    return await ask_bare("goal", tmp_path, "scripted:bare-test", **chosen)


@pytest.mark.parametrize(
    "reply", ["wc -l a.txt", "```sh\nwc -l a.txt\n```", "$ wc -l a.txt\nThis counts lines.", "`wc -l a.txt`"]
)
def test_the_first_line_of_a_reply_is_the_command(reply: str) -> None:
    assert first_command(reply) == "wc -l a.txt"


@given(st.text(max_size=40))
def test_any_reply_is_read_as_at_most_one_line(reply: str) -> None:
    assert len(first_command(reply).splitlines()) <= 1


async def test_a_goal_without_tools_is_answered_by_the_reply(tmp_path: Path) -> None:
    done = await asked(tmp_path, "A stack is last in, first out.", needs_tools=False)
    assert (done.status, done.answer, done.commands) == ("answered", "A stack is last in, first out.", [])
    assert (await asked(tmp_path, " ", needs_tools=False)).status == "could_not"


async def test_a_reply_that_is_no_command_claims_nothing(tmp_path: Path) -> None:
    for reply in ("", "I would look at the files first.", "cat a.txt; rm a.txt", "$(reboot)"):
        assert (await asked(tmp_path, reply)).status == "could_not"


@pytest.mark.parametrize("reply", ["sh -c 'touch x'", "python3 -c 1", "env mv a b", "bash", "'unclosed", ""])
async def test_no_shell_and_no_interpreter_runs_for_a_change(tmp_path: Path, reply: str) -> None:
    done = await asked(tmp_path, reply, changes=True)
    assert done.status == "could_not" and done.commands == []
    assert not (tmp_path / "x").exists()
