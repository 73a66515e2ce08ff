"""The effect journal in Postgres: the same as in a file, and what only hosts can come to."""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from configs.settings import Settings
from evals.hosts import Host, can_be_hosts, start_host
from evals.postgres_server import PASSWORD, Server
from memory.effects import Effect, EffectJournal, Slot, call_digest
from memory.effects.opening import project_journal
from memory.effects.postgres_ledger import SETTLING
from memory.errors import (
    CheckpointEncrypted,
    EffectInProgress,
    JournalUnreachable,
    JournalUnusable,
    MemoryStoreError,
    ThreadElsewhere,
)
from tests.support.processes import wait_until

pytestmark = pytest.mark.integration
CALL = {"tool": "write_file", "args": {"path": "a.txt", "content": "secret é\ud800\0"}}
RESULT = {"tool": "write_file", "returncode": 0, "stdout": "+ secret é"}
Open = Callable[[], EffectJournal]


def slot(task: str = "t1", thread: str = "thread", step: int = 1, run: str = "r") -> Slot:
    return Slot(thread, task, step, call_digest(CALL), run)


SLOTS = [slot(task, thread, step) for task in "ab" for thread in ("t", "u") for step in (1, 2)]
# One task is of one thread.
SLOTS = [one for one in SLOTS if (one.task == "b") == (one.thread == "u")] + [slot("c", "t", 1)]
MOVES = ["find", "propose", "begin", "finish", "doubt", "retract", "repeats", "doubtful", "thread", "forget"]


def told(value: Any) -> Any:
    """What is the same in both: all but times, of which it counts whether there is one."""
    if isinstance(value, Effect):
        times = {name: getattr(value, name) is not None for name in ("started", "finished", "repeats")}
        return value.model_dump() | times
    if isinstance(value, list):
        return [told(one) for one in value]
    return bool(value) if isinstance(value, str) else value


def moved(journal: EffectJournal, move: str, at: Slot) -> Any:
    """What a move gives, or the kind of error it raises."""
    moves: dict[str, Callable[[], Any]] = {
        "find": lambda: journal.find(at),
        "propose": lambda: journal.propose(at, CALL, [f"f{at.step}"]),
        "begin": lambda: journal.begin(at, CALL, "hash"),
        "finish": lambda: journal.finish(at, RESULT),
        "doubt": lambda: journal.doubt(at),
        "retract": lambda: journal.retract(at),
        "repeats": lambda: journal.repeats(at),
        "doubtful": lambda: journal.doubtful(at),
        "thread": lambda: sorted(
            journal.of_thread(at.thread), key=lambda one: (one.task, one.step, one.call_hash)
        ),
        "forget": lambda: journal.forget_thread(at.thread),
    }
    try:
        return told(moves[move]())
    except MemoryStoreError as error:
        return type(error).__name__


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(moves=st.lists(st.tuples(st.sampled_from(MOVES), st.sampled_from(SLOTS)), max_size=25))
def test_both_journals_answer_the_same_to_the_same_moves(
    open_journal: Open, root: Path, moves: list[tuple[str, Slot]]
) -> None:
    here, shared = EffectJournal(root / ".reflect" / "effects.sqlite"), open_journal()
    for one in SLOTS:
        for journal in (here, shared):
            journal.forget_thread(one.thread)
            journal.retract(one)
    for move, at in moves:
        assert moved(here, move, at) == moved(shared, move, at), (move, at)


@pytest.fixture
def other_host(open_journal: Open, tmp_path: Path) -> Iterator[Host]:
    """A host that has begun an effect and is at it."""
    if not can_be_hosts():
        pytest.skip("only root may give processes namespaces of their own")

    def begin() -> None:
        open_journal().begin(slot(), CALL)
        (tmp_path / "begun").touch()
        time.sleep(120)

    host = start_host(begin, apart=True)
    try:
        assert wait_until(30, (tmp_path / "begun").exists)
        yield host
    finally:
        host.kill()


def test_an_effect_of_a_living_host_is_left_to_it(open_journal: Open, other_host: Host) -> None:
    journal = open_journal()
    for call in (journal.find, lambda s: journal.begin(s, CALL), lambda s: journal.propose(s, CALL, [])):
        with pytest.raises(EffectInProgress, match="Step 1 of thread 'thread' is being done by another run"):
            call(slot())
    journal.retract(slot())
    for settle in (lambda: journal.finish(slot(), RESULT), lambda: journal.doubt(slot())):
        with pytest.raises(EffectInProgress, match="taken over by another run"):
            settle()
    with pytest.raises(EffectInProgress):
        journal.find(slot())
    assert journal.begin(slot("other"), CALL).state == "intent"
    assert journal.doubtful(slot("third")) is not None


def test_an_effect_of_a_killed_host_is_in_doubt_once_it_must_be_over(
    open_journal: Open, other_host: Host
) -> None:
    other_host.kill()
    killed = time.monotonic()
    found = open_journal().begin(slot(), CALL)
    assert found.state == "uncertain" and found.call == CALL
    assert time.monotonic() - killed >= SETTLING - 1


def test_a_killed_process_of_the_same_host_is_known_to_be_gone(open_journal: Open, tmp_path: Path) -> None:
    host = start_host(lambda: open_journal().begin(slot(), CALL), apart=False)
    assert wait_until(30, host.ended) and host.code == 0
    assert open_journal().begin(slot(), CALL).state == "uncertain"


def test_a_result_is_kept_while_the_server_is_away_and_written_when_it_is_back(
    open_journal: Open, root: Path, server: Server
) -> None:
    journal = open_journal()
    journal.begin(slot(), CALL)
    server.stop()
    journal.finish(slot(), RESULT)
    kept = list((root / ".reflect" / "unsent").rglob("*.json"))
    assert len(kept) == 1 and kept[0].stat().st_mode & 0o077 == 0
    server.start()
    assert wait_until(20, lambda: not kept[0].exists())
    found = open_journal().find(slot())
    assert found is not None and (found.state, found.result) == ("done", RESULT)


def test_a_result_outlives_its_process_and_the_server(
    open_journal: Open, root: Path, server: Server, tmp_path: Path
) -> None:
    def make() -> None:
        journal = open_journal()
        journal.begin(slot(), CALL)
        (tmp_path / "begun").touch()
        assert wait_until(30, (tmp_path / "gone").exists)
        journal.finish(slot(), RESULT)

    host = start_host(make, apart=can_be_hosts())
    assert wait_until(30, (tmp_path / "begun").exists)
    server.stop()
    (tmp_path / "gone").touch()
    assert wait_until(30, host.ended) and host.code == 0
    server.start()
    found = open_journal().find(slot())
    assert found is not None and (found.state, found.result) == ("done", RESULT)
    assert not list((root / ".reflect" / "unsent").rglob("*.json"))


def test_what_is_sent_late_does_not_undo_what_was_decided_meanwhile(
    open_journal: Open, root: Path, server: Server
) -> None:
    """The effect was found not to have happened and made anew, by another owner: that is what counts."""
    journal = open_journal()
    journal.begin(slot(), CALL)
    server.stop()
    journal.finish(slot(), RESULT)
    (kept,) = (root / ".reflect" / "unsent").rglob("*.json")
    late = kept.read_text()
    server.start()
    assert wait_until(20, lambda: not kept.exists())
    journal.doubt(slot())
    kept.write_text(late.replace(late.partition('"owner":"')[2].partition(" ")[0], "1"))
    found = open_journal().find(slot())
    assert found is not None and (found.state, found.result) == ("uncertain", None) and not kept.exists()


def test_a_server_that_restarts_between_two_effects_is_not_noticed(
    open_journal: Open, server: Server
) -> None:
    journal = open_journal()
    journal.begin(slot(), CALL)
    journal.finish(slot(), RESULT)
    server.stop()
    server.start()
    assert journal.begin(slot("t2"), CALL).repeats is not None


def test_without_the_server_nothing_may_be_changed_and_no_password_is_told(
    root: Path, server: Server, database: str
) -> None:
    chosen = Settings.model_validate({"checkpoints": {"path": database, "busy_timeout": 0.3}})
    server.stop()
    try:
        for call in (lambda j: j.begin(slot(), CALL), lambda j: j.find(slot())):
            with pytest.raises(JournalUnreachable) as raised:
                call(project_journal(root, chosen))
            assert PASSWORD not in str(raised.value) and "tester@127.0.0.1" in str(raised.value)
    finally:
        server.start()


def test_who_may_not_write_there_may_not_change_anything(root: Path, server: Server, database: str) -> None:
    server.execute("CREATE ROLE guest LOGIN PASSWORD 'guests-only'")
    url = f"postgres://guest:guests-only@{database.partition('@')[2]}"
    journal = project_journal(root, Settings.model_validate({"checkpoints": {"path": url}}))
    with pytest.raises(JournalUnusable, match="permission denied") as raised:
        journal.begin(slot(), CALL)
    assert not isinstance(raised.value, JournalUnreachable) and "guests-only" not in str(raised.value)
    server.execute("DROP ROLE guest")


@pytest.mark.parametrize("copied", [True, False])
def test_a_run_goes_on_only_in_the_directory_it_was_begun_in(
    open_journal: Open, root: Path, chosen: Settings, copied: bool
) -> None:
    open_journal().begin(slot(), CALL)
    other = root.parent / "other"
    if copied:
        shutil.copytree(root, other)
    else:
        other.mkdir()
    for call in (lambda j: j.find(slot()), lambda j: j.begin(slot("t2"), CALL)):
        with pytest.raises(ThreadElsewhere, match="project on .*other on .* another directory"):
            call(project_journal(other, chosen))
    moved_root = root.rename(root.parent / "renamed")
    assert project_journal(moved_root, chosen).begin(slot("t3"), CALL).state == "intent"
    assert project_journal(other, chosen).begin(slot("t4", run="another"), CALL).state == "intent"


def test_what_is_changed_is_encrypted_with_the_key_of_the_threads(
    root: Path, server: Server, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THE_KEY", bytes(range(32)).hex())
    chosen = Settings.model_validate({"checkpoints": {"path": database, "encryption_key_env": "THE_KEY"}})
    journal = project_journal(root, chosen)
    journal.begin(slot(), CALL)
    journal.finish(slot(), RESULT)
    found = journal.find(slot())
    assert found is not None and (found.call, found.result) == (CALL, RESULT)
    name = database.rpartition("/")[2]
    assert "secret" not in repr(server.execute("SELECT * FROM reflect_effects", name))
    for key in (bytes(range(1, 33)).hex(), None):
        monkeypatch.setenv("THE_KEY", key or "")
        wrong = {"path": database, "encryption_key_env": "THE_KEY" if key else None}
        with pytest.raises(CheckpointEncrypted):
            project_journal(root, Settings.model_validate({"checkpoints": wrong})).find(slot())


def test_a_child_of_a_process_does_not_keep_its_connection_open(
    open_journal: Open, tmp_path: Path, server: Server, database: str
) -> None:
    """The child inherits it, by which others would take its parent for living."""
    connections = (
        "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'reflect %'"
        f" AND datname = '{database.rpartition('/')[2]}'"
    )

    def work() -> None:
        open_journal().begin(slot(), CALL)
        child = start_host(lambda: time.sleep(60), apart=False)
        (tmp_path / "child").write_text(str(child.pid))
        time.sleep(60)

    host = start_host(work, apart=False)
    assert wait_until(30, lambda: (tmp_path / "child").exists() and (tmp_path / "child").read_text() != "")
    child = int((tmp_path / "child").read_text())
    try:
        assert server.execute(connections) == [(1,)]
        host.kill()
        assert wait_until(10, lambda: server.execute(connections) == [(0,)])
        assert is_running(child)
    finally:
        os.kill(child, signal.SIGKILL)


def is_running(pid: int) -> bool:
    os.kill(pid, 0)
    return True
