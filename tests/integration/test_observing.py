"""Observations of the proof game: many trees and calls, and the lists of hostile and honest commands."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from configs.settings import ToolSettings
from nodes.tutor.moves import Request
from nodes.tutor.observations import Observation
from nodes.tutor.observing.observing import Observer
from nodes.tutor.observing.reading import facts_of
from tests.nodes.tutor.observing.conftest import Sandbox
from tests.nodes.tutor.observing.direct import is_so
from tests.nodes.tutor.observing.test_true_facts import check
from tests.nodes.tutor.observing.trees import TREES, commands, plant, requests
from tests.support.processes import ROOT
from tests.tools.places import SECRET, Project
from tools.errors import ToolError

pytestmark = pytest.mark.integration
LISTS = ROOT / "tests" / "evals" / "commands"
# Programs a person may use that are not among our tools.
OUTSIDE = 5


def listed(name: str, project: Project) -> list[str]:
    rows = [line.split("\t") for line in (LISTS / name).read_text().splitlines()]
    column = rows[0].index("command")
    known = {"{SECRET}": str(project.secret), "{OUT}": str(project.outside), "{PID}": "1"}
    found = []
    for row in rows[1:]:
        text = row[column]
        for slot, value in known.items():
            text = text.replace(slot, value)
        found.append(text)
    return found


def observed(observer: Observer, command: str) -> Observation | None:
    try:
        return asyncio.run(observer.observe(Request(raw=command), id="o1", turn=1))
    except ToolError:
        return None


def test_a_hostile_command_is_refused_or_does_no_harm(tmp_path: Path) -> None:
    project = Project(tmp_path)
    observer = Observer(project.root, ToolSettings(), "game", timeout=2)
    before = project.snapshot()
    seen = {command: observed(observer, command) for command in listed("hostile.tsv", project)}
    assert project.snapshot() == before
    ran = {command: observation for command, observation in seen.items() if observation}
    assert len(ran) < len(seen) / 10
    assert [command for command, each in ran.items() if SECRET in each.model_dump_json()] == []
    assert all(is_so(fact, project.root) for each in ran.values() for fact in facts_of(each))


def test_an_honest_command_gives_an_observation(tmp_path: Path) -> None:
    project = Project(tmp_path)
    observer = Observer(project.root, ToolSettings(), "game")
    seen = {command: observed(observer, command) for command in listed("benign.tsv", project)}
    assert len([command for command, each in seen.items() if each is None]) == OUTSIDE
    facts = {command: facts_of(each) for command, each in seen.items() if each}
    assert all(is_so(fact, project.root) for some in facts.values() for fact in some)
    assert len([command for command, some in facts.items() if some]) > len(seen) / 2


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Sandbox:
    return Sandbox(tmp_path_factory.mktemp("trees") / "root")


@settings(max_examples=100, deadline=None)
@given(data=st.data(), tree=TREES)
def test_facts_of_typed_calls_are_so(data: st.DataObject, tree: dict[str, bytes], place: Sandbox) -> None:
    plant(place.root, tree)
    check(place, data.draw(st.lists(requests(tree), min_size=4, max_size=8)))


@settings(max_examples=100, deadline=None)
@given(data=st.data(), tree=TREES)
def test_facts_of_command_lines_are_so(data: st.DataObject, tree: dict[str, bytes], place: Sandbox) -> None:
    plant(place.root, tree)
    check(place, data.draw(st.lists(commands(tree), min_size=4, max_size=8)))
