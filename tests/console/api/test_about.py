"""What is said of the graphs is true of their states, and a run takes what it proposes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from starlette.testclient import TestClient

from console.api.about import about_for
from console.api.graphs import STATES, graphs
from console.shapes import GraphAbout, InputField
from graph import auto, contractive, ensemble, hierarchy, hybrid, reflective, research, specialists, tutor
from models.scripted import Script, register_script
from nodes.reflective.context import RunContext
from tests.console.api.kept_threads import SERVED, keep

ROOT = Path(__file__).resolve().parents[3]
BUILDS = {
    "reflective": reflective.build,
    "research": research.build,
    "contractive": contractive.build,
    "tutor": tutor.build,
    "ensemble": ensemble.build,
    "hybrid": hybrid.build,
    "hierarchy": hierarchy.build,
    "specialists": specialists.build,
    "auto": auto.build,
}
TYPES = {"text": str, "long_text": str, "choice": str, "integer": int, "number": float, "boolean": bool}


def test_every_graph_of_the_server_is_told_of_in_its_order(client: TestClient) -> None:
    told = client.get("/console/api/about").json()
    named = list(json.loads((ROOT / "langgraph.json").read_text("utf-8"))["graphs"])
    assert [one["name"] for one in told["graphs"]] == named
    assert set(BUILDS) == set(named)


@pytest.mark.parametrize("about", graphs(), ids=lambda one: one.name)
def test_fields_are_of_the_state_the_graph_has(about: GraphAbout) -> None:
    graph: Any = BUILDS[about.name](None)
    assert graph.builder.state_schema is STATES[about.name]
    properties = graph.get_input_jsonschema()["properties"]
    for field in about.fields:
        assert field.name in properties
        assert field.title and field.help.endswith(".")
    assert [field.required for field in about.fields] == [True] + [False] * (len(about.fields) - 1)
    assert about.title and 2 <= about.summary.count(".") and len(about.examples) == 3


def sample(field: InputField) -> list[Any]:
    """Values the page may send for a field: every choice, both bounds."""
    if field.kind == "list":
        return [list(field.choices), []]
    if field.kind in ("integer", "number"):
        return [one for one in (field.minimum, field.maximum, 3) if one is not None]
    if field.kind == "boolean":
        return [True, False]
    return list(field.choices) or ["some words", ""]


@pytest.mark.parametrize("about", graphs(), ids=lambda one: one.name)
def test_the_state_takes_every_choice_that_is_offered(about: GraphAbout) -> None:
    for field in about.fields:
        for value in sample(field):
            state = STATES[about.name].model_validate({field.name: value})
            assert getattr(state, field.name) == value
        if field.default is not None:
            assert field.kind == "list" or isinstance(field.default, TYPES[field.kind])
        assert not field.choices or field.kind == "list" or field.default in (None, *field.choices)


@pytest.mark.parametrize("about", graphs(), ids=lambda one: one.name)
async def test_a_run_begins_with_every_example(about: GraphAbout, served: Path, home: Path) -> None:
    register_script("none", Script(roles={}))
    (served / "docs").mkdir()
    (served / "docs" / "retention.md").write_text("Records are kept for 30 days.\n")
    (served / "CHANGELOG.md").write_text("# 1.1\nThe port is 9000 now.\n")
    named = {field.name for field in about.fields}
    for number, example in enumerate(about.examples):
        assert example.text and set(example.input) <= named
        assert about.fields[0].name in example.input
        graph: Any = BUILDS[about.name](InMemorySaver())
        values = await graph.ainvoke(
            example.input,
            {"configurable": {"thread_id": f"{about.name}-{number}"}},
            context=RunContext(root=str(served), model="scripted:none"),
            interrupt_after="*",
        )
        assert {name: values[name] for name in example.input} == example.input
        assert values.get("failure") is None


def test_recent_roots_are_those_of_the_servers_threads(
    client: TestClient, served: Path, tmp_path: Path
) -> None:
    first, second, gone = (tmp_path / name for name in ("first", "second", "gone"))
    first.mkdir(), second.mkdir()
    for number, about in enumerate([first, gone, second, first / ".." / "first", "\0", "."]):
        keep(served, f"{SERVED[:-1]}{number}", {"goal": "g"}, about)
    told = client.get("/console/api/about").json()
    assert told["roots"] == [str(served), str(first), str(second)]
    assert told["default_root"] == str(served)


def test_nothing_of_the_machine_is_told_without_the_token(served: Path) -> None:
    keep(served, SERVED, {"goal": "g"}, served)
    stranger = about_for(known=False, token=True)
    assert (stranger.token_required, stranger.welcome) == (True, False)
    assert (stranger.default_root, stranger.roots) == (None, ())
    assert str(served) not in stranger.model_dump_json()
    assert len(stranger.graphs) == len(STATES)
    known = about_for(known=True, token=True)
    assert known.welcome and known.default_root == str(served) and known.roots == (str(served),)


def test_a_wrong_settings_file_is_told_and_does_not_keep_the_page_away(
    client: TestClient, served: Path
) -> None:
    (served / ".reflect").mkdir()
    (served / ".reflect" / "config.yaml").write_text("graph:\n  max_iterations: many\n")
    told = client.get("/console/api/about").json()
    assert told["roots"] == [] and "max_iterations" in told["notes"][0]
