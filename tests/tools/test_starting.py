"""What is left of programs whose task is cancelled while they start, or that cannot start: nothing."""

from __future__ import annotations

import asyncio
import errno
import io
import os
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.tools.places import Project, confinement
from tools import child
from tools.process import Segment, opened, run_segment

CAP = 100_000


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


def shell(script: str) -> list[str]:
    return ["sh", "-c", script]


def slowly_started(monkeypatch: pytest.MonkeyPatch, started: list[int]) -> None:
    """Have each program take a while until it starts, as it does when a hundred runs want the processor."""
    real = child._popen

    def popen(*given: Any) -> subprocess.Popen[bytes]:
        time.sleep(0.2)
        made = real(*given)
        started.append(made.pid)
        return made

    monkeypatch.setattr(child, "_popen", popen)


def gone(pids: list[int]) -> bool:
    return len(pids) == 1 and not Path(f"/proc/{pids[0]}").exists()


async def test_a_start_cancelled_twice_leaves_no_program_and_nothing_in_files_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bounds = confinement(tmp_path, "policy")
    await run_segment([["pwd"]], None, bounds, CAP)
    started: list[int] = []
    slowly_started(monkeypatch, started)
    before = open_files()
    task = asyncio.create_task(run_segment([shell("echo spilled; sleep 60")], None, bounds, CAP))
    await asyncio.sleep(0.08)
    for _ in range(2):
        task.cancel()
        await asyncio.sleep(0.02)
    others = [(tmp_path / f"other-{number}").open("wb") for number in range(4)]
    await asyncio.wait([task])
    for other in others:
        other.close()
    assert task.cancelled() and gone(started) and open_files() == before
    assert [path.stat().st_size for path in tmp_path.iterdir()] == [0] * 4


def test_a_loop_that_ends_during_a_start_leaves_no_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[int] = []
    slowly_started(monkeypatch, started)

    async def scenario() -> None:
        bounds = confinement(tmp_path, "policy")
        kept.append(asyncio.create_task(run_segment([["sleep", "60"]], None, bounds, CAP)))
        await asyncio.sleep(0.1)

    kept: list[asyncio.Task[Segment]] = []
    asyncio.run(scenario())
    assert kept[0].cancelled() and gone(started)


@pytest.mark.parametrize("cancellations", [1, 2])
async def test_what_is_made_for_a_cancelled_task_is_closed(cancellations: int) -> None:
    made = io.BytesIO()

    def make() -> io.BytesIO:
        time.sleep(0.1)
        return made

    task = asyncio.create_task(opened(make))
    await asyncio.sleep(0.03)
    for _ in range(cancellations):
        task.cancel()
        await asyncio.sleep(0.01)
    await asyncio.wait([task])
    assert task.cancelled() and made.closed


async def test_the_ground_is_closed_when_no_file_for_diagnostics_can_be_made(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(name: str) -> int:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(os, "memfd_create", refused)
    with pytest.raises(OSError, match="Too many"):
        await run_segment([["pwd"]], None, confinement(project.root, "bwrap", writable=True), CAP)
    assert not (project.root / ".git").exists() and not (project.root / ".reflect").exists()
