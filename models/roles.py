"""Models by role: each role's settings resolved, its model opened at first use, its errors in our words."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from configs.settings import DefaultModelSettings, Role, Settings
from models.errors import ModelError, ModelMissing, ModelReplyInvalid, ModelUnavailable
from models.identifiers import SHIPPED, ModelId
from models.ollama_health import ollama_address
from models.prompt_size import fit
from models.provider_errors import translate
from models.providers import close_model, open_chat_model
from models.selection import ModelChoice
from models.structured import Rung, Unreadable, Value, read_reply
from models.usage import Usage

THINKING = re.compile(r"<think(?:ing)?>(.*?)(?:</think(?:ing)?>|\Z)", re.DOTALL)


@dataclass(frozen=True)
class Reply:
    """A model's answer.

    Attributes:
        text: the answer without the thinking.
        thinking: what a reasoning model thought aloud, empty for others.
        usage: cost of the call.
        cut: characters of the prompt that did not fit the window.
    """

    text: str
    thinking: str
    usage: Usage
    cut: int = 0


@dataclass(frozen=True)
class StructuredReply(Generic[Value]):
    """A typed answer: the value, how it was got out of the reply, and what it cost."""

    value: Value
    rung: Rung
    usage: Usage


@dataclass(frozen=True)
class _Opened:
    model: BaseChatModel
    model_id: ModelId
    settings: DefaultModelSettings
    address: str


class RoleModels:
    """The models of one run.

    A role's field comes from `models.ROLE`, else from `models.tuning[provider:model]`, else from `models.default`.

    Args:
        settings: all settings.
        choice: the model of every role that names none.
    """

    def __init__(self, settings: Settings, choice: ModelChoice) -> None:
        self._settings = settings
        self._choice = choice
        self._opened: dict[tuple[Role, str], _Opened] = {}

    async def aclose(self) -> None:
        """Close the connections of every model that was opened; the next call opens it again."""
        opened, self._opened = list(self._opened.values()), {}
        for one in opened:
            await close_model(one.model)

    def model_name(self, role: Role) -> str:
        """provider:model of a role."""
        return str(self._model_id(role))

    def can_judge(self, role: Role) -> bool:
        """False for the shipped 270M base model: its verdicts were noise, so code alone decides."""
        model_id = self._model_id(role)
        return not (model_id.provider == "embedded" and model_id.name == SHIPPED)

    async def text(
        self,
        role: Role,
        messages: Sequence[BaseMessage],
        *,
        stop: list[str] | None = None,
        max_tokens: int | None = None,
    ) -> Reply:
        """One answer in words.

        Raises:
            ModelError: the model could not be reached, found or finished, nor could the role's fallback.
        """
        options: dict[str, Any] = {"stop": stop} if stop else {}
        if max_tokens and self._model_id(role).provider == "embedded":
            options["max_tokens"] = max_tokens
        message, usage, cut = await self._call(
            role, messages, Usage(role, self.model_name(role)), options, None
        )
        text, thinking = _split_thinking(message)
        return Reply(text, thinking, usage, cut)

    async def structured(
        self, role: Role, messages: Sequence[BaseMessage], schema: type[Value]
    ) -> StructuredReply[Value]:
        """One answer as a typed value: native schema, parse, repair, one retry that says what was wrong.

        Raises:
            ModelReplyInvalid: neither reply fits the schema.
            ModelError: as for `text`.
        """
        usage = Usage(role, self.model_name(role))
        asked = list(messages)
        text, problem = "", ""
        for attempt in range(2):
            message, usage, _ = await self._call(role, asked, usage, {}, schema.model_json_schema())
            text, _thinking = _split_thinking(message)
            try:
                value, rung = read_reply(text, schema)
                return StructuredReply(value, "retried" if attempt else rung, usage)
            except Unreadable as error:
                problem = str(error)
                wrong = f"That does not fit: {problem}. Answer again with one JSON object only."
                asked = [*messages, AIMessage(text[:2000]), HumanMessage(wrong)]
        raise ModelReplyInvalid(
            f"The {role} ({usage.model}) gave no usable reply: {problem}.",
            "Use a larger model for this role.",
            text,
            usage,
        )

    async def _call(
        self,
        role: Role,
        messages: Sequence[BaseMessage],
        usage: Usage,
        options: dict[str, Any],
        schema: dict[str, Any] | None,
    ) -> tuple[AIMessage, Usage, int]:
        opened = self._open(role, self._model_id(role))
        try:
            return await self._ask(opened, messages, usage, options, schema)
        except (ModelUnavailable, ModelMissing):
            fallback = getattr(self._settings.models, role).fallback or self._settings.models.default.fallback
            if not fallback or fallback == str(opened.model_id):
                raise
            other = self._open(role, ModelId.parse(fallback))
            moved = Usage(
                role,
                str(other.model_id),
                usage.calls,
                usage.prompt_tokens,
                usage.completion_tokens,
                usage.seconds,
            )
            return await self._ask(other, messages, moved, options, schema)

    async def _ask(
        self,
        opened: _Opened,
        messages: Sequence[BaseMessage],
        usage: Usage,
        options: dict[str, Any],
        schema: dict[str, Any] | None,
    ) -> tuple[AIMessage, Usage, int]:
        seconds = opened.settings.timeout
        window = opened.settings.num_ctx - min(opened.settings.max_tokens, opened.settings.num_ctx // 2)
        fitted, cut = fit(messages, window)
        started = time.perf_counter()
        try:
            async with asyncio.timeout(seconds):
                message = await opened.model.ainvoke(fitted, **options, **_native(opened.model_id, schema))
        except ModelError:
            raise
        except Exception as error:
            raise translate(error, opened.model_id, opened.address, seconds) from error
        return message, usage.plus(message, time.perf_counter() - started), cut

    def _model_id(self, role: Role) -> ModelId:
        name = getattr(self._settings.models, role).name
        return ModelId.parse(name) if name else self._choice.model_id

    def _open(self, role: Role, model_id: ModelId) -> _Opened:
        key = (role, str(model_id))
        if key not in self._opened:
            settings = resolve(self._settings, role, model_id)
            address = (
                ollama_address(self._settings, role)
                if model_id.provider == "ollama"
                else settings.base_url or ""
            )
            self._opened[key] = _Opened(
                open_chat_model(model_id, role, settings, address), model_id, settings, address
            )
        return self._opened[key]


def resolve(settings: Settings, role: Role, model_id: ModelId) -> DefaultModelSettings:
    """A role's settings, every field decided."""
    layers = (settings.models.tuning.get(str(model_id)), getattr(settings.models, role))
    values = settings.models.default.model_dump()
    for layer in layers:
        if layer is not None:
            values |= {name: value for name, value in layer.model_dump().items() if value is not None}
    return DefaultModelSettings.model_validate(values)


def _native(model_id: ModelId, schema: dict[str, Any] | None) -> dict[str, Any]:
    """How each provider is told to keep to a schema."""
    if schema is None or model_id.provider == "scripted":
        return {}
    if model_id.provider == "ollama":
        return {"format": schema}
    if model_id.provider == "embedded":
        return {"json_schema": schema}
    return {"response_format": {"type": "json_schema", "json_schema": {"name": "reply", "schema": schema}}}


def _split_thinking(message: AIMessage) -> tuple[str, str]:
    """The answer and the thinking of a reply; servers pass it apart, models write it between tags."""
    text = str(message.text)
    thoughts = [str(message.additional_kwargs.get("reasoning_content") or ""), *THINKING.findall(text)]
    return THINKING.sub("", text).strip(), "\n".join(
        thought.strip() for thought in thoughts if thought.strip()
    )
