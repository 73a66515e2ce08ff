"""A GGUF model in this process, through llama.cpp; no server, no network.

The shipped Gemma 3 270M is a base model without a chat template: its messages become a completion prompt of
worked examples, as do those of any GGUF without one. A GGUF with a template goes through it.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Callable
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult

from models.completion_prompt import STOPS, as_prompt
from models.embedded_engine import Completion, open_engine
from models.embedded_weights import embedded_status as embedded_status
from models.embedded_weights import has_chat_template, weights_path
from models.identifiers import SHIPPED


class EmbeddedChatModel(BaseChatModel):
    """A chat model over an engine in this process.

    Attributes:
        name_or_path: the shipped model's name, or a GGUF file.
        context: window in tokens.
        temperature: 0 is greedy.
        max_tokens: longest reply; a call may pass its own.
        seed: for temperatures above 0.
        json_schema: constrains the reply when set; a call may pass its own.
    """

    name_or_path: str = SHIPPED
    context: int = 4096
    temperature: float = 0.0
    max_tokens: int = 512
    seed: int = 0
    json_schema: dict[str, Any] | None = None

    @property
    def _llm_type(self) -> str:
        return "embedded"

    @property
    def is_base_model(self) -> bool:
        """True for a file without a chat template, such as the shipped model."""
        return self.name_or_path == SHIPPED or not has_chat_template(weights_path(self.name_or_path))

    def _request(
        self, messages: list[BaseMessage], stop: list[str] | None, options: dict[str, Any]
    ) -> dict[str, Any]:
        schema = options.get("json_schema") or self.json_schema
        limit = options.get("max_tokens") or self.max_tokens
        request: dict[str, Any] = {
            "temperature": options.get("temperature", self.temperature),
            "seed": options.get("seed", self.seed),
        }
        if schema:
            request["json_schema"] = schema
        if self.is_base_model:
            # Within a schema the grammar ends the reply; a stop text could cut a string in half.
            stops = [*(stop or []), *(() if schema else STOPS)]
            return request | {"prompt": as_prompt(messages), "n_predict": limit, "stop": stops}
        chat = [
            {"role": ROLES.get(message.type, message.type), "content": str(message.text)}
            for message in messages
        ]
        return request | {"messages": chat, "max_tokens": limit, "stop": stop or []}

    def _run(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None,
        options: dict[str, Any],
        stopped: threading.Event,
        on_text: Callable[[str], None] | None = None,
    ) -> Completion:
        engine = open_engine(self.name_or_path, self.context)
        return engine.run(self._request(messages, stop, options), stopped, on_text)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return _result(self._run(messages, stop, kwargs, threading.Event()))

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        stopped = threading.Event()
        try:
            return _result(await asyncio.to_thread(self._run, messages, stop, kwargs, stopped))
        finally:
            # After a timeout the thread still generates; this frees the engine for the next call.
            stopped.set()

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        """The reply as the engine makes it; usage, the reason of its end and thinking come last."""
        pieces: asyncio.Queue[str | None] = asyncio.Queue()
        loop = asyncio.get_running_loop()
        stopped = threading.Event()

        def tell(piece: str | None) -> None:
            # A run that was given up may have closed its loop before the engine's last piece.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(pieces.put_nowait, piece)

        def generate() -> Completion:
            try:
                return self._run(messages, stop, kwargs, stopped, tell)
            finally:
                tell(None)

        generating = asyncio.ensure_future(asyncio.to_thread(generate))
        try:
            while (piece := await pieces.get()) is not None:
                yield ChatGenerationChunk(message=AIMessageChunk(content=piece))
            made = await generating
        finally:
            # After a timeout the thread still generates; this frees the engine for the next call.
            stopped.set()
            # What it then raises is nobody's any more.
            generating.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        yield ChatGenerationChunk(message=AIMessageChunk(content="", **_ending(made)))


ROLES = {"human": "user", "ai": "assistant"}


def _result(made: Completion) -> ChatResult:
    message = AIMessage(made.text.strip(), **_ending(made))
    return ChatResult(generations=[ChatGeneration(message=message)])


def _ending(made: Completion) -> dict[str, Any]:
    """What a reply holds beside its text."""
    return {
        "usage_metadata": _usage(made),
        "response_metadata": {"finish_reason": made.finish},
        "additional_kwargs": {"reasoning_content": made.thinking} if made.thinking else {},
    }


def _usage(made: Completion) -> UsageMetadata:
    prompt, completion = made.prompt_tokens, made.completion_tokens
    return UsageMetadata(input_tokens=prompt, output_tokens=completion, total_tokens=prompt + completion)
