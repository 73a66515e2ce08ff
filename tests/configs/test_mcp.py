"""Servers whose tools a plan may use, as settings."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from configs.mcp import McpSettings, ToolServer

HERE = {"command": ["my-server"]}


@given(name=st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,31}", fullmatch=True))
def test_a_plain_word_names_a_server(name: str) -> None:
    assert list(McpSettings.model_validate({"servers": {name: HERE}}).servers) == [name]


@pytest.mark.parametrize(
    "name", ["", "a.b", "a b", "1st", "-x", "wetter\n", "\x1b[2J", "ä", "a|b", "x" * 33, "a/b"]
)
def test_what_could_not_begin_a_command_names_none(name: str) -> None:
    with pytest.raises(ValidationError, match="cannot name a server") as raised:
        McpSettings.model_validate({"servers": {name: HERE}})
    assert "\x1b" not in str(raised.value).partition("[type=")[0]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "either command or url"),
        (HERE | {"url": "http://127.0.0.1:9/mcp"}, "either command or url"),
        ({"url": "http://127.0.0.1:9/mcp", "local": True}, "not local"),
        ({"url": "file:///etc/passwd"}, "http://"),
        ({"command": ["./server.py"]}, "in full"),
        ({"command": ["bin/server"]}, "in full"),
        (HERE | {"timeout": 0}, "greater than 0"),
        (HERE | {"tools": ["a"], "read_only": ["b"]}, "read_only names what tools leaves out: b"),
        (HERE | {"tool": "search"}, "Extra inputs"),
    ],
)
def test_a_server_that_cannot_be_meant_is_refused(given: dict[str, Any], told: str) -> None:
    with pytest.raises(ValidationError, match=told):
        ToolServer.model_validate(given)


def test_nothing_is_vouched_for_unless_it_is_said() -> None:
    server = ToolServer.model_validate(HERE)
    assert (server.read_only, server.local, server.env) == ((), False, ())
    assert McpSettings().servers == {}
