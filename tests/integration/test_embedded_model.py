"""The embedded model: its weights on disk, its engine, its replies, its port."""

import asyncio
import json
import os
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Literal

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from pydantic import BaseModel

from configs.settings import Settings
from models.embedded import EmbeddedChatModel
from models.embedded_engine import open_engine
from models.embedded_weights import SHIPPED_BYTES, embedded_status, weights_path
from models.errors import ModelFailed, ModelRequestRefused, ModelTimeout
from models.identifiers import SHIPPED, ModelId
from models.roles import RoleModels
from models.selection import ModelChoice
from tests.support.ollama_server import weights
from tests.support.processes import ROOT

pytestmark = pytest.mark.integration
SHOTS: list[BaseMessage] = [
    SystemMessage("Label each request."),
    HumanMessage("what is a linked list?"),
    AIMessage('{"complexity": "bypass"}'),
    HumanMessage("how many lines does notes.txt have?"),
    AIMessage('{"complexity": "simple"}'),
    HumanMessage("what is a queue?"),
    AIMessage('{"complexity": "bypass"}'),
    HumanMessage("how many lines does todo.txt have?"),
    AIMessage('{"complexity": "simple"}'),
]
ASSEMBLE = "from models.embedded_weights import weights_path; print(weights_path('gemma-3-270m'))"


class Label(BaseModel):
    complexity: Literal["bypass", "simple", "moderate", "complex"]


def opened(name: str, **default: object) -> RoleModels:
    settings = Settings.model_validate(
        {"models": {"default": {"num_ctx": 1024, "max_tokens": 32, **default}}}
    )
    return RoleModels(settings, ModelChoice(ModelId("embedded", name), "test"))


@pytest.fixture(params=["shipped base model", "a GGUF with a chat template"])
def name(request: pytest.FixtureRequest) -> str:
    return SHIPPED if request.param == "shipped base model" else str(weights())


async def test_a_reply_keeps_to_the_schema_and_is_counted(name: str) -> None:
    reply = await opened(name).structured("classifier", [*SHOTS, HumanMessage("what is a closure?")], Label)
    assert reply.rung == "native" and reply.usage.calls == 1
    assert reply.usage.prompt_tokens > 20 and reply.usage.completion_tokens > 3


async def test_the_shipped_model_follows_close_examples() -> None:
    models = opened(SHIPPED)
    asked = {"what is a linked list?": "bypass", "how many lines does todo.txt have?": "simple"}
    for goal, label in asked.items():
        reply = await models.structured("classifier", [*SHOTS, HumanMessage(goal)], Label)
        assert reply.value.complexity == label


async def test_the_same_question_has_the_same_answer(name: str) -> None:
    models = opened(name)
    replies = [
        await models.text("worker", [HumanMessage("Count: one, two,")], max_tokens=8) for _ in range(2)
    ]
    assert replies[0].text == replies[1].text and replies[0].usage.completion_tokens <= 8


async def test_a_stream_arrives_in_parts_and_ends_with_the_usage(name: str) -> None:
    model = EmbeddedChatModel(name_or_path=name, context=1024)
    chunks = [chunk async for chunk in model.astream([HumanMessage("Count: one, two,")], max_tokens=6)]
    whole = await model.ainvoke([HumanMessage("Count: one, two,")], max_tokens=6)
    assert len([chunk for chunk in chunks if chunk.text]) > 1
    assert "".join(chunk.text for chunk in chunks).strip() == whole.text
    counted = [chunk.usage_metadata for chunk in chunks if chunk.usage_metadata]
    assert len(counted) == 1 and counted[0]["output_tokens"] == 6


async def test_a_timeout_frees_the_engine_for_the_next_call() -> None:
    slow = opened(str(weights()), timeout=0.5, max_tokens=500)
    with pytest.raises(ModelTimeout):
        await slow.text("worker", [HumanMessage("Write a very long story about a river.")])
    async with asyncio.timeout(10):
        reply = await opened(str(weights())).text("worker", [HumanMessage("Hi.")], max_tokens=1)
    assert reply.usage.completion_tokens == 1


async def test_calls_at_once_take_turns() -> None:
    models = opened(str(weights()))
    replies = await asyncio.gather(
        *(models.text("worker", [HumanMessage(f"Say {number}.")], max_tokens=4) for number in range(4))
    )
    assert all(reply.usage.completion_tokens for reply in replies)


def test_a_call_that_was_given_up_while_it_waited_is_not_made() -> None:
    stopped = threading.Event()
    stopped.set()
    made = open_engine(str(weights()), 1024).run({"prompt": "x", "n_predict": 5}, stopped)
    assert made.text == "" and made.completion_tokens == 0


def test_a_prompt_beyond_the_window_is_refused_and_says_by_how_much() -> None:
    with pytest.raises(ModelRequestRefused, match=r"1024 tokens.*num_ctx"):
        EmbeddedChatModel(name_or_path=str(weights()), context=1024).invoke([HumanMessage("word " * 3000)])


def test_the_engine_is_loaded_once_per_file_and_window() -> None:
    assert open_engine(str(weights()), 1024) is open_engine(str(weights()), 1024)


@pytest.mark.parametrize(
    "path", ["/completion", "/v1/chat/completions", "/props", "/slots", "/v1/models", "/tokenize"]
)
@pytest.mark.parametrize("key", [None, "guess"])
def test_the_engines_port_answers_nobody_without_its_key(path: str, key: str | None) -> None:
    address = open_engine(str(weights()), 1024).address
    assert address.startswith("http://127.0.0.1:")
    body = (
        None
        if path in ("/props", "/slots", "/v1/models")
        else b'{"prompt": "Hi", "content": "Hi", "messages": []}'
    )
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
    with pytest.raises(urllib.error.HTTPError) as raised:
        urllib.request.urlopen(urllib.request.Request(address + path, body, headers), timeout=10)
    raised.value.close()
    assert raised.value.code == 401


def run_python(code: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_damaged_file_is_an_error_of_ours_and_nothing_on_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "damaged.gguf"
    file.write_bytes(weights().read_bytes()[:200_000])
    with pytest.raises(ModelFailed, match="damaged"):
        open_engine(str(file), 512)
    code = (
        "import sys; from models.embedded_engine import open_engine\n"
        f"open_engine({str(weights())!r}, 512).run({{'prompt': 'Hi', 'n_predict': 2}})\n"
        f"try: open_engine({str(file)!r}, 512)\n"
        "except Exception as error: print(type(error).__name__)"
    )
    done = run_python(code)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ModelFailed\n", "")


def test_two_processes_at_once_assemble_one_whole_file(tmp_path: Path) -> None:
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    started = [
        subprocess.Popen(
            [sys.executable, "-c", ASSEMBLE], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
        )
        for _ in range(3)
    ]
    paths = {process.communicate(timeout=120)[0].strip() for process in started}
    assert [process.returncode for process in started] == [0, 0, 0] and len(paths) == 1
    file = Path(paths.pop())
    assert file.stat().st_size == SHIPPED_BYTES
    assert [path.name for path in file.parent.glob("*.part")] == []
    stamp = json.loads(next(file.parent.glob("*.json")).read_text("utf-8"))
    assert stamp["mtime_ns"] == file.stat().st_mtime_ns


@pytest.mark.parametrize("trouble", ["full", "a file in the way"])
def test_a_cache_that_cannot_be_written_says_how_much_is_needed_where(trouble: str, tmp_path: Path) -> None:
    place = tmp_path / "cache"
    if trouble == "a file in the way":
        place.write_text("", "utf-8")
    # A limit on file size fails the write as a full disk does, on every machine.
    limit = (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (2**20, 2**20)); "
        if trouble == "full"
        else ""
    )
    done = run_python(
        f"{limit}\nfrom models.errors import ModelUnavailable\n"
        f"try:\n    {ASSEMBLE.replace('; ', chr(10) + '    ')}\n"
        "except ModelUnavailable as error:\n    print(error)",
        XDG_CACHE_HOME=str(place),
    )
    assert "needs 253 MB" in done.stdout and str(place) in done.stdout and "XDG_CACHE_HOME" in done.stdout
    assert list(tmp_path.rglob("*.gguf")) == [] and list(tmp_path.rglob("*.part")) == []


def test_weights_that_were_verified_are_not_hashed_again() -> None:
    weights_path(SHIPPED)
    started = time.process_time()
    for _ in range(20):
        weights_path(SHIPPED)
    # One hash of 253 MB takes more processor time than this.
    assert time.process_time() - started < 0.1


def test_the_embedded_model_is_installed_for_these_tests() -> None:
    assert embedded_status() is None
