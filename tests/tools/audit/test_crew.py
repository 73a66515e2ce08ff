"""Workers: order kept, a hostile file costs itself only, nothing is left running."""

import os
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from configs.audit import AuditSettings
from tests.tools.audit.crew_work import once, pid, work
from tools.audit.crew import Crew
from tools.audit.sources import Source
from tools.errors import AuditFailed

HERE = Path(__file__)


def named(names: str) -> list[Source]:
    return [Source(name, HERE, "python", size) for size, name in enumerate(names.split())]


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture(params=[1, 2])
def crew(request: pytest.FixtureRequest) -> Iterator[Crew]:
    with Crew(AuditSettings(processes=request.param, file_seconds=1)) as crew:
        yield crew


def test_results_keep_the_order_of_the_files(crew: Crew) -> None:
    files = named(" ".join(f"f{number}" for number in range(60)))
    found, skipped = crew.over(work, files, kernel="ast_scan")
    assert found == [(source, source.file.upper()) for source in files]
    assert skipped == []


def test_no_file_needs_no_worker(crew: Crew) -> None:
    assert crew.over(work, [], kernel="ast_scan") == ([], [])


@pytest.mark.parametrize(
    ("asked", "reason", "what"),
    [
        ("left", "syntax", "It ends too early."),
        ("bug", "crashed", "KeyError at crew_work.py:"),
        ("leaving", "crashed", "SystemExit at crew_work.py:"),
        ("deep", "crashed", "It is nested too deeply."),
        ("memory", "crashed", "It takes more memory than"),
        ("segment", "crashed", "The worker process ended at it, with signal 11."),
        ("killed", "crashed", "The worker process ended at it, with signal 9."),
        ("ended", "crashed", "The worker process ended at it, with exit code 7."),
        ("busy", "timeout", "It took longer than 0.3 seconds."),
        ("waiting", "timeout", "It took longer than 0.3 seconds."),
    ],
)
def test_a_hostile_file_costs_itself_only(asked: str, reason: str, what: str) -> None:
    files = named(f"a b {asked} c printing d e f g")
    with Crew(AuditSettings(processes=1, file_seconds=0.3)) as crew:
        found, skipped = crew.over(work, files, kernel="security")
        again, _ = crew.over(work, named("a"), kernel="security")
    assert [result for _, result in found] == ["A", "B", "C", "PRINTING", "D", "E", "F", "G"]
    [one] = skipped
    assert (one.file, one.kernel, one.reason) == (asked, "security", reason)
    assert one.what.startswith(what)
    assert one.line == (3 if asked == "left" else None)
    assert [result for _, result in again] == ["A"]


def test_hostile_files_in_a_row_cost_themselves_only(crew: Crew) -> None:
    files = named("killed-1 a killed-2 left-1 killed-3 b ended-1")
    found, skipped = crew.over(work, files, kernel="ast_scan")
    assert [result for _, result in found] == ["A", "B"]
    assert [one.file for one in skipped] == ["killed-1", "killed-2", "left-1", "killed-3", "ended-1"]


def test_what_kills_a_worker_is_tried_once_more(tmp_path: Path, crew: Crew) -> None:
    found, skipped = crew.over(partial(once, tmp_path / "mark"), named("a b c"), kernel="ast_scan")
    assert [result for _, result in found] == ["a", "b", "c"]
    assert skipped == []


def test_workers_stay_for_the_next_call_and_are_gone_afterwards() -> None:
    with Crew(AuditSettings(processes=1)) as crew:
        [(_, first)], _ = crew.over(pid, named("a"), kernel="ast_scan")
        [(_, second)], _ = crew.over(pid, named("b"), kernel="ast_scan")
        assert first == second != os.getpid()
        assert alive(first)
    assert not alive(first)


def test_closing_ends_a_call_in_another_thread() -> None:
    crew = Crew(AuditSettings(processes=1, file_seconds=60))
    [(_, worker)], _ = crew.over(pid, named("a"), kernel="ast_scan")
    told: list[str] = []

    def call() -> None:
        with pytest.raises(AuditFailed) as raised:
            crew.over(work, named("waiting"), kernel="ast_scan")
        told.append(str(raised.value))

    thread = threading.Thread(target=call)
    thread.start()
    crew.close()
    thread.join(30)
    assert told == ["The audit was stopped."]
    assert not alive(worker)


def test_a_closed_crew_starts_no_worker() -> None:
    crew = Crew(AuditSettings())
    crew.close()
    with pytest.raises(AuditFailed):
        crew.over(work, named("a"), kernel="ast_scan")


def test_an_error_in_the_middle_leaves_no_worker() -> None:
    def told(kernel: str, done: int, of: int) -> None:
        raise ZeroDivisionError

    crew = Crew(AuditSettings(processes=1), told)
    with pytest.raises(ZeroDivisionError):
        crew.over(pid, named("a b"), kernel="ast_scan")
    with pytest.raises(AuditFailed):
        crew.over(pid, named("a"), kernel="ast_scan")


def test_progress_is_told_to_the_end() -> None:
    heard: list[tuple[str, int, int]] = []
    with Crew(AuditSettings(processes=1), lambda *told: heard.append(told)) as crew:
        crew.over(work, named("a left b"), kernel="security")
    assert heard[-1] == ("security", 3, 3)
    assert [done for _, done, _ in heard] == sorted(done for _, done, _ in heard)


def test_a_worker_that_cannot_start_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", ["/nowhere"])
    with Crew(AuditSettings(processes=1)) as crew, pytest.raises(AuditFailed, match="tools"):
        crew.over(work, named("a"), kernel="ast_scan")


def test_workers_know_nothing_of_the_callers_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "1")
    with Crew(AuditSettings(processes=1)) as crew:
        [(_, names)], _ = crew.over(environment, named("a"), kernel="ast_scan")
    assert names == ["LC_ALL", "PATH", "PYTHONHASHSEED", "XDG_CACHE_HOME"]


def environment(_: Source, __: AuditSettings) -> list[str]:
    return sorted(os.environ)
