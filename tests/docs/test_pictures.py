"""Pictures in pages are what the sources draw, and none is missing."""

from __future__ import annotations

from typing import get_args

import pytest

from cli.graph_command import GRAPHS
from configs.settings import Strategy
from tests.docs.drawings import pictures, redrawn
from tests.docs.import_map import FLOORS, edges_within, package_edges
from tests.docs.pages import Page, pages
from tests.test_floors import FLOORS as HELD

PAGES = {page.name: page for page in pages()}


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES.keys())
def test_pictures_are_up_to_date(page: Page) -> None:
    assert page.text == redrawn(page.text), "run: python -m tests.docs.redraw"


def test_every_graph_every_strategy_and_all_imports_are_drawn() -> None:
    there = {what for page in PAGES.values() for what in pictures(page.text)}
    graphs = {f"reflect graph --graph {name} --mermaid" for name in GRAPHS if name != "reflective"}
    strategies = {f"reflect graph --strategy {name} --mermaid" for name in get_args(Strategy)}
    maps = {f"imports within {name}" for name in ("nodes", "memory", "tools")}
    assert graphs | strategies | maps | {"imports of all packages"} == there


def test_floors_are_drawn_as_they_are_held() -> None:
    height = {name: -number for number, (names, _) in enumerate(FLOORS) for name in names.split(", ")}
    assert set(height) == set(HELD)
    for one in HELD:
        for other in HELD:
            assert (height[one] > height[other]) == (HELD[one] > HELD[other]), (one, other)


def test_imports_are_found() -> None:
    assert {("cli", "graph"), ("graph", "nodes"), ("models", "configs")} <= package_edges()
    assert ("hierarchy", "contractive") in edges_within("nodes")
    assert all(HELD[source] > HELD[target] for source, target in package_edges())
