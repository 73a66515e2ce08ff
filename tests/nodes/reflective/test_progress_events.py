"""The table of progress events against every place that sends one."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from nodes.reflective.progress_events import EVENTS

NODES = Path(__file__).resolve().parents[3] / "nodes"


def sent() -> Iterator[tuple[str, str, set[str]]]:
    """Where an event is sent, its kind, and its fields."""
    for path in sorted(NODES.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "progress":
                kind = node.args[0]
                assert isinstance(kind, ast.Constant), f"{path.name}:{node.lineno} hides the kind"
                fields = {keyword.arg for keyword in node.keywords}
                assert None not in fields, f"{path.name}:{node.lineno} hides the fields"
                yield f"{path.name}:{node.lineno}", str(kind.value), {str(field) for field in fields}


@pytest.fixture(scope="module")
def places() -> list[tuple[str, str, set[str]]]:
    return list(sent())


def test_every_event_that_is_sent_stands_in_the_table_with_its_fields(
    places: list[tuple[str, str, set[str]]],
) -> None:
    known = {kind: set(get_type_hints(event)) - {"kind"} for kind, event in EVENTS.items()}
    assert [one for one in places if known.get(one[1]) != one[2]] == []


def test_every_event_of_the_table_is_sent_and_has_words(
    places: list[tuple[str, str, set[str]]],
) -> None:
    assert {kind for _, kind, _ in places} == set(EVENTS)
    for kind, event in EVENTS.items():
        assert get_args(get_type_hints(event)["kind"]) == (kind,) and event.__doc__
