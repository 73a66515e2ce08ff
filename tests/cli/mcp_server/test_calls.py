from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import pytest
from langgraph.runtime import RunControl

from cli.mcp_server import calls as calls_module
from cli.mcp_server.calls import MOST_WAITING, Calls
from configs.errors import RunEnded, UsageError


class Run:
    """Work that goes on until it is drained, or cancelled if it does not look."""

    def __init__(self, *, looks: bool = True) -> None:
        self.control = RunControl()
        self.begun = asyncio.Event()
        self.told: list[str] = []
        self.cancelled = False
        self._looks = looks

    async def work(self) -> str:
        self.begun.set()
        try:
            while not (self._looks and self.control.drain_requested):
                await asyncio.sleep(0.005)
        except asyncio.CancelledError:
            self.cancelled = True
            raise
        raise RunEnded(f"The run was ended by {self.control.drain_reason}.", "Go on with: reflect resume x")

    def called(self, calls: Calls) -> asyncio.Task[str]:
        return asyncio.create_task(calls.run(self.work, self.control, self.told.append))


@asynccontextmanager
async def running(calls: Calls, *runs: Run) -> AsyncIterator[list[asyncio.Task[str]]]:
    tasks = [run.called(calls) for run in runs]
    try:
        yield tasks
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls_module, "LONGEST_END", 0.2)


async def test_a_call_gives_what_its_work_gives() -> None:
    calls = Calls()

    async def work() -> str:
        return "done"

    async def fails() -> str:
        raise UsageError("No.", "Do otherwise.")

    assert await calls.run(work, RunControl(), lambda _: None) == "done"
    with pytest.raises(UsageError):
        await calls.run(fails, RunControl(), lambda _: None)


async def test_more_calls_than_may_run_wait_for_their_turn_and_say_so() -> None:
    calls = Calls(most=2)
    runs = [Run() for _ in range(3)]
    async with running(calls, *runs) as tasks:
        await runs[0].begun.wait()
        await runs[1].begun.wait()
        await asyncio.sleep(0.02)
        assert not runs[2].begun.is_set() and "2 calls are running" in runs[2].told[0]
        assert runs[0].told == runs[1].told == []
        tasks[0].cancel()
        await asyncio.wait_for(runs[2].begun.wait(), 5)


async def test_more_calls_than_may_wait_are_refused_and_their_places_are_given_back() -> None:
    calls = Calls(most=1)
    runs = [Run() for _ in range(1 + MOST_WAITING)]
    async with running(calls, *runs):
        await runs[0].begun.wait()
        with pytest.raises(UsageError, match="running or waiting already"):
            await calls.run(Run().work, RunControl(), lambda _: None)
    after = Run()
    async with running(calls, after):
        await asyncio.wait_for(after.begun.wait(), 5)


async def test_a_client_that_cancels_drains_the_run_and_its_end_is_waited_for(
    caplog: pytest.LogCaptureFixture,
) -> None:
    calls, run = Calls(), Run()
    with caplog.at_level(logging.WARNING), anyio.CancelScope() as scope:
        async with anyio.create_task_group() as group:

            async def call() -> None:
                await calls.run(run.work, run.control, run.told.append)

            group.start_soon(call)
            await run.begun.wait()
            scope.cancel()
    assert run.control.drain_reason == "its client" and not run.cancelled
    assert "Go on with: reflect resume x" in caplog.text


async def test_a_run_that_does_not_look_is_cancelled_in_the_end() -> None:
    calls, run = Calls(), Run(looks=False)
    async with running(calls, run) as (task,):
        await run.begun.wait()
        await calls.end("SIGTERM")
        with pytest.raises(RunEnded, match="SIGTERM"):
            await task
    assert run.cancelled


async def test_work_without_a_thread_is_cancelled_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls_module, "LONGEST_END", 600)
    calls, run = Calls(), Run(looks=False)
    task = asyncio.create_task(calls.run(run.work, None, run.told.append))
    await run.begun.wait()
    await calls.end("SIGTERM")
    with pytest.raises(RunEnded, match="SIGTERM"):
        await task
    assert run.cancelled and not run.control.drain_requested


async def test_the_end_of_the_server_ends_those_that_run_and_those_that_wait() -> None:
    calls = Calls(most=1)
    first, second = Run(), Run()
    async with running(calls, first, second) as tasks:
        await first.begun.wait()
        await calls.end("SIGTERM")
        for task in tasks:
            with pytest.raises(RunEnded, match="SIGTERM"):
                await task
    assert first.control.drain_reason == "SIGTERM" and not second.begun.is_set()
    with pytest.raises(RunEnded, match="SIGTERM") as raised:
        await calls.run(Run().work, RunControl(), lambda _: None)
    assert raised.value.remedy
