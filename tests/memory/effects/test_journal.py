from __future__ import annotations

import multiprocessing
import os
import signal
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.effects import Effect, EffectJournal, Slot, call_digest
from memory.errors import EffectInProgress, JournalUnusable, ProjectDirectoryUnwritable

CALL = {"tool": "write_file", "args": {"path": "a.txt", "content": "é\ud800"}}
RESULT = {"tool": "write_file", "returncode": 0, "stdout": "+é"}


def slot(task: str = "t1", step: int = 1, thread: str = "thread", call: dict[str, Any] = CALL) -> Slot:
    return Slot(thread, task, step, call_digest(call))


@pytest.fixture
def journal(tmp_path: Path) -> EffectJournal:
    return EffectJournal(tmp_path / ".reflect" / "effects.sqlite", busy_timeout=5)


def test_an_effect_that_was_done_is_found_with_its_result(journal: EffectJournal) -> None:
    assert journal.find(slot()) is None
    assert journal.begin(slot(), CALL).state == "intent"
    journal.finish(slot(), RESULT)
    again = journal.begin(slot(), CALL)
    assert (again.state, again.result, again.call) == ("done", RESULT, CALL)
    assert journal.find(slot()) == again


@pytest.mark.parametrize(
    "other",
    [slot(task="t2"), slot(step=2), slot(call={**CALL, "tool": "delete"})],
    ids=["task", "step", "call"],
)
def test_another_task_step_or_call_is_another_effect(journal: EffectJournal, other: Slot) -> None:
    journal.begin(slot(), CALL)
    journal.finish(slot(), RESULT)
    assert journal.begin(other, CALL).state == "intent"


def test_a_fork_says_which_effect_it_repeats(journal: EffectJournal) -> None:
    first = journal.begin(slot("original"), CALL)
    journal.finish(slot("original"), RESULT)
    done = journal.find(slot("original"))
    fork = journal.begin(slot("fork"), CALL)
    assert first.repeats is None and done is not None
    assert fork.repeats == done.finished
    assert journal.begin(slot("other", thread="elsewhere"), CALL).repeats is None


def test_what_was_shown_is_kept_until_the_intent(journal: EffectJournal) -> None:
    journal.propose(slot(), CALL, ["f1"])
    journal.propose(slot(), CALL, ["f1", "f2"])
    found = journal.find(slot())
    assert found is not None and (found.state, found.shown) == ("proposed", ["f1", "f2"])
    assert journal.begin(slot(), CALL).shown == ["f1", "f2"]


def test_an_intent_of_this_process_is_left_to_the_task_that_is_at_it(journal: EffectJournal) -> None:
    journal.begin(slot(), CALL)
    for call in (journal.find, lambda s: journal.begin(s, CALL), lambda s: journal.propose(s, CALL, [])):
        with pytest.raises(EffectInProgress, match="another run"):
            call(slot())
    assert journal.begin(slot("other"), CALL).state == "intent"


def test_an_intent_cut_off_in_this_process_is_uncertain(journal: EffectJournal) -> None:
    journal.begin(slot(), CALL)
    journal.doubt(slot())
    found = journal.find(slot())
    assert found is not None and found.state == "uncertain"
    assert journal.begin(slot(), CALL).state == "uncertain"
    assert journal.propose(slot(), CALL, ["f"]).state == "uncertain"
    journal.retract(slot())
    assert journal.begin(slot(), CALL).state == "intent"


def test_a_call_in_doubt_is_told_to_who_does_it_again(journal: EffectJournal) -> None:
    first = journal.begin(slot("first"), CALL)
    journal.doubt(slot("first"))
    journal.begin(slot("second"), CALL)
    assert journal.doubtful(slot("second")) == first.started
    assert journal.doubtful(slot("second", thread="elsewhere")) is None
    assert journal.repeats(slot("second")) is None


def test_a_doubt_can_be_settled_as_done(journal: EffectJournal) -> None:
    journal.begin(slot(), CALL)
    journal.doubt(slot())
    journal.finish(slot(), RESULT)
    assert journal.begin(slot(), CALL).result == RESULT


def test_a_done_effect_cannot_be_retracted(journal: EffectJournal) -> None:
    journal.begin(slot(), CALL)
    journal.finish(slot(), RESULT)
    journal.retract(slot())
    assert journal.begin(slot(), CALL).state == "done"


def _begin_and_wait(path: Path, begun: Any) -> None:
    EffectJournal(path).begin(slot(), CALL)
    begun.set()
    time.sleep(60)


@pytest.fixture
def other_process(journal: EffectJournal, tmp_path: Path) -> Any:
    context = multiprocessing.get_context("spawn")
    begun = context.Event()
    process = context.Process(target=_begin_and_wait, args=(tmp_path / ".reflect" / "effects.sqlite", begun))
    process.start()
    assert begun.wait(30)
    yield process
    process.kill()
    process.join(30)


def test_an_intent_of_a_living_process_is_left_to_it(journal: EffectJournal, other_process: Any) -> None:
    for call in (journal.find, lambda s: journal.begin(s, CALL), lambda s: journal.propose(s, CALL, [])):
        with pytest.raises(EffectInProgress, match="step 1|Step 1"):
            call(slot())


def test_an_intent_of_a_living_process_is_neither_forgotten_nor_settled_by_another(
    journal: EffectJournal, other_process: Any
) -> None:
    """Both may have looked at a call in doubt; the other was first to begin it anew."""
    journal.retract(slot())
    with pytest.raises(EffectInProgress):
        journal.begin(slot(), CALL)
    for settle in (lambda: journal.finish(slot(), RESULT), lambda: journal.doubt(slot())):
        with pytest.raises(EffectInProgress, match="taken over by another run"):
            settle()
    with pytest.raises(EffectInProgress):
        journal.find(slot())


def test_an_intent_of_a_killed_process_is_uncertain(journal: EffectJournal, other_process: Any) -> None:
    os.kill(other_process.pid, signal.SIGKILL)
    other_process.join(30)
    assert journal.begin(slot(), CALL).state == "uncertain"


def test_of_many_that_begin_at_once_one_goes_ahead(journal: EffectJournal) -> None:
    states: list[str] = []
    gate = threading.Barrier(8)

    def begin() -> None:
        gate.wait()
        try:
            states.append(journal.begin(slot(), CALL).state)
        except EffectInProgress:
            states.append("left to it")

    threads = [threading.Thread(target=begin) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(states) == ["intent", *["left to it"] * 7]


def test_entries_go_with_their_thread(journal: EffectJournal) -> None:
    assert journal.forget_thread("thread") == 0 and journal.of_thread("thread") == []
    for step in (2, 1):
        journal.begin(slot(step=step), CALL)
    journal.begin(slot("t9", thread="kept"), CALL)
    assert {effect.step for effect in journal.of_thread("thread")} == {1, 2}
    assert journal.forget_thread("thread") == 2
    assert journal.of_thread("thread") == [] and len(journal.of_thread("kept")) == 1


@pytest.mark.parametrize(
    "content", [b"not a database at all, but long enough to be told", b"SQLite format 3\0" * 9]
)
def test_a_damaged_journal_stops_every_effect(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "effects.sqlite"
    path.write_bytes(content)
    for call in (lambda j: j.begin(slot(), CALL), lambda j: j.find(slot())):
        with pytest.raises(JournalUnusable, match="effects.sqlite") as raised:
            call(EffectJournal(path))
        assert "move it away" in raised.value.remedy
    assert path.read_bytes() == content


def test_a_locked_journal_stops_every_effect(tmp_path: Path) -> None:
    path = tmp_path / "effects.sqlite"
    EffectJournal(path).begin(slot("earlier"), CALL)
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(JournalUnusable, match="locked"):
        EffectJournal(path, busy_timeout=0.1).begin(slot(), CALL)
    holder.close()


def test_a_queue_of_writers_that_get_on_is_waited_for(tmp_path: Path) -> None:
    path, patience = tmp_path / "effects.sqlite", 0.6
    EffectJournal(path).begin(slot("earlier"), CALL)
    held = threading.Event()

    def write_slowly() -> None:
        """Hold the lock all the time but for moments, for four times the waiter's patience."""
        with closing(sqlite3.connect(path, isolation_level=None)) as holder:
            for number in range(8):
                holder.execute("BEGIN EXCLUSIVE")
                held.set()
                holder.execute("UPDATE effects SET call = ?", (f'{{"number": {number}}}',))
                time.sleep(patience / 2)
                holder.execute("COMMIT")

    writer = threading.Thread(target=write_slowly)
    writer.start()
    assert held.wait(10)
    begun = EffectJournal(path, busy_timeout=patience).begin(slot(), CALL)
    writer.join()
    assert begun.state == "intent"


@pytest.mark.parametrize("end", ["", "-journal", "-wal"])
def test_a_link_is_not_written_through(tmp_path: Path, end: str) -> None:
    (tmp_path / f"effects.sqlite{end}").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(JournalUnusable, match="link"):
        EffectJournal(tmp_path / "effects.sqlite").begin(slot(), CALL)
    assert not (tmp_path / "elsewhere").exists()


def test_a_project_directory_that_leads_out_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / ".reflect").symlink_to(tmp_path / "out")
    with pytest.raises(ProjectDirectoryUnwritable):
        EffectJournal(tmp_path / "root" / ".reflect" / "effects.sqlite").begin(slot(), CALL)


def test_a_result_without_an_intent_is_an_error(journal: EffectJournal) -> None:
    with pytest.raises(JournalUnusable, match="intent of step 1"):
        journal.finish(slot(), RESULT)


MOVES = st.lists(st.sampled_from(["propose", "begin", "finish", "doubt", "retract"]), max_size=12)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(moves=MOVES)
def test_no_order_of_moves_lets_a_done_effect_begin_again(tmp_path: Path, moves: list[str]) -> None:
    path = tmp_path / "effects.sqlite"
    path.unlink(missing_ok=True)
    journal = EffectJournal(path)
    done = False
    for move in moves:
        entry: Effect | None = None
        try:
            if move == "propose":
                entry = journal.propose(slot(), CALL, [])
            elif move == "begin":
                entry = journal.begin(slot(), CALL)
            elif move == "finish":
                journal.finish(slot(), RESULT)
                done = True
            elif move == "doubt" and not done:
                journal.doubt(slot())
            elif move == "retract":
                journal.retract(slot())
        except JournalUnusable:
            assert move in ("finish", "doubt") and journal.find(slot()) is None
        except EffectInProgress:
            assert move in ("propose", "begin") and not done
        if entry is not None and done:
            assert entry.state == "done"


@given(st.dictionaries(st.text(), st.integers() | st.text() | st.lists(st.text())))
def test_the_digest_knows_no_order(args: dict[str, Any]) -> None:
    turned = dict(reversed(list(args.items())))
    assert call_digest({"tool": "t", "args": args}) == call_digest({"args": turned, "tool": "t"})


def test_only_its_owner_reads_the_journal(tmp_path: Path) -> None:
    EffectJournal(tmp_path / "effects.sqlite").begin(slot(), CALL)
    assert (tmp_path / "effects.sqlite").stat().st_mode & 0o777 == 0o600
