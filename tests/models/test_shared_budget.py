"""Whatever is held, settled, refused, failed or killed: never more is spent than may be."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage

from models.errors import BudgetSpent
from models.shared_budget import Allowance, SharedBudget, Spent, held, shared_budget, spending

CALL = st.tuples(
    st.integers(1, 60),  # tokens it may take
    st.sampled_from(["settled", "broke", "killed", "unwritten"]),
    st.floats(0, 1),  # share of them it takes
    st.integers(0, 3),  # turns of the loop it waits
)


class Ledger:
    """What a journal on the disk would hold: of a call whose end is missing, the most it may have taken."""

    def __init__(self, unwritten: Callable[[], bool] = lambda: False) -> None:
        self.begun: dict[str, int] = {}
        self.ended: dict[str, int] = {}
        self._unwritten = unwritten

    async def began(self, key: str, most: int) -> None:
        await asyncio.sleep(0)
        if self._unwritten():
            raise OSError("disk full")
        self.begun[key] = most

    async def end(self, key: str, tokens: int, seconds: float) -> None:
        await asyncio.sleep(0)
        self.ended[key] = tokens

    def spent(self) -> Spent:
        tokens = sum(self.ended.get(key, most) for key, most in self.begun.items())
        return Spent(len(self.begun), tokens)


class Caller:
    """Makes calls of all fates at once against one budget, and is killed in the middle.

    Attributes:
        made: what each call that was made might have taken.
    """

    def __init__(self, calls: int, tokens: int) -> None:
        self.made: list[int] = []
        self._unwritable = 0
        self._never = asyncio.Event()
        self.ledger = Ledger(lambda: self._unwritable > 0)
        self.budget = SharedBudget(Allowance(calls, tokens), Spent(), self.ledger.began, self.ledger.end)

    async def call(self, most: int, fate: str, share: float, turns: int) -> None:
        await turn(turns)
        self._unwritable += fate == "unwritten"
        try:
            key = await self.budget.hold("worker", most)
        except (BudgetSpent, OSError):
            return
        finally:
            self._unwritable -= fate == "unwritten"
        self.made.append(most)
        if fate == "killed":
            await self._never.wait()
        await turn(turns)
        await self.budget.settle(key, None if fate == "broke" else int(most * share))

    async def all_of(self, calls: list[tuple[int, str, float, int]]) -> None:
        tasks = [asyncio.ensure_future(self.call(*one)) for one in calls]
        await turn(60)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def turn(times: int) -> None:
    for _ in range(times):
        await asyncio.sleep(0)


@given(st.lists(CALL, max_size=12), st.integers(0, 8), st.integers(0, 200))
async def test_no_interleaving_spends_more_than_is_allowed(
    calls: list[tuple[int, str, float, int]], most_calls: int, most_tokens: int
) -> None:
    caller = Caller(most_calls, most_tokens)
    await caller.all_of(calls)
    spent, told = caller.budget.spent, caller.ledger.spent()
    assert len(caller.made) <= most_calls and spent.calls == len(caller.made) <= told.calls
    assert spent.tokens <= told.tokens <= most_tokens
    # Whoever goes on with what the disk holds can spend all that is left, and no more.
    again = SharedBudget(Allowance(most_calls, most_tokens), told)
    left = most_tokens - told.tokens
    with pytest.raises(BudgetSpent):
        await again.hold("worker", left + 1)
    if told.calls < most_calls:
        await again.hold("worker", left)


async def test_what_was_held_and_not_taken_is_given_back() -> None:
    budget = SharedBudget(Allowance(tokens=100))
    key = await budget.hold("worker", 100)
    with pytest.raises(BudgetSpent, match="0 of the 100"):
        await budget.hold("worker", 1)
    await budget.settle(key, 10)
    assert budget.spent.tokens == 10
    await budget.hold("worker", 90)


async def test_a_refused_call_costs_nothing() -> None:
    ledger = Ledger()
    budget = SharedBudget(Allowance(calls=1, tokens=10), Spent(), ledger.began, ledger.end)
    with pytest.raises(BudgetSpent):
        await budget.hold("worker", 11)
    assert budget.spent.calls == 0 and not ledger.begun
    await budget.hold("worker", 10)
    with pytest.raises(BudgetSpent, match="all 1 calls"):
        await budget.hold("worker", 0)


async def test_a_call_that_cannot_be_written_down_is_not_made_and_costs_nothing() -> None:
    budget = SharedBudget(Allowance(calls=1, tokens=10), Spent(), Ledger(lambda: True).began)
    with pytest.raises(OSError):
        await budget.hold("worker", 10)
    assert budget.spent.calls == 0
    with pytest.raises(OSError):
        await budget.hold("worker", 10)


def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr("models.shared_budget.time.monotonic", lambda: now[0])
    return now


async def test_only_time_at_work_counts_and_that_of_several_once(monkeypatch: pytest.MonkeyPatch) -> None:
    now = clock(monkeypatch)
    budget = SharedBudget(Allowance(seconds=10), Spent(seconds=2))
    now[0] += 1000
    assert budget.spent.seconds == 2 and budget.idle
    with budget.at_work():
        now[0] += 1
        with budget.at_work():
            now[0] += 3
        now[0] += 1
        assert budget.spent.seconds == 7
    now[0] += 1000
    assert budget.seconds_left == 3
    with budget.at_work():
        now[0] += 2.9
        await budget.hold("worker", 1)
        now[0] += 0.1
        with pytest.raises(BudgetSpent, match="10 s"):
            await budget.hold("worker", 1)
        now[0] += 50
        assert budget.seconds_left == 0


async def test_a_call_takes_no_longer_than_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    now = clock(monkeypatch)
    with spending(SharedBudget(Allowance(seconds=10))):
        async with held("worker", 1) as call:
            now[0] += 7
            assert call.seconds(60) == 3 and call.seconds(2) == 2
    async with held("worker", 10**9) as call:
        assert call.seconds(60) == 60


async def test_the_budget_in_force_is_that_of_the_innermost_and_of_tasks_begun_within() -> None:
    outer, inner = SharedBudget(Allowance()), SharedBudget(Allowance())
    seen: list[Any] = []

    async def look() -> None:
        seen.append(shared_budget())

    with spending(outer):
        with spending(inner):
            task = asyncio.ensure_future(look())
        await task
        await look()
    await look()
    assert seen == [inner, outer, None]


@pytest.mark.parametrize("told", [True, False])
async def test_a_reply_that_does_not_say_what_it_took_counts_as_all_it_might(told: bool) -> None:
    budget = SharedBudget(Allowance(tokens=100))
    usage: Any = {"input_tokens": 3, "output_tokens": 4, "total_tokens": 7} if told else None
    with spending(budget):
        async with held("worker", 50) as call:
            call.took(AIMessage("x", usage_metadata=usage))
    assert budget.spent.tokens == (7 if told else 50)


async def test_a_call_that_breaks_off_is_settled_whatever_breaks_it() -> None:
    budget = SharedBudget(Allowance(tokens=100))
    for error in (ValueError, asyncio.CancelledError, KeyboardInterrupt):
        with pytest.raises(error), spending(budget):
            async with held("worker", 10):
                raise error
    assert budget.spent == Spent(3, 30, budget.spent.seconds)
    await budget.hold("worker", 70)
