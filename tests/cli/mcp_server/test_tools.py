"""Each tool with a scripted model, in this process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp_types import CallToolResult

from cli import think_running
from cli.mcp_server.calls import Calls
from cli.mcp_server.engine_tool import Site
from cli.mcp_server.protocol import server_of
from tests.cli import thinking
from tests.cli.conftest import Scripted

QUESTION = "How many python files are there?"
COUNTED = "There are 10 *.py files."
# What the file is to hold is left open, so a planner is asked.
CHANGE = "delete data/empty.txt and create the file notes.txt with something new in it"
DELETE = {"description": "delete", "tool": "delete", "args": {"path": "data/empty.txt"}}
WRITE = {"description": "write", "tool": "write_file", "args": {"path": "notes.txt", "content": "new\n"}}
PASSED = {"passed": True, "reason": "done", "confidence": 0.9}


@asynccontextmanager
async def client(root: Path, model: str) -> AsyncIterator[Client]:
    async with Client(server_of(Site(root.resolve(), model), Calls())) as connected:
        yield connected


def text_of(result: CallToolResult) -> str:
    return str(result.content[0].text)  # type: ignore[union-attr]


def structured(result: CallToolResult) -> dict[str, Any]:
    assert result.structured_content is not None, text_of(result)
    return result.structured_content


def changing(scripted: Scripted) -> str:
    return scripted(planner=[{"objective": "x", "steps": [DELETE, WRITE]}], verifier=[PASSED])


async def test_a_question_about_files_is_answered_with_its_evidence(
    project: Path, scripted: Scripted
) -> None:
    lines: list[str] = []

    async def told(number: float, total: float | None, message: str | None) -> None:
        lines.append(message or "")

    async with client(project, scripted()) as connected:
        result = await connected.call_tool("ask", {"goal": QUESTION}, progress_callback=told)
    report = structured(result)
    assert not result.is_error and report["answer"] == COUNTED and report["evidence"]
    assert text_of(result).startswith(f"{COUNTED}\n\nEvidence:\n  $ find ")
    assert report["thread_id"] in lines[0] and f"--root {project.resolve()}" in lines[0]
    assert [line for line in lines if line.isupper()] == ["CLASSIFY", "PLAN", "EXECUTE", "RESPOND"]


@pytest.mark.parametrize("standing", ["ask", "yes"])
async def test_a_change_waits_for_a_person_even_where_the_settings_make_it_unasked(
    project: Path, scripted: Scripted, monkeypatch: pytest.MonkeyPatch, standing: str
) -> None:
    monkeypatch.setenv("REFLECT_TOOLS__APPROVAL", standing)
    async with client(project, changing(scripted)) as connected:
        result = await connected.call_tool("ask", {"goal": CHANGE})
    report = structured(result)
    assert not result.is_error and [one["tool"] for one in report["waiting_for"]] == ["delete"]
    assert report["answer"] is None and report["status"] == "running"
    go_on = f"reflect resume {report['thread_id']} --root {project.resolve()}"
    assert "it has not been made" in text_of(result) and go_on in text_of(result)
    assert "the change was not made" in report["notes"][-1] and go_on in report["notes"][-1]
    assert (project / "data" / "empty.txt").exists() and not (project / "notes.txt").exists()


async def test_a_dry_run_that_the_settings_ask_for_stays_one(
    project: Path, scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFLECT_TOOLS__APPROVAL", "dry_run")
    async with client(project, changing(scripted)) as connected:
        report = structured(await connected.call_tool("ask", {"goal": CHANGE}))
    assert report["waiting_for"] == [] and report["stop_reason"] == "dry_run"
    assert (project / "data" / "empty.txt").exists() and not (project / "notes.txt").exists()


async def test_nobody_at_the_servers_own_terminal_is_asked(
    project: Path, scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cli import running

    def asked() -> bool:
        raise AssertionError("somebody was looked for")

    for module in (running, think_running):
        monkeypatch.setattr(module, "can_ask", asked)
    async with client(project, changing(scripted)) as connected:
        report = structured(await connected.call_tool("ask", {"goal": CHANGE}))
    assert report["waiting_for"]


async def test_an_answer_that_could_not_be_found_is_no_error_and_says_so(
    project: Path, scripted: Scripted
) -> None:
    async with client(project, scripted(planner=[{"error": "garbage"}] * 9)) as connected:
        result = await connected.call_tool("ask", {"goal": "who is the tallest captain, judging by mood"})
    assert not result.is_error and structured(result)["status"] == "could_not"


async def test_a_thought_says_how_sure_it_is(home: Path, tmp_path: Path) -> None:
    root = thinking.plain_project(tmp_path)
    async with client(root, thinking.script(tmp_path, "sure")) as connected:
        result = await connected.call_tool("think", {"question": thinking.SUM, "preset": "fast"})
    assert not result.is_error and structured(result)["status"] == "answered"
    assert text_of(result).startswith("4\n") and "the samples agree" in text_of(result)


async def test_a_thought_in_doubt_is_told_as_such(home: Path, tmp_path: Path) -> None:
    root = thinking.plain_project(tmp_path)
    async with client(root, thinking.script(tmp_path, "torn")) as connected:
        result = await connected.call_tool("think", {"question": thinking.SUM, "preset": "fast"})
    assert not result.is_error and structured(result)["status"] == "uncertain"
    assert "Uncertain:" in text_of(result)


async def test_an_ambiguous_question_waits_with_its_readings(home: Path, tmp_path: Path) -> None:
    root = thinking.plain_project(tmp_path, normalize="model", clarify=True)
    async with client(root, thinking.script(tmp_path, "ambiguous")) as connected:
        result = await connected.call_tool("think", {"question": thinking.BANK, "preset": "factual"})
    report = structured(result)
    assert not result.is_error and report["answer"] == "" and len(report["waiting_for"]) == 1
    assert all(reading in text_of(result) for reading in thinking.READINGS)
    go_on = f"reflect think --resume={report['thread_id']} --root={root.resolve()}"
    assert go_on in report["notes"][-1] and "--preset=factual --reading=NUMBER" in report["notes"][-1]


async def test_a_model_that_is_down_is_an_error_with_what_to_do(home: Path, tmp_path: Path) -> None:
    root = thinking.plain_project(tmp_path)
    async with client(root, thinking.script(tmp_path, "broken")) as connected:
        result = await connected.call_tool("think", {"question": thinking.SUM})
    assert result.is_error and "The scripted server is down." in text_of(result)
    assert structured(result)["status"] == "error"


async def test_research_reports_and_names_its_run(home: Path, tmp_path: Path, scripted: Scripted) -> None:
    (tmp_path / "root" / "docs").mkdir(parents=True)
    (tmp_path / "root" / "docs" / "ferry.md").write_text("# Ferry\n\nThe ferry terminal opens in 2027.\n")
    async with client(tmp_path / "root", "embedded") as connected:
        found = await connected.call_tool("research", {"query": "ferry terminal", "corpus": "docs"})
        nothing = await connected.call_tool("research", {"query": "price of tea", "corpus": "docs"})
        missing = await connected.call_tool("research", {"query": "ferry", "corpus": "nowhere"})
    assert not found.is_error and "opens in 2027" in text_of(found)
    assert structured(found)["status"] == "reported"
    assert structured(found)["thread_id"].startswith("research-")
    assert not nothing.is_error and structured(nothing)["status"] == "no_data"
    assert missing.is_error and "does not exist" in text_of(missing)


async def test_past_runs_are_found_as_many_as_are_wanted(project: Path, scripted: Scripted) -> None:
    async with client(project, scripted()) as connected:
        none = await connected.call_tool("search_experience", {"query": QUESTION})
        await connected.call_tool("ask", {"goal": QUESTION})
        await connected.call_tool("ask", {"goal": "How many markdown files are there?"})
        one = await connected.call_tool("search_experience", {"query": QUESTION, "limit": 1})
    assert structured(none) == {"records": []} and text_of(none) == "No experience is like that."
    (record,) = structured(one)["records"]
    assert record["goal"] == QUESTION and QUESTION in text_of(one) and 0.5 < record["score"] <= 1
