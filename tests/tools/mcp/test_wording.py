"""Calls of servers' tools as text."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.errors import BadArguments, CommandRefused, ToolError
from tools.mcp.schemas import tamed
from tools.mcp.wording import as_command, called_tool, check_plain, laid_out, read_arguments, shown_call
from tools.protocol import ToolCall

TYPED = tamed(
    {"properties": {"city": {"type": "string"}, "days": {"type": "integer"}, "tags": {"type": "array"}}}
)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
ARGUMENTS = st.dictionaries(st.text(max_size=5), JSON, max_size=4)


@given(args=ARGUMENTS)
def test_what_is_written_as_json_is_read_as_it_is(args: dict[str, Any]) -> None:
    text = json.dumps(args)
    assert read_arguments("w.f", text, TYPED) == args
    assert read_arguments("w.f", f"({text})", TYPED) == args
    parts = called_tool(as_command(ToolCall(tool="w.f", args=args)))
    assert parts is not None and read_arguments("w.f", parts[2], TYPED) == args


@given(text=st.text(max_size=40))
def test_any_text_is_arguments_or_refused(text: str) -> None:
    try:
        assert isinstance(read_arguments("w.f", text.strip(), TYPED), dict)
    except ToolError as error:
        assert error.kind in ("bad_args", "refused")


@pytest.mark.parametrize(
    ("command", "parts"),
    [
        ('weather.forecast {"city": "Paris"}', ("weather", "forecast", '{"city": "Paris"}')),
        ("  weather.repo/list.all ", ("weather", "repo/list.all", "")),
        ('weather.forecast({"a": 1})', ("weather", "forecast", '({"a": 1})')),
        ("grep -r forecast .", None),
        ("./weather.py", None),
        ("weather.forecast|wc", None),
        ("w\u00e4tter.x", None),
        ("weather.", None),
    ],
)
def test_a_call_is_known_by_its_first_word(command: str, parts: Any) -> None:
    assert called_tool(command) == parts


@pytest.mark.parametrize(
    ("text", "args"),
    [
        ("", {}),
        ("()", {}),
        ("city=Paris days=3", {"city": "Paris", "days": 3}),
        ("city=3 days=x", {"city": "3", "days": "x"}),
        ("city='New York' tags='[1, 2]' more=true", {"city": "New York", "tags": [1, 2], "more": True}),
        ('\'{"city": "Paris"}\'', {"city": "Paris"}),
    ],
)
def test_a_word_is_a_text_where_the_schema_takes_one(text: str, args: dict[str, Any]) -> None:
    assert read_arguments("w.f", text, TYPED) == args


@pytest.mark.parametrize(
    "text", ['{"a": 1} | wc -l', '{"a": 1}; rm x', '{} {"b": 2}', "a=1 | wc", "a=1 && b=2", "{} > f"]
)
def test_nothing_stands_behind_the_arguments(text: str) -> None:
    with pytest.raises(CommandRefused, match="step of its own|piped"):
        read_arguments("w.f", text, TYPED)


@pytest.mark.parametrize(
    "text",
    ["Paris", "--city Paris", "a=1 a=2", "{bad}", '{"a": NaN}', "[1]", "city='x", "[" * 5000, '{"a":' * 5000],
)
def test_what_is_no_object_is_refused(text: str) -> None:
    with pytest.raises(BadArguments):
        read_arguments("w.f", text, TYPED)


@pytest.mark.parametrize(
    "args", [{"a": float("nan")}, {"a": float("inf")}, {"a": "\ud800"}, {"a": "x" * 300_000}]
)
def test_what_a_pipe_cannot_carry_is_not_sent(args: dict[str, Any]) -> None:
    with pytest.raises(BadArguments):
        check_plain("w.f", args)


@given(args=ARGUMENTS)
def test_a_call_is_shown_in_one_line_and_laid_out_whole(args: dict[str, Any]) -> None:
    shown = shown_call(ToolCall(tool="w.f", args=args))
    assert all(char >= " " and char != "\x7f" for char in shown) and shown.startswith("w.f")
    check_plain("w.f", args)
    for line in laid_out(args).splitlines():
        assert all(char >= " " for char in line)
    if all(ord(char) in range(32, 127) for char in json.dumps(args, ensure_ascii=False)):
        assert json.loads(laid_out(args)) == args
