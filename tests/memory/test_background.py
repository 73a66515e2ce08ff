"""Background runs on disk: a record, and a lock that tells whether its process lives."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.background import (
    LOCK,
    RECORD,
    BackgroundRun,
    begin,
    directory_of,
    forget_run,
    is_held,
    read,
    runs_of,
    write,
)
from memory.errors import BackgroundRunUnusable, ProjectDirectoryUnwritable

HOLDER = "import os, sys, time; print('up', flush=True); time.sleep(600)"


def test_a_run_that_began_is_found_and_holds_its_thread(tmp_path: Path) -> None:
    directory, lock = begin(tmp_path, "mine", "why?", ["ask", "why?"])
    assert is_held(directory / LOCK)
    run = read(directory)
    assert run is not None and (run.thread, run.goal, run.argv) == ("mine", "why?", ["ask", "why?"])
    assert run.code is None and run.ended is None
    with pytest.raises(BackgroundRunUnusable, match="mine"):
        begin(tmp_path, "mine", "again", [])
    os.close(lock)
    assert not is_held(directory / LOCK)


def test_a_process_that_is_killed_lets_go_of_its_lock(tmp_path: Path) -> None:
    directory, lock = begin(tmp_path, "mine", "why?", [])
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER], pass_fds=(lock,), stdout=subprocess.PIPE
    ) as process:
        os.close(lock)
        assert process.stdout is not None and process.stdout.readline() == b"up\n"
        assert is_held(directory / LOCK)
        process.send_signal(signal.SIGKILL)
        process.wait(10)
    assert not is_held(directory / LOCK)
    run = read(directory)
    assert run is not None and run.code is None


@given(st.integers(0, 255), st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_a_record_is_read_as_it_was_written(code: int, goal: str) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as place:
        run = BackgroundRun(thread="t", goal=goal, argv=[goal], started="2026-01-01", pid=1, code=code)
        write(Path(place), run)
        assert read(Path(place)) == run
        assert [path.name for path in Path(place).iterdir()] == [RECORD]


def test_runs_are_listed_last_first(tmp_path: Path) -> None:
    for name in ("one", "two", "three/with?signs"):
        os.close(begin(tmp_path, name, name, [])[1])
    assert [run.thread for run in runs_of(tmp_path)] == ["three/with?signs", "two", "one"]
    assert runs_of(tmp_path / "elsewhere") == []


def test_a_damaged_record_is_told(tmp_path: Path) -> None:
    os.close(begin(tmp_path, "mine", "why?", [])[1])
    (directory_of(tmp_path, "mine") / RECORD).write_text("{")
    with pytest.raises(BackgroundRunUnusable, match="mine"):
        runs_of(tmp_path)


def test_a_run_at_work_is_not_forgotten_one_that_ended_is(tmp_path: Path) -> None:
    directory, lock = begin(tmp_path, "mine", "why?", [])
    assert not forget_run(tmp_path, "mine") and directory.is_dir()
    os.close(lock)
    assert forget_run(tmp_path, "mine") and not directory.exists()
    assert not forget_run(tmp_path, "mine")


def test_nothing_is_written_or_removed_through_a_link(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    (outside / "mine").mkdir(parents=True)
    project = tmp_path / "project"
    (project / ".reflect").mkdir(parents=True)
    (project / ".reflect" / "background").symlink_to(outside)
    with pytest.raises(ProjectDirectoryUnwritable):
        begin(project, "mine", "why?", [])
    assert not forget_run(project, "mine")
    assert list((outside / "mine").iterdir()) == []
