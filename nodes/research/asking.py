"""One question of an agent to its model: sources fenced and packed, time limited, reply recorded."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage
from pydantic import BaseModel

from configs.prompting import render
from configs.settings import Role
from memory.trace.iteration_log import IterationLogger, iterations_directory
from models.errors import (
    ModelError,
    ModelFailed,
    ModelMissing,
    ModelReplyInvalid,
    ModelTimeout,
    ModelUnavailable,
)
from models.prompt_size import estimate_tokens
from models.usage import Usage
from nodes.reflective.emit import thought
from nodes.reflective.services import Services
from nodes.reflective.state import RoleUsage
from nodes.research.packing import Packed, disarmed, pack
from nodes.research.replaying import recorded_reply
from nodes.research.state import Agent, Exchange, ResearchState, Source

Value = TypeVar("Value", bound=BaseModel)

# Of the window: a reply may take a third, what is neither sources nor reply is measured.
REPLY_SHARE = 3
SLACK_TOKENS = 64
LEAST_ROOM = 120
FENCE_CHARS = 16
# Agents that have no time of their own in the settings.
LIMITED_BY: dict[Agent, str] = {"judge": "critic", "clarification": "critic"}
KINDS: dict[str, type[ModelError]] = {
    kind.__name__: kind for kind in (ModelFailed, ModelMissing, ModelTimeout, ModelUnavailable)
}


@dataclass
class Asking:
    """The questions of one visit to a node.

    Attributes:
        services: of the run.
        state: as the node was given it.
        sources: those the agent may see, best first.
        texts: of the sources, by number.
        exchanges: what was asked here.
        shown: numbers of the sources that were shown here.
        left_out: passages the last prompt had no room for.
    """

    services: Services
    state: ResearchState
    sources: Sequence[Source] = ()
    texts: Mapping[int, str] = field(default_factory=dict)
    exchanges: list[Exchange] = field(default_factory=list)
    shown: set[int] = field(default_factory=set)
    left_out: int = 0

    async def ask(
        self,
        agent: Agent,
        role: Role,
        prompt: str,
        schema: type[Value],
        timeout: float,
        *,
        about: str = "",
        **slots: str,
    ) -> Value:
        """A typed answer.

        Args:
            agent: who asks, by which the exchange is logged.
            role: whose model answers.
            prompt: name of the rules in configs/prompts; what is asked stands in the slots.
            schema: what the answer holds.
            timeout: seconds all calls may take together.
            about: by which passages of the sources are chosen; empty shows none.
            slots: of the prompt, but for `sources` and `fence`.

        Raises:
            ModelError: no usable answer came, in time.
            ReplayMismatch: a replayed run asks something that was not recorded.
        """
        messages, packed = self._messages(role, prompt, about, slots)
        self.shown.update(packed.shown)
        self.left_out = packed.left_out if about else self.left_out
        text = "\n\n".join(f"[{message.type}]\n{message.text}" for message in messages)
        digest = hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()
        iteration = max(1, self.state.iteration)
        if self.state.replay:
            exchange = await asyncio.to_thread(
                recorded_reply, self.state.replay, agent, digest, [*self.state.exchanges, *self.exchanges]
            )
            self.exchanges.append(exchange)
            return _replayed(exchange, schema)
        began = time.perf_counter()
        try:
            value, exchange = await self._answer(agent, role, messages, schema, timeout, digest)
        except ModelError as error:
            exchange = Exchange(
                agent=agent,
                iteration=iteration,
                prompt_sha256=digest,
                error=error.what,
                error_kind=type(error).__name__,
                error_remedy=error.remedy,
                model=self.services.models.model_name(role),
                usage=_spent(error.usage),
            )
            self.exchanges.append(exchange)
            await self._log(exchange, text, time.perf_counter() - began)
            raise
        self.exchanges.append(exchange)
        await self._log(exchange, text, time.perf_counter() - began)
        return value

    async def _answer(
        self,
        agent: Agent,
        role: Role,
        messages: Sequence[BaseMessage],
        schema: type[Value],
        timeout: float,
        digest: str,
    ) -> tuple[Value, Exchange]:
        models = self.services.models
        longest = self.window(role) // REPLY_SHARE
        began = time.perf_counter()
        try:
            async with asyncio.timeout(timeout):
                reply = await models.structured(role, messages, schema, max_tokens=longest)
        except TimeoutError as error:
            late = ModelTimeout(
                f"The {agent} ({models.model_name(role)}) did not answer within {timeout:g} seconds.",
                f"Raise research.{LIMITED_BY.get(agent, agent)}_timeout, or use a smaller model.",
            )
            late.usage = Usage(role, models.model_name(role), 1, 0, 0, time.perf_counter() - began)
            raise late from error
        thought(role, reply.thinking)
        exchange = Exchange(
            agent=agent,
            iteration=max(1, self.state.iteration),
            prompt_sha256=digest,
            reply=reply.value.model_dump(mode="json"),
            model=reply.usage.model,
            usage=_spent(reply.usage),
            cut=reply.cut,
        )
        return reply.value, exchange

    def _messages(
        self, role: Role, prompt: str, about: str, slots: Mapping[str, str]
    ) -> tuple[list[BaseMessage], Packed]:
        """Rules, then the request, with the sources between two equal lines nobody can guess."""
        fence = self.fence()
        safe = {name: disarmed_fence(value, fence) for name, value in slots.items()}
        system = render(f"{prompt}_rules", fence=fence)
        packed = Packed("", [], 0)
        if about:
            bare = estimate_tokens(render(prompt, fence=fence, sources="", **safe))
            packed = pack(about, self.sources, self.texts, self._room(role, system, bare))
            safe["sources"] = packed.text.replace(fence, "")
        asked = render(prompt, fence=fence, **safe)
        return [SystemMessage(system), HumanMessage(asked)], packed

    def _room(self, role: Role, system: str, bare: int) -> int:
        """Tokens that are left for sources."""
        window = self.window(role)
        room = window - window // REPLY_SHARE - estimate_tokens(system) - bare - SLACK_TOKENS
        return max(room, LEAST_ROOM)

    def window(self, role: Role) -> int:
        """Tokens of prompt and reply together, as they were when the run began."""
        return self.state.windows.get(role) or self.services.models.window(role)

    def fence(self) -> str:
        """The line around quoted text of this prompt: from the run's random seed, so it can be replayed."""
        place = f"{self.state.seed}:{self.state.iteration}:{len(self.state.exchanges) + len(self.exchanges)}"
        return f"===== {hashlib.sha256(place.encode()).hexdigest()[:FENCE_CHARS]} ====="

    async def _log(self, exchange: Exchange, prompt: str, seconds: float) -> None:
        directory = await asyncio.to_thread(iterations_directory, self.services.root, self.services.settings)
        logger = IterationLogger(directory, self.state.query_id)
        metadata = {
            "seconds": round(seconds, 3),
            "model": exchange.model,
            "prompt_tokens": exchange.usage.prompt_tokens,
            "completion_tokens": exchange.usage.completion_tokens,
            "calls": exchange.usage.calls,
            "prompt_sha256": exchange.prompt_sha256,
            "characters_cut": exchange.cut,
            "error": exchange.error,
            "sources_shown": sorted(self.shown),
            "passages_left_out": self.left_out,
        }
        await asyncio.to_thread(
            logger.log_agent_output,
            exchange.iteration,
            exchange.agent,
            prompt,
            exchange.reply if exchange.reply is not None else {"error": exchange.error},
            metadata,
        )

    def update(self) -> dict[str, Any]:
        """What the state keeps of this visit: exchanges, cost by agent, sources shown; values are typed."""
        usage = dict(self.state.usage)
        for exchange in self.exchanges:
            usage[exchange.agent] = _sum(usage.get(exchange.agent, RoleUsage()), exchange.usage)
        return {
            "exchanges": [*self.state.exchanges, *self.exchanges],
            "usage": usage,
            "shown": sorted({*self.state.shown, *self.shown}),
            "left_out": self.left_out,
        }


def disarmed_fence(text: str, fence: str) -> str:
    """Text that stands between fences without being able to end them."""
    return text.replace(fence, "").replace(fence.strip("= "), "")


def quoted(text: str) -> str:
    """What a source or a model wrote, as it may stand in a prompt: it can close no fence."""
    return disarmed(text)


def _spent(usage: Usage | None) -> RoleUsage:
    if usage is None:
        return RoleUsage(calls=1)
    return RoleUsage(
        calls=usage.calls,
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        seconds=round(usage.seconds, 4),
    )


def _sum(one: RoleUsage, other: RoleUsage) -> RoleUsage:
    return RoleUsage(
        calls=one.calls + other.calls,
        prompt_tokens=one.prompt_tokens + other.prompt_tokens,
        completion_tokens=one.completion_tokens + other.completion_tokens,
        seconds=round(one.seconds + other.seconds, 4),
    )


def _replayed(exchange: Exchange, schema: type[Value]) -> Value:
    if exchange.reply is not None:
        return schema.model_validate(exchange.reply)
    kind = KINDS.get(exchange.error_kind)
    if kind is not None:
        raise kind(exchange.error, exchange.error_remedy)
    raise ModelReplyInvalid(exchange.error, exchange.error_remedy, "", Usage(exchange.agent, exchange.model))
