"""llama.cpp in this process: one engine per GGUF file and window, one call at a time."""

from __future__ import annotations

import os
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from models.embedded_weights import weights_path
from models.errors import ModelFailed, ModelRequestRefused, ModelUnavailable


@dataclass
class Completion:
    """What a call gave.

    Attributes:
        text: the reply.
        thinking: what the engine's template told apart as reasoning.
        finish: "stop", "length" (the token limit), or empty when the caller stopped it.
        prompt_tokens, completion_tokens: as the engine counts them.
    """

    text: str = ""
    thinking: str = ""
    finish: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0


class Engine:
    """One loaded model; calls are made one after another.

    Args:
        path: GGUF file.
        context: window in tokens.

    Raises:
        ModelUnavailable: the engine's package is not installed.
        ModelFailed: the file cannot be loaded.
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
        parameters.cpuparams.n_threads = usable_processors()
        # Silent, load failures included: its lines would go past sys.stderr to the user's terminal.
        parameters.verbosity = 0
        parameters.warmup = False
        parameters.ui = False
        # The engine opens a loopback port; the key, which nobody is told, keeps other local users out.
        parameters.api_keys = [secrets.token_hex(32)]
        self._lock = threading.Lock()
        try:
            self._server = xllamacpp.Server(parameters)
        except (RuntimeError, ValueError) as error:
            raise ModelFailed(
                f"The model file {path} cannot be loaded: {error}", "Is it a complete GGUF file?"
            ) from error

    @property
    def address(self) -> str:
        """Where the engine listens; requests without the key are refused."""
        return str(self._server.listening_address)

    def run(
        self,
        request: dict[str, Any],
        stopped: threading.Event | None = None,
        on_text: Callable[[str], None] | None = None,
    ) -> Completion:
        """One call, chat if the request has messages, else plain completion.

        Args:
            request: in the form of OpenAI's API.
            stopped: once set, the call ends at its next token.
            on_text: is told each piece of the reply, in the calling thread.

        Raises:
            ModelRequestRefused: the prompt does not fit the window, or the request is malformed.
            ModelFailed: the engine ended without a result.
        """
        collected = _Collected(stopped or threading.Event(), on_text)
        streamed = {**request, "stream": True, "stream_options": {"include_usage": True}}
        with self._lock:
            if not collected.stopped.is_set():
                handle = (
                    self._server.handle_chat_completions
                    if "messages" in request
                    else self._server.handle_completions
                )
                # A request that is refused before the first token is answered here, not to the callback.
                collected.take(handle(streamed, collected.take))
        return collected.completion()


class _Collected:
    """Pieces of one streamed reply."""

    def __init__(self, stopped: threading.Event, on_text: Callable[[str], None] | None) -> None:
        self.stopped = stopped
        self._on_text = on_text
        self._made = Completion()
        self._error: dict[str, Any] | None = None

    def take(self, piece: Any) -> bool:
        """Add a piece; True tells the engine to stop."""
        if not isinstance(piece, dict):
            return self.stopped.is_set()
        if "error" in piece:
            self._error = piece["error"] if isinstance(piece["error"], dict) else {"message": piece["error"]}
        for choice in piece.get("choices") or ():
            delta = choice.get("delta") or {}
            text = choice.get("text") or delta.get("content") or ""
            self._made.text += text
            self._made.thinking += delta.get("reasoning_content") or ""
            self._made.finish = choice.get("finish_reason") or self._made.finish
            if text and self._on_text is not None:
                self._on_text(text)
        usage = piece.get("usage") or {}
        self._made.prompt_tokens = usage.get("prompt_tokens", self._made.prompt_tokens)
        self._made.completion_tokens = usage.get("completion_tokens", self._made.completion_tokens)
        return self.stopped.is_set()

    def completion(self) -> Completion:
        if self._error is not None:
            kind = ModelRequestRefused if self._error.get("code") == 400 else ModelFailed
            raise kind(
                f"The embedded model failed: {self._error.get('message', self._error)}.",
                "Shorten the goal, or raise num_ctx for the model.",
            )
        if not self._made.finish and not self.stopped.is_set():
            raise ModelFailed("The embedded model ended without a result.", "Try again.")
        return self._made


def usable_processors() -> int:
    """Processors this process may use; fewer than the machine has, in a container."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


@cache
def _engine(path: str, context: int, _process: int) -> Engine:
    return Engine(path, context)


_LOADING = threading.Lock()


def open_engine(name: str, context: int) -> Engine:
    """The engine of a model name, loaded once per process, file and window.

    Raises:
        ModelError: no such file, no engine, or a file that is no model.
    """
    with _LOADING:
        # A forked child has the parent's memory but none of the engine's threads, so it loads its own.
        return _engine(str(weights_path(name)), context, os.getpid())
