"""An MCP server that runs beside us as a source of research."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from configs.settings import Settings
from tests.support.processes import ROOT, reflect, wait_until
from tools.errors import SearchForbidden, SearchUnavailable
from tools.search.items import Item
from tools.search.opening import open_backend

pytestmark = pytest.mark.integration

DOCUMENTS = [
    {
        "id": "ferry",
        "title": "Ferry",
        "url": "https://harbour.example/ferry",
        "text": "The ferry terminal opens in 2027.",
        "site": "中央社",
        "date": "2024-06-07",
    },
    {"id": "budget/7", "title": "Budget", "text": "The ferry costs 55 million dollars."},
    {"id": "empty", "title": "Nothing about the ferry", "text": " "},
    {"id": "big", "title": "Big", "text": "ferry " * 1_200_000},
]
TEXTS = {"ferry": "The ferry terminal opens in 2027. It has four berths.", "big": "small"}


def described(folder: Path, **more: Any) -> dict[str, Any]:
    given = folder / "library.json"
    given.write_text(
        json.dumps({"documents": DOCUMENTS, "texts": TEXTS, "pid": str(folder / "pid")}), "utf-8"
    )
    # The root of the run is where the program starts, so it needs the way to our packages.
    start = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import runpy; " + (
        "runpy.run_module('tests.support.mcp_search_server', run_name='__main__', alter_sys=False)"
    )
    return {"command": [sys.executable, "-c", start, str(given)], "local": True, **more}


def settings(folder: Path, profile: str = "dev", seconds: float = 30, **server: Any) -> Settings:
    search = {"mcp": {"library": described(folder, **server)}, "timeout": seconds}
    return Settings.model_validate({"profile": profile, "research": {"search": search}})


def searched(folder: Path, query: str, **how: Any) -> tuple[list[Item], list[str]]:
    backend = open_backend(settings(folder, **how), folder, "mcp:library")
    return asyncio.run(backend.search(query, 10)), list(backend.notes)


def ended(folder: Path) -> bool:
    """True if the server's process is gone."""
    pid = int((folder / "pid").read_text("utf-8"))

    def gone() -> bool:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        return False

    return wait_until(10, gone)


def test_results_become_items_and_none_names_its_own_publisher(tmp_path: Path) -> None:
    found, notes = searched(tmp_path, "ferry", profile="sovereign")
    assert [(item.url, item.name, item.site) for item in found] == [
        ("https://harbour.example/ferry", "Ferry", "harbour.example"),
        ("mcp:library/budget/7", "Budget", "library"),
        ("mcp:library/big", "Big", "library"),
    ]
    assert found[0].date == "2024-06-07" and found[0].description == "The ferry terminal opens in 2027."
    assert found[0].score > found[1].score > found[2].score
    assert len(found[2].description) < 5_000_000
    assert any("no text" in note for note in notes) and any("too long" in note for note in notes)
    assert ended(tmp_path)


@pytest.mark.parametrize(("tool", "text"), [("as_text", "The ferry costs"), ("prose", "but this sentence")])
def test_results_may_come_as_json_in_text_or_as_words(tmp_path: Path, tool: str, text: str) -> None:
    found, _ = searched(tmp_path, "55 million", tool=tool)
    (item,) = found
    assert text in item.description and item.url.startswith("mcp:library/")


def test_whole_texts_are_fetched_and_what_cannot_be_is_its_snippet(tmp_path: Path) -> None:
    found, notes = searched(tmp_path, "ferry", fetch="fetch")
    texts = {item.url: item.description for item in found}
    assert texts["https://harbour.example/ferry"].endswith("It has four berths.")
    assert texts["mcp:library/budget/7"] == "The ferry costs 55 million dollars."
    assert any("budget/7" in note and "snippet" in note for note in notes)


def test_a_program_gets_no_secrets_but_those_that_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIBRARY_KEY", "1")
    monkeypatch.setenv("OTHER_KEY", "2")
    (item,) = searched(tmp_path, "environment", env=["LIBRARY_KEY"])[0]
    assert "LIBRARY_KEY" in item.description and "OTHER_KEY" not in item.description


@pytest.mark.parametrize(
    ("query", "server", "told"),
    [
        ("fail", {}, "is \\x1b[31mclosed"),
        ("exit", {}, "cannot be used"),
        ("stall", {"seconds": 6}, "within 6 s"),
        ("flood", {"seconds": 6}, "within 6 s"),
        ("ferry", {"tool": "missing"}, "it has: search, as_text"),
        ("ferry", {"tool": "two"}, "takes the query cannot be told"),
        ("ferry", {"command": ["no-such-program-here"]}, "FileNotFoundError"),
        ("ferry", {"command": [sys.executable, "-c", "print('hello')"]}, "cannot be used"),
    ],
)
def test_a_server_that_fails_is_an_error_with_its_reason_and_leaves_no_process(
    tmp_path: Path, query: str, server: dict[str, Any], told: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SearchUnavailable) as raised:
        searched(tmp_path, query, **server)
    assert told in raised.value.what and raised.value.remedy and "\x1b" not in str(raised.value)
    out, err = capfd.readouterr()
    assert "owned" not in out + err
    assert not (tmp_path / "pid").exists() or ended(tmp_path)


@pytest.mark.parametrize(
    ("server", "profile", "told"),
    [
        ({"local": False}, "sovereign", "sovereign"),
        ({"local": False, "command": [], "url": "http://127.0.0.1:9/mcp"}, "sovereign", "sovereign"),
        ({"local": False, "command": [], "url": "http://127.0.0.1:9/mcp"}, "dev", "not allowed"),
    ],
)
def test_what_may_send_the_query_away_is_refused(
    tmp_path: Path, server: dict[str, Any], profile: str, told: str
) -> None:
    with pytest.raises(SearchForbidden, match=told):
        open_backend(settings(tmp_path, profile, **server), tmp_path, "mcp:library")
    assert not (tmp_path / "pid").exists()


def test_a_name_that_is_not_in_the_settings_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SearchUnavailable, match="there are: library"):
        open_backend(settings(tmp_path), tmp_path, "mcp:other")


def test_a_report_from_the_command_line_cites_what_the_server_gave(tmp_path: Path) -> None:
    (tmp_path / ".reflect").mkdir()
    written = {"research": {"search": {"mcp": {"library": described(tmp_path)}}}}
    (tmp_path / ".reflect" / "config.yaml").write_text(json.dumps(written), "utf-8")
    query = "When does the ferry terminal open?"
    arguments = ("research", query, "--corpus", "mcp:library", "--model", "embedded", "--json")
    done = reflect(*arguments, home=tmp_path)
    # The server finds what holds the whole query, so there is nothing.
    assert done.returncode == 1, done.stderr
    done = reflect("research", "ferry terminal", *arguments[2:], home=tmp_path)
    assert done.returncode == 0, done.stderr
    (item,) = json.loads(done.stdout)
    assert "opens in 2027. [1]" in item["description"] or "opens in 2027 [1]" in item["description"]
    assert item["schema_object"]["backend"] == "mcp"


def test_a_program_that_a_foreign_project_names_runs_only_once_the_project_is_trusted(tmp_path: Path) -> None:
    root, home = tmp_path / "clone", tmp_path / "home"
    (root / ".reflect").mkdir(parents=True)
    home.mkdir()
    written = {"research": {"search": {"mcp": {"library": described(tmp_path)}}}}
    (root / ".reflect" / "config.yaml").write_text(json.dumps(written), "utf-8")
    arguments = (
        "research",
        "ferry terminal",
        "--corpus",
        "mcp:library",
        "--model",
        "embedded",
        "--root",
        str(root),
    )
    done = reflect(*arguments, home=home)
    assert done.returncode == 2 and "mcp.library.command" in done.stderr and "REFLECT_TRUST=1" in done.stderr
    assert not (tmp_path / "pid").exists() and "Traceback" not in done.stderr
    done = reflect(*arguments, home=home, REFLECT_TRUST="1")
    assert done.returncode == 0, done.stderr
    assert "opens in 2027" in done.stdout and (tmp_path / "pid").exists()
