"""What a checkpoint's metadata tells of the directory a run is about, whoever wrote it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.checkpoints.heads import told_root


@given(st.text())
def test_the_root_that_was_told_is_read_back(root: str) -> None:
    assert told_root(json.dumps({"step": 1, "root": root})) == root


@pytest.mark.parametrize(
    "text", [None, "", "no JSON", "[]", "3", '{"root": 3}', "{}", '{"root": null}', "[" * 10_000]
)
def test_anything_else_tells_none(text: str | None) -> None:
    assert told_root(text) == ""
