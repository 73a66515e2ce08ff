"""Programs started as children of this process: their exit codes, their groups, nothing left open."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.processes import ROOT
from tools import child
from tools.errors import SandboxUnavailable

STREAMS = (subprocess.DEVNULL, subprocess.DEVNULL, subprocess.DEVNULL)
SHELL = "/bin/sh"


def descriptors() -> set[str]:
    return set(os.listdir("/proc/self/fd"))


async def start(
    words: list[str],
    streams: tuple[int, int, int],
    root: Path,
    environment: dict[str, str],
    more: tuple[int, ...],
) -> child.Child:
    return child.watched(await child.begin(words, streams, root, environment, more))


async def run(script: str, root: Path, *, waiters: int = 1) -> list[int]:
    started = await start([SHELL, "-c", script], STREAMS, root, {}, ())
    return list(await asyncio.gather(*(started.wait() for _ in range(waiters))))


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(0, 255), min_size=1, max_size=5), st.integers(1, 3))
async def test_every_waiter_is_told_the_exit_code_and_nothing_stays_open(
    codes: list[int], waiters: int
) -> None:
    before = descriptors()
    told = await asyncio.gather(*(run(f"exit {code}", ROOT, waiters=waiters) for code in codes))
    assert descriptors() == before
    assert told == [[code] * waiters for code in codes]


async def test_a_child_leads_a_group_that_can_be_killed(tmp_path: Path) -> None:
    started = await start([SHELL, "-c", "sleep 60 & wait"], STREAMS, tmp_path, {}, ())
    assert started.returncode is None
    assert os.getpgid(started.pid) == os.getsid(started.pid) == started.pid
    os.killpg(started.pid, signal.SIGKILL)
    assert await started.wait() == started.returncode == -signal.SIGKILL


async def test_who_waits_and_is_cancelled_leaves_the_others_waiting(tmp_path: Path) -> None:
    started = await start([SHELL, "-c", "read line; exit 4"], STREAMS, tmp_path, {}, ())
    impatient = asyncio.ensure_future(started.wait())
    await asyncio.sleep(0)
    impatient.cancel()
    assert await started.wait() == 4


async def test_words_environment_directory_and_descriptors_reach_it(tmp_path: Path) -> None:
    read, write = os.pipe()
    script = 'printf "%s %s %s" "$1" "$NAME" "$PWD" >"/proc/self/fd/$2"'
    words = [SHELL, "-c", script, "sh", "caf\udce9", str(write)]
    started = await start(words, STREAMS, tmp_path, {"NAME": "value"}, (write,))
    assert await started.wait() == 0
    os.close(write)
    with os.fdopen(read, "rb") as told:
        assert told.read() == b"caf\xe9 value " + os.fsencode(tmp_path)


async def test_a_program_that_is_not_there_is_told(tmp_path: Path) -> None:
    before = descriptors()
    with pytest.raises(FileNotFoundError):
        await start([str(tmp_path / "none")], STREAMS, tmp_path, {}, ())
    assert descriptors() == before


def test_a_fork_of_the_process_starts_programs_too() -> None:
    program = f"""
import asyncio, os
from pathlib import Path
from tests.tools.test_child import run
assert asyncio.run(run("exit 3", Path("."))) == [3]
forked = os.fork()
if not forked:
    os._exit(asyncio.run(run("exit 5", Path({str(ROOT)!r})))[0])
print(os.waitstatus_to_exitcode(os.waitpid(forked, 0)[1]))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout == "5\n", done.stderr


async def test_without_descriptors_of_processes_a_thread_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(pid: int) -> int:
        raise OSError("pidfd_open is not allowed here")

    monkeypatch.setattr(os, "pidfd_open", refused)
    assert await run("exit 6", tmp_path, waiters=2) == [6, 6]


@pytest.fixture(params=["descriptors", "threads"])
def waiting(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways in which the end of a program is noticed."""
    if request.param == "threads":
        monkeypatch.setattr(os, "pidfd_open", without_descriptors)


def without_descriptors(pid: int) -> int:
    raise OSError("pidfd_open is not allowed here")


@pytest.mark.usefixtures("waiting")
async def test_an_exit_code_that_somebody_else_took_is_no_success(tmp_path: Path) -> None:
    popen = await child.begin([SHELL, "-c", "exit 7"], STREAMS, tmp_path, {}, ())
    os.waitpid(popen.pid, 0)
    started = child.watched(popen)
    assert await started.wait() == started.returncode == child.UNKNOWN


@pytest.mark.usefixtures("waiting")
async def test_a_signal_that_ends_a_program_is_its_exit_code(tmp_path: Path) -> None:
    assert await run("kill -TERM $$", tmp_path) == [-signal.SIGTERM]


async def test_nothing_is_started_whose_end_could_not_be_told(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        with pytest.raises(SandboxUnavailable, match="SIGCHLD is ignored"):
            await run("exit 7", tmp_path)
    finally:
        signal.signal(signal.SIGCHLD, before)


async def test_programs_that_run_take_no_thread_of_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "pidfd_open", without_descriptors)
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
    running = await start([SHELL, "-c", "sleep 60"], STREAMS, tmp_path, {}, ())
    try:
        assert await asyncio.wait_for(asyncio.to_thread(os.getpid), 5) == os.getpid()
    finally:
        os.killpg(running.pid, signal.SIGKILL)
        await running.wait()


def test_a_loop_that_closes_before_a_program_ends_is_not_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "pidfd_open", without_descriptors)
    started = asyncio.run(start([SHELL, "-c", "sleep 60"], STREAMS, tmp_path, {}, ()))
    waiting = next(one for one in threading.enumerate() if one.name == f"waits-for-{started.pid}")
    os.killpg(started.pid, signal.SIGKILL)
    waiting.join(10)  # an error of the thread is one of the test
    assert started.returncode == -signal.SIGKILL


async def test_a_program_that_no_thread_can_wait_for_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    popen = await child.begin([SHELL, "-c", "sleep 60"], STREAMS, tmp_path, {}, ())
    monkeypatch.setattr(os, "pidfd_open", without_descriptors)
    monkeypatch.setattr(threading.Thread, "start", without_threads)
    with pytest.raises(OSError, match="No thread can wait"):
        child.watched(popen)
    assert popen.returncode == -signal.SIGKILL


async def test_a_program_told_as_not_started_does_not_start_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(child, "_starter", child._new_starter())
    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", without_threads)
        with pytest.raises(OSError, match="No thread can start"):
            await run("exec /bin/touch first", tmp_path)
    assert await run("exec /bin/touch second", tmp_path) == [0]
    assert [path.name for path in tmp_path.iterdir()] == ["second"]


def without_threads(thread: threading.Thread) -> None:
    raise RuntimeError("can't start new thread")
