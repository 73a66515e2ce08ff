from __future__ import annotations

import asyncio
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from configs.settings import ToolSettings
from tests.support.processes import wait_until
from tests.tools.places import LEVELS, Project, living
from tools.arguments import Stage
from tools.errors import CommandRefused, SandboxUnavailable, ToolError
from tools.protocol import ToolCall, ToolResult
from tools.sandbox import probe as probing
from tools.sandbox.confinement import Sandbox
from tools.toolbox import Toolbox

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)

FIELDS = st.sampled_from(["command", "stages", "pattern", "path", "name", "subcommand", "argv", "x"])


def call(tool: str, **args: Any) -> ToolCall:
    return ToolCall(tool=tool, args=args)


@pytest.mark.parametrize("level", LEVELS)
async def test_a_call_says_what_it_did_and_under_which_wall(level: str, shared: Project) -> None:
    result = await shared.toolbox(level).run(call("command", command="cat notes.txt | sort -u"))
    assert result.ok and result.sandbox_level == level == shared.toolbox(level).sandbox_level
    assert (result.stdout, result.stderr) == ("alpha 1\nbeta 2\ngamma 3\n", "")
    assert (result.returncode, result.stage_returncodes) == (0, [0, 0])
    assert result.command == "cat -- notes.txt | sort -u" and result.duration > 0


async def test_the_same_question_three_ways_gives_the_same_answer(shared: Project) -> None:
    toolbox = shared.toolbox()
    stages = [{"tool": "grep", "args": {"pattern": "alpha", "path": "notes.txt", "count": True}}]
    results = [
        await toolbox.run(call("grep", **stages[0]["args"])),  # type: ignore[arg-type]  # a dict of arguments
        await toolbox.run(call("pipeline", stages=stages)),
        await toolbox.run(call("command", command="grep -c alpha notes.txt")),
    ]
    assert [(result.ok, result.stdout) for result in results] == [(True, "2\n")] * 3


@settings(max_examples=60, deadline=None)
@given(
    tool=st.sampled_from(["command", "pipeline", "grep", "find", "git", "rm", ""]),
    args=st.dictionaries(FIELDS, JSON, max_size=3),
)
async def test_whatever_a_model_writes_is_a_result_and_never_an_exception(
    tool: str, args: dict[str, Any], shared: Project
) -> None:
    result = await shared.toolbox().run(ToolCall(tool=tool, args=args))
    assert isinstance(result, ToolResult)
    if result.error_kind in ("unknown_tool", "bad_args", "refused"):
        assert result.error and result.sandbox_level == "none" and result.returncode == -1


@pytest.mark.parametrize(
    ("tool", "args", "kind"),
    [
        ("rm", {"path": "notes.txt"}, "unknown_tool"),
        ("command", {"command": "rm notes.txt"}, "unknown_tool"),
        ("command", {"command": "ls; rm notes.txt"}, "refused"),
        ("command", {"command": "cat link_out"}, "refused"),
        ("command", {"cmd": "ls"}, "bad_args"),
        ("pipeline", {"stages": []}, "bad_args"),
        ("head", {"lines": "x"}, "bad_args"),
    ],
)
async def test_a_refusal_runs_nothing_and_shows_the_call(
    tool: str, args: dict[str, Any], kind: str, project: Project
) -> None:
    before = project.snapshot()
    result = await project.toolbox().run(ToolCall(tool=tool, args=args))
    assert (result.error_kind, result.returncode, result.sandbox_level, result.ok) == (
        kind,
        -1,
        "none",
        False,
    )
    assert result.command == args["command"] if "command" in args else json.dumps(args) in result.command
    assert project.snapshot() == before
    with pytest.raises(ToolError) as error:
        project.toolbox().check(ToolCall(tool=tool, args=args))
    assert str(error.value) == result.error


def test_a_call_that_may_run_passes_the_check(shared: Project) -> None:
    shared.toolbox().check(call("command", command="find . -name '*.py' | xargs wc -l"))


async def test_an_exit_code_that_is_not_zero_is_told_and_is_no_error(shared: Project) -> None:
    result = await shared.command("cat notes.txt | grep absent | wc -l")
    assert (result.returncode, result.error, result.ok) == (1, None, False)
    assert result.stage_returncodes == [0, 1, 0]
    missing = await shared.command("cat missing")
    assert missing.returncode == 1 and "No such file" in missing.stderr


@pytest.mark.parametrize("level", LEVELS)
async def test_a_call_out_of_time_ends_with_all_its_processes(level: str, project: Project) -> None:
    name = "a" * 40 + "-mark-of-this-test"
    result = await project.toolbox(level).run(
        call("command", command=f"seq 1 999999999999 | grep -c {name}"), timeout=0.4
    )
    assert (result.error_kind, result.returncode, result.stdout) == ("timeout", -1, "")
    assert "0.4 seconds" in (result.error or "") and 0.4 <= result.duration < 5
    assert wait_until(5, lambda: living(name) == []), living(name)


@pytest.mark.parametrize("level", LEVELS)
async def test_a_cancelled_call_leaves_no_process(level: str, project: Project) -> None:
    name = "b" * 40 + "-mark-of-this-test"
    text = f"seq 1 999999999999 | grep -c {name}"
    task = asyncio.create_task(project.toolbox(level).run(call("command", command=text)))
    while not living(name):
        await asyncio.sleep(0.02)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert wait_until(5, lambda: living(name) == []), living(name)


async def test_an_output_over_the_cap_is_cut_and_said(project: Project) -> None:
    toolbox = project.toolbox(max_output_bytes=1000)
    result = await toolbox.run(call("seq", last=1_000_000))
    assert (result.error_kind, result.truncated, result.returncode) == ("output_cap", True, -1)
    assert len(result.stdout) == 1000 and "1000 bytes" in (result.error or "")


async def test_a_long_output_is_kept_whole_beside_the_state(project: Project, tmp_path: Path) -> None:
    toolbox = project.toolbox(artifacts=tmp_path / "artifacts", state_output_bytes=400)
    result = await toolbox.run(call("seq", last=1000))
    whole = "".join(f"{number}\n" for number in range(1, 1001))
    digest = hashlib.sha256(whole.encode()).hexdigest()
    assert result.ok and not result.truncated and result.artifact == f"artifacts/{digest}.txt"
    assert len(result.stdout) < 600 and result.artifact in result.stdout
    assert result.stdout.startswith("1\n2\n") and result.stdout.endswith("999\n1000\n")
    assert toolbox.full_output(result) == whole
    (tmp_path / result.artifact).unlink()
    with pytest.raises(ToolError, match="cannot be read.* Run the step again"):
        toolbox.full_output(result)


async def test_the_name_of_an_artifact_leads_nowhere_else(project: Project, tmp_path: Path) -> None:
    toolbox = project.toolbox(artifacts=tmp_path / "artifacts")
    forged = ToolResult(tool="cat", returncode=0, artifact="../../outside/secret.txt")
    with pytest.raises(ToolError, match="cannot be read"):
        toolbox.full_output(forged)


async def test_a_short_output_stays_in_the_state(project: Project, tmp_path: Path) -> None:
    toolbox = project.toolbox(artifacts=tmp_path / "artifacts")
    result = await toolbox.run(call("pwd"))
    assert (result.artifact, toolbox.full_output(result)) == (None, f"{project.root}\n")
    assert not (tmp_path / "artifacts").exists()


async def test_an_output_that_cannot_be_kept_in_a_file_stays_whole_in_the_state(
    project: Project, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    toolbox = project.toolbox(artifacts=tmp_path / "file" / "artifacts", state_output_bytes=400)
    result = await toolbox.run(call("seq", last=1000))
    assert result.ok and result.artifact is None and result.stdout.endswith("\n1000\n")
    assert "could not be kept in a file" in result.stderr


async def test_names_left_out_are_told(project: Project) -> None:
    result = await project.command("find . -name 'link_*' | xargs wc -l")
    assert "left out, because they lead outside the root: ./link_out" in result.stderr
    assert "link_in" in result.stdout


async def test_bytes_that_are_no_text_are_escaped(project: Project) -> None:
    (project.root / "notes.txt").write_bytes(b"caf\xe9 \xf0\x9f\x98\x80\n")
    result = await project.command("cat notes.txt")
    assert result.stdout == "caf\\xe9 \U0001f600\n"
    assert ToolResult.model_validate_json(result.model_dump_json()) == result


async def test_bytes_are_given_as_they_are(project: Project) -> None:
    (project.root / "bytes").write_bytes(b"\xff\0\n")
    command, outcome = await project.toolbox().bytes_of([Stage(tool="cat", argv=["bytes"])])
    assert (command, outcome.stdout, outcome.returncodes) == ("cat -- bytes", b"\xff\0\n", [0])
    with pytest.raises(CommandRefused):
        await project.toolbox().bytes_of(
            [Stage(tool="cat", argv=["bytes"]), Stage(tool="cat", argv=["../x"])]
        )
    hasty = Toolbox(project.root, ToolSettings.model_validate({"sandbox": "policy"}), timeout=0.2)
    with pytest.raises(TimeoutError):
        await hasty.bytes_of([Stage(tool="seq", argv=["1", "999999999999"]), Stage(tool="wc", argv=["-l"])])


async def test_given_text_is_the_input_of_the_first_stage(shared: Project) -> None:
    result = await shared.toolbox().run(call("command", command="sort | uniq -c"), stdin="b\na\nb\n")
    assert result.stdout.split() == ["1", "a", "2", "b"]
    odd = await shared.toolbox().run(call("cat"), stdin="\udcff")
    assert odd.stdout == "\\xff"


async def test_without_input_a_reader_ends_at_once(shared: Project) -> None:
    result = await shared.toolbox().run(call("cat"), timeout=5)
    assert (result.ok, result.stdout) == (True, "")


async def test_a_root_that_is_gone_is_a_launch_error(project: Project) -> None:
    toolbox = project.toolbox()
    project.root.rename(project.root.parent / "moved")
    result = await toolbox.run(call("pwd"))
    assert result.error_kind == "launch" and "could not be started" in (result.error or "")


async def test_a_tool_that_is_not_installed_is_told(shared: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.programs.TRUSTED", "/nowhere")
    from tools.process import program

    program.cache_clear()
    try:
        result = await shared.toolbox().run(call("pwd"))
    finally:
        program.cache_clear()
    assert result.error_kind == "sandbox" and "not installed" in (result.error or "")


def test_a_linked_root_is_the_place_it_leads_to(project: Project, tmp_path: Path) -> None:
    (tmp_path / "linked").symlink_to(project.root)
    toolbox = Toolbox(tmp_path / "linked", ToolSettings(sandbox="policy"))
    assert toolbox.root == project.root
    with pytest.raises(CommandRefused):
        toolbox.check(call("cat", path="../outside/secret.txt"))


def test_a_sandbox_that_is_required_and_missing_opens_no_toolbox(
    shared: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    none = Sandbox("policy", None, "nothing works here")
    monkeypatch.setattr(probing, "probe", lambda: none)
    with pytest.raises(SandboxUnavailable, match="nothing works here"):
        Toolbox(shared.root, ToolSettings(sandbox="required"))


def test_every_tool_has_a_schema_and_every_unix_tool_a_line(shared: Project) -> None:
    toolbox = shared.toolbox()
    assert set(toolbox.schemas()) == set(toolbox.names) >= {"pipeline", "command", "grep", "git"}
    lines = toolbox.describe().splitlines()
    assert [line.split(":")[0] for line in lines] == [f"- {name}" for name in toolbox.names[:-2]]
    assert all(line.endswith(".") for line in lines)


async def test_langchain_runs_the_same_tools(shared: Project) -> None:
    tools = {tool.name: tool for tool in shared.toolbox().langchain_tools()}
    assert set(tools) == set(shared.toolbox().names)
    found = ToolResult.model_validate_json(await tools["wc"].ainvoke({"path": "notes.txt", "lines": True}))
    assert found.ok and found.stdout == "4 notes.txt\n"
    found = ToolResult.model_validate_json(await tools["command"].ainvoke({"command": "cat ../x"}))
    assert found.error_kind == "refused"
