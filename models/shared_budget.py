"""A budget that several engines spend together, looked at before each model call.

Whoever runs engines puts a budget in force for them (`spending`); every call made below it, in whichever
task, is held against it. A call holds the most it may take until its end is known, so calls made at once
cannot pass the limit together.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from langchain_core.messages import AIMessage

from models.errors import BudgetSpent


@dataclass(frozen=True)
class Allowance:
    """What may be spent; None is any amount.

    Attributes:
        calls: of models.
        tokens: of prompts and replies.
        seconds: of work; while a person is waited for, or after a kill, none pass.
    """

    calls: int | None = None
    tokens: int | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class Spent:
    """What was spent; tokens of a call whose end is not known are the most it may have taken."""

    calls: int = 0
    tokens: int = 0
    seconds: float = 0.0


Began = Callable[[str, int], Awaitable[None]]
Ended = Callable[[str, int, float], Awaitable[None]]


async def _began_nowhere(_key: str, _most: int) -> None:
    return None


async def _ended_nowhere(_key: str, _tokens: int, _seconds: float) -> None:
    return None


class SharedBudget:
    """The budget of one run, for one event loop.

    Args:
        allowance: what may be spent.
        spent: what was spent before, by a process that is gone.
        began: is told of a call (key, most tokens) and waited for before it is made.
        ended: is told what it took (key, tokens, seconds of work so far).
    """

    def __init__(
        self,
        allowance: Allowance,
        spent: Spent = Spent(),
        began: Began = _began_nowhere,
        ended: Ended = _ended_nowhere,
    ) -> None:
        self.allowance = allowance
        self._calls = spent.calls
        self._tokens = spent.tokens
        self._held: dict[str, int] = {}
        self._began, self._ended = began, ended
        self._working = 0
        self._since = 0.0
        self._worked = spent.seconds

    @property
    def spent(self) -> Spent:
        """Until now, without what is held for calls under way."""
        return Spent(self._calls, self._tokens, self._seconds)

    @property
    def seconds_left(self) -> float | None:
        """Seconds of work that are left, 0 at least; None for any."""
        limit = self.allowance.seconds
        return None if limit is None else max(0.0, limit - self._seconds)

    @property
    def idle(self) -> bool:
        """True while nobody works within it."""
        return not self._working

    @property
    def _seconds(self) -> float:
        return self._worked + (time.monotonic() - self._since if self._working else 0.0)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Count the time within; that of several at once counts once, and while nobody works none does."""
        if self.idle:
            self._since = time.monotonic()
        self._working += 1
        try:
            yield
        finally:
            seconds = self._seconds
            self._working -= 1
            if self.idle:
                self._worked = seconds

    async def hold(self, role: str, most: int) -> str:
        """Reserve what a call may take at most; it may be made once this returns.

        Args:
            role: who wants to call.
            most: tokens of prompt and reply.

        Returns:
            A key, for `settle`.

        Raises:
            BudgetSpent: it might pass a limit. Nothing is reserved.
        """
        self._check(role, most)
        key = uuid.uuid4().hex
        self._held[key] = most
        self._calls += 1
        try:
            await self._began(key, most)
        except BaseException:
            del self._held[key]
            self._calls -= 1
            raise
        return key

    async def settle(self, key: str, tokens: int | None) -> None:
        """Say what a call took; None for one that broke off, which is counted as all it might have taken."""
        most = self._held.pop(key)
        taken = most if tokens is None else tokens
        self._tokens += taken
        await self._ended(key, taken, self._seconds)

    def _check(self, role: str, most: int) -> None:
        allowance = self.allowance
        if allowance.seconds is not None and self._seconds >= allowance.seconds:
            self._refuse(role, f"the {allowance.seconds:g} s all engines share are over", "run_timeout_sec")
        if allowance.calls is not None and self._calls >= allowance.calls:
            self._refuse(role, f"all {allowance.calls} calls the engines share are made", "max_calls")
        held = sum(self._held.values())
        if allowance.tokens is not None and self._tokens + held + most > allowance.tokens:
            left = max(0, allowance.tokens - self._tokens - held)
            told = (
                f"it may take {most} tokens, and {left} of the {allowance.tokens} the engines share are left"
            )
            self._refuse(role, told, "max_tokens")

    @staticmethod
    def _refuse(role: str, why: str, setting: str) -> None:
        raise BudgetSpent(f"The {role} was not asked: {why}.", f"Raise collective.{setting}.")


_in_force: ContextVar[SharedBudget | None] = ContextVar("shared_budget", default=None)


def shared_budget() -> SharedBudget | None:
    """The budget in force here; None without one."""
    return _in_force.get()


class Call:
    """A call under way, and what it took once that is known."""

    def __init__(self, budget: SharedBudget | None) -> None:
        self._budget = budget
        self.tokens: int | None = None

    def seconds(self, limit: float) -> float:
        """Seconds the call may take: its own limit, or what is left of the budget's."""
        left = self._budget.seconds_left if self._budget is not None else None
        return limit if left is None else min(limit, left)

    def took(self, message: AIMessage) -> None:
        """Note the tokens a reply says it took; one that does not say counts as all it might."""
        counted = message.usage_metadata
        self.tokens = counted["input_tokens"] + counted["output_tokens"] if counted else None


@asynccontextmanager
async def held(role: str, most: int) -> AsyncIterator[Call]:
    """A call held against the budget in force, if there is one, and settled however it ends.

    Args:
        role: who calls.
        most: tokens of prompt and reply.

    Raises:
        BudgetSpent: it might pass a limit; the call must not be made.
    """
    budget = shared_budget()
    call = Call(budget)
    if budget is None:
        yield call
        return
    key = await budget.hold(role, most)
    try:
        yield call
    finally:
        await budget.settle(key, call.tokens)


@contextmanager
def spending(budget: SharedBudget) -> Iterator[None]:
    """Hold every model call made within against a budget, those of tasks begun within among them.

    The time within counts as work.
    """
    token = _in_force.set(budget)
    try:
        with budget.at_work():
            yield
    finally:
        _in_force.reset(token)
