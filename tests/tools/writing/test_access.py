from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from configs.settings import ToolSettings
from tests.tools.test_toolbox import JSON
from tests.tools.writing.worlds import World, call
from tools.errors import AccessDenied, SandboxUnavailable, ToolError, UnknownTool
from tools.protocol import ToolResult
from tools.toolbox import Access, Toolbox
from tools.writing import plan
from tools.writing.arguments import FILE_TOOLS, WRITERS


def box(world: World, access: Access = "full", **settings_: Any) -> Toolbox:
    return Toolbox(world.root, ToolSettings.model_validate({"sandbox": "policy", **settings_}), access)


def test_only_a_toolbox_that_writes_lists_the_writers(world: World) -> None:
    for access, listed in (("read", False), ("read_write", True), ("full", True)):
        toolbox = box(world, access)  # type: ignore[arg-type]  # one of the three
        for names in (
            set(toolbox.names),
            set(toolbox.schemas()),
            {tool.name for tool in toolbox.langchain_tools()},
            set(toolbox.writers),
            {line.split("(")[0].removeprefix("- ") for line in toolbox.describe_writers().splitlines()},
        ):
            assert (set(WRITERS) <= names, bool(set(WRITERS) & names)) == (listed, listed)
        readers = {line.split(":")[0].removeprefix("- ") for line in toolbox.describe().splitlines()}
        assert len(readers) > 20 and not readers & set(WRITERS)
    assert Toolbox(world.root, ToolSettings(sandbox="policy")).access == "read"


@pytest.mark.parametrize("tool", WRITERS)
async def test_reading_access_refuses_and_names_the_setting(tool: str, world: World) -> None:
    toolbox, before = box(world, "read"), world.inside()
    one = call(tool, path="a.txt", content="x", overwrite=True)
    assert toolbox.writes(one)
    result = await toolbox.run(one)
    assert (result.returncode, result.error_kind) == (-1, "access")
    assert "profiles.<name>.tools" in (result.error or "") and world.inside() == before
    for look in (toolbox.check, toolbox.preview):
        with pytest.raises(AccessDenied):
            look(one)


def test_reading_calls_do_not_write_and_have_no_preview(world: World) -> None:
    one = call("cat", path="a.txt")
    assert not box(world).writes(one)
    with pytest.raises(UnknownTool):
        box(world).preview(one)


async def test_a_change_is_a_result_like_any_other(world: World) -> None:
    toolbox = box(world)
    one = call("edit_file", path="a.txt", old="two", new="2")
    toolbox.check(one)
    approved = toolbox.preview(one)
    result = await toolbox.run(one, expected_fingerprint=approved.fingerprint)
    assert result.ok and result.stdout == approved.diff and result.command == "edit_file a.txt"
    assert result.sandbox_level == "none" and result.duration > 0
    again = await toolbox.run(one, expected_fingerprint=approved.fingerprint)
    assert again.error_kind == "refused" and not again.ok
    (world.root / "a.txt").write_text("two\n")
    stale = await toolbox.run(one, expected_fingerprint=approved.fingerprint)
    assert stale.error_kind == "changed" and (world.root / "a.txt").read_text() == "two\n"


async def test_a_long_diff_goes_to_an_artifact(world: World, tmp_path: Path) -> None:
    toolbox = Toolbox(
        world.root,
        ToolSettings(sandbox="policy", state_output_bytes=400),
        "full",
        artifacts=tmp_path / "kept",
    )
    result = await toolbox.run(call("write_file", path="x", content="line\n" * 1000))
    assert result.ok and result.artifact and len(result.stdout) < 600
    assert toolbox.full_output(result).count("+line\n") == 1000


async def test_input_that_nobody_would_read_is_refused(world: World) -> None:
    result = await box(world).run(call("make_dir", path="x"), stdin="lost")
    assert result.error_kind == "bad_args" and not (world.root / "x").exists()


@pytest.mark.parametrize("one", [call("run", argv=["true"]), call("python", code="1")], ids=lambda c: c.tool)
async def test_without_a_sandbox_no_program_runs(one: Any, world: World) -> None:
    result = await box(world).run(one)
    assert (result.error_kind, result.returncode) == ("sandbox", -1)
    with pytest.raises(SandboxUnavailable):
        box(world).check(one)
    assert not (world.root / ".reflect").exists()


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    tool=st.sampled_from(sorted(WRITERS)),
    args=st.dictionaries(
        st.sampled_from(["path", "content", "old", "new", "source", "target", "argv", "code", "overwrite"]),
        JSON | st.text(alphabet=st.characters(), max_size=6),
        max_size=4,
    ),
)
async def test_whatever_a_model_writes_is_a_result(tool: str, args: dict[str, Any], world: World) -> None:
    guarded = world.guarded()
    result = await box(world).run(call(tool, **args))
    assert ToolResult.model_validate_json(result.model_dump_json()) == result
    assert result.ok == (result.error is None) and world.guarded() == guarded


@pytest.mark.parametrize("path", ["\udcff", "odd\udcfe\nname", "not\ud800"])
@pytest.mark.parametrize("tool", ["cat", "wc", "write_file", "delete", "make_dir"])
async def test_names_that_are_no_text_are_results_that_json_can_hold(
    tool: str, path: str, world: World
) -> None:
    if path != "not\ud800":
        (world.root / path).write_text("x")
    args = {"path": path} | ({"content": "y", "overwrite": True} if tool == "write_file" else {})
    result = await box(world).run(call(tool, **args))
    assert ToolResult.model_validate_json(result.model_dump_json()) == result
    # No call of a model's can hold such a name as JSON, so the writers take none.
    assert result.ok == (path != "not\ud800" and tool in ("cat", "wc"))


async def test_langchain_runs_the_writers(world: World) -> None:
    tools = {tool.name: tool for tool in box(world).langchain_tools()}
    result = json.loads(await tools["write_file"].ainvoke({"path": "new", "content": "x"}))
    assert result["returncode"] == 0 and (world.root / "new").read_text() == "x"


def test_every_argument_is_described_where_its_name_does_not_say_it(world: World) -> None:
    for name, schema in box(world).schemas().items():
        if name in WRITERS:
            assert schema["description"].endswith(".")
            assert all("description" in field for field in schema["properties"].values())


async def test_a_cancelled_change_is_finished_before_the_cancellation(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The thread is held where it is about to write; the task ends only when the write has."""
    begun, go_on = threading.Event(), threading.Event()
    execute = plan.execute

    def slow(*args: Any) -> str:
        begun.set()
        assert go_on.wait(10)
        return execute(*args)

    monkeypatch.setattr(plan, "execute", slow)
    task = asyncio.create_task(box(world).run(call("write_file", path="new", content="x")))
    await asyncio.to_thread(begun.wait, 10)
    task.cancel()
    done, _ = await asyncio.wait([task], timeout=0.1)
    assert not done and not (world.root / "new").exists()
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (world.root / "new").read_text() == "x"


async def test_many_edits_of_one_file_at_once_all_arrive(world: World) -> None:
    names = [f"<{number}>" for number in range(40)]
    (world.root / "a.txt").write_text("\n".join(names))
    toolbox = box(world)
    results = await asyncio.gather(
        *(toolbox.run(call("edit_file", path="a.txt", old=name, new=name[1:-1])) for name in names)
    )
    assert all(result.ok for result in results)
    assert (world.root / "a.txt").read_text() == "\n".join(name[1:-1] for name in names)


async def test_of_many_that_create_one_file_one_does(world: World) -> None:
    toolbox = box(world)
    results = await asyncio.gather(
        *(toolbox.run(call("write_file", path="n/x", content=str(number))) for number in range(20))
    )
    winners = [number for number, result in enumerate(results) if result.ok]
    assert len(winners) == 1 and (world.root / "n/x").read_text() == str(winners[0])


def test_file_tools_are_writers() -> None:
    assert set(FILE_TOOLS) | {"run", "python"} == set(WRITERS)
    with pytest.raises(ToolError, match="by a process"):
        plan.execute(Path("/"), call("run", argv=["true"]))
