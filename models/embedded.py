"""A GGUF model in this process, through llama.cpp; no server, no network.

The shipped Gemma 3 270M is a base model without a chat template: its messages become a completion prompt of
worked examples. A GGUF with a template goes through it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import tempfile
import threading
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatResult

from models.embedded_weights import weights_path
from models.errors import ModelFailed, ModelUnavailable
from models.identifiers import SHIPPED

# A completion of a base model ends where it would begin another example.
STOPS = ("\nInput:", "\nOutput:", "\n\n\n", "<end_of_turn>")
_NATIVE_STDERR = threading.Lock()


@contextlib.contextmanager
def quiet_native_stderr() -> Iterator[None]:
    """Keep llama.cpp's own lines away from the terminal while it loads; they come past Python's sys.stderr."""
    with _NATIVE_STDERR, tempfile.TemporaryFile() as sink:
        kept = os.dup(2)
        try:
            os.dup2(sink.fileno(), 2)
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)


class Engine:
    """One loaded model; calls are made one after another.

    Args:
        path: GGUF file.
        context: window in tokens.
    """

    def __init__(self, path: str, context: int) -> None:
        try:
            import xllamacpp
        except ImportError as error:
            raise ModelUnavailable(
                f"The engine of the embedded model cannot be loaded: {error}.",
                "pip install 'reflective-graph[embedded]'",
            ) from error
        parameters = xllamacpp.CommonParams()
        parameters.model.path = path
        parameters.n_ctx = context
        parameters.n_parallel = 1
        parameters.cpuparams.n_threads = max(1, (os.cpu_count() or 2))
        parameters.verbosity = 0
        parameters.warmup = False
        # The engine opens a loopback port; the key, which nobody is told, keeps other local users out.
        parameters.api_keys = [secrets.token_hex(32)]
        self._lock = threading.Lock()
        try:
            with quiet_native_stderr():
                self._server = xllamacpp.Server(parameters)
        except (RuntimeError, ValueError) as error:
            raise ModelFailed(
                f"The model file {path} cannot be loaded: {error}.", "Is it a complete GGUF file?"
            ) from error

    @property
    def address(self) -> str:
        """Where the engine listens; requests without the key are refused."""
        return str(self._server.listening_address)

    def complete(self, request: dict[str, Any]) -> dict[str, Any]:
        """One completion; an OpenAI-like reply.

        Raises:
            ModelFailed: the engine reports an error.
        """
        with self._lock:
            reply = self._server.handle_completions(request)
        return _checked(reply)

    def chat(self, request: dict[str, Any]) -> dict[str, Any]:
        """One chat completion; an OpenAI-like reply.

        Raises:
            ModelFailed: the engine reports an error.
        """
        with self._lock:
            reply = self._server.handle_chat_completions(request)
        return _checked(reply)


def _checked(reply: Any) -> dict[str, Any]:
    if isinstance(reply, dict) and "choices" in reply:
        return reply
    detail = reply.get("error", reply) if isinstance(reply, dict) else reply
    raise ModelFailed(
        f"The embedded model failed: {detail}.", "Shorten the goal, or raise num_ctx for the model."
    )


@cache
def _engine(path: str, context: int, _lock_owner: int) -> Engine:
    return Engine(path, context)


_LOADING = threading.Lock()


def open_engine(name: str, context: int) -> Engine:
    """The engine of a model name, loaded once per process, file and window."""
    with _LOADING:
        return _engine(str(weights_path(name)), context, os.getpid())


def as_prompt(messages: Sequence[BaseMessage]) -> str:
    """Messages as worked examples for a base model: system text first, then Input and Output blocks."""
    parts = []
    for message in messages:
        text = str(message.text)
        if message.type == "system":
            parts.append(f"{text}\n")
        elif message.type == "human":
            parts.append(f"Input: {text}")
        else:
            parts.append(f"Output: {text}\n")
    return "\n".join([*parts, "Output:"])


class EmbeddedChatModel(BaseChatModel):
    """A chat model over an engine in this process.

    Attributes:
        name_or_path: the shipped model's name, or a GGUF file.
        context: window in tokens.
        temperature: 0 is greedy.
        max_tokens: longest reply.
        seed: for temperatures above 0.
        json_schema: constrains the reply when set.
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
        """True for the shipped model, which has no chat template."""
        return self.name_or_path == SHIPPED

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        engine = open_engine(self.name_or_path, self.context)
        request: dict[str, Any] = {"temperature": self.temperature, "seed": self.seed}
        schema = kwargs.get("json_schema", self.json_schema)
        limit = kwargs.get("max_tokens") or self.max_tokens
        if self.is_base_model:
            request |= {"prompt": as_prompt(messages), "n_predict": limit, "stop": [*(stop or []), *STOPS]}
            request |= {"json_schema": schema} if schema else {}
            reply = engine.complete(request)
            text = str(reply["choices"][0]["text"])
        else:
            request |= {"messages": [_openai(message) for message in messages], "max_tokens": limit}
            request |= {"stop": stop} if stop else {}
            if schema:
                request["response_format"] = {
                    "type": "json_schema",
                    "json_schema": {"name": "reply", "schema": schema},
                }
            reply = engine.chat(request)
            text = str(reply["choices"][0]["message"].get("content") or "")
        return ChatResult(
            generations=[ChatGeneration(message=AIMessage(text.strip(), usage_metadata=_usage(reply)))]
        )

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return await asyncio.to_thread(lambda: self._generate(messages, stop, None, **kwargs))


def _openai(message: BaseMessage) -> dict[str, str]:
    role = {"human": "user", "ai": "assistant"}.get(message.type, message.type)
    return {"role": role, "content": str(message.text)}


def _usage(reply: dict[str, Any]) -> UsageMetadata:
    usage = reply.get("usage") or {}
    prompt, completion = int(usage.get("prompt_tokens", 0)), int(usage.get("completion_tokens", 0))
    return UsageMetadata(input_tokens=prompt, output_tokens=completion, total_tokens=prompt + completion)
