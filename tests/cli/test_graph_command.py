from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path

import pytest

from cli.graph_command import GRAPHS
from cli.live import NODE_WORDS
from tests.cli.conftest import Reflect
from tests.support.processes import ROOT

EDGE = re.compile(r"(\w+) (-->|\.\.>) (\w+)")


@pytest.fixture
def edges(reflect: Reflect) -> dict[str, set[tuple[str, str]]]:
    """Target and arrow of every edge, by source."""
    found = defaultdict(set)
    for line in reflect("graph").out.splitlines():
        match = EDGE.fullmatch(line)
        assert match is not None, f"{line!r} is no edge"
        found[match[1]].add((match[3], match[2]))
    return found


def test_the_list_names_every_node_and_how_it_is_left(edges: dict[str, set[tuple[str, str]]]) -> None:
    assert set(edges) == {"start", *NODE_WORDS}
    assert edges["start"] == {("classify", "-->")}
    assert edges["respond"] == {("end", "-->")}


def test_an_edge_that_is_chosen_is_dotted(edges: dict[str, set[tuple[str, str]]]) -> None:
    assert edges["classify"] == {("direct_exec", "..>"), ("plan", "..>"), ("respond", "..>")}
    assert edges["reflect"] == {("plan", "..>"), ("respond", "..>")}


def test_every_node_leads_to_respond(edges: dict[str, set[tuple[str, str]]]) -> None:
    def reached(node: str, seen: frozenset[str] = frozenset()) -> bool:
        return node == "respond" or any(
            reached(target, seen | {node}) for target, _ in edges[node] if target not in seen | {node}
        )

    assert [node for node in NODE_WORDS if not reached(node)] == []


def test_mermaid_source_holds_the_same_edges(
    reflect: Reflect, edges: dict[str, set[tuple[str, str]]]
) -> None:
    ran = reflect("graph", "--mermaid")
    assert ran.code == 0 and "graph TD;" in ran.out
    drawn = re.findall(r"^\s*(\w+) (-->|-\.->) (\w+);$", ran.out, re.MULTILINE)
    arrows = {"-->": "-->", "-.->": "..>"}
    listed = {(source, target, arrow) for source in list(edges) for target, arrow in edges[source]}
    assert {
        (source.strip("_"), target.strip("_"), arrows[arrow]) for source, arrow, target in drawn
    } == listed


def test_nothing_is_opened_or_written_to_draw(reflect: Reflect, home: Path) -> None:
    reflect("graph")
    assert list(home.iterdir()) == []


@pytest.mark.parametrize(
    ("strategy", "absent", "after_reflect"),
    [
        ("loop_v1", {"direct_exec", "reflect"}, set()),
        ("graph_v2", set(), {"execute", "respond"}),
        ("graph_v30", set(), {"plan", "respond"}),
    ],
)
def test_each_strategy_is_drawn_by_itself(
    reflect: Reflect, strategy: str, absent: set[str], after_reflect: set[str]
) -> None:
    drawn = [EDGE.fullmatch(line) for line in reflect("graph", "--strategy", strategy).out.splitlines()]
    edges = [(match[1], match[3]) for match in drawn if match is not None]
    assert len(edges) == len(drawn)
    assert set(NODE_WORDS) - {source for source, _ in edges} == absent
    assert {target for source, target in edges if source == "reflect"} == after_reflect


def test_the_settings_say_which_strategy_is_drawn(reflect: Reflect, tmp_path: Path) -> None:
    (tmp_path / ".reflect").mkdir()
    (tmp_path / ".reflect" / "config.yaml").write_text("reasoning:\n  strategy: loop_v1\n", "utf-8")
    assert "reflect" not in reflect("graph", "--root", str(tmp_path)).out
    wrong = reflect("graph", "--strategy", "graph_v3")
    assert wrong.code == 2 and "graph_v30" in wrong.err


@pytest.mark.parametrize("graph", ["research", "contractive", "tutor", "hierarchy"])
def test_every_graph_of_the_server_is_drawn(reflect: Reflect, graph: str) -> None:
    assert set(GRAPHS) == set(json.loads((ROOT / "langgraph.json").read_text("utf-8"))["graphs"])
    lines = [EDGE.fullmatch(line) for line in reflect("graph", "--graph", graph).out.splitlines()]
    nodes = {match[1] for match in lines if match is not None}
    assert None not in lines and "start" in nodes
    assert {"begin", "player", "tutor", "finish"} <= nodes or graph != "tutor"
    wrong = reflect("graph", "--graph", graph, "--strategy", "loop_v1")
    assert wrong.code == 2 and "no strategies" in wrong.err
