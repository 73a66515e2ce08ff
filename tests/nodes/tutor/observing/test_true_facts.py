"""Every fact of random calls on random trees is so, read by code of its own."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.tutor.moves import Request
from nodes.tutor.observing.reading import facts_of
from tests.nodes.tutor.observing.conftest import Sandbox
from tests.nodes.tutor.observing.direct import is_so
from tests.nodes.tutor.observing.trees import TREES, commands, plant, requests
from tools.errors import ToolError


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Sandbox:
    return Sandbox(tmp_path_factory.mktemp("trees") / "root")


def check(place: Sandbox, asked: list[Request]) -> None:
    for request in asked:
        try:
            observation = place.see(request)
        except ToolError:
            continue
        assert observation.footprint.stable and observation.intact
        assert place.observer.is_fresh(observation)
        for fact in facts_of(observation):
            assert is_so(fact, place.root), (request, fact)


@settings(max_examples=5, deadline=None)
@given(data=st.data(), tree=TREES)
def test_typed_calls(data: st.DataObject, tree: dict[str, bytes], place: Sandbox) -> None:
    plant(place.root, tree)
    check(place, data.draw(st.lists(requests(tree), min_size=4, max_size=8)))


@settings(max_examples=5, deadline=None)
@given(data=st.data(), tree=TREES)
def test_command_lines(data: st.DataObject, tree: dict[str, bytes], place: Sandbox) -> None:
    plant(place.root, tree)
    check(place, data.draw(st.lists(commands(tree), min_size=4, max_size=8)))
