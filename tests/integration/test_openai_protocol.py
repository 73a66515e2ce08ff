"""langchain-openai against llama.cpp's own OpenAI-compatible server, and one that knows no schemas."""

import json
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
import xllamacpp
from langchain_core.messages import HumanMessage
from pydantic import BaseModel

from configs.settings import Settings
from models.errors import ModelMissing, ModelRequestRefused, ModelUnavailable
from models.identifiers import ModelId
from models.roles import RoleModels
from models.selection import ModelChoice
from tests.support.ollama_server import weights
from tests.support.processes import free_port

pytestmark = pytest.mark.integration
KEY = "a-key-of-the-tests"


class Colour(BaseModel):
    colour: str


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights())
    parameters.n_ctx = 1024
    parameters.n_parallel = 1
    parameters.verbosity = 0
    parameters.api_keys = [KEY]
    server = xllamacpp.Server(parameters)
    yield f"{server.listening_address}/v1"


@asynccontextmanager
async def models(address: str, **default: object) -> AsyncIterator[RoleModels]:
    values = {"base_url": address, "max_tokens": 24, **default}
    opened = RoleModels(
        Settings.model_validate({"models": {"default": values}}),
        ModelChoice(ModelId("openai", "smollm2"), "test"),
    )
    try:
        yield opened
    finally:
        await opened.aclose()


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("TEST_MODEL_KEY", KEY)
    return "TEST_MODEL_KEY"


async def test_text_and_usage_come_over_the_wire(address: str, key: str) -> None:
    async with models(address, api_key_env=key) as opened:
        reply = await opened.text("worker", [HumanMessage("Say hello.")], max_tokens=5)
    assert (
        reply.text
        and reply.usage.completion_tokens == 5
        and reply.usage.prompt_tokens > 0
        and reply.truncated
    )


async def test_a_reply_keeps_to_the_schema(address: str, key: str) -> None:
    async with models(address, api_key_env=key) as opened:
        reply = await opened.structured("worker", [HumanMessage("What colour is grass?")], Colour)
    assert reply.value.colour and reply.rung == "native"


async def test_a_wrong_key_is_told(address: str) -> None:
    async with models(address) as opened:
        with pytest.raises(ModelUnavailable, match="api_key_env"):
            await opened.text("worker", [HumanMessage("Say hello.")])


async def test_a_prompt_the_server_finds_too_long_is_refused_in_its_words(address: str, key: str) -> None:
    async with models(address, api_key_env=key, num_ctx=9000) as opened:
        with pytest.raises(ModelRequestRefused, match="context size") as raised:
            await opened.text("worker", [HumanMessage("word " * 3000)])
    assert "num_ctx" in raised.value.remedy


async def test_a_server_that_is_down_and_a_path_that_is_wrong_are_told_apart(address: str, key: str) -> None:
    async with models(f"http://127.0.0.1:{free_port()}/v1") as opened:
        with pytest.raises(ModelUnavailable, match="Nothing answers"):
            await opened.text("worker", [HumanMessage("Hi.")])
    async with models(address.replace("/v1", "/v7"), api_key_env=key) as opened:
        with pytest.raises(ModelMissing, match="base_url"):
            await opened.text("worker", [HumanMessage("Hi.")])


class Schemaless(BaseHTTPRequestHandler):
    """Refuses `response_format`, and otherwise repeats which schema it was told in words."""

    prompts: list[str] = []

    def log_message(self, format: str, *args: object) -> None:
        """Keep standard error for real problems."""

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if "response_format" in request:
            self._answer(400, {"error": {"message": "response_format is not supported"}})
            return
        self.prompts.append(json.dumps(request["messages"]))
        said = {"role": "assistant", "content": 'Here you are: {"colour": "green"}'}
        choice = {"index": 0, "message": said, "finish_reason": "stop"}
        usage = {"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13}
        self._answer(
            200,
            {
                "id": "1",
                "object": "chat.completion",
                "created": 1,
                "model": "m",
                "choices": [choice],
                "usage": usage,
            },
        )

    def _answer(self, status: int, value: object) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


async def test_a_server_without_schemas_is_told_the_schema_in_words() -> None:
    with HTTPServer(("127.0.0.1", 0), Schemaless) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        async with models(f"http://127.0.0.1:{server.server_address[1]}/v1") as opened:
            replies = [await opened.structured("worker", [HumanMessage("Grass?")], Colour) for _ in range(2)]
        server.shutdown()
    assert [(reply.value.colour, reply.rung) for reply in replies] == [("green", "parsed")] * 2
    assert len(Schemaless.prompts) == 2 and all("JSON schema" in prompt for prompt in Schemaless.prompts)
