"""Copies and snapshots: what is told apart, and what is not."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.shell.trees import changes, copy, remove, snapshot

STATES = st.dictionaries(st.sampled_from("abcdef"), st.sampled_from(["file 1", "file 2", "directory"]))


@settings(max_examples=40, deadline=None)
@given(before=STATES, after=STATES)
def test_changes_lead_from_one_state_to_the_other(before: dict[str, str], after: dict[str, str]) -> None:
    found = changes(before, after)
    led = {**before, **found}
    assert {name: what for name, what in led.items() if what != "gone"} == after
    assert (not found) == (before == after)


def a_tree(root: Path) -> Path:
    (root / "inner").mkdir(parents=True)
    (root / "inner" / "file").write_text("text")
    (root / "link").symlink_to("inner")
    (root / ".reflect").mkdir()
    (root / ".reflect" / "own").write_text("x")
    os.chmod(root / "inner" / "file", 0o400)
    os.utime(root / "inner" / "file", (1_000_000, 1_000_000))
    return root


def test_a_copy_is_told_apart_by_nothing_but_what_is_changed(tmp_path: Path) -> None:
    template, root = a_tree(tmp_path / "template"), tmp_path / "fs"
    copy(template, root)
    before = snapshot(root)
    assert sorted(before) == ["inner", "inner/file", "link"]
    assert before == snapshot(template)
    assert (root / "inner" / "file").stat().st_mtime == 1_000_000
    os.utime(root / "inner" / "file")
    assert changes(before, snapshot(root)) == {}
    os.chmod(root / "inner" / "file", 0o644)
    (root / "new").write_text("")
    (root / "link").unlink()
    done = changes(before, snapshot(root))
    assert sorted(done) == ["inner/file", "link", "new"] and done["link"] == "gone"
    copy(template, root)
    assert snapshot(root) == before


@settings(max_examples=20, deadline=None)
@given(content=st.binary(max_size=20), other=st.binary(max_size=20))
def test_content_decides(tmp_path_factory: pytest.TempPathFactory, content: bytes, other: bytes) -> None:
    root = tmp_path_factory.mktemp("tree")
    (root / "f").write_bytes(content)
    before = snapshot(root)
    (root / "f").write_bytes(other)
    assert (changes(before, snapshot(root)) == {}) == (content == other)


def test_a_tree_without_permissions_can_be_removed(tmp_path: Path) -> None:
    root = a_tree(tmp_path / "fs")
    os.chmod(root / "inner", 0)
    os.chmod(root, 0)
    remove(root)
    assert not root.exists()
    remove(root)


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    outside = a_tree(tmp_path / "outside")
    (tmp_path / "fs").mkdir()
    (tmp_path / "fs" / "out").symlink_to(outside)
    assert list(snapshot(tmp_path / "fs")) == ["out"]
    remove(tmp_path / "fs")
    assert (outside / "inner" / "file").exists()
