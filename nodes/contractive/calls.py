"""The model calls of one run: within its budgets, so many at once, each made and paid for once.

A call reserves the most it may take before it is made. Where that does not fit, it waits for calls under way,
which mostly take less than they reserved; if it does not fit even then, it is refused. A branch, which is
everything below one part of the question itself, has a budget of its own inside the run's.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from langchain_core.messages import BaseMessage
from pydantic import BaseModel, ValidationError

from configs.contractive import ContractiveSettings
from configs.settings import Role
from memory.call_journal import CallEnd, CallJournal, call_key
from models.errors import (
    ModelError,
    ModelFailed,
    ModelMissing,
    ModelReplyInvalid,
    ModelRequestRefused,
    ModelTimeout,
    ModelUnavailable,
)
from models.prompt_size import estimate_prompt, estimate_tokens
from models.roles import RoleModels
from models.sampling import Sampling
from models.structured import wire_schema
from models.usage import Usage
from nodes.contractive.state import Metrics, Phase
from nodes.errors import CallRefused
from nodes.reflective.state import RoleUsage

Value = TypeVar("Value", bound=BaseModel)
MOST_TRIES = 3
PAUSES = (0.25, 0.5)
SECOND_TRY = 200
"""Tokens in which a second try at a typed answer says what was wrong with the first."""
OPEN_RUNS = 256
# Where a provider says nothing of tokens, its replies are counted as prompts are.
NOTHING_TAKEN = (ModelUnavailable, ModelMissing, ModelRequestRefused)


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


class _Heard(NamedTuple):
    """A reply: what is kept of it, what the server says it cost, and all that was said, thinking too."""

    facts: dict[str, Any]
    usage: Usage
    said: str


@dataclass
class _Ledger:
    """Tokens taken and reserved, by branch; "" is the whole run."""

    most: dict[str, int]
    each_branch: int
    taken: dict[str, int] = field(default_factory=dict)
    reserved: dict[str, int] = field(default_factory=dict)

    def fits(self, branch: str, tokens: int, *, waiting: bool) -> bool:
        """True if so much may be reserved; `waiting` leaves out what calls under way have reserved."""
        for scope in {"", branch}:
            held = 0 if waiting else self.reserved.get(scope, 0)
            if self.taken.get(scope, 0) + held + tokens > self.most.get(scope, self.each_branch):
                return False
        return True

    def reserve(self, branch: str, tokens: int) -> None:
        for scope in {"", branch}:
            self.reserved[scope] = self.reserved.get(scope, 0) + tokens

    def settle(self, branch: str, reserved: int, tokens: int) -> None:
        for scope in {"", branch}:
            self.reserved[scope] -= reserved
        self.take(branch, tokens)

    def take(self, branch: str, tokens: int) -> None:
        for scope in {"", branch}:
            self.taken[scope] = self.taken.get(scope, 0) + tokens


class Calls:
    """What all tasks of one run share; of one event loop.

    Args:
        models: of the run.
        limits: of the run.
        journal: of its calls.
        deadline: UTC second after which nothing is begun; None without one.
    """

    def __init__(
        self, models: RoleModels, limits: ContractiveSettings, journal: CallJournal, deadline: float | None
    ) -> None:
        self.models = models
        self._limits = limits
        self._journal = journal
        self._deadline = deadline
        self._ledger = _Ledger({"": limits.max_global_tokens}, limits.max_branch_tokens)
        self._by_phase: dict[str, RoleUsage] = {}
        self._failed = 0
        for end in journal.ends.values():
            self._count(end)
            self._ledger.take(str(end.facts.get("branch", "")), end.tokens)
        for start in journal.unfinished():
            self._ledger.take(str(start.facts.get("branch", "")), start.most)
        self._slots = asyncio.Semaphore(limits.max_concurrent_calls)
        self._branches = asyncio.Semaphore(limits.max_concurrent_branches)
        self._changed = asyncio.Condition()
        self._repeated = 0
        self._refused = 0
        self.under_way = 0

    def _count(self, end: CallEnd) -> None:
        spent = end.facts.get("usage", {})
        phase = str(end.facts.get("phase", ""))
        before = self._by_phase.get(phase, RoleUsage())
        self._failed += "error" in end.facts
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

        async def ask() -> _Heard:
            reply = await self.models.text(
                role, messages, stop=stop, max_tokens=max_tokens, sampling=sampling
            )
            facts = {"text": reply.text, "truncated": reply.truncated, "cut": reply.cut}
            return _Heard(facts, reply.usage, reply.text + reply.thinking)

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

        async def ask() -> _Heard:
            reply = await self.models.structured(role, messages, schema, max_tokens=max_tokens)
            value = reply.value.model_dump(mode="json")
            return _Heard({"value": value, "cut": reply.cut}, reply.usage, f"{value}{reply.thinking}")

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
        ask: Callable[[], Awaitable[_Heard]],
    ) -> dict[str, Any]:
        """The reply of the journal, else of the model; what may pass is tried again, each time paid for."""
        prompt = [(message.type, str(message.text)) for message in messages]
        for attempt in range(MOST_TRIES):
            key = call_key(place.phase, place.node, place.number, role, drawn, prompt, attempt)
            facts = await self._end_of(key, place, most, messages, ask)
            if "error" not in facts:
                return facts
            if not facts["transient"] or attempt == MOST_TRIES - 1:
                raise _error_of(facts)
            await asyncio.sleep(PAUSES[attempt])
        raise AssertionError("every try returns or raises")

    async def _end_of(
        self,
        key: str,
        place: Place,
        most: tuple[int, int],
        messages: Sequence[BaseMessage],
        ask: Callable[[], Awaitable[_Heard]],
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
        ask: Callable[[], Awaitable[_Heard]],
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
            return _failure(late, time.perf_counter() - began), sum(most)
        except ModelError as error:
            return _failure(error, time.perf_counter() - began), _taken_in_vain(error, most)
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
        return {**heard.facts, "usage": spent}, _taken(heard, messages, most)

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
            cut=max((int(end.facts.get("cut", 0)) for end in self._journal.ends.values()), default=0),
            failed_calls=self._failed,
            repeated_calls=self._repeated,
            tokens=self._journal.tokens,
            by_phase=dict(self._by_phase),
            refused_calls=self._refused,
        )


def _now() -> float:
    return datetime.now(UTC).timestamp()


def _failure(error: ModelError, seconds: float) -> dict[str, Any]:
    usage = error.usage
    return {
        "error": error.what,
        "kind": type(error).__name__,
        "remedy": error.remedy,
        "transient": error.transient,
        "usage": {
            "calls": usage.calls if usage else 1,
            "prompt_tokens": usage.prompt_tokens if usage else 0,
            "completion_tokens": usage.completion_tokens if usage else 0,
            "seconds": round(seconds, 4),
        },
    }


def _taken(heard: _Heard, messages: Sequence[BaseMessage], most: tuple[int, int]) -> int:
    """Tokens of a reply: as the server counts them; what it does not count is estimated."""
    usage = heard.usage
    if usage.prompt_tokens and usage.completion_tokens:
        return usage.prompt_tokens + usage.completion_tokens
    if usage.calls > 1:
        # The first try is not there any more to be counted.
        return max(sum(most), usage.prompt_tokens + usage.completion_tokens)
    prompt = usage.prompt_tokens or min(estimate_prompt(messages), most[0])
    return prompt + (usage.completion_tokens or min(estimate_tokens(heard.said), most[1]))


def _taken_in_vain(error: ModelError, most: tuple[int, int]) -> int:
    """Tokens of a call that brought nothing: what was counted, and what the try that failed may have taken.

    A server that cannot be reached takes nothing; one that breaks off has read the prompt; one that is too
    slow may have taken all.
    """
    usage = error.usage
    counted = usage.prompt_tokens + usage.completion_tokens if usage else 0
    if isinstance(error, ModelReplyInvalid):
        return counted or sum(most)
    if isinstance(error, NOTHING_TAKEN):
        return counted
    uncounted = sum(most) if isinstance(error, ModelTimeout) else most[0]
    return max(counted, min(counted + uncounted, sum(most)))


def _error_of(facts: dict[str, Any]) -> ModelError:
    kinds: dict[str, type[ModelError]] = {
        kind.__name__: kind for kind in (ModelFailed, ModelMissing, ModelTimeout, ModelUnavailable)
    }
    error = kinds.get(str(facts.get("kind")), ModelFailed)(str(facts["error"]), str(facts.get("remedy", "")))
    error.transient = bool(facts.get("transient"))
    return error


_OPEN: OrderedDict[str, tuple[asyncio.AbstractEventLoop, Calls]] = OrderedDict()


async def calls_of(
    run_id: str, models: RoleModels, limits: ContractiveSettings, path: Path, deadline: float | None
) -> Calls:
    """The calls of a run: those this process has open, else with what their journal holds.

    Args:
        run_id: of the run.
        models: of the run.
        limits: of the run.
        path: of the journal.
        deadline: as for `Calls`.

    Raises:
        MemoryStoreError: the journal cannot be read.
    """
    loop = asyncio.get_running_loop()
    known = _OPEN.get(run_id)
    if known is not None and known[0] is loop:
        _OPEN.move_to_end(run_id)
        return known[1]
    journal = await asyncio.to_thread(CallJournal.read, path)
    again = _OPEN.get(run_id)
    if again is not None and again[0] is loop:
        # Another task of the same step was first.
        return again[1]
    calls = Calls(models, limits, journal, deadline)
    _OPEN[run_id] = (loop, calls)
    while len(_OPEN) > OPEN_RUNS:
        _OPEN.popitem(last=False)
    return calls


def forget(run_id: str) -> None:
    """Let go of a run that has ended."""
    _OPEN.pop(run_id, None)
