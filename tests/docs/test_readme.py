"""The README is short, and its picture and its session are true."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from cli.main import main
from graph.reflective import build_one
from tests.docs.pages import Page
from tests.support.processes import ROOT

README = Page(ROOT / "README.md")
MOST_WORDS = 750
DRAWN_EDGE = re.compile(r"^\s+(\w+)(?:\(\[\w+\]\))? (?:-->|-\.->)(?:\|[^|]*\|)? (\w+)", re.MULTILINE)


def test_it_is_read_in_three_minutes() -> None:
    said = re.sub(r"```(?:mermaid|text)\n.*?```", "", README.text, flags=re.DOTALL)
    assert len(re.findall(r"\w[^\s|]*", said)) <= MOST_WORDS


def test_its_picture_has_the_edges_of_the_graph() -> None:
    (picture,) = [fence for fence in README.fences if fence.language == "mermaid"]
    drawn = {(source.lower(), target.lower()) for source, target in DRAWN_EDGE.findall(picture.text)}
    real = {
        (edge.source.strip("_"), edge.target.strip("_")) for edge in build_one("graph_v30").get_graph().edges
    }
    assert drawn == {edge for edge in real if "error_handler" not in "".join(edge)}


def test_its_session_is_what_is_printed(
    tmp_path: Path, machine_cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(machine_cache))
    (tmp_path / "project").mkdir()
    shutil.copy(ROOT / "LICENSE", tmp_path / "project")
    (session,) = [fence for fence in README.fences if fence.language == "text"]
    goal = re.search(r'make run GOAL="(.*?)"', README.text)
    assert goal is not None
    assert main(["ask", goal[1], "--quiet", "--model", "embedded", "--root", str(tmp_path / "project")]) == 0
    printed, told = capsys.readouterr().out.splitlines(), session.text.splitlines()
    assert [_same_everywhere(line) for line in printed] == [_same_everywhere(line) for line in told]


def _same_everywhere(line: str) -> str:
    """A line without what is each machine's and each clone's own: the sandbox, the thread, names left out."""
    return re.sub(r"(?<=, sandbox ).*|(?<=^Note: Searches left out ).*", "", line)
