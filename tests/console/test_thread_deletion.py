"""Deletions that overlap, against what LangGraph's development runtime does in one."""

from __future__ import annotations

import asyncio
import sys
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console import thread_deletion
from console.thread_deletion import delete_threads_in_turn, in_turn


class Threads:
    """A list from which one is removed as the runtime does it: looked up, waited, then taken by its place."""

    kept: list[int]

    @staticmethod
    async def delete(wanted: int, waits: int) -> int:
        """Remove one after so many turns of the loop."""
        place = Threads.kept.index(wanted)
        for _ in range(waits):
            await asyncio.sleep(0)
        return Threads.kept.pop(place)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 3)), max_size=12))
def test_each_deletion_takes_its_own_however_they_overlap(asked: list[tuple[bool, int]]) -> None:
    Threads.kept = list(range(len(asked)))
    wanted = [(number, waits) for number, (chosen, waits) in enumerate(asked) if chosen]
    delete = in_turn(Threads.delete)

    async def all_at_once() -> list[int]:
        return list(await asyncio.gather(*(delete(number, waits) for number, waits in wanted)))

    assert asyncio.run(all_at_once()) == [number for number, _ in wanted]
    assert Threads.kept == [number for number, (chosen, _) in enumerate(asked) if not chosen]


async def test_a_deletion_that_fails_lets_the_next_one_begin() -> None:
    Threads.kept = [1]
    delete = in_turn(Threads.delete)
    failed, done = await asyncio.gather(delete(7, 1), delete(1, 1), return_exceptions=True)
    assert isinstance(failed, ValueError) and done == 1


def test_the_runtime_is_changed_once_and_one_that_is_not_there_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    runtime = ModuleType("runtime_of_this_test")
    own = type("Threads", (Threads,), {})
    runtime.__dict__["Threads"] = own
    monkeypatch.setitem(sys.modules, runtime.__name__, runtime)
    monkeypatch.setattr(thread_deletion, "RUNTIME", runtime.__name__)
    delete_threads_in_turn()
    changed = own.delete
    delete_threads_in_turn()
    assert own.delete is changed and changed.__dict__["__wrapped__"] is Threads.delete
    monkeypatch.setattr(thread_deletion, "RUNTIME", "no_such_runtime_here")
    delete_threads_in_turn()
