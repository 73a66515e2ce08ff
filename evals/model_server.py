"""A model server with a known pace: a script spoken over Ollama's and OpenAI's protocols, for benchmarks.

`python -m evals.model_server --script FILE --latency 0.1 --slots 4` listens on loopback and writes one line
of JSON with its port when it is ready. It stands where a bench needs a model whose time is known: 100 ms a
call, as many calls at once as the host has slots. What models say in earnest is not measured with it.

The script is one of `models.scripted`. A request's model name is the role whose replies are given, as
`--set models.planner.name=ollama:planner` sends it; names that the script does not have get its `default`.
The last reply of a role is said again and again, and those with a `when` whenever they fit, so that the
hundredth run hears what the first did.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import socket
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from models.errors import ModelError
from models.scripted import Script, ScriptedChatModel, load_script

VERSION = "0.12.6"
DEFAULT_LATENCY = 0.1
# 2**15 calls may wait for a slot, as Ollama lets its queue grow before it answers 503.
BACKLOG = 2**15


@dataclass
class Host:
    """What one server knows.

    Attributes:
        script: what is said.
        latency: seconds a call takes once it has a slot.
        slots: calls answered at once.
        loaded: models that were asked since the start, as `/api/ps` tells.
        calls: calls answered since the start, by model.
    """

    script: Script
    latency: float
    slots: asyncio.Semaphore
    loaded: dict[str, float] = field(default_factory=dict)
    calls: dict[str, int] = field(default_factory=dict)
    speakers: dict[str, ScriptedChatModel] = field(default_factory=dict)

    async def said(self, name: str, messages: Sequence[BaseMessage]) -> AIMessage:
        """The script's reply, after a slot was free and the latency passed.

        Raises:
            ModelError: the script says so, or has no reply.
        """
        async with self.slots:
            until = time.monotonic() + self.latency
            self.loaded[name] = time.time()
            speaker = self.speakers.setdefault(name, self._speaker(name))
            reply = await speaker.ainvoke(list(messages))
            await asyncio.sleep(max(0.0, until - time.monotonic()))
            self.calls[name] = self.calls.get(name, 0) + 1
            return reply

    def _speaker(self, name: str) -> ScriptedChatModel:
        return ScriptedChatModel(script=self.script, role=name.removesuffix(":latest"), label=name)


def application(host: Host) -> Starlette:
    """The routes of both protocols that a client of ours uses, and `/stats`: calls answered, by model."""

    async def version(request: Request) -> Response:
        return JSONResponse({"version": VERSION})

    async def tags(request: Request) -> Response:
        return JSONResponse({"models": [_tag(name) for name in host.script.roles]})

    async def running(request: Request) -> Response:
        return JSONResponse({"models": [_tag(name) for name in host.loaded]})

    async def show(request: Request) -> Response:
        return JSONResponse({"details": {}, "model_info": {}, "capabilities": ["completion"]})

    async def models(request: Request) -> Response:
        listed = [{"id": name, "object": "model", "owned_by": "script"} for name in host.script.roles]
        return JSONResponse({"object": "list", "data": listed})

    async def stats(request: Request) -> Response:
        return JSONResponse({"calls": host.calls, "pid": os.getpid()})

    return Starlette(
        routes=[
            Route("/api/version", version),
            Route("/api/tags", tags),
            Route("/api/ps", running),
            Route("/api/show", show, methods=["POST"]),
            Route("/api/chat", _answering(host, _ollama_lines, "application/x-ndjson"), methods=["POST"]),
            Route("/v1/models", models),
            Route(
                "/v1/chat/completions", _answering(host, _openai_lines, "text/event-stream"), methods=["POST"]
            ),
            Route("/stats", stats),
        ]
    )


Lines = Callable[[str, AIMessage, bool], list[str]]


def _answering(host: Host, lines: Lines, media_type: str) -> Callable[[Request], Awaitable[Response]]:
    """The route of a chat call: streamed unless the request says otherwise."""

    async def answer(request: Request) -> Response:
        asked = await request.json()
        name, messages = str(asked.get("model", "")), _messages(asked)
        streams = bool(asked.get("stream", media_type == "application/x-ndjson"))
        try:
            reply = await host.said(name, messages)
        except ModelError as error:
            return JSONResponse({"error": str(error)}, status_code=500)
        written = lines(name, reply, streams)
        if not streams:
            return Response(written[0], media_type="application/json")

        async def stream() -> AsyncIterator[str]:
            for line in written:
                yield line

        return StreamingResponse(stream(), media_type=media_type)

    return answer


def _messages(asked: dict[str, Any]) -> list[BaseMessage]:
    return [HumanMessage(_text(one.get("content"))) for one in asked.get("messages") or ()]


def _text(content: Any) -> str:
    """A message's words: OpenAI's clients may send them as a list of parts."""
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content)
    return str(content or "")


def _tag(name: str) -> dict[str, Any]:
    """A model as `/api/tags` and `/api/ps` list it."""
    full = name if ":" in name else f"{name}:latest"
    stamp = {"modified_at": "2025-01-01T00:00:00Z", "size": 1, "digest": "0" * 64, "details": {}}
    return {"name": full, "model": full, **stamp}


def _ollama_lines(name: str, reply: AIMessage, streams: bool) -> list[str]:
    """Ollama's reply: a line with the words and a line that ends it, or both in one."""
    used = reply.usage_metadata or {"input_tokens": 0, "output_tokens": 0}
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S.000000Z", time.gmtime())
    counted = {
        "done": True,
        "done_reason": "stop",
        "total_duration": 1,
        "load_duration": 0,
        "prompt_eval_count": used["input_tokens"],
        "prompt_eval_duration": 1,
        "eval_count": used["output_tokens"],
        "eval_duration": 1,
    }
    told = {"model": name, "created_at": stamp}
    spoken = {**told, "message": {"role": "assistant", "content": str(reply.text)}}
    if not streams:
        return [json.dumps(spoken | counted)]
    silent = {**told, "message": {"role": "assistant", "content": ""}}
    return [json.dumps(part) + "\n" for part in (spoken | {"done": False}, silent | counted)]


def _openai_lines(name: str, reply: AIMessage, streams: bool) -> list[str]:
    """A chat completion, or its chunks: the words, the end, the usage."""
    used = reply.usage_metadata or {"input_tokens": 0, "output_tokens": 0, "total_tokens": 0}
    usage = {
        "prompt_tokens": used["input_tokens"],
        "completion_tokens": used["output_tokens"],
        "total_tokens": used["total_tokens"],
    }
    told = {"id": "chatcmpl-script", "created": int(time.time()), "model": name}
    words = {"role": "assistant", "content": str(reply.text)}
    if not streams:
        choice = {"index": 0, "message": words, "finish_reason": "stop"}
        return [json.dumps({**told, "object": "chat.completion", "choices": [choice], "usage": usage})]
    chunk = {**told, "object": "chat.completion.chunk"}
    parts = (
        {**chunk, "choices": [{"index": 0, "delta": words, "finish_reason": None}]},
        {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
        {**chunk, "choices": [], "usage": usage},
    )
    return [*(f"data: {json.dumps(part)}\n\n" for part in parts), "data: [DONE]\n\n"]


async def serve(script: Script, *, port: int, latency: float, slots: int) -> None:
    """Serve on loopback until the process is stopped; the first line of output tells the port."""
    said_again = script.model_copy(update={"repeat_last": True})
    host = Host(said_again, latency, asyncio.Semaphore(slots))
    door = socket.socket()
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    door.bind(("127.0.0.1", port))
    door.listen(BACKLOG)
    print(json.dumps({"port": door.getsockname()[1], "pid": os.getpid()}), flush=True)
    # Started connections wait in the socket's queue, so the line may come before the server runs.
    config = uvicorn.Config(application(host), log_level="error", access_log=False, backlog=BACKLOG)
    with contextlib.suppress(asyncio.CancelledError):
        await uvicorn.Server(config).serve(sockets=[door])


def main(argv: Sequence[str] | None = None) -> int:
    """Serve a script; 0 when stopped."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--script", required=True, metavar="FILE", help="YAML, as for scripted:FILE")
    parser.add_argument("--port", type=int, default=0, help="default: one that is free")
    parser.add_argument(
        "--latency", type=float, default=DEFAULT_LATENCY, metavar="SECONDS", help="of one call"
    )
    parser.add_argument("--slots", type=int, default=BACKLOG, metavar="N", help="calls answered at once")
    asked = parser.parse_args(argv)
    script = load_script(asked.script)
    asyncio.run(serve(script, port=asked.port, latency=asked.latency, slots=asked.slots))
    return 0


if __name__ == "__main__":
    sys.exit(main())
