from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Reflect, Scripted

GOAL = "which captain's ship is Boreas moored with, judging by flag, in data/ships.csv"
MAIL = "count the lines of data/ships.csv and e-mail them to anna@example.org"

SHOWN = (
    GOAL,
    "[failed] Call",
    "$ grep -- Nobody",
    "Nobody is no ship.",
    "next time:",
    "Boreas,240,GR",
    "NOT KEPT: send email anna@example.org (no message was sent)",
    "model scripted:",
)


def plan(command: str) -> dict[str, Any]:
    return {"objective": "look", "steps": [{"description": "Look for the ship", "command": command}]}


@pytest.fixture
def asked(project: Path, reflect: Reflect, scripted: Scripted) -> Path:
    """Two runs of one thread, whose name is no file name; the first one's plan fails once."""
    model = scripted(
        classifier=[{"complexity": "moderate"}],
        planner=[plan("grep Nobody data/ships.csv"), plan("grep Boreas data/ships.csv")],
        critic=[{"diagnosis": "Nobody is no ship.", "new_plan_summary": "Search for Boreas."}],
        worker=["Boreas flies the flag GR."],
        verifier=[{"passed": True, "reason": "the row says so", "confidence": 0.9}],
    )
    for goal, code in ((GOAL, 0), (MAIL, 1)):
        done = reflect("ask", goal, "--root", project, "--model", model, "--thread", "my thread", "--quiet")
        assert done.code == code, done.err
    return project


@pytest.mark.integration  # takes seconds
@pytest.mark.parametrize("enabled", ["false", "true"])
def test_a_session_is_listed_shown_and_written_whether_or_not_the_reasoning_was_kept(
    enabled: str,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
    reflect: Reflect,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("REFLECT_REASONING_TRACE__ENABLED", enabled)
    root = request.getfixturevalue("asked")
    listed = reflect("trace", "list", "--root", root)
    assert (
        listed.code == 0
        and listed.out.startswith("my thread  20")
        and "2 runs  count the lines" in listed.out
    )

    shown = reflect("trace", "show", "my thread", "--root", root)
    assert shown.code == 0
    for part in SHOWN:
        assert part in shown.out

    whole = json.loads(reflect("trace", "show", "my thread", "--json", "--root", root).out)
    assert [run["goal"] for run in whole["runs"]] == [GOAL, MAIL] and whole["unreadable"] == 0
    stages = [[entry["stage"] for entry in run["entries"]] for run in whole["runs"]]
    first = ["planning", "execution", "correction", "planning", "execution", "verification", "finalization"]
    assert stages == ([first, ["planning", "execution", "finalization"]] if enabled == "true" else [[], []])

    page = tmp_path / "page.html"
    assert reflect("trace", "html", "my thread", "-o", page, "--root", root).code == 0
    text = page.read_text("utf-8")
    assert "Nobody is no ship." in text and "not kept" in text and text.count('<section class="run"') == 2
    assert reflect("trace", "html", "nobody", "--root", root).code == 2

    assert "its trace" in reflect("threads", "delete", "my thread", "--root", root).out
    assert reflect("trace", "list", "--root", root).out == ""
    gone = reflect("trace", "show", "my thread", "--root", root)
    assert gone.code == 2 and "trace list" in gone.err


@pytest.mark.integration  # takes seconds
def test_a_page_replaces_no_trace(asked: Path, reflect: Reflect, tmp_path: Path) -> None:
    trace = next((asked / ".reflect" / "reasoning_traces").glob("*.jsonl"))
    before = trace.read_bytes()
    (tmp_path / "link").symlink_to(trace)
    for place, said in (
        (trace, "the trace itself"),
        (tmp_path / "link", "the trace itself"),
        (tmp_path, "Is a directory"),
        (tmp_path / "none" / "x.html", "No such file"),
    ):
        done = reflect("trace", "html", "my thread", "--root", asked, "-o", place)
        assert done.code == 2 and said in done.err and "Errno" not in done.err
    assert trace.read_bytes() == before
