"""Text added at the end of a file: on a line of its own, durable, and known again after a crash."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tools.errors import Changed, CommandRefused, WriteRefused
from tools.protocol import ToolCall
from tools.writing.effects import effect_of
from tools.writing.plan import execute, preview

SHORT = st.text(alphabet="ab\n ", max_size=10)


def append(path: str, text: str) -> ToolCall:
    return ToolCall(tool="append_file", args={"path": path, "text": text})


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(before=SHORT, text=SHORT.filter(bool))
def test_what_was_there_stays_and_the_text_begins_a_line(before: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text(before)
    found = preview(tmp_path, append("x", text))
    execute(tmp_path, append("x", text), found.fingerprint)
    joined = before + ("" if not before or before.endswith("\n") else "\n") + text
    assert path.read_text() == joined
    assert effect_of(tmp_path, append("x", text), found.after) == "done"


def test_only_what_the_file_became_proves_that_it_was_done(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("a\nb\n")
    call = append("x", "b\n")
    after = preview(tmp_path, call).after
    assert effect_of(tmp_path, call, after) == "unknown" and effect_of(tmp_path, call) == "unknown"


def test_a_file_that_changed_since_it_was_shown_is_left(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("a\n")
    shown = preview(tmp_path, append("x", "b\n")).fingerprint
    (tmp_path / "x").write_text("c\n")
    with pytest.raises(Changed):
        execute(tmp_path, append("x", "b\n"), shown)
    assert (tmp_path / "x").read_text() == "c\n"


def test_nothing_is_added_to_what_is_no_file_or_not_below_the_root(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "d").mkdir(parents=True)
    (tmp_path / "outside").write_text("o\n")
    (root / "out").symlink_to(tmp_path / "outside")
    for path in ("missing", "d", "../outside", "out", ".git/x"):
        with pytest.raises((WriteRefused, CommandRefused)):
            execute(root, append(path, "b\n"))
    assert (tmp_path / "outside").read_text() == "o\n"
