from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.effects import Slot
from memory.effects.outbox import End, Outbox
from memory.errors import JournalUnusable

SLOT = Slot("t", "task", 1, "hash", "r")


def end(result: str | None = '{"ok": true}', task: str = "task") -> End:
    return End(
        task=task,
        step=1,
        call_hash="hash",
        owner="1 a b c d host",
        state="done",
        result=result,
        finished="2026-01-01T00:00:00.000+00:00",
    )


@pytest.fixture
def outbox(tmp_path: Path) -> Outbox:
    return Outbox(tmp_path / ".reflect", "postgres://ann@db/threads")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=30)
@given(
    st.lists(st.tuples(st.sampled_from(["a", "b", "c"]), st.text(st.characters(codec="utf-8"))), max_size=8)
)
def test_of_each_effect_the_last_end_waits_until_it_is_dropped(
    outbox: Outbox, puts: list[tuple[str, str]]
) -> None:
    for task, result in puts:
        outbox.put(Slot("t", task, 1, "hash"), end(result, task))
    waiting = outbox.waiting()
    assert {one.task: one.result for _, one in waiting} == dict(puts)
    for path, _ in waiting:
        outbox.drop(path)
        outbox.drop(path)
    assert outbox.waiting() == []


def test_what_is_owed_to_one_database_is_not_sent_to_another(tmp_path: Path, outbox: Outbox) -> None:
    outbox.put(SLOT, end())
    assert Outbox(tmp_path / ".reflect", "postgres://ann@other/threads").waiting() == []
    assert [one for _, one in Outbox(tmp_path / ".reflect", "postgres://ann@db/threads").waiting()] == [end()]


def test_only_its_owner_reads_what_is_kept_and_no_address_is_in_its_name(outbox: Outbox) -> None:
    outbox.put(SLOT, end())
    ((path, _),) = outbox.waiting()
    assert path.stat().st_mode & 0o777 == 0o600 and "ann" not in str(path.relative_to(path.parents[2]))


def test_a_file_that_is_damaged_is_told_and_left(outbox: Outbox) -> None:
    outbox.put(SLOT, end())
    ((path, _),) = outbox.waiting()
    path.write_text("{")
    with pytest.raises(JournalUnusable, match="cannot be read") as raised:
        outbox.waiting()
    assert "move the file away" in raised.value.remedy and path.exists()


def test_an_end_another_process_sends_meanwhile_is_left_out(
    outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    for task in ("a", "b"):
        outbox.put(Slot("t", task, 1, "hash"), end(task=task))
    (first, _), (_, other) = outbox.waiting()
    read = Path.read_text

    def sent_first(path: Path, *args: str) -> str:
        first.unlink(missing_ok=True)
        return read(path, *args)

    monkeypatch.setattr(Path, "read_text", sent_first)
    assert [one for _, one in outbox.waiting()] == [other]


def test_nothing_is_written_or_read_through_a_link(tmp_path: Path, outbox: Outbox) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / ".reflect").mkdir()
    (tmp_path / ".reflect" / "unsent").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(JournalUnusable):
        outbox.put(SLOT, end())
    assert os.listdir(tmp_path / "elsewhere") == [] and outbox.waiting() == []
