"""The engines as an MCP server, asked by the protocol's own client through pipes and through HTTP."""

from __future__ import annotations

import asyncio
import json
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import pytest
from mcp import Client, MCPError

from tests.support.mcp_serving import (
    LONG,
    Era,
    Told,
    command,
    environment,
    http_server,
    raw,
    received,
    script,
    send,
    shake_hands,
    stdio,
)
from tests.support.processes import ROOT, free_port, reflect, wait_until
from tests.tools.places import living

pytestmark = pytest.mark.integration

QUESTION = "How many python files are there?"
COUNTED = "There are 10 *.py files."
# No recipe covers these goals, so the planner must.
PLANNED = "which captain's ship is Boreas moored with, judging by flag, in data/ships.csv"
CHANGE = "delete data/empty.txt and create the file notes.txt with something new in it"
LOOK = {"description": "find the ship", "command": "grep Boreas data/ships.csv"}
SUM = {"description": "sum", "command": "sha256sum hole.bin"}
DELETE = {"description": "delete", "tool": "delete", "args": {"path": "data/empty.txt"}}
WRITE = {"description": "write", "tool": "write_file", "args": {"path": "notes.txt", "content": "new\n"}}
PASSED = {"passed": True, "reason": "the row says so", "confidence": 0.9}
# The sum of a hole this large takes minutes, and the hole takes no space.
HOLE = 2**36
DOORS: list[tuple[str, Era]] = [
    ("stdio", "auto"),
    ("stdio", "legacy"),
    ("http", "auto"),
    ("http", "legacy"),
]
TOOLS = {"ask", "research", "think", "search_experience", "audit"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, built: Path) -> Path:
    """A project of servers that no test writes to."""
    return Path(shutil.copytree(built, tmp_path_factory.mktemp("served") / "project", symlinks=True))


@pytest.fixture(scope="module")
def listening(served: Path) -> Iterator[str]:
    """The address of a server that all may ask who change nothing."""
    with http_server(served, quick(served)) as (_, address):
        yield address


@pytest.fixture
def docs(project: Path) -> Path:
    """Documents of a folder, one of which answers."""
    folder = project / "docs" / "harbour"
    folder.mkdir(parents=True)
    (folder / "ferry.md").write_text("# Ferry\n\nThe ferry terminal opens in 2027, the harbour board says.\n")
    return folder


def quick(project: Path, **roles: Any) -> str:
    """Replies at once: a plan, an answer, samples that agree."""
    given = {
        "classifier": {"complexity": "moderate"},
        "planner": {"objective": "look", "steps": [LOOK]},
        "worker": "The answer is 4.",
        "verifier": PASSED,
        **roles,
    }
    return script(project.parent, **given)


def slow(project: Path) -> str:
    """Replies only after the test is over."""
    late = {"delay": LONG, "reply": "The answer is 4."}
    return script(project.parent, classifier=late, planner=late, worker=late, verifier=late)


def summing(project: Path) -> str:
    """A plan whose second step runs a program for minutes."""
    with (project / "hole.bin").open("wb") as stream:
        stream.truncate(HOLE)
    return quick(project, planner={"objective": "look", "steps": [LOOK, SUM]})


def programs(project: Path) -> list[str]:
    """Living programs that work on the hole below the root."""
    return [line for line in living("hole.bin") if str(project) in line]


def servers(project: Path) -> list[str]:
    return [line for line in living(str(project)) if "cli.main" in line]


@asynccontextmanager
async def connected(door: str, era: Era, root: Path, model: str, **variables: str) -> AsyncIterator[Client]:
    if door == "stdio":
        async with stdio(root, model, era=era, **variables) as client:
            yield client
        return
    with http_server(root, model, **variables) as (_, address):
        async with Client(address, mode=era) as client:
            yield client


@pytest.fixture(params=DOORS, ids=" ".join)
def door(request: pytest.FixtureRequest) -> tuple[str, Era]:
    found: tuple[str, Era] = request.param
    return found


# What is offered and given


async def test_every_tool_is_listed_with_a_schema_for_what_it_takes_and_one_for_what_it_gives(
    served: Path, listening: str, door: tuple[str, Era]
) -> None:
    way, era = door
    made = Client(listening, mode=era) if way == "http" else stdio(served, quick(served), era=era)
    async with made as client:
        listed = (await client.list_tools()).tools
        assert {tool.name for tool in listed} == TOOLS
        for tool in listed:
            assert tool.output_schema is not None and tool.description and "Use it" in tool.description
            for schema in (tool.input_schema, tool.output_schema):
                jsonschema.Draft202012Validator.check_schema(schema)
                assert schema["type"] == "object" and schema["properties"]
            assert tool.input_schema["additionalProperties"] is False
        assert "waiting_for" in (client.instructions or "")


async def test_each_tool_gives_what_its_schema_promises_and_tells_of_its_progress_before(
    project: Path, docs: Path, door: tuple[str, Era]
) -> None:
    calls = {
        "ask": {"goal": QUESTION},
        "research": {"query": "When does the ferry terminal open?", "corpus": "docs/harbour"},
        "think": {"question": "What is 2 + 2?", "context": "Sums are of integers.", "preset": "fast"},
        "search_experience": {"query": QUESTION, "limit": 3},
        "audit": {"path": ".", "kernel": "ast_scan"},
    }
    async with connected(*door, project, quick(project)) as client:
        schemas = {tool.name: tool.output_schema for tool in (await client.list_tools()).tools}
        given, told, counts = {}, {}, {}
        for name, arguments in calls.items():
            told[name] = Told()
            result = await client.call_tool(name, arguments, progress_callback=told[name])
            counts[name] = len(told[name].lines)
            assert not result.is_error, result.content
            jsonschema.validate(result.structured_content, schemas[name] or {})
            given[name] = (result.structured_content, result.content[0].text)  # type: ignore[union-attr]
    assert counts == {name: len(one.lines) for name, one in told.items()}, "told after the result"
    numbers = {name: [number for number, _ in one.lines] for name, one in told.items()}
    assert all(one == sorted(set(one)) for one in numbers.values())
    assert all(len(numbers[name]) > 3 for name in ("ask", "research", "think"))
    assert "CLASSIFY" in told["ask"].text and "step 1/1" in told["ask"].text
    assert "ANALYST" in told["research"].text and "pass 1" in told["think"].text
    structured, text = given["ask"]
    assert structured["answer"] == COUNTED and text.startswith(f"{COUNTED}\n\nEvidence:\n  $ find ")
    assert structured["thread_id"] in told["ask"].text
    structured, text = given["audit"]
    assert sum(one["language"] == "python" for one in structured["scan"]["modules"]) == 10
    assert structured["scan"]["functions"] and not structured["risk"]["files"] and "risk" in text
    structured, text = given["research"]
    assert structured["status"] == "reported" and "opens in 2027" in structured["items"][0]["description"]
    assert "opens in 2027" in text
    structured, text = given["think"]
    assert (structured["short_answer"], structured["status"]) == ("4", "answered") and text.startswith("4\n")
    structured, text = given["search_experience"]
    assert [record["goal"] for record in structured["records"]] == [QUESTION] and QUESTION in text


async def test_a_result_has_the_fields_that_the_command_line_prints(project: Path, docs: Path) -> None:
    model = quick(project)
    where = ("--root", str(project), "--model", model, "--json", "--quiet")
    async with stdio(project, model) as client:
        asked = (await client.call_tool("ask", {"goal": QUESTION})).structured_content
        thought = (await client.call_tool("think", {"question": "What is 2 + 2?"})).structured_content
        found = (
            await client.call_tool("research", {"query": "ferry terminal", "corpus": "docs"})
        ).structured_content
        records = (await client.call_tool("search_experience", {"query": QUESTION})).structured_content
    assert asked and thought and found and records
    printed = json.loads(reflect("ask", QUESTION, *where, home=project.parent).stdout)
    assert {name: type(value) for name, value in printed.items()} == {
        name: type(value) for name, value in asked.items()
    }
    assert [printed[name] for name in ("answer", "status", "model", "complexity")] == [
        asked[name] for name in ("answer", "status", "model", "complexity")
    ]
    printed = json.loads(reflect("think", "What is 2 + 2?", *where, home=project.parent).stdout)
    assert printed.keys() == thought.keys() and printed["clusters"] == thought["clusters"]
    done = reflect("research", "ferry terminal", "--corpus", str(docs.parent), *where, home=project.parent)
    (item,) = json.loads(done.stdout)
    assert item["description"] == found["items"][0]["description"]
    search = ("experience", "search", QUESTION, "--root", str(project), "--json")
    printed = json.loads(reflect(*search, home=project.parent).stdout)
    assert records["records"][0].keys() == printed[0].keys()


def test_nothing_but_messages_comes_out_and_progress_only_to_who_asks_for_it(project: Path) -> None:
    with raw(project, quick(project)) as process:
        shake_hands(process)
        send(process, "tools/call", 2, name="ask", arguments={"goal": QUESTION})
        quiet = received(process)
        assert quiet["id"] == 2 and quiet["result"]["structuredContent"]["answer"] == COUNTED
        send(process, "tools/call", 3, name="ask", arguments={"goal": QUESTION}, _meta={"progressToken": "p"})
        lines = [received(process)]
        while "id" not in lines[-1]:
            lines.append(received(process))
        *progress, result = lines
        assert result["id"] == 3 and not result["result"]["isError"]
        numbers = [one["params"]["progress"] for one in progress]
        assert len(numbers) > 3 and numbers == sorted(set(numbers))
        assert {one["params"]["progressToken"] for one in progress} == {"p"}
        assert process.stdin is not None and process.stdout is not None
        process.stdin.close()
        assert process.stdout.read() == "" and process.wait(30) == 0


def test_what_anybody_prints_goes_to_standard_error(tmp_path: Path) -> None:
    code = (
        "import os, subprocess, sys; from cli.mcp_server.stdio import claimed; wire = claimed(); "
        "print('printed', flush=True); os.write(1, b'written '); "
        "subprocess.run(['sh', '-c', 'echo child; cat; echo end']); import asyncio; "
        "asyncio.run(wire.write('message')); asyncio.run(wire.flush())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=environment(tmp_path),
        input="for the client's ears only\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout == "message" and done.stderr == "printed\nwritten child\nend\n"


# Calls that are ended


async def test_a_cancelled_call_ends_its_programs_and_its_thread_can_be_gone_on_with(
    project: Path, door: tuple[str, Era]
) -> None:
    told = Told()
    async with connected(*door, project, summing(project)) as client:
        calling = asyncio.create_task(client.call_tool("ask", {"goal": PLANNED}, progress_callback=told))
        assert await asyncio.to_thread(wait_until, 120, lambda: programs(project)), told.text
        calling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await calling
        assert await asyncio.to_thread(wait_until, 30, lambda: not programs(project)), programs(project)
        again = await client.call_tool("ask", {"goal": QUESTION})
        assert again.structured_content and again.structured_content["answer"] == COUNTED
    (project / "hole.bin").write_bytes(b"")
    done = await asyncio.to_thread(reflect, *told.go_on, "--json", "--quiet", home=project.parent)
    report = json.loads(done.stdout)
    assert [step["status"] for step in report["steps"]] == ["success", "success"], done.stderr


async def test_several_calls_run_at_once_and_those_beyond_the_bound_wait_for_their_turn(
    project: Path, door: tuple[str, Era]
) -> None:
    async with connected(*door, project, slow(project)) as client:
        told = [Told() for _ in range(6)]
        calls = [
            asyncio.create_task(
                client.call_tool("think", {"question": f"What is {n} + {n}?"}, progress_callback=told[n])
            )
            for n in range(6)
        ]

        def counted(words: str) -> int:
            return sum(words in one.text for one in told)

        async def becomes(words: str, wanted: int) -> bool:
            for _ in range(1200):
                if counted(words) == wanted:
                    return True
                await asyncio.sleep(0.1)
            return False

        assert await becomes("thread think-", 4) and await becomes("waits for its turn", 2)
        next(call for call, one in zip(calls, told, strict=True) if "thread think-" in one.text).cancel()
        assert await becomes("thread think-", 5)
        for call in calls:
            call.cancel()
        await asyncio.gather(*calls, return_exceptions=True)
        listed = await client.list_tools()
        assert {tool.name for tool in listed.tools} == TOOLS


@pytest.mark.parametrize("era", ["auto", "legacy"])
@pytest.mark.parametrize("way", ["stdio", "http"])
def test_a_client_that_dies_leaves_no_program_behind(project: Path, way: str, era: Era) -> None:
    model = summing(project)
    text = """
import asyncio, sys
from pathlib import Path
from mcp import Client
from tests.support.mcp_serving import stdio
async def main(root, model, era, address):
    made = Client(address, mode=era) if address else stdio(Path(root), model, era=era)
    async with made as client:
        await client.call_tool("ask", {"goal": sys.argv[5]})
asyncio.run(main(*sys.argv[1:5]))
"""

    def killed(address: str) -> None:
        words = [sys.executable, "-c", text, str(project), model, era, address, PLANNED]
        client = subprocess.Popen(words, cwd=ROOT, env=environment(project.parent))
        try:
            assert wait_until(120, lambda: programs(project))
        finally:
            client.kill()
            client.wait(30)
        assert wait_until(30, lambda: not programs(project)), programs(project)

    if way == "stdio":
        killed("")
        assert wait_until(60, lambda: not servers(project)), servers(project)
        return
    with http_server(project, model) as (process, address):
        killed(address)
        assert process.poll() is None


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_ends_the_calls_each_with_a_result_and_then_the_server(
    project: Path, sent: signal.Signals, code: int
) -> None:
    with raw(project, summing(project)) as process:
        shake_hands(process)
        send(process, "tools/call", 2, name="ask", arguments={"goal": PLANNED})
        assert wait_until(120, lambda: programs(project))
        process.send_signal(sent)
        result = received(process)["result"]
        assert result["isError"] and sent.name in result["content"][0]["text"]
        assert (
            "reflect resume ask-" in result["content"][0]["text"]
            and str(project) in result["content"][0]["text"]
        )
        assert process.wait(30) == code
        assert process.stderr is not None and "Traceback" not in process.stderr.read()
    assert wait_until(30, lambda: not programs(project)), programs(project)


@pytest.mark.parametrize("era", ["auto", "legacy"])
async def test_a_signal_ends_a_server_behind_http_too(project: Path, era: Era) -> None:
    with http_server(project, summing(project)) as (process, address):
        async with Client(address, mode=era) as client:
            calling = asyncio.create_task(client.call_tool("ask", {"goal": PLANNED}))
            assert await asyncio.to_thread(wait_until, 120, lambda: programs(project))
            process.terminate()
            result = await calling
            assert result.is_error and "Go on with: reflect resume ask-" in str(result.content)
        assert await asyncio.to_thread(process.wait, 30) == 143
        assert process.stderr is not None
        said = process.stderr.read()
        assert "Traceback" not in said and "ERROR" not in said
    assert wait_until(30, lambda: not programs(project)), programs(project)


def test_a_client_that_does_not_read_cannot_keep_the_server_from_ending(project: Path) -> None:
    with raw(project, quick(project)) as process:
        shake_hands(process)
        for number in range(2, 60):
            send(process, "tools/list", number)
        process.terminate()
        assert process.wait(20) == 143


# Whom it waits for


@pytest.mark.parametrize("standing", ["ask", "yes"])
async def test_a_change_waits_for_a_person_whatever_the_settings_allow(
    project: Path, standing: str, door: tuple[str, Era]
) -> None:
    model = quick(project, planner={"objective": "x", "steps": [DELETE, WRITE]})
    variables = {"REFLECT_TOOLS__APPROVAL": standing, "REFLECT_PROFILE": "dev"}
    async with connected(*door, project, model, **variables) as client:
        result = await client.call_tool("ask", {"goal": CHANGE})
    assert not result.is_error and result.structured_content
    (question,) = result.structured_content["waiting_for"]
    assert question["tool"] == "delete" and result.structured_content["answer"] is None
    note = result.structured_content["notes"][-1]
    assert "was not made" in note and "it has not been made" in result.content[0].text  # type: ignore[union-attr]
    assert (project / "data" / "empty.txt").exists() and not (project / "notes.txt").exists()
    words = note.split("goes on with: reflect ")[1].split()
    done = await asyncio.to_thread(reflect, *words, "--yes", home=project.parent)
    assert done.returncode == 0, done.stderr
    assert not (project / "data" / "empty.txt").exists() and (project / "notes.txt").read_text() == "new\n"


# What is refused


BAD: list[tuple[str, dict[str, Any], str]] = [
    ("ask", {"goal": ""}, "The goal is empty"),
    ("ask", {"goal": " \n\t"}, "The goal is empty"),
    ("ask", {"goal": "x" * 1_000_000}, "1000000 characters"),
    ("ask", {"goal": 7}, "goal: Input should be a valid string"),
    ("ask", {"goal": None}, "goal: Input should be a valid string"),
    ("ask", {}, "goal: Field required"),
    ("ask", {"goal": "x", "root": "/"}, "root: Extra inputs are not permitted"),
    ("think", {"question": ""}, "the question is empty"),
    ("think", {"question": "x" * 1_000_000}, "1000000 characters"),
    ("think", {"question": "x", "context": "y" * 1_000_000}, "1000000 characters"),
    ("think", {"question": "x", "preset": "quickest"}, "preset: Input should be 'factual'"),
    ("research", {"query": ""}, "the query is empty"),
    ("research", {"query": "x" * 1_000_000}, "1000000 characters"),
    ("research", {"query": "x", "mode": "loose"}, "mode: Input should be 'strict'"),
    ("research", {"query": "x", "corpus": "/etc"}, "not below the root"),
    ("research", {"query": "x", "corpus": "../.."}, "not below the root"),
    ("research", {"query": "x", "corpus": "docs/../../.."}, "not below the root"),
    ("research", {"query": "x", "corpus": "~"}, "not below the root"),
    ("research", {"query": "x", "corpus": "chroma:/etc#c"}, "not below the root"),
    ("research", {"query": "x", "corpus": "out"}, "not below the root"),
    ("research", {"query": "x", "corpus": "out/deeper"}, "not below the root"),
    ("research", {"query": "x", "corpus": "a\0b"}, "not below the root"),
    ("research", {"query": "x", "corpus": "nowhere"}, "does not exist"),
    ("research", {"query": "x", "corpus": "mcp:none"}, "No MCP server is called"),
    ("search_experience", {"query": ""}, "the query is empty"),
    ("search_experience", {"query": "x", "limit": 0}, "limit: Input should be greater"),
    ("search_experience", {"query": "x", "limit": "3"}, "limit: Input should be a valid integer"),
    ("search_experience", {"query": "x", "limit": True}, "limit: Input should be a valid integer"),
]


async def test_bad_arguments_are_errors_that_say_what_to_do_and_the_server_goes_on(
    project: Path, door: tuple[str, Era]
) -> None:
    outside = project.parent / "outside"
    (outside / "deeper").mkdir(parents=True)
    (project / "out").symlink_to(outside)
    async with connected(*door, project, quick(project)) as client:
        for name, arguments, told in BAD:
            result = await client.call_tool(name, arguments)
            text = result.content[0].text  # type: ignore[union-attr]
            assert result.is_error and told in text, (name, str(arguments)[:80], text[:300])
            assert "\n" in text.strip() and len(text) < 2500, text
        with pytest.raises(MCPError, match="there are: ask, research, think, search_experience, audit"):
            await client.call_tool("audit_everything", {})
        asked = await client.call_tool("ask", {"goal": QUESTION})
        assert asked.structured_content and asked.structured_content["answer"] == COUNTED


async def test_a_model_that_cannot_be_used_is_an_error_with_its_remedy(
    project: Path, door: tuple[str, Era]
) -> None:
    async with connected(*door, project, f"scripted:{project}/none.yaml") as client:
        for name, arguments in (("ask", {"goal": PLANNED}), ("think", {"question": "What is 2 + 2?"})):
            result = await client.call_tool(name, arguments)
            assert result.is_error and "none.yaml" in str(result.content), result


@pytest.fixture(scope="module")
def speaking(served: Path) -> Iterator[subprocess.Popen[str]]:
    with raw(served, quick(served)) as process:
        shake_hands(process)
        yield process


@pytest.mark.parametrize(
    "line", ["no json", "{}", '{"jsonrpc": "2.0"}', '{"jsonrpc":"2.0","id":7,"method":"no/such"}']
)
def test_a_line_that_is_no_message_disturbs_no_other(speaking: subprocess.Popen[str], line: str) -> None:
    assert speaking.stdin is not None
    speaking.stdin.write(line + "\n")
    send(speaking, "tools/list", 9)
    answers = [received(speaking)]
    while answers[-1].get("id") != 9:
        answers.append(received(speaking))
    assert {tool["name"] for tool in answers[-1]["result"]["tools"]} == TOOLS


# Who comes in over HTTP


def posted(address: str, **headers: str) -> httpx.Response:
    sent = {"accept": "application/json, text/event-stream", **headers}
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"},
        },
    }
    return httpx.post(address, headers=sent, json=message)


def test_other_names_and_pages_of_other_sites_are_refused(listening: str) -> None:
    port = listening.rsplit(":", 1)[1].removesuffix("/mcp")
    assert posted(listening).status_code == 200
    assert posted(listening, host=f"localhost:{port}", origin=f"http://localhost:{port}").status_code == 200
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1:1", f"127.0.0.1.evil.example:{port}"):
        assert posted(listening, host=host).status_code == 421, host
    for origin in ("http://evil.example", "null", f"https://127.0.0.1:{port}", "http://127.0.0.1:1"):
        assert posted(listening, origin=origin).status_code == 403, origin
    assert httpx.get(listening.replace("/mcp", "/other")).status_code == 404


@pytest.mark.parametrize("era", ["auto", "legacy"])
async def test_a_token_is_asked_for_and_never_shown(project: Path, era: Era) -> None:
    token = "xyzzy-plugh-1843"
    flags = ("--host", "0.0.0.0", "--token-env", "LIGHTHOUSE", "--allow-host", "lighthouse.example")
    with http_server(project, quick(project), *flags, LIGHTHOUSE=token) as (process, address):
        here = address.replace("0.0.0.0", "127.0.0.1")
        for wrong in (
            {},
            {"authorization": "Bearer wrong"},
            {"authorization": token},
        ):
            assert posted(here, **wrong).status_code == 401, wrong
        shown = {"authorization": f"Bearer {token}"}
        assert posted(here, **shown).status_code == 200
        assert posted(here, host="lighthouse.example", **shown).status_code == 200
        assert posted(here, host="evil.example", **shown).status_code == 421
        from mcp.client.streamable_http import streamable_http_client
        from mcp.shared._httpx_utils import create_mcp_http_client

        async with create_mcp_http_client(headers=shown) as http:
            async with Client(streamable_http_client(here, http_client=http), mode=era) as client:
                result = await client.call_tool("ask", {"goal": QUESTION})
                assert result.structured_content and result.structured_content["answer"] == COUNTED
        process.terminate()
        await asyncio.to_thread(process.wait, 30)
        assert process.stderr is not None and token not in process.stderr.read() + address


def test_a_taken_port_and_an_open_door_are_one_message_each(project: Path) -> None:
    def refused(*flags: str, **variables: str) -> str:
        words = command(project, "embedded", "--http", *flags)
        done = subprocess.run(
            words,
            cwd=ROOT,
            env=environment(project.parent, **variables),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert (done.returncode, done.stdout) == (2, "") and "Traceback" not in done.stderr
        return done.stderr

    with socket.create_server(("127.0.0.1", free_port())) as taken:
        assert "cannot listen" in refused("--port", str(taken.getsockname()[1]))
    assert "--token-env" in refused("--host", "0.0.0.0")
    assert "holds no token" in refused("--host", "0.0.0.0", "--token-env", "LIGHTHOUSE")
    assert "holds no token" in refused("--token-env", "LIGHTHOUSE", LIGHTHOUSE=" ")
    assert "cannot listen" in refused("--host", "host.invalid", "--token-env", "LIGHTHOUSE", LIGHTHOUSE="x")
