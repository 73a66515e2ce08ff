"""The chat models of one run: each opened at its first use, streamed from where its server can."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import RunnableConfig

from configs.settings import Role
from models.identifiers import ModelId
from models.providers import close_model, open_chat_model, refuses_to_stream
from models.role_settings import ResolvedModel


@dataclass(frozen=True)
class Prompt:
    """What is sent, whoever it is sent to."""

    messages: Sequence[BaseMessage]
    told: RunnableConfig
    options: dict[str, Any]


class OpenModels:
    """The chat models of one run; those of one role, model and server are one."""

    def __init__(self) -> None:
        self._opened: dict[tuple[Role, ModelId, str], BaseChatModel] = {}
        self._opening = threading.Lock()
        self._streamless: set[tuple[ModelId, str]] = set()

    async def aclose(self) -> None:
        """Close the connections of every model that was opened; the next call opens it again."""
        opened, self._opened = list(self._opened.values()), {}
        for model in opened:
            await close_model(model)

    async def opened(self, role: Role, model: ResolvedModel) -> BaseChatModel:
        """The role's model at its `address`.

        Raises:
            ModelError: a script cannot be read, or a key is missing.
        """
        known = self._opened.get((role, model.model_id, model.address))
        return await asyncio.to_thread(self._open, role, model) if known is None else known

    async def say(self, chat: BaseChatModel, model: ResolvedModel, prompt: Prompt) -> AIMessage:
        """The reply; a server that cannot stream is asked to say it at once, from then on."""
        server, at_once = (model.model_id, model.address), prompt.options | {"stream": False}
        if server in self._streamless:
            return await chat.ainvoke(prompt.messages, prompt.told, **at_once)
        try:
            return await chat.ainvoke(prompt.messages, prompt.told, **prompt.options)
        except Exception as error:
            if not refuses_to_stream(error, model.model_id.provider):
                raise
            self._streamless.add(server)
            return await chat.ainvoke(prompt.messages, prompt.told, **at_once)

    def _open(self, role: Role, model: ResolvedModel) -> BaseChatModel:
        """The role's model, opened once; two calls at once share it, and so a script's position."""
        with self._opening:
            key = (role, model.model_id, model.address)
            if key not in self._opened:
                self._opened[key] = open_chat_model(model, role)
            return self._opened[key]
