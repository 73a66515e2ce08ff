from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from configs.redaction import found, path_text, shown, without_secrets


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("api_key_env", "OPENAI_API_KEY", "OPENAI_API_KEY"),
        ("api_key_env", "a pasted key", "[hidden]"),
        ("api_key_env", "0123456789abcdef", "[hidden]"),
        ("base_url", "http://me:pw@host:1/v1", "http://[hidden]@host:1/v1"),
        ("base_url", "http://me:p@w@host/", "http://[hidden]@host/"),
        ("base_url", "https://host/v1?key=abc#top", "https://host/v1?[hidden]#top"),
        ("base_url", "http://127.0.0.1:11434", "http://127.0.0.1:11434"),
        ("name", "ollama:qwen2.5:7b", "ollama:qwen2.5:7b"),
        ("name", "sk-proj-abcdefgh1234", "[hidden]"),
        ("ignore", ["ghp_0123456789abcdef"], ["[hidden]"]),
        ("x", {"api_key_env": "secret"}, {"api_key_env": "[hidden]"}),
        ("num_ctx", 4096, 4096),
    ],
)
def test_secrets_are_hidden_and_the_rest_is_not(name: str, value: Any, expected: Any) -> None:
    assert without_secrets(name, value) == expected


@given(st.text())
def test_a_shown_value_is_one_printable_line_any_terminal_can_encode(text: str) -> None:
    line = shown("name", text)
    assert line.encode("utf-8").decode() == line
    assert not any(char < " " or "\x7f" <= char <= "\x9f" for char in line)
    assert len(line.splitlines()) <= 1


def test_a_long_finding_is_cut() -> None:
    assert len(found("name", "a" * 10_000)) < 200


def test_a_path_of_any_bytes_can_be_printed() -> None:
    assert path_text(Path("a\udcff\x1b[31m")).encode("utf-8") == rb"a\xff\x1b[31m"
