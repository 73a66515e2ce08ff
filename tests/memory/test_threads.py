from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import empty_checkpoint

from configs.settings import Settings
from memory.checkpoints import open_checkpointer
from memory.effects import EffectJournal, Slot
from memory.errors import ThreadUndeletable
from memory.session_trace import SessionTrace
from memory.threads import JOURNAL, alone_on, artifact_directory, delete_thread, list_threads

SETTINGS = Settings()


async def leave_traces(root: Path, thread: str) -> None:
    """What a run of a thread leaves: a checkpoint, a journal entry, a stored output, a trace."""
    config: RunnableConfig = {"configurable": {"thread_id": thread, "checkpoint_ns": ""}}
    async with open_checkpointer(root / SETTINGS.checkpoints.path, 1) as saver:
        await saver.aput(config, empty_checkpoint(), {}, {})
    project = root / ".reflect"
    EffectJournal(project / JOURNAL).begin(Slot(thread, f"task of {thread}", 1, "hash"), {"tool": "t"})
    directory = artifact_directory(project, thread)
    directory.mkdir(parents=True)
    (directory / "output.txt").write_text("long")
    SessionTrace(root / SETTINGS.traces.path, thread).append({"event": 1})


def everything(root: Path) -> set[str]:
    return {str(path.relative_to(root)) for path in root.rglob("*")}


async def test_a_thread_goes_with_all_it_left_and_others_stay(tmp_path: Path) -> None:
    for thread in ("first", "second"):
        await leave_traces(tmp_path, thread)
    assert await list_threads(tmp_path, SETTINGS) == ["second", "first"]
    deleted = await delete_thread(tmp_path, SETTINGS, "first")
    assert (deleted.checkpoints, deleted.effects, deleted.artifacts, deleted.trace) == (1, 1, 1, True)
    assert await list_threads(tmp_path, SETTINGS) == ["second"]
    assert [name for name in everything(tmp_path) if "first" in name] == []
    journal = EffectJournal(tmp_path / ".reflect" / JOURNAL)
    assert journal.of_thread("first") == [] and len(journal.of_thread("second")) == 1
    assert artifact_directory(tmp_path / ".reflect", "second").is_dir()
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


async def test_who_comes_second_to_a_thread_waits_and_others_do_not(tmp_path: Path) -> None:
    order: list[str] = []

    async def second() -> None:
        async with alone_on(tmp_path, "t"):
            order.append("second")

    async with alone_on(tmp_path, "t"):
        waiting = asyncio.create_task(second())
        async with alone_on(tmp_path, "other"):
            await asyncio.sleep(0.3)
        order.append("first")
    await asyncio.wait_for(waiting, 10)
    assert order == ["first", "second"]
