"""langchain-ollama against a live model over the wire, and against every way a server fails."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from langchain_core.messages import HumanMessage
from langchain_ollama import ChatOllama
from pydantic import BaseModel

from configs.settings import Settings
from models.embeddings import open_embedder
from models.errors import ModelError, ModelFailed, ModelMissing, ModelTimeout, ModelUnavailable
from models.identifiers import ModelId
from models.ollama_health import can_chat, ollama_status
from models.providers import close_model
from models.roles import RoleModels
from models.selection import ModelChoice, choose_model
from tests.support.ollama_server import EMBEDDER, MODEL
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
    assert isinstance(reply.value.colour, str) and reply.rung in ("native", "parsed")


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
        ("fault-cut:latest", ModelFailed, "fault-cut"),
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
