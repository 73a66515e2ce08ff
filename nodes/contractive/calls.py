"""The model calls of one run: within its budgets, so many at once, each made and paid for once.

A call reserves the most it may take before it is made. Where that does not fit, it waits for calls under way,
which mostly take less than they reserved; if it does not fit even then, it is refused. A branch, which is
everything below one part of the question itself, has a budget of its own inside the run's.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple, TypeVar

from langchain_core.messages import BaseMessage
from pydantic import BaseModel, ValidationError

from configs.contractive import ContractiveSettings
from configs.settings import Role
from memory.call_journal import CallEnd, CallJournal, call_key
from models.errors import (
    ModelError,
    ModelFailed,
    ModelTimeout,
)
from models.prompt_size import estimate_tokens
from models.roles import RoleModels
from models.sampling import Sampling
from models.structured import wire_schema
from nodes.contractive.call_costs import Heard, error_of, failure_facts, taken, taken_in_vain
from nodes.contractive.ledger import Ledger
from nodes.contractive.state import Metrics, Phase
from nodes.errors import CallRefused
from nodes.reflective.state import RoleUsage

Value = TypeVar("Value", bound=BaseModel)
MOST_TRIES = 3
PAUSES = (0.25, 0.5)
SECOND_TRY = 200
"""Tokens in which a second try at a typed answer says what was wrong with the first."""


@dataclass(frozen=True)
class Place:
    """Where in a run a call belongs.

    Attributes:
        phase: what it is for.
        node: id of the question.
        branch: id of the part of the question itself it lies below; empty for the question itself.
        number: tells calls of one phase and question apart.
    """

    phase: Phase
    node: str
    branch: str = ""
    number: tuple[int | str, ...] = ()


class Said(NamedTuple):
    """A reply in words, and whether it stopped at the limit of tokens."""

    text: str
    truncated: bool


class Calls:
    """What all tasks of one run share; of one event loop.

    Args:
        models: of the run.
        limits: of the run.
        journal: of its calls.
        deadline: UTC second after which nothing is begun; None without one.
        spent: tokens the run is known to have taken; what the journal has lost of them is not free.
        seconds: the run has worked before this process took it up.
    """

    def __init__(
        self,
        models: RoleModels,
        limits: ContractiveSettings,
        journal: CallJournal,
        deadline: float | None,
        spent: int = 0,
        seconds: float = 0.0,
    ) -> None:
        self.models = models
        self._limits = limits
        self._journal = journal
        self._deadline = deadline
        self._ledger = Ledger({"": limits.max_global_tokens}, limits.max_branch_tokens)
        self._by_phase: dict[str, RoleUsage] = {}
        self._failed = 0
        self._cut = 0
        for end in journal.ends.values():
            self._count(end)
            self._ledger.take(str(end.facts.get("branch", "")), end.tokens)
        for start in journal.unfinished():
            self._ledger.take(str(start.facts.get("branch", "")), start.most)
        self._lost = max(0, spent - journal.tokens)
        self._ledger.take("", self._lost)
        self._slots = asyncio.Semaphore(limits.max_concurrent_calls)
        self._branches = asyncio.Semaphore(limits.max_concurrent_branches)
        self._changed = asyncio.Condition()
        self._repeated = 0
        self._refused = 0
        self._worked_before, self._opened = seconds, time.monotonic()
        self.under_way = 0

    def _count(self, end: CallEnd) -> None:
        spent = end.facts.get("usage", {})
        phase = str(end.facts.get("phase", ""))
        before = self._by_phase.get(phase, RoleUsage())
        self._failed += "error" in end.facts
        self._cut = max(self._cut, int(end.facts.get("cut", 0)))
        self._by_phase[phase] = RoleUsage(
            calls=before.calls + int(spent.get("calls", 1)),
            prompt_tokens=before.prompt_tokens + int(spent.get("prompt_tokens", 0)),
            completion_tokens=before.completion_tokens + int(spent.get("completion_tokens", 0)),
            seconds=round(before.seconds + float(spent.get("seconds", 0.0)), 4),
        )

    @asynccontextmanager
    async def at_work(self) -> Any:
        """Hold one of the places for questions that are worked on at once."""
        async with self._branches:
            yield

    async def text(
        self,
        place: Place,
        role: Role,
        messages: Sequence[BaseMessage],
        *,
        sampling: Sampling | None = None,
        max_tokens: int | None = None,
        stop: list[str] | None = None,
    ) -> Said:
        """One answer in words, without the thinking.

        Raises:
            CallRefused: a budget or the time of the run is used up.
            ModelError: no answer came, after tries of what may pass.
            MemoryStoreError: the call cannot be written down, and was not made.
        """

        async def ask() -> Heard:
            reply = await self.models.text(
                role, messages, stop=stop, max_tokens=max_tokens, sampling=sampling
            )
            facts = {"text": reply.text, "truncated": reply.truncated, "cut": reply.cut}
            return Heard(facts, reply.usage, reply.text + reply.thinking)

        drawn = (sampling.temperature, sampling.seed) if sampling else ()
        prompt, longest = self.models.most_tokens(role, messages, max_tokens)
        told = await self._made(place, role, messages, drawn, (prompt, longest), ask)
        return Said(str(told["text"]), bool(told.get("truncated")))

    async def structured(
        self,
        place: Place,
        role: Role,
        messages: Sequence[BaseMessage],
        schema: type[Value],
        *,
        max_tokens: int | None = None,
    ) -> Value:
        """One typed answer.

        Raises:
            CallRefused, MemoryStoreError: as for `text`.
            ModelError: no usable answer came.
        """

        async def ask() -> Heard:
            reply = await self.models.structured(role, messages, schema, max_tokens=max_tokens)
            value = reply.value.model_dump(mode="json")
            return Heard({"value": value, "cut": reply.cut}, reply.usage, f"{value}{reply.thinking}")

        prompt, longest = self.models.most_tokens(role, messages, max_tokens)
        # The schema may have to be told in words, and a reply that does not fit is shown and asked for again.
        prompt += estimate_tokens(str(wire_schema(schema)))
        most = (2 * prompt + longest + SECOND_TRY, 2 * longest)
        told = await self._made(place, role, messages, (schema.__name__,), most, ask)
        try:
            return schema.model_validate(told["value"])
        except ValidationError as error:
            raise ModelFailed(
                f"The journal of this run holds no {schema.__name__} where one was written.", "Begin it anew."
            ) from error

    async def _made(
        self,
        place: Place,
        role: Role,
        messages: Sequence[BaseMessage],
        drawn: tuple[object, ...],
        most: tuple[int, int],
        ask: Callable[[], Awaitable[Heard]],
    ) -> dict[str, Any]:
        """The reply of the journal, else of the model; what may pass is tried again, each time paid for."""
        prompt = [(message.type, str(message.text)) for message in messages]
        for attempt in range(MOST_TRIES):
            key = call_key(place.phase, place.node, place.number, role, drawn, prompt, attempt)
            facts = await self._end_of(key, place, most, messages, ask)
            if "error" not in facts:
                return facts
            if not facts["transient"] or attempt == MOST_TRIES - 1:
                raise error_of(facts)
            await asyncio.sleep(PAUSES[attempt])
        raise AssertionError("every try returns or raises")

    async def _end_of(
        self,
        key: str,
        place: Place,
        most: tuple[int, int],
        messages: Sequence[BaseMessage],
        ask: Callable[[], Awaitable[Heard]],
    ) -> dict[str, Any]:
        known = self._journal.ends.get(key)
        if known is not None:
            self._repeated += 1
            return known.facts
        async with self._slots:
            await self._reserve(place.branch, sum(most))
            tokens = 0
            try:
                where = {"phase": place.phase, "node": place.node, "branch": place.branch}
                await self._journal.began(key, sum(most), where)
                # Whatever ends the call from outside, it may have taken all it reserved.
                tokens = sum(most)
                facts, tokens = await self._asked(ask, most, messages)
                end = CallEnd(key, tokens, {**where, **facts})
                self._count(end)
                await self._journal.ended(end)
                return facts
            finally:
                self._ledger.settle(place.branch, sum(most), tokens)
                async with self._changed:
                    self._changed.notify_all()

    async def _asked(
        self,
        ask: Callable[[], Awaitable[Heard]],
        most: tuple[int, int],
        messages: Sequence[BaseMessage],
    ) -> tuple[dict[str, Any], int]:
        began = time.perf_counter()
        self.under_way += 1
        seconds = self._seconds_left()
        try:
            async with asyncio.timeout(seconds):
                heard = await ask()
        except TimeoutError:
            late = ModelTimeout(
                f"A call took longer than {seconds:g} s.",
                "Raise contractive.timeout_sec, or use a smaller model.",
            )
            return failure_facts(late, time.perf_counter() - began), sum(most)
        except ModelError as error:
            return failure_facts(error, time.perf_counter() - began), taken_in_vain(error, most)
        finally:
            self.under_way -= 1
        usage = heard.usage
        spent = {
            "calls": usage.calls,
            "prompt_tokens": usage.prompt_tokens,
            "completion_tokens": usage.completion_tokens,
            "seconds": round(usage.seconds, 4),
            "model": usage.model,
        }
        return {**heard.facts, "usage": spent}, taken(heard, messages, most)

    async def _reserve(self, branch: str, tokens: int) -> None:
        async with self._changed:
            while True:
                if self._deadline is not None and _now() >= self._deadline:
                    self._refused += 1
                    raise CallRefused(
                        "timeout", "The time of this run is up.", "Raise contractive.run_timeout_sec."
                    )
                if self._ledger.fits(branch, tokens, waiting=False):
                    self._ledger.reserve(branch, tokens)
                    return
                if not self._ledger.fits(branch, tokens, waiting=True):
                    self._refused += 1
                    raise CallRefused(
                        "budget",
                        f"A call that may take {tokens} tokens does not fit what is left of the budget.",
                        "Raise contractive.max_global_tokens or max_branch_tokens.",
                    )
                await self._changed.wait()

    def _seconds_left(self) -> float:
        seconds = self._limits.timeout_sec
        return seconds if self._deadline is None else max(0.01, min(seconds, self._deadline - _now()))

    def taken(self, branch: str = "") -> int:
        """Tokens a branch has taken; of the whole run without one."""
        return self._ledger.taken.get(branch, 0)

    def reserved(self) -> int:
        """Tokens that calls under way may still take."""
        return self._ledger.reserved.get("", 0)

    def metrics(self) -> Metrics:
        """What all calls took so far; those of the tree are left at 0."""
        made = sum(spent.calls for spent in self._by_phase.values())
        return Metrics(
            calls=made + len(self._journal.unfinished()),
            cut=self._cut,
            failed_calls=self._failed,
            repeated_calls=self._repeated,
            tokens=self._journal.tokens + self._lost,
            by_phase=dict(self._by_phase),
            refused_calls=self._refused,
            seconds=round(self._worked_before + time.monotonic() - self._opened, 3),
        )


def _now() -> float:
    return datetime.now(UTC).timestamp()
