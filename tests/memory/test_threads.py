from __future__ import annotations

import asyncio
import os
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import Checkpoint, empty_checkpoint
from langgraph.checkpoint.base.id import uuid6

from configs.errors import UsageError
from configs.settings import Settings
from memory.call_journal import CallJournal, journal_path, journals_of, new_run_id
from memory.checkpoints import open_checkpointer
from memory.effects import EffectJournal, Slot
from memory.effects.opening import FILE
from memory.errors import EncryptionKeyInvalid, ProjectDirectoryUnwritable, ThreadUndeletable
from memory.thread_deletion import Deleted, delete_thread
from memory.thread_history import first_id_after, newest_moment, thread_history
from memory.threads import (
    alone_on,
    artifact_directory,
    copy_artifacts,
    describe_threads,
    list_threads,
    prune_checkpoints,
)
from memory.trace.iteration_log import IterationLogger, iterations_directory
from memory.trace.session_trace import SessionTrace
from tests.memory.counting import Counting
from tools.artifacts import store

SETTINGS = Settings()


async def leave_traces(root: Path, thread: str) -> None:
    """What a thread leaves: a checkpoint, a journal entry, a stored output, a trace, a journal of calls."""
    config: RunnableConfig = {"configurable": {"thread_id": thread, "checkpoint_ns": ""}}
    async with open_checkpointer(root / SETTINGS.checkpoints.path, 1) as saver:
        await saver.aput(config, empty_checkpoint(), {}, {})
    project = root / ".reflect"
    EffectJournal(project / FILE).begin(Slot(thread, f"task of {thread}", 1, "hash"), {"tool": "t"})
    directory = artifact_directory(project, thread)
    directory.mkdir(parents=True)
    (directory / "output.txt").write_text("long")
    SessionTrace(root / SETTINGS.traces.path, thread).append({"event": 1})
    await CallJournal(journal_path(project, new_run_id(thread))).began("key", 1)


def everything(root: Path) -> set[str]:
    return {str(path.relative_to(root)) for path in root.rglob("*")}


async def test_a_thread_goes_with_all_it_left_and_others_stay(tmp_path: Path) -> None:
    for thread in ("first", "second"):
        await leave_traces(tmp_path, thread)
    assert await list_threads(tmp_path, SETTINGS) == ["second", "first"]
    deleted = await delete_thread(tmp_path, SETTINGS, "first")
    assert deleted == Deleted(checkpoints=1, effects=1, artifacts=1, trace=True, calls=1)
    assert await list_threads(tmp_path, SETTINGS) == ["second"]
    assert [name for name in everything(tmp_path) if "first" in name] == []
    journal = EffectJournal(tmp_path / ".reflect" / FILE)
    assert journal.of_thread("first") == [] and len(journal.of_thread("second")) == 1
    assert artifact_directory(tmp_path / ".reflect", "second").is_dir()
    assert journals_of(tmp_path / ".reflect", "second")
    again = await delete_thread(tmp_path, SETTINGS, "first")
    assert not again.anything


async def test_a_link_in_the_place_of_stored_outputs_is_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious.txt").write_text("kept")
    root = tmp_path / "root"
    root.mkdir()
    directory = artifact_directory(root / ".reflect", "t")
    directory.parent.mkdir(parents=True)
    directory.symlink_to(outside)
    await delete_thread(root, SETTINGS, "t")
    assert (outside / "precious.txt").read_text() == "kept"


@pytest.mark.parametrize("place", ["artifacts", "reasoning_traces"])
async def test_nothing_is_removed_through_a_link_of_a_folder(tmp_path: Path, place: str) -> None:
    outside, project = tmp_path / "outside", tmp_path / "root" / ".reflect"
    (outside / "t").mkdir(parents=True)
    (outside / "t.jsonl").write_text("kept")
    project.mkdir(parents=True)
    (project / place).symlink_to(outside)
    before = everything(outside)
    assert not (await delete_thread(tmp_path / "root", SETTINGS, "t")).anything
    assert everything(outside) == before


async def research(root: Path, thread: str, query_id: str, *, logged: Settings = SETTINGS) -> Path:
    """What a research run of a thread leaves: a checkpoint that names its logs, and two of them."""
    config: RunnableConfig = {"configurable": {"thread_id": thread, "checkpoint_ns": ""}}
    values: dict[str, Any] = {"query": "q", "query_id": query_id}
    checkpoint = {
        **empty_checkpoint(),
        "channel_values": values,
        "channel_versions": dict.fromkeys(values, 1),
    }
    async with open_checkpointer(root / SETTINGS.checkpoints.path, 1) as saver:
        await saver.aput(config, cast(Checkpoint, checkpoint), {}, dict.fromkeys(values, 1))
    logger = IterationLogger(iterations_directory(root, logged), query_id)
    logger.log_agent_output(1, "analyst", "prompt", {"n": 1}, {})
    logger.log_summary(1, "reported", "strict", {})
    return logger.directory


async def test_research_logs_go_with_their_thread_and_those_of_others_stay(tmp_path: Path) -> None:
    first, second = [await research(tmp_path, name, name) for name in ("first", "second")]
    deleted = await delete_thread(tmp_path, SETTINGS, "first")
    assert (deleted.logs, deleted.logs_left, deleted.checkpoints) == (2, None, 1)
    assert not first.exists() and len(list(second.iterdir())) == 2


async def test_logs_under_a_name_of_its_own_go_with_the_last_thread_that_has_it(tmp_path: Path) -> None:
    logs = await research(tmp_path, "first", "named")
    await research(tmp_path, "fork", "named")
    assert (await delete_thread(tmp_path, SETTINGS, "first")).logs == 0 and len(list(logs.iterdir())) == 2
    assert (await delete_thread(tmp_path, SETTINGS, "fork")).logs == 2 and not logs.exists()


async def test_a_thread_of_another_kind_takes_no_research_logs_along(tmp_path: Path) -> None:
    logs = await research(tmp_path, "researching", "t")
    await delete_thread(tmp_path, SETTINGS, "researching")
    IterationLogger(logs.parent, "t").log_summary(1, "reported", "strict", {})
    await leave_traces(tmp_path, "t")
    assert (await delete_thread(tmp_path, SETTINGS, "t")).logs == 0
    assert (logs / "session_summary.json").exists()


async def test_only_logs_go_where_other_files_lie_too(tmp_path: Path) -> None:
    here = Settings.model_validate({"research": {"iterations": "."}})
    docs = await research(tmp_path, "docs", "docs", logged=here)
    for name in ("readme.md", "iteration_1.json", "package.json"):
        (docs / name).write_text("kept")
    (docs / "session_summary_2.json").symlink_to("readme.md")
    assert (await delete_thread(tmp_path, here, "docs")).logs == 2
    kept = ["iteration_1.json", "package.json", "readme.md", "session_summary_2.json"]
    assert sorted(path.name for path in docs.iterdir()) == kept


async def test_logs_outside_of_the_root_stay_and_are_named(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    root.mkdir()
    elsewhere = Settings.model_validate({"research": {"iterations": str(outside)}})
    logs = await research(root, "t", "t", logged=elsewhere)
    deleted = await delete_thread(root, elsewhere, "t")
    assert (deleted.logs, deleted.logs_left) == (0, logs) and len(list(logs.iterdir())) == 2


@pytest.mark.parametrize("link", ["data", "data/reasoning/iterations", "data/reasoning/iterations/t"])
async def test_no_log_is_removed_through_a_link(tmp_path: Path, link: str) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    logs = await research(root, "t", "t")
    (root / link).rename(outside)
    (root / link).symlink_to(outside)
    before = everything(outside)
    deleted = await delete_thread(root, SETTINGS, "t")
    assert (deleted.logs, deleted.logs_left) == (0, None)
    assert everything(outside) == before and logs.exists()


async def test_what_cannot_be_removed_is_told_and_the_thread_stays(tmp_path: Path) -> None:
    await leave_traces(tmp_path, "stuck")
    trace = tmp_path / SETTINGS.traces.path / "stuck.jsonl"
    trace.unlink()
    trace.mkdir()
    with pytest.raises(ThreadUndeletable, match="stuck"):
        await delete_thread(tmp_path, SETTINGS, "stuck")
    assert await list_threads(tmp_path, SETTINGS) == ["stuck"]
    trace.rmdir()
    assert (await delete_thread(tmp_path, SETTINGS, "stuck")).checkpoints == 1


@given(st.lists(st.text(max_size=200), min_size=2, max_size=2, unique=True))
def test_every_thread_has_a_directory_of_its_own_below_the_project(threads: list[str]) -> None:
    first, second = (artifact_directory(Path("/p/.reflect"), thread) for thread in threads)
    assert first != second
    assert first.parent == second.parent == Path("/p/.reflect/artifacts")
    assert all(name not in ("", ".", "..") and len(name) < 200 for name in (first.name, second.name))


async def test_who_comes_second_to_a_thread_waits_and_is_told_and_others_do_not(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    order: list[str] = []

    async def second() -> None:
        async with alone_on(tmp_path, "t", Settings()):
            order.append("second")

    async with alone_on(tmp_path, "t", Settings()):
        waiting = asyncio.create_task(second())
        async with alone_on(tmp_path, "other", Settings()):
            await asyncio.sleep(0.3)
        order.append("first")
    await asyncio.wait_for(waiting, 10)
    assert order == ["first", "second"]
    assert caplog.text.count("runs thread t; this one waits for it") == 1


@pytest.mark.integration  # takes seconds
@settings(max_examples=15, deadline=None)
@given(
    length=st.integers(1, 5),
    asks=st.integers(1, 6),
    stop=st.integers(0, 6),
    keep=st.integers(1, 3),
    again=st.booleans(),
)
async def test_a_pruned_thread_comes_to_the_same_end(
    length: int, asks: int, stop: int, keep: int, again: bool
) -> None:
    counting = Counting(length, asks)
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        async with open_checkpointer(root / SETTINGS.checkpoints.path, 5) as saver:
            await counting.run(saver, "t", stop)
            before = await thread_history(saver, "t")
            counted = await prune_checkpoints(root, SETTINGS, keep=keep, dry_run=True)
            assert await thread_history(saver, "t") == before
            pruned = await prune_checkpoints(root, SETTINGS, keep=keep)
            after = await thread_history(saver, "t")
            assert counted.rows == pruned.rows and pruned.rows.checkpoints == len(before) - len(after)
            assert [moment.checkpoint_id for moment in after] == [
                moment.checkpoint_id for moment in before[-keep:]
            ]
            assert after[-1].standing == before[-1].standing
            if again:
                await prune_checkpoints(root, SETTINGS)
            assert await counting.finish(saver, "t") == counting.end
            # What came before is gone, with all that was written on top of it.
            async with saver.conn.execute("SELECT DISTINCT checkpoint_id FROM writes") as cursor:
                written = {row[0] for row in await cursor.fetchall()}
            assert written <= {moment.checkpoint_id for moment in await thread_history(saver, "t")}


async def test_threads_at_work_are_pruned_without_harm(tmp_path: Path) -> None:
    counting = Counting(12, 99)
    async with open_checkpointer(tmp_path / SETTINGS.checkpoints.path, 5) as saver:

        async def prune() -> None:
            for _ in range(8):
                await prune_checkpoints(tmp_path, SETTINGS)

        runs = [counting.run(saver, f"t{number}", None) for number in range(3)]
        await asyncio.gather(prune(), *runs)
        for number in range(3):
            newest = await newest_moment(saver, f"t{number}")
            assert newest is not None and newest.values["seen"] == counting.end


async def test_pruning_gives_the_space_back_and_leaves_the_young(tmp_path: Path) -> None:
    path = tmp_path / SETTINGS.checkpoints.path
    counting = Counting(10, 99, size=20_000)
    async with open_checkpointer(path, 5) as saver:
        await counting.run(saver, "t", None)
    grown = path.stat().st_size
    none = await prune_checkpoints(tmp_path, SETTINGS, older_than=timedelta(days=1))
    assert (none.threads, none.rows.checkpoints) == (0, 0) and path.stat().st_size == grown
    pruned = await prune_checkpoints(tmp_path, SETTINGS, older_than=timedelta(0))
    assert pruned.threads == 1 and pruned.rows.checkpoints > 10 and not pruned.remark
    assert path.stat().st_size < grown / 3
    assert [summary.checkpoints for summary in await describe_threads(tmp_path, SETTINGS)] == [1]


async def test_a_reader_keeps_the_file_at_its_size_and_that_is_said(tmp_path: Path) -> None:
    path = tmp_path / SETTINGS.checkpoints.path
    async with open_checkpointer(path, 0.05) as saver:
        await Counting(3, 99).run(saver, "t", None)
    hasty = Settings(checkpoints=SETTINGS.checkpoints.model_copy(update={"busy_timeout": 0.05}))
    async with open_checkpointer(path, 0.05) as saver:
        async with saver.conn.execute("SELECT * FROM writes") as cursor:
            await cursor.fetchone()
            pruned = await prune_checkpoints(tmp_path, hasty)
    assert pruned.rows.checkpoints and "keeps its size" in pruned.remark


@pytest.mark.parametrize(("keep", "days"), [(0, None), (-1, None), (1, -1)])
async def test_pruning_that_would_make_no_sense(tmp_path: Path, keep: int, days: int | None) -> None:
    with pytest.raises(UsageError):
        older_than = None if days is None else timedelta(days=days)
        await prune_checkpoints(tmp_path, SETTINGS, keep=keep, older_than=older_than)
    assert os.listdir(tmp_path) == []


@given(st.integers(-(10**9), 10**9))
def test_ids_are_ordered_as_times_are(seconds: int) -> None:
    moment = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(microseconds=seconds * 997)
    earlier, same, later = (first_id_after(moment + timedelta(microseconds=shift)) for shift in (-1, 0, 1))
    assert earlier < same < later and len(same) == 36


def test_ids_of_langgraph_are_of_the_same_clock() -> None:
    before, made, after = datetime.now(UTC), str(uuid6(clock_seq=-2)), datetime.now(UTC)
    assert first_id_after(before - timedelta(milliseconds=1)) < made
    assert made < first_id_after(after + timedelta(milliseconds=1))


async def test_threads_are_described(tmp_path: Path) -> None:
    counting = Counting(3, 2)
    assert await describe_threads(tmp_path, SETTINGS) == []
    async with open_checkpointer(tmp_path / SETTINGS.checkpoints.path, 5) as saver:
        await counting.run(saver, "asks", None)
        await counting.run(saver, "stopped", 1)
        await counting.run(saver, "ended", None)
        await counting.finish(saver, "ended")
    found = await describe_threads(tmp_path, SETTINGS)
    assert [(summary.thread, summary.newest.standing) for summary in found] == [
        ("ended", "ended"),
        ("stopped", "stopped before count"),
        ("asks", "waiting for an approval"),
    ]
    assert [(summary.newest.step, summary.newest.node) for summary in found] == [
        (3, "count"),
        (1, "count"),
        (1, "count"),
    ]


async def test_a_lock_is_not_kept_behind_a_link(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / ".reflect").mkdir()
    (tmp_path / ".reflect" / "locks").symlink_to(tmp_path / "outside")
    with pytest.raises(ProjectDirectoryUnwritable, match="symbolic link"):
        async with alone_on(tmp_path, "t", Settings()):
            pass
    assert list((tmp_path / "outside").iterdir()) == []


def test_stored_outputs_are_not_copied_behind_a_link(tmp_path: Path) -> None:
    old = artifact_directory(tmp_path / ".reflect", "old")
    stored = store(old, b"long")
    (tmp_path / "outside").mkdir()
    artifact_directory(tmp_path / ".reflect", "new").symlink_to(tmp_path / "outside")
    with pytest.raises(ProjectDirectoryUnwritable, match="symbolic link"):
        copy_artifacts(tmp_path, "old", "new", stored.name)
    assert list((tmp_path / "outside").iterdir()) == []


async def test_a_thread_whose_checkpoints_cannot_be_opened_keeps_all_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await leave_traces(tmp_path, "t")
    before = everything(tmp_path)
    locked = Settings.model_validate({"checkpoints": {"encryption_key_env": "NO_SUCH_KEY"}})
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    with pytest.raises(EncryptionKeyInvalid):
        await delete_thread(tmp_path, locked, "t")
    assert everything(tmp_path) == before
    assert len(EffectJournal(tmp_path / ".reflect" / FILE).of_thread("t")) == 1
