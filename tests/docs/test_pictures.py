"""Pictures of graphs in pages are what `reflect graph --mermaid` draws, and none is missing."""

from __future__ import annotations

import shlex
from functools import cache
from typing import get_args

import pytest

from cli.graph_command import GRAPHS
from cli.main import parser
from configs.settings import Strategy
from tests.docs.pages import Fence, pages

DRAWN = [
    fence
    for page in pages()
    for fence in page.fences
    if fence.language == "mermaid" and fence.comment.startswith("reflect graph ")
]


@cache
def _known() -> set[str]:
    return {fence.comment for fence in DRAWN}


@pytest.mark.parametrize("fence", DRAWN, ids=lambda fence: fence.place)
def test_the_picture_is_up_to_date(fence: Fence, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = parser().parse_args(shlex.split(fence.comment)[1:])
    assert arguments.run(arguments) == 0
    assert fence.text == capsys.readouterr().out, f"{fence.place}: paste what `{fence.comment}` prints"


def test_every_graph_and_every_strategy_is_drawn() -> None:
    graphs = {f"reflect graph --graph {name} --mermaid" for name in GRAPHS if name != "reflective"}
    strategies = {f"reflect graph --strategy {name} --mermaid" for name in get_args(Strategy)}
    assert graphs | strategies <= _known()
