"""`run` and `python` in the sandbox: what they reach, what they do not, and that none of them survives."""

from __future__ import annotations

import asyncio
import os
import socket
import time
import uuid
from pathlib import Path
from typing import Any

import pytest

from configs.settings import ToolSettings
from tests.support.processes import wait_until
from tests.tools.places import living, needs_bubblewrap
from tests.tools.writing.worlds import World, call
from tools.protocol import ToolResult
from tools.toolbox import Toolbox

pytestmark = pytest.mark.integration
# A survivor would sleep for minutes; `evals.bench_tools` measures how long an end takes.
DEAD_SECONDS = 5.0


@pytest.fixture
def world(tmp_path: Path) -> World:
    needs_bubblewrap()
    return World(tmp_path)


def box(world: World, **settings: Any) -> Toolbox:
    return Toolbox(
        world.root, ToolSettings.model_validate({"sandbox": "bwrap", **settings}), "full", timeout=20
    )


async def shell(world: World, script: str) -> ToolResult:
    return await box(world).run(call("run", argv=["sh", "-c", script]))


async def test_a_program_changes_files_below_the_root(world: World) -> None:
    result = await shell(world, "echo new > src/made && rm a.txt && pwd")
    assert result.ok and result.sandbox_level == "bwrap" and result.stdout == f"{world.root}\n"
    assert (world.root / "src/made").read_text() == "new\n" and not (world.root / "a.txt").exists()
    assert result.command.startswith("sh -c ")


async def test_words_are_words_and_no_shell_reads_them(world: World) -> None:
    words = ["a b", "$(touch pwned)", "*", ";", "`id`", "-n", "\n"]
    result = await box(world).run(call("run", argv=["printf", "%s|", *words]))
    assert result.stdout == "".join(f"{word}|" for word in words)
    assert not (world.root / "pwned").exists()


async def test_a_program_that_fails_is_no_success(world: World) -> None:
    result = await shell(world, "echo told; echo why >&2; exit 3")
    assert (result.ok, result.returncode, result.stdout, result.stderr) == (False, 3, "told\n", "why\n")
    missing = await box(world).run(call("run", argv=["./not_there"]))
    assert not missing.ok and "not_there" in missing.stderr + (missing.error or "")
    missing = await box(world).run(call("run", argv=["no-such-program-here"]))
    assert missing.error_kind == "launch"


@pytest.mark.parametrize(
    "script",
    [
        "echo x > ../outside/secret.txt", "echo x > out/new", "echo x >> out_file", "rm -r ../outside",
        "echo x > .git/hooks/pre-commit", "rm -rf .git", "mv .git gone", "echo x > git/config",
        "chmod 777 .git", "echo x > .reflect/settings.yaml", "rm -rf .reflect", "mv .reflect x",
        "ln .git/config x && echo y > x",
        "echo x > /etc/passwd", "echo x > /usr/pwned", "mount -o remount,rw,bind .git", "umount .git",
        "touch /proc/self/root/pwned", "cat out/secret.txt", "cat ../outside/secret.txt",
    ],
)  # fmt: skip
async def test_nothing_outside_nor_git_nor_reflect_is_reached(script: str, world: World) -> None:
    (world.root / ".reflect").mkdir()
    (world.root / ".reflect/kept").write_text("kept")
    (world.root / "hard.txt").unlink()  # a second name of an outside file is the outside file
    guarded = world.guarded()
    result = await shell(world, script)
    assert not result.ok and "secret" not in result.stdout
    assert world.guarded() == guarded
    assert os.listdir(world.root / ".reflect") == ["kept"]


async def test_settings_cannot_be_planted_where_there_is_no_project_directory_yet(world: World) -> None:
    assert not (world.root / ".reflect").exists()
    result = await shell(world, "mkdir -p .reflect && echo 'profile: sovereign' > .reflect/config.yaml")
    assert not result.ok and not (world.root / ".reflect" / "config.yaml").exists()


@pytest.mark.parametrize("script", ["mkdir .git/hooks", "ln -s src .git", "rm -rf .git && git init -q ."])
async def test_a_repository_cannot_be_planted_where_there_is_none_yet(script: str, world: World) -> None:
    (world.root / ".git").rename(world.root.parent / "gone")
    assert not (await shell(world, script)).ok
    left = world.root / ".git"
    assert not left.is_symlink() and (not left.exists() or os.listdir(left) == [])


async def test_a_linked_repository_keeps_programs_from_writing(world: World) -> None:
    (world.root / ".git").rename(world.root / "apart")
    (world.root / ".git").symlink_to("apart")
    result = await shell(world, "echo x > apart/hooks/pre-commit")
    assert not result.ok and result.error_kind == "sandbox"
    assert not (world.root / "apart" / "hooks" / "pre-commit").exists()


@pytest.mark.parametrize("tool", ["run", "python"])
async def test_there_is_no_network(tool: str, world: World) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        code = f"import socket; socket.create_connection(('127.0.0.1', {server.getsockname()[1]}), 2)"
        if tool == "python":
            result = await box(world).run(call("python", code=code))
        else:
            result = await box(world).run(call("run", argv=["/usr/bin/python3", "-c", code]))
            if "python3: No such file" in result.stderr:
                pytest.skip("no system Python")
    assert not result.ok and ("refused" in result.stderr or "unreachable" in result.stderr)


async def test_code_runs_isolated_and_writes_below_the_root_only(world: World) -> None:
    code = (
        "import os, sys, json\n"
        "open('made', 'w').write('x' * 10)\n"
        "errors = []\n"
        f"for path in ('../outside/n', {str(world.outside)!r} + '/n', '.git/n', '.reflect/n', '/usr/n'):\n"
        "    try:\n        open(path, 'w')\n        errors.append(path)\n"
        "    except OSError:\n        pass\n"
        "print(json.dumps([errors, sys.flags.isolated, os.getcwd()]))\n"
    )
    guarded = world.guarded()
    result = await box(world).run(call("python", code=code))
    assert result.ok, result.stderr
    assert result.stdout.startswith(f'[[], 1, "{world.root}"') and world.guarded() == guarded
    assert (world.root / "made").read_text() == "x" * 10
    (world.root / "json.py").write_text("raise SystemExit('a file of the project ran')")
    assert (await box(world).run(call("python", code="import json; print(1)"))).stdout == "1\n"


async def test_code_of_any_length_and_its_errors(world: World) -> None:
    result = await box(world).run(call("python", code=f"x = '{'y' * 500_000}'\nprint(len(x), '\u00e9')"))
    assert result.stdout == "500000 \u00e9\n"
    result = await box(world).run(call("python", code="1/0"))
    assert result.returncode == 1 and "ZeroDivisionError" in result.stderr
    result = await box(world).run(call("python", code="print('begun')\nx = = 1"))
    assert result.returncode == 1 and result.stdout == "" and "SyntaxError" in result.stderr
    assert (await box(world).run(call("python", code="1"), stdin="x")).error_kind == "bad_args"


async def test_a_program_reads_given_input(world: World) -> None:
    result = await box(world).run(call("run", argv=["tr", "a", "b"]), stdin="aaa")
    assert result.stdout == "bbb"


async def test_secrets_of_the_caller_are_not_in_the_environment(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "4711-secret")
    assert "4711" not in (await shell(world, "env; cat /proc/*/environ 2>/dev/null; true")).stdout


async def test_an_output_over_the_cap_is_cut_and_what_was_done_is_told(world: World) -> None:
    toolbox = box(world, max_output_bytes=1000)
    result = await toolbox.run(call("run", argv=["sh", "-c", "touch made; yes"]))
    assert result.error_kind == "output_cap" and "until then stays" in (result.error or "")
    assert (world.root / "made").exists()


@pytest.mark.parametrize("how", ["timeout", "cancel"])
@pytest.mark.parametrize("tool", ["run", "python"])
async def test_every_process_dies_in_time(tool: str, how: str, world: World) -> None:
    """One that left its session and ignores signals dies too."""
    mark = f"mark-{uuid.uuid4().hex}"
    script = (
        f"trap '' TERM INT HUP; setsid sh -c 'trap \"\" TERM; sleep 1000; : {mark}' & sleep 1000; : {mark}"
    )
    one = call("run", argv=["sh", "-c", script])
    if tool == "python":
        code = f"import subprocess\nsubprocess.run(['sh', '-c', {script!r}])"
        one = call("python", code=code)
    seconds = 1.0 if how == "timeout" else 20.0
    start = time.monotonic()
    task = asyncio.create_task(box(world).run(one, timeout=seconds))
    while len(living(mark)) < 2:
        await asyncio.sleep(0.02)
        assert time.monotonic() - start < 10
    if how == "timeout":
        result = await task
        assert result.error_kind == "timeout" and time.monotonic() - start < seconds + DEAD_SECONDS
    else:
        begun = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert time.monotonic() - begun < DEAD_SECONDS
    assert wait_until(DEAD_SECONDS, lambda: living(mark) == []), living(mark)


async def test_an_approval_of_another_command_is_refused(world: World) -> None:
    toolbox = box(world)
    approved = toolbox.preview(call("run", argv=["touch", "x"]))
    result = await toolbox.run(call("run", argv=["touch", "y"]), expected_fingerprint=approved.fingerprint)
    assert result.error_kind == "changed" and not (world.root / "y").exists()
    result = await toolbox.run(call("run", argv=["touch", "x"]), expected_fingerprint=approved.fingerprint)
    assert result.ok and (world.root / "x").exists()
