"""One call of a model: timed, held against the budget, its errors in our words."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import RunnableConfig

from configs.errors import ReflectError
from configs.settings import Role
from models.errors import BudgetSpent, ModelError, ModelFailed
from models.fleet.failover import Fleet
from models.fleet.remarks import FleetRemarks
from models.identifiers import ModelId
from models.open_models import OpenModels, Prompt
from models.prompt_size import estimate_prompt, fit
from models.provider_errors import translate
from models.providers import api_key, call_options, is_whole
from models.role_settings import ResolvedModel, reply_limit
from models.sampling import Sampling
from models.shared_budget import Call, held
from models.telemetry.chat_calls import ModelCall, model_call
from models.telemetry.counters import recovered
from models.usage import Usage


@dataclass(frozen=True)
class Question:
    """One call: what is asked, and how the reply is bounded."""

    messages: Sequence[BaseMessage]
    keep_last: int = 1
    stop: list[str] | None = None
    max_tokens: int | None = None
    schema: dict[str, Any] | None = None
    sampling: Sampling | None = None


@dataclass(frozen=True)
class Answer:
    """What came of a call.

    Attributes:
        message: the reply.
        usage: what it cost, with that of the calls before it.
        cut: characters of the prompt that did not fit the window.
        constrained: True if the reply was held to the schema.
    """

    message: AIMessage
    usage: Usage
    cut: int
    constrained: bool

    @property
    def truncated(self) -> bool:
        """True if the reply stopped at its limit of tokens."""
        told = self.message.response_metadata
        return "length" in (told.get("finish_reason"), told.get("done_reason"))


class Asker:
    """The calls of one run's models.

    Attributes:
        remarks: what a person should know of the servers that were asked.
    """

    def __init__(self) -> None:
        self.remarks = FleetRemarks()
        self._models = OpenModels()
        self._answered_last: dict[ModelId, str] = {}

    async def aclose(self) -> None:
        """Close the connections of every model that was opened; the next call opens it again."""
        await self._models.aclose()

    async def ask(
        self, role: Role, model: ResolvedModel, usage: Usage, question: Question, *, constrained: bool
    ) -> Answer:
        """Make a call; of a model on several servers, one that counts once however many of them are asked.

        Args:
            role: who is asked.
            model: that is asked.
            usage: what the calls before this one cost.
            question: what is asked.
            constrained: hold the reply to the question's schema.

        Raises:
            ModelError: there is no reply.
        """
        with model_call(role, model, question.sampling, constrained=constrained) as recorded:
            return await self._sent(role, model, usage, question, recorded, constrained=constrained)

    async def _sent(
        self,
        role: Role,
        model: ResolvedModel,
        usage: Usage,
        question: Question,
        recorded: ModelCall,
        *,
        constrained: bool,
    ) -> Answer:
        await self._prepare(role, model)
        limit = reply_limit(model.settings, question.max_tokens)
        fitted, cut = fit(question.messages, model.settings.num_ctx - limit, question.keep_last)
        options = call_options(
            model, question.stop, limit, question.schema if constrained else None, question.sampling
        )
        recorded.asked(fitted, limit)
        # Whoever streams the run in `messages` mode gets the tokens, and learns here whose they are.
        told: RunnableConfig = {"metadata": {"role": role, "structured": question.schema is not None}}
        prompt = Prompt(fitted, told, options)
        started = time.perf_counter()
        try:
            async with held(role, estimate_prompt(fitted) + limit) as call:
                message = await self._reply(role, model, prompt, call, recorded)
                call.took(message)
        except BudgetSpent as refused:
            refused.usage = usage
            raise
        except Exception as error:
            if isinstance(error, ReflectError) and not isinstance(error, ModelError):
                # The call could not be written down, which is no failure of the model.
                raise
            problem = translate(error, model)
            problem.usage = usage.failed(str(model.model_id), time.perf_counter() - started)
            raise problem from error
        recorded.answered(message)
        spent = replace(usage, model=str(model.model_id)).plus(message, time.perf_counter() - started)
        if not is_whole(message, model.model_id.provider):
            broken = _broken_off(model)
            broken.usage = spent
            raise broken
        return Answer(message, spent, cut, constrained)

    async def _prepare(self, role: Role, model: ResolvedModel) -> None:
        """Find out what keeps a call from being made at all, which is no failure of a server."""
        if not model.has_fleet:
            await self._models.opened(role, model)
        elif model.model_id.provider == "openai":
            for address in model.addresses:
                api_key(model.at(address))

    async def _reply(
        self, role: Role, model: ResolvedModel, prompt: Prompt, call: Call, recorded: ModelCall
    ) -> AIMessage:
        """The reply of the model's server, or of the first of several that gives one."""
        if not model.has_fleet:
            return await self._reply_at(role, model, prompt, call)

        async def ask(at: ResolvedModel) -> AIMessage:
            try:
                message = await self._reply_at(role, at, prompt, call)
            except ModelError:
                raise
            except Exception as error:
                raise translate(error, at) from error
            if not is_whole(message, at.model_id.provider):
                raise _broken_off(at)
            return message

        reply = await Fleet(model).reply(ask, self._answered_last.get(model.model_id))
        self._answered_last[model.model_id] = reply.address
        recorded.served_by(reply.address)
        self.remarks.add(reply)
        if reply.failed:
            recovered("host_failover")
        return reply.message

    async def _reply_at(self, role: Role, model: ResolvedModel, prompt: Prompt, call: Call) -> AIMessage:
        chat = await self._models.opened(role, model)
        async with asyncio.timeout(call.seconds(model.settings.timeout)):
            return await self._models.say(chat, model, prompt)


def _broken_off(model: ResolvedModel) -> ModelFailed:
    return ModelFailed(
        f"{model.model_id} at {model.address} broke off its reply.",
        "Try again; if it stays, look at the server's log.",
    )
