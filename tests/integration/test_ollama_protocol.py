"""langchain-ollama against a live model over the wire, and against every way a server fails."""

import socketserver
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langchain_ollama import ChatOllama
from pydantic import BaseModel

from configs.settings import Settings
from models.embeddings import OllamaEmbedder, open_embedder
from models.errors import (
    ModelError,
    ModelFailed,
    ModelMissing,
    ModelReplyInvalid,
    ModelTimeout,
    ModelUnavailable,
)
from models.identifiers import ModelId
from models.ollama_health import can_chat, ollama_status
from models.providers import close_model
from models.roles import RoleModels
from models.selection import ModelChoice, choose_model
from tests.support.ollama_server import EMBEDDER, MODEL, THINKER, THOUGHT
from tests.support.processes import free_port

pytestmark = pytest.mark.integration


class Colour(BaseModel):
    colour: str


def settings(address: str, **default: object) -> Settings:
    return Settings.model_validate(
        {"models": {"default": {"base_url": address, "max_tokens": 24, **default}}}
    )


@asynccontextmanager
async def models(address: str, name: str, **default: object) -> AsyncIterator[RoleModels]:
    opened = RoleModels(settings(address, **default), ModelChoice(ModelId("ollama", name), "test"))
    try:
        yield opened
    finally:
        await opened.aclose()


def test_the_server_tells_its_version_and_models(ollama: str) -> None:
    status = ollama_status(ollama, 2.0)
    assert status.reachable and MODEL in status.models
    assert can_chat(ollama, MODEL, 2.0) and not can_chat(ollama, EMBEDDER, 2.0)


def test_a_model_that_can_chat_is_chosen_before_the_embedded_one(ollama: str) -> None:
    assert str(choose_model(settings(ollama)).model_id) == f"ollama:{MODEL}"


async def test_a_live_model_answers_and_is_counted(ollama: str) -> None:
    async with models(ollama, MODEL) as opened:
        reply = await opened.text("worker", [HumanMessage("Say hello.")])
    assert reply.text
    assert reply.usage.calls == 1 and reply.usage.prompt_tokens > 0 and reply.usage.completion_tokens > 0


async def test_a_stream_arrives_in_parts(ollama: str) -> None:
    model = ChatOllama(model=MODEL, base_url=ollama, num_predict=24, temperature=0)
    parts = [chunk.text async for chunk in model.astream([HumanMessage("Name three animals.")])]
    await close_model(model)
    assert len([part for part in parts if part]) > 1


async def test_a_reply_keeps_to_the_schema(ollama: str) -> None:
    async with models(ollama, MODEL) as opened:
        reply = await opened.structured("worker", [HumanMessage("What colour is grass?")], Colour)
    assert isinstance(reply.value.colour, str) and reply.rung == "native"


def test_embeddings_come_over_the_wire(ollama: str) -> None:
    named = Settings.model_validate({"embeddings": {"name": f"ollama:{EMBEDDER}", "base_url": ollama}})
    embedder = open_embedder(named)
    same, other = (
        embedder.embed(["a small dog", "a little dog", "tax law"])[0]
        @ embedder.embed(["a little dog", "tax law"]).T
    )
    assert embedder.dimension == 384 and same > 0.7 > other


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
async def test_each_failure_says_what_happened_and_what_to_do(
    ollama: str, name: str, error: type[ModelError], said: str
) -> None:
    async with models(ollama, name, timeout=3.0) as opened:
        with pytest.raises(error) as raised:
            await opened.text("worker", [HumanMessage("Say hello.")])
    assert said in f"{raised.value.what} {raised.value.remedy}" and raised.value.remedy


async def test_a_refused_connection_says_how_to_start_the_server() -> None:
    address = f"http://127.0.0.1:{free_port()}"
    async with models(address, MODEL) as opened:
        with pytest.raises(ModelUnavailable) as raised:
            await opened.text("worker", [HumanMessage("Say hello.")])
    assert address in raised.value.what and "ollama serve" in raised.value.remedy


async def test_the_fallback_answers_when_the_model_is_missing(ollama: str) -> None:
    async with models(ollama, "nothing:latest", fallback=f"ollama:{MODEL}") as opened:
        reply = await opened.text("worker", [HumanMessage("Hi.")])
    assert reply.usage.model == f"ollama:{MODEL}" and reply.text


async def test_thinking_is_asked_of_a_model_that_can_and_kept_apart(ollama: str) -> None:
    async with models(ollama, THINKER) as opened:
        reply = await opened.text("worker", [HumanMessage("Say hello.")])
    assert reply.thinking == THOUGHT and reply.text and THOUGHT not in reply.text


async def test_the_limit_of_one_call_is_kept_and_told(ollama: str) -> None:
    async with models(ollama, MODEL) as opened:
        reply = await opened.text("worker", [HumanMessage("Tell a long story.")], max_tokens=5)
        again = await opened.text("worker", [HumanMessage("Tell a long story.")], max_tokens=5)
    assert reply.usage.completion_tokens == 5 and reply.truncated
    assert reply.text == again.text, "temperature 0 and a fixed seed repeat themselves"


async def test_a_stop_text_ends_the_reply(ollama: str) -> None:
    async with models(ollama, MODEL) as opened:
        whole = (await opened.text("worker", [HumanMessage("Count from one to five in words.")])).text
        ended = await opened.text(
            "worker", [HumanMessage("Count from one to five in words.")], stop=[whole[3:6]]
        )
    assert ended.text == whole[:3].strip() and not ended.truncated


async def test_a_reply_that_is_cut_off_is_not_read_as_a_value(ollama: str) -> None:
    async with models(ollama, MODEL, max_tokens=3) as opened:
        with pytest.raises(ModelReplyInvalid, match="cut off") as raised:
            await opened.structured("worker", [HumanMessage("What colour is grass?")], Colour)
    assert raised.value.usage.calls == 2


async def test_a_prompt_is_cut_to_the_window_before_it_is_sent(ollama: str) -> None:
    examples = [HumanMessage("old words " * 2000), AIMessage("said")]
    async with models(ollama, MODEL, num_ctx=512) as opened:
        reply = await opened.text("worker", [*examples, HumanMessage("Say hello.")])
    assert reply.cut == len("old words " * 2000) + len("said")
    assert reply.usage.prompt_tokens + reply.usage.completion_tokens <= 512


async def test_no_connection_outlives_its_call(ollama: str) -> None:
    async with models(ollama, MODEL) as opened:
        await opened.text("worker", [HumanMessage("Hi.")])
        (chat,) = opened._asker._models._opened.values()
        assert isinstance(chat, ChatOllama)
        pool = chat._async_client._client._transport._pool
    assert pool.connections == []


class _Elsewhere(BaseHTTPRequestHandler):
    """Counts what arrives, and sends it on when it has somewhere to."""

    target = ""
    arrived: ClassVar[list[str]] = []

    def do_POST(self) -> None:
        self.arrived.append(self.path)
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(307 if self.target else 200)
        if self.target:
            self.send_header("Location", f"{self.target}{self.path}")
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_POST

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def _listening(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize("provider", ["ollama", "openai"])
async def test_a_server_cannot_send_a_prompt_on_to_another(provider: str) -> None:
    class Far(_Elsewhere):
        arrived: ClassVar[list[str]] = []

    with _listening(Far) as far:

        class Near(_Elsewhere):
            target = far
            arrived: ClassVar[list[str]] = []

        with _listening(Near) as near:
            chosen = Settings.model_validate(
                {"profile": "sovereign", "model": f"{provider}:m", "models": {"default": {"base_url": near}}}
            )
            roles = RoleModels(chosen, choose_model(chosen))
            with pytest.raises(ModelError):
                await roles.text("worker", [HumanMessage("a secret")])
            with pytest.raises(ModelError):
                OllamaEmbedder("m", near, 5)
            await roles.aclose()
    assert Near.arrived and Far.arrived == []


def test_a_server_that_is_not_ollama_is_not_taken_for_one() -> None:
    with socketserver.TCPServer(("127.0.0.1", 0), Babble) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}"
        status = ollama_status(address, 1.0)
        server.shutdown()
    assert not status.reachable and address in status.problem


class Babble(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        self.request.recv(1000)
        self.request.sendall(b"220 mail.example ready\r\n")


def test_without_ollama_the_embedded_model_is_chosen_and_the_reason_told() -> None:
    choice = choose_model(settings(f"http://127.0.0.1:{free_port()}"))
    assert str(choice.model_id) == "embedded:gemma-3-270m" and choice.reason == "Ollama does not answer"


def test_an_embedding_model_that_is_missing_says_what_to_pull(ollama: str) -> None:
    named = Settings.model_validate({"embeddings": {"name": "ollama:nothing", "base_url": ollama}})
    with pytest.raises(ModelMissing, match="ollama pull nothing"):
        open_embedder(named)


def test_embeddings_of_a_server_that_is_down_say_how_to_go_on() -> None:
    address = f"http://127.0.0.1:{free_port()}"
    named = Settings.model_validate({"embeddings": {"name": f"ollama:{EMBEDDER}", "base_url": address}})
    with pytest.raises(ModelUnavailable, match="minilm"):
        open_embedder(named)
