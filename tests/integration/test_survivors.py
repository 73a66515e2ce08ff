"""Nothing a tool started lives longer than it may: counted among all processes of the machine."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest

from tests.support.processes import ROOT, wait_until
from tests.tools.places import LEVELS, Project, confinement, living, sandbox
from tools.process import run_segment

pytestmark = [pytest.mark.integration, pytest.mark.parametrize("level", LEVELS)]

# Processes in the group, in the background with closed streams, and in a session of their own.
FAMILY = [
    "exec sleep 300 # {}",
    "sleep 300; : {}",
    "sh -c 'sleep 300; : {}' >/dev/null 2>&1 & sh -c 'sh -c \"sleep 300; : {}\"; :' & wait; : {}",
    "setsid sh -c 'sleep 300; : {}' >/dev/null 2>&1 & sleep 300; : {}",
]
OWNER = """
import asyncio, sys
from pathlib import Path
from tools.process import Confinement, run_segment
from tools.sandbox.probe import choose
root, level, script, writable = sys.argv[1:]
limits = Confinement(Path(root), choose(level), 2**30, 100, forks=True, writable=writable == "1")
print("ready", flush=True)
asyncio.run(run_segment([["sh", "-c", script], ["cat"]], None, limits, 1000))
"""
# A parent that has imported everything, and becomes an owner again with each line it reads.
OWNERS = OWNER.replace("import asyncio,", "import asyncio, os,").replace(
    "asyncio.run(",
    """for _ in sys.stdin:
    if (owner := os.fork()) != 0:
        print(owner, flush=True)
        os.waitpid(owner, 0)
    else:
        asyncio.run(""",
)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def named(script: str) -> tuple[str, str]:
    name = f"mark-{uuid.uuid4().hex}"
    return name, script.replace("{}", name)


def gone(name: str) -> bool:
    return wait_until(5, lambda: living(name) == [])


def owner(
    project: Project, level: str, script: str, *, writable: bool = False, program: str = OWNER
) -> subprocess.Popen[str]:
    """A process of its own that runs the script as a tool, and is about to start it."""
    sandbox(level)
    words = [sys.executable, "-c", program, str(project.root), level, script, str(int(writable))]
    process = subprocess.Popen(words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    return process


def kill(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait(10)
    assert process.stdin is not None and process.stdout is not None
    process.stdin.close()
    process.stdout.close()


def children_of(name: str, process: subprocess.Popen[str]) -> list[str]:
    """Living processes with the mark, without the owner, whose command line holds it too."""
    return [line for line in living(name) if "from tools.process" not in line]


@pytest.mark.parametrize("script", FAMILY)
async def test_after_a_timeout(script: str, level: str, project: Project) -> None:
    name, text = named(script)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.4):
            await run_segment([["sh", "-c", text]], None, confinement(project.root, level), 1000)
    assert gone(name), living(name)


@pytest.mark.parametrize("script", FAMILY)
async def test_after_a_cancellation(script: str, level: str, project: Project) -> None:
    name, text = named(script)
    limits = confinement(project.root, level)
    task = asyncio.create_task(run_segment([["sh", "-c", text]], None, limits, 1000))
    while not living(name):
        await asyncio.sleep(0.02)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert gone(name), living(name)


@pytest.mark.parametrize("script", FAMILY)
async def test_after_the_cap(script: str, level: str, project: Project) -> None:
    name, text = named(script)
    limits = confinement(project.root, level)
    segment = await run_segment([["sh", "-c", f"yes {name} & {text}"]], None, limits, 1000)
    assert segment.capped
    assert gone(name), living(name)


async def test_after_the_end_of_a_command_that_left_others_behind(level: str, project: Project) -> None:
    name, text = named("for i in 1 2 3; do (sh -c 'sleep 300; : {}' >/dev/null 2>&1 &); done; exit 3")
    segment = await run_segment([["sh", "-c", text]], None, confinement(project.root, level), 1000)
    assert segment.returncodes == [3]
    assert gone(name), living(name)


async def test_after_an_error_in_the_chain(level: str, project: Project) -> None:
    name, text = named("sleep 300; : {}")
    with pytest.raises(Exception, match="not installed"):
        await run_segment([["sh", "-c", text], ["none"]], None, confinement(project.root, level), 1000)
    assert gone(name), living(name)


@pytest.mark.parametrize("writable", [False, True])
@pytest.mark.parametrize("script", FAMILY)
def test_after_the_owner_is_killed(script: str, writable: bool, level: str, project: Project) -> None:
    if writable and level == "policy":
        pytest.skip("a writable root is refused there")
    name, text = named(script)
    process = owner(project, level, text, writable=writable)
    try:
        assert wait_until(10, lambda: len(children_of(name, process)) > 0)
        time.sleep(0.2)
    finally:
        kill(process)
    assert gone(name), living(name)


@pytest.mark.parametrize("writable", [False, True])
def test_after_the_owner_is_killed_while_it_starts_them(writable: bool, level: str, project: Project) -> None:
    if writable and level == "policy":
        pytest.skip("a writable root is refused there")
    name, text = named("sleep 300; : {}")
    process = owner(project, level, text, writable=writable, program=OWNERS)
    assert process.stdin is not None and process.stdout is not None
    try:
        for step in range(25):
            process.stdin.write("once more\n")
            process.stdin.flush()
            starting = int(process.stdout.readline())
            time.sleep(step * 0.002)
            os.kill(starting, signal.SIGKILL)
    finally:
        kill(process)
    assert gone(name), living(name)


@pytest.mark.parametrize("script", FAMILY)
def test_after_an_interrupt_of_the_owner(script: str, level: str, project: Project) -> None:
    name, text = named(script)
    process = owner(project, level, text)
    try:
        assert wait_until(10, lambda: len(children_of(name, process)) > 0)
        os.kill(process.pid, signal.SIGINT)
        assert process.wait(10) != 0
        assert gone(name), living(name)
    finally:
        kill(process)
