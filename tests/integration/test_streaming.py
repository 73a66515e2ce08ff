"""Tokens of every provider under `messages` mode, over real wires; what a reply is worth stays as it was."""

from __future__ import annotations

import json
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypedDict

import pytest
import xllamacpp
from langchain_core.messages import HumanMessage
from langgraph.graph import END, START, StateGraph
from pydantic import BaseModel

from configs.settings import Settings
from models.errors import ModelError, ModelFailed, ModelMissing, ModelReplyInvalid, ModelTimeout
from models.identifiers import SHIPPED, ModelId
from models.reply import Reply, StructuredReply
from models.roles import RoleModels
from models.selection import ModelChoice
from tests.support.ollama_server import MODEL, THINKER, THOUGHT, weights

pytestmark = pytest.mark.integration
HELLO = [HumanMessage("Name three animals.")]
KEY = "a-key-of-the-tests"


class Colour(BaseModel):
    colour: str


class Nothing(TypedDict):
    nothing: str


@asynccontextmanager
async def models(name: str, **default: object) -> AsyncIterator[RoleModels]:
    settings = Settings.model_validate({"models": {"default": {"max_tokens": 24, **default}}})
    opened = RoleModels(settings, ModelChoice(ModelId.parse(name), "test"))
    try:
        yield opened
    finally:
        await opened.aclose()


async def streamed(call: Any) -> tuple[Any, list[tuple[str, dict[str, Any]]]]:
    """What a call in a node gives, and its tokens with what is told of each."""
    made: list[Any] = []

    async def node(_: Nothing) -> Nothing:
        made.append(await call())
        return {"nothing": ""}

    graph = StateGraph(Nothing)
    graph.add_node("speaker", node)
    graph.add_edge(START, "speaker")
    graph.add_edge("speaker", END)
    tokens = []
    async for chunk, told in graph.compile().astream({"nothing": ""}, stream_mode="messages"):  # type: ignore[misc]  # pairs in this mode
        tokens.append((str(chunk.text), dict(told)))  # type: ignore[union-attr]  # as above
    return made[0], [token for token in tokens if token[0]]


async def both_ways(opened: RoleModels) -> tuple[Reply, Reply, list[tuple[str, dict[str, Any]]]]:
    reply, tokens = await streamed(lambda: opened.text("worker", HELLO))
    return reply, await opened.text("worker", HELLO), tokens


def same(reply: Reply, whole: Reply) -> bool:
    counted = [
        (one.usage.calls, one.usage.prompt_tokens, one.usage.completion_tokens) for one in (reply, whole)
    ]
    return (
        (reply.text, reply.thinking, reply.truncated) == (whole.text, whole.thinking, whole.truncated)
        and counted[0] == counted[1]
        and counted[0][2] > 0
    )


@pytest.fixture(scope="module")
def openai() -> Iterator[str]:
    """llama.cpp's own OpenAI-compatible server."""
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights())
    parameters.n_ctx = 1024
    parameters.n_parallel = 1
    parameters.verbosity = 0
    parameters.api_keys = [KEY]
    server = xllamacpp.Server(parameters)
    yield f"{server.listening_address}/v1"


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("TEST_MODEL_KEY", KEY)
    return "TEST_MODEL_KEY"


@pytest.fixture(params=["ollama", "thinker", "openai", "base model", "chat model"])
def model(
    request: pytest.FixtureRequest, ollama: str, openai: str, key: str
) -> tuple[str, dict[str, object]]:
    """A model's name and its settings."""
    return {
        "ollama": (f"ollama:{MODEL}", {"base_url": ollama}),
        "thinker": (f"ollama:{THINKER}", {"base_url": ollama}),
        "openai": ("openai:smollm2", {"base_url": openai, "api_key_env": key}),
        "base model": (f"embedded:{SHIPPED}", {"num_ctx": 1024}),
        "chat model": (f"embedded:{weights()}", {"num_ctx": 1024}),
    }[request.param]


async def test_tokens_come_one_by_one_and_say_whose_they_are(model: tuple[str, dict[str, object]]) -> None:
    async with models(model[0], **model[1]) as opened:
        reply, whole, tokens = await both_ways(opened)
    assert same(reply, whole)
    assert len(tokens) > 3 and "".join(text for text, _ in tokens).strip() == reply.text
    assert {(told["langgraph_node"], told["role"], told["structured"]) for _, told in tokens} == {
        ("speaker", "worker", False)
    }
    assert reply.thinking == (THOUGHT if "thinker" in model[0] else "")


async def test_a_structured_reply_is_the_value_it_was_and_its_tokens_are_told_apart(
    model: tuple[str, dict[str, object]],
) -> None:
    question = [HumanMessage("What colour is grass?")]
    async with models(model[0], **model[1]) as opened:
        reply, tokens = await streamed(lambda: opened.structured("verifier", question, Colour))
        whole = await opened.structured("verifier", question, Colour)
    assert isinstance(reply, StructuredReply)
    assert (reply.value, reply.rung, reply.usage.completion_tokens) == (
        whole.value,
        "native",
        whole.usage.completion_tokens,
    )
    assert tokens and all(told["structured"] and told["role"] == "verifier" for _, told in tokens)


async def test_a_cut_off_structured_reply_stays_no_value(model: tuple[str, dict[str, object]]) -> None:
    async with models(model[0], **{**model[1], "max_tokens": 3}) as opened:
        with pytest.raises(ModelReplyInvalid, match="cut off") as raised:
            await streamed(lambda: opened.structured("worker", [HumanMessage("Which?")], Colour))
    assert raised.value.usage.calls == 2


@pytest.mark.parametrize(
    ("name", "error", "said"),
    [
        ("nothing:latest", ModelMissing, "ollama pull nothing:latest"),
        ("fault-500:latest", ModelFailed, "terminated"),
        ("fault-stall:latest", ModelTimeout, "timeout"),
        ("fault-cut:latest", ModelFailed, "broke off"),
        ("fault-end:latest", ModelFailed, "broke off"),
        ("fault-error:latest", ModelFailed, "while running the model"),
    ],
)
async def test_a_server_that_fails_in_a_stream_gives_the_error_it_gave_without(
    ollama: str, name: str, error: type[ModelError], said: str
) -> None:
    # Only who never answers is waited for; the others may load the model first, on a machine at work.
    patience = 3.0 if error is ModelTimeout else 60.0
    async with models(f"ollama:{name}", base_url=ollama, timeout=patience) as opened:
        with pytest.raises(error) as raised:
            await streamed(lambda: opened.text("worker", HELLO))
    assert said in f"{raised.value.what} {raised.value.remedy}" and raised.value.remedy


async def test_a_stream_that_takes_too_long_frees_the_embedded_engine() -> None:
    name = f"embedded:{weights()}"
    async with models(name, num_ctx=1024, timeout=0.5, max_tokens=500) as slow:
        with pytest.raises(ModelTimeout):
            await streamed(lambda: slow.text("worker", [HumanMessage("Write a very long story.")]))
    async with models(name, num_ctx=1024, timeout=10) as opened:
        reply, _ = await streamed(lambda: opened.text("worker", HELLO, max_tokens=1))
    assert reply.usage.completion_tokens == 1


class Broken(BaseHTTPRequestHandler):
    """Speaks OpenAI's stream and fails in the way its `fault` says."""

    fault = ""
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Keep standard error for real problems."""

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.fault in UNSTREAMED and not (self.fault == "refuses" and "stream_options" in request):
            self._answer(200, WHOLE)
        elif self.fault == "refuses":
            self._answer(400, {"error": {"message": "unknown field: stream_options"}})
        else:
            self._stream()

    def _answer(self, status: int, value: object) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self) -> None:
        head = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"}

        def line(text: str) -> str:
            choice = {"index": 0, "delta": {"content": text}, "finish_reason": None}
            return f"data: {json.dumps(head | {'choices': [choice]})}\n\n"

        lines = {
            "ends": [line("Hello"), line(" there")],
            "says it is done": [line("Hello"), "data: [DONE]\n\n"],
            "hangs up": [line("Hello"), line(" th")[:20]],
            "errs": [line("Hello"), f"data: {json.dumps({'error': {'message': 'out of memory'}})}\n\n"],
            "is silent": ["data: [DONE]\n\n"],
            "babbles": ["data: {nothing\n\n"],
        }[self.fault]
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for one in lines:
            data = one.encode()
            self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        if self.fault == "hangs up":
            self.close_connection = True
            self.connection.close()
        else:
            self.wfile.write(b"0\r\n\r\n")


UNSTREAMED = ("answers in one piece", "refuses")
WHOLE = {
    "id": "1",
    "object": "chat.completion",
    "created": 1,
    "model": "m",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "Hello."}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11},
}


@contextmanager
def broken(how: str) -> Iterator[str]:
    handler = type("Handler", (Broken,), {"fault": how})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/v1"
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("ends", "broke off"),
        ("says it is done", "broke off"),
        ("hangs up", "broke off"),
        ("errs", "out of memory"),
        ("is silent", "openai:m"),
        ("babbles", "openai:m"),
    ],
)
async def test_half_a_stream_of_an_openai_server_is_no_answer(how: str, said: str) -> None:
    with broken(how) as address:
        async with models("openai:m", base_url=address, timeout=5.0) as opened:
            with pytest.raises(ModelFailed) as raised:
                await streamed(lambda: opened.text("worker", HELLO))
    assert said in raised.value.what and raised.value.remedy


@pytest.mark.parametrize("how", UNSTREAMED)
async def test_a_server_that_cannot_stream_answers_all_the_same(how: str) -> None:
    with broken(how) as address:
        async with models("openai:m", base_url=address, timeout=5.0) as opened:
            replies = [(await streamed(lambda: opened.text("worker", HELLO)))[0] for _ in range(2)]
    assert [(reply.text, reply.usage.completion_tokens) for reply in replies] == [("Hello.", 2)] * 2
