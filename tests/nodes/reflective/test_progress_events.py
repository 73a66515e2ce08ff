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


SENT = list(sent())


@pytest.mark.parametrize(("place", "kind", "fields"), SENT, ids=[place for place, _, _ in SENT])
def test_every_event_that_is_sent_stands_in_the_table_with_its_fields(
    place: str, kind: str, fields: set[str]
) -> None:
    assert kind in EVENTS, f"{place} sends {kind!r}, which the table does not know"
    assert fields == set(get_type_hints(EVENTS[kind])) - {"kind"}


def test_every_event_of_the_table_is_sent_and_has_words() -> None:
    assert {kind for _, kind, _ in SENT} == set(EVENTS)
    for kind, event in EVENTS.items():
        assert get_args(get_type_hints(event)["kind"]) == (kind,) and event.__doc__
