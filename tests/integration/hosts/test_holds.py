"""Threads that are one host's at a time: who has one is told, and a dead host's thread is taken over."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import CheckpointMetadata, empty_checkpoint
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver

from configs.errors import UsageError
from configs.settings import Settings
from evals.hosts import Host, can_be_hosts, start_host
from evals.postgres_server import Server
from graph.reflective import build
from memory import thread_deletion
from memory.checkpoints import open_project_checkpointer
from memory.effects import EffectJournal, Slot
from memory.errors import MemoryStoreError, ThreadElsewhere, ThreadTaken, ThreadUndeletable
from memory.ownership import holds
from memory.ownership.places import place_of
from memory.ownership.session import session_of
from memory.ownership.thread_hold import holder_elsewhere
from memory.thread_deletion import delete_thread
from memory.thread_history import newest_moment, thread_history
from memory.thread_standing import standing_of
from memory.threads import alone_on, only_chat_on
from models.scripted import Script, register_script
from nodes.errors import LeftToAnother
from nodes.reflective.context import RunContext
from nodes.reflective.state import ReasoningState
from tests.memory.counting import Counting
from tests.support.processes import wait_until

pytestmark = pytest.mark.integration
Open = Callable[[], EffectJournal]
SLOT = Slot("t", "task", 1, "hash", "r")


async def hold_until(root: Path, chosen: Settings, told: Path, seconds: float = 60) -> None:
    async with alone_on(root, "t", chosen, quiet=True):
        told.touch()
        await asyncio.sleep(seconds)


@pytest.fixture
def holder(root: Path, chosen: Settings, tmp_path: Path) -> Iterator[Host]:
    """A host that has the thread."""
    host = start_host(lambda: asyncio.run(hold_until(root, chosen, tmp_path / "held")), apart=can_be_hosts())
    try:
        assert wait_until(30, (tmp_path / "held").exists)
        yield host
    finally:
        host.kill()


async def lost(holder: Host, root: Path, chosen: Settings) -> None:
    """Kill the host, and wait until the server has noticed."""
    holder.kill()
    async with asyncio.timeout(20), alone_on(root, "t", chosen, quiet=True):
        pass


async def test_who_comes_second_is_told_who_has_the_thread_and_has_it_when_that_host_dies(
    root: Path, chosen: Settings, holder: Host, caplog: pytest.LogCaptureFixture
) -> None:
    had: list[float] = []

    async def second() -> None:
        async with alone_on(root, "t", chosen):
            had.append(time.monotonic())

    waiting = asyncio.create_task(second())
    async with alone_on(root, "another", chosen):
        await asyncio.sleep(1)
    assert not had and caplog.text.count("Thread t is run by process") == 1
    killed = time.monotonic()
    await asyncio.to_thread(holder.kill)
    await asyncio.wait_for(waiting, 10)
    assert had and killed <= had[0]


async def test_nothing_is_changed_or_deleted_in_a_thread_another_host_runs(
    root: Path, chosen: Settings, holder: Host, open_journal: Open
) -> None:
    for call in (open_journal().find, lambda slot: open_journal().begin(slot, {})):
        with pytest.raises(ThreadTaken, match="being run by process .* on "):
            call(SLOT)
    with pytest.raises(ThreadUndeletable, match="being run by"):
        await delete_thread(root, chosen, "t")
    await lost(holder, root, chosen)
    assert open_journal().begin(SLOT, {}).state == "intent"


async def test_a_thread_of_another_host_is_told_as_running(
    root: Path, chosen: Settings, holder: Host
) -> None:
    async with open_project_checkpointer(root, chosen) as saver:
        await Counting(3, 99).run(saver, "t", 2)
    for running in (True, False):
        standing = await standing_of(root, chosen, "t")
        assert standing is not None and (standing.state == "running") is running
        await lost(holder, root, chosen)


async def test_two_runs_of_one_process_have_a_thread_one_after_the_other(
    root: Path, chosen: Settings
) -> None:
    inside: list[str] = []

    async def run(name: str) -> None:
        async with alone_on(root, "t", chosen, quiet=True):
            inside.append(name)
            await asyncio.sleep(0.2)
            inside.append(name)

    await asyncio.gather(run("a"), run("b"), run("c"))
    assert all(inside[at] == inside[at + 1] for at in (0, 2, 4)) and set(inside) == {"a", "b", "c"}


async def test_who_stops_waiting_leaves_the_thread_to_others(
    root: Path, chosen: Settings, holder: Host
) -> None:
    async def wait() -> None:
        async with alone_on(root, "t", chosen, quiet=True):
            pytest.fail("another has it")

    waiting = [asyncio.create_task(wait()) for _ in range(4)]
    for task in waiting:
        await asyncio.sleep(0.07)
        task.cancel()
    assert all(
        isinstance(end, asyncio.CancelledError)
        for end in await asyncio.gather(*waiting, return_exceptions=True)
    )
    holder.kill()
    async with asyncio.timeout(10), alone_on(root, "t", chosen, quiet=True):
        pass


async def test_a_run_that_meets_another_hosts_leaves_the_thread_as_it_is_and_can_be_resumed(
    root: Path, chosen: Settings, holder: Host
) -> None:
    """As a server's, which takes no thread for itself: its failure must not be the end of the other's run."""
    steps = [{"description": "make it", "tool": "make_dir", "args": {"path": "made"}}]
    plan = {"objective": "x", "steps": steps}
    verdict = {"passed": True, "reason": "done", "confidence": 1.0}
    register_script("met", Script(roles={"planner": [plan], "verifier": [verdict]}, repeat_last=True))
    flags = {
        "experience.enabled": False,
        "traces.enabled": False,
        "checkpoints.path": chosen.checkpoints.path,
    }
    context = RunContext(root=str(root), model="scripted:met", approval="yes", settings=flags)
    config: RunnableConfig = {"configurable": {"thread_id": "t"}}
    async with open_project_checkpointer(root, chosen, pooled=True) as saver:
        graph = build(saver)
        with pytest.raises(LeftToAnother, match="being run by process"):
            await graph.ainvoke({"goal": "make a directory named made"}, config, context=context)
        assert not (root / "made").exists()
        moment = await newest_moment(saver, "t")
        assert moment is not None and moment.next == ("execute",) and not moment.values.get("failure")
        await lost(holder, root, chosen)
        state = ReasoningState.model_validate(await graph.ainvoke(None, config, context=context))
        assert state.status == "answered" and (root / "made").is_dir()


def cut_off(server: Server, database: str) -> None:
    """Let the server end all sessions of owners, as after a network that was gone for long."""
    name = database.rpartition("/")[2]
    server.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        f" WHERE application_name LIKE 'reflect %' AND datname = '{name}'"
    )


async def test_a_host_that_was_cut_off_goes_on_if_nobody_had_the_thread_meanwhile(
    root: Path, chosen: Settings, server: Server, database: str, open_journal: Open
) -> None:
    async with alone_on(root, "t", chosen):
        open_journal().begin(SLOT, {})
        cut_off(server, database)
        open_journal().finish(SLOT, {"ok": True})
        found = open_journal().find(SLOT)
        assert found is not None and found.result == {"ok": True}
        assert open_journal().begin(Slot("t", "next", 1, "hash", "r"), {}).state == "intent"
        with pytest.raises(AssertionError):
            await taken_by_another(root, chosen, 1)


async def taken_by_another(root: Path, chosen: Settings, seconds: float) -> None:
    """Another host takes the thread, and lets go of it."""
    told = root.parent / "taken"
    host = start_host(lambda: asyncio.run(hold_until(root, chosen, told, 0)), apart=can_be_hosts())
    try:
        assert await asyncio.to_thread(wait_until, seconds, host.ended) and host.code == 0
    finally:
        host.kill()


async def test_a_host_that_was_cut_off_changes_nothing_once_another_had_the_thread(
    root: Path, chosen: Settings, server: Server, database: str, open_journal: Open
) -> None:
    async with alone_on(root, "t", chosen):
        open_journal().begin(SLOT, {})
        cut_off(server, database)
        # The lock of the one machine both are on would keep the other off.
        (root / ".reflect" / "locks").rename(root / ".reflect" / "locks-of-this-host")
        await taken_by_another(root, chosen, 20)
        open_journal().finish(SLOT, {"ok": True})
        with pytest.raises(ThreadTaken, match="has taken over thread 't' meanwhile"):
            open_journal().begin(Slot("t", "next", 1, "hash", "r"), {})
        (root / ".reflect" / "locks").rename(root / ".reflect" / "locks-of-another")
        (root / ".reflect" / "locks-of-this-host").rename(root / ".reflect" / "locks")
    async with alone_on(root, "t", chosen):
        assert open_journal().begin(Slot("t", "next", 1, "hash", "r"), {}).state == "intent"


async def test_a_thread_is_gone_on_with_only_where_it_was_begun(
    root: Path, chosen: Settings, server: Server
) -> None:
    other = root.parent / "other"
    other.mkdir()
    async with alone_on(root, "t", chosen), open_project_checkpointer(root, chosen) as saver:
        await Counting(3, 99).run(saver, "t", 2)
    with pytest.raises(ThreadElsewhere, match="was begun in .*project on ") as raised:
        async with alone_on(other, "t", chosen):
            pytest.fail("it goes on elsewhere")
    assert "fork" in raised.value.remedy
    async with alone_on(root, "t", chosen):
        pass
    await delete_thread(root, chosen, "t")
    async with alone_on(other, "t", chosen):
        pass


async def test_who_begins_a_thread_at_the_same_moment_as_another_is_told_who_has_it(
    root: Path, chosen: Settings, holder: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the other has noted is not seen yet when this one looks."""
    monkeypatch.setattr(holds, "_noted", lambda *_: None)
    session = session_of(str(chosen.checkpoints.path))
    assert "process" in holds.take(session, holds.RUN, "t", place_of(root), 5.0)
    other = root.parent / "other"
    other.mkdir()
    with pytest.raises(ThreadElsewhere, match="was begun in .*project on "):
        holds.take(session, holds.RUN, "t", place_of(other), 5.0)


async def test_nobody_begins_to_run_a_thread_while_it_is_deleted_from_any_directory(
    root: Path, chosen: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = root.parent / "other"
    other.mkdir()
    async with alone_on(root, "t", chosen), open_project_checkpointer(root, chosen) as saver:
        await Counting(3, 99).run(saver, "t", 2)
    remove, had = thread_deletion._remove_files, []

    def noted(*args: Any) -> Any:
        had.append(holder_elsewhere(root, chosen, "t"))
        return remove(*args)

    monkeypatch.setattr(thread_deletion, "_remove_files", noted)
    assert (await delete_thread(other, chosen, "t")).checkpoints
    assert (had, holder_elsewhere(root, chosen, "t")) == (["this process"], "")


async def test_a_name_nothing_was_begun_under_is_free_for_another_project(
    root: Path, chosen: Settings
) -> None:
    other = root.parent / "other"
    other.mkdir()
    for place in (root, other, root):
        async with alone_on(place, "t", chosen):
            assert holder_elsewhere(root, chosen, "t") == "this process"
        assert holder_elsewhere(root, chosen, "t") == ""


async def test_one_chat_at_a_time_among_all_hosts(root: Path, chosen: Settings, tmp_path: Path) -> None:
    def chat() -> None:
        with only_chat_on(root, "t", chosen):
            (tmp_path / "chatting").touch()
            time.sleep(60)

    host = start_host(chat, apart=can_be_hosts())
    try:
        assert wait_until(30, (tmp_path / "chatting").exists)
        with pytest.raises((UsageError, MemoryStoreError), match="Another chat is open on"):
            with only_chat_on(root, "t", chosen):
                pytest.fail("two chats")
        async with alone_on(root, "t", chosen):
            pass
    finally:
        host.kill()
    with only_chat_on(root, "t", chosen):
        pass


@pytest.mark.parametrize("source", ["input", "loop"])
async def test_of_two_that_save_beside_one_another_the_second_is_stopped(
    root: Path, chosen: Settings, source: Literal["input", "loop"]
) -> None:
    """At the beginning of a thread, or from one step of it."""
    metadata: CheckpointMetadata = {"source": source, "step": 0, "parents": {}}
    async with (
        open_project_checkpointer(root, chosen) as one,
        open_project_checkpointer(root, chosen) as two,
    ):
        place: RunnableConfig = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
        if source == "loop":
            place = await one.aput(place, empty_checkpoint(), {**metadata, "source": "input"}, {})
        first = empty_checkpoint()
        for _ in range(2):  # what is saved again is not beside itself
            await one.aput(place, first, metadata, {})
        with pytest.raises(ThreadTaken, match="Another process is at work on thread 't'"):
            await two.aput(place, empty_checkpoint(), metadata, {})
        (head,) = await one.heads()
        assert head.newest == first["id"]


async def test_of_two_that_save_at_once_one_stays_and_nobody_sees_the_other(
    root: Path, chosen: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is seen is taken for kept, and changes are made for it."""
    insert = AsyncPostgresSaver.aput

    async def slow(*args: Any) -> RunnableConfig:
        await asyncio.sleep(0.1)
        saved = await insert(*args)
        await asyncio.sleep(0.1)
        return saved

    monkeypatch.setattr(AsyncPostgresSaver, "aput", slow)
    place: RunnableConfig = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
    async with (
        open_project_checkpointer(root, chosen) as one,
        open_project_checkpointer(root, chosen) as two,
        open_project_checkpointer(root, chosen) as reader,
    ):
        begun = await one.aput(place, empty_checkpoint(), {"source": "input", "step": -1}, {})
        next_step: CheckpointMetadata = {"source": "loop", "step": 0}
        saving = asyncio.gather(
            *(saver.aput(begun, empty_checkpoint(), next_step, {}) for saver in (one, two)),
            return_exceptions=True,
        )
        seen = set()
        while not saving.done():
            seen |= {moment.checkpoint_id for moment in await thread_history(reader, "t")}
        ends = await saving
        assert [sum(isinstance(end, kind) for end in ends) for kind in (dict, ThreadTaken)] == [1, 1]
        assert seen <= {moment.checkpoint_id for moment in await thread_history(reader, "t")}


async def test_a_thread_is_replayed_and_asked_anew_from_an_earlier_step(root: Path, chosen: Settings) -> None:
    """Neither is another process's doing."""
    counting = Counting(4, 99)
    async with open_project_checkpointer(root, chosen) as saver:
        await counting.run(saver, "t", None)
        earlier = (await thread_history(saver, "t"))[2]
        for _ in range(2):
            graph = counting._graph(saver)
            config = {"configurable": {"thread_id": "t", "checkpoint_id": earlier.checkpoint_id}}
            assert (await graph.ainvoke(None, config))["seen"] == counting.end
            await graph.aupdate_state(config, {"seen": ["told"]})
            await graph.ainvoke({"seen": ["asked"]}, config)


async def test_of_two_that_go_on_from_one_checkpoint_only_one_goes_further(
    root: Path, chosen: Settings
) -> None:
    """Two servers that know nothing of one another: no lock is taken, and no step is built on a lost one."""
    counting = Counting(12, 99)

    async def run() -> Any:
        async with open_project_checkpointer(root, chosen) as saver:
            return await counting.finish(saver, "t")

    async with open_project_checkpointer(root, chosen) as saver:
        await counting.run(saver, "t", 2)
    ends = await asyncio.gather(run(), run(), return_exceptions=True)
    assert all(end == counting.end or isinstance(end, ThreadTaken) for end in ends)
    async with open_project_checkpointer(root, chosen) as saver:
        assert await counting.finish(saver, "t") == counting.end
        steps = [moment.step for moment in await thread_history(saver, "t")]
        newest = await newest_moment(saver, "t")
        assert newest is not None and newest.values["seen"] == counting.end
    assert len(steps) == len(set(steps))
