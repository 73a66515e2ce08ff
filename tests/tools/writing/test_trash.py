from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tools.writing.worlds import World, call, state
from tools.errors import WriteRefused
from tools.writing.plan import execute
from tools.writing.trash import list_trash, restore

NAMES = st.binary(min_size=1, max_size=20).filter(
    lambda raw: b"\0" not in raw and b"/" not in raw and raw not in (b".", b"..")
)


def test_what_is_deleted_can_be_restored_exactly(world: World) -> None:
    before = world.inside()
    for path in ("src/deep", "src", "out_file", "hard.txt"):
        said = execute(world.root, call("delete", path=path))
        assert said.startswith(f"{path} -> .reflect/trash/")
    entries = list_trash(world.root)
    assert [(entry.path, entry.kind) for entry in entries] == [
        ("src/deep", "directory"), ("src", "directory"), ("out_file", "link"), ("hard.txt", "file"),
    ]  # fmt: skip
    for entry in sorted(entries, key=lambda entry: entry.path):
        assert restore(world.root, entry.name) == entry.path
    assert world.inside() == before
    assert list_trash(world.root) == [] and os.listdir(world.root / ".reflect/trash") == [".gitignore"]


def test_restoring_never_overwrites(world: World) -> None:
    execute(world.root, call("delete", path="a.txt"))
    (world.root / "a.txt").write_text("another")
    (entry,) = list_trash(world.root)
    with pytest.raises(WriteRefused, match="exists"):
        restore(world.root, entry.name)
    assert (world.root / "a.txt").read_text() == "another" and list_trash(world.root) == [entry]


@pytest.mark.parametrize("name", ["nothing", "../x", "a\0", "", "."])
def test_what_is_not_in_the_trash_is_not_restored(name: str, world: World) -> None:
    with pytest.raises(WriteRefused, match="no entry"):
        restore(world.root, name)
    execute(world.root, call("delete", path="a.txt"))
    with pytest.raises(WriteRefused, match="no entry"):
        restore(world.root, name)


@pytest.mark.parametrize("path", ["../x", ".git/x", "/etc/x", "a/../../x", "", ".reflect/x"])
def test_a_forged_record_leads_nowhere(path: str, world: World) -> None:
    execute(world.root, call("delete", path="a.txt"))
    (entry,) = list_trash(world.root)
    record = world.root / f".reflect/trash/{entry.name}.json"
    record.write_text(record.read_text().replace('"a.txt"', f'"{path}"'))
    guarded = world.guarded()
    with pytest.raises(WriteRefused):
        restore(world.root, entry.name)
    assert world.guarded() == guarded


def test_a_trash_that_is_a_link_is_refused(world: World) -> None:
    (world.root / ".reflect").symlink_to(world.outside)
    guarded = world.guarded()
    with pytest.raises(WriteRefused):
        execute(world.root, call("delete", path="a.txt"))
    assert world.guarded() == guarded and (world.root / "a.txt").exists()


def test_git_does_not_see_the_trash(world: World) -> None:
    execute(world.root, call("delete", path="a.txt"))
    assert (world.root / ".reflect/trash/.gitignore").read_text() == "*\n"


def test_a_failed_deletion_leaves_no_record(world: World) -> None:
    with pytest.raises(WriteRefused, match="does not exist"):
        execute(world.root, call("delete", path="nothing"))
    assert not (world.root / ".reflect").exists()


@settings(max_examples=40, deadline=None)
@given(names=st.lists(NAMES, min_size=1, max_size=3))
def test_a_directory_with_any_names_in_it_comes_back(names: list[bytes]) -> None:
    with tempfile.TemporaryDirectory() as place:
        root = Path(os.path.realpath(place))
        path = os.path.join(os.fsencode(root), b"top", *names)
        os.makedirs(path)
        with open(os.path.join(path, b"f"), "wb") as file:
            file.write(b"\xff")
        before = state(root / "top")
        execute(root, call("delete", path="top"))
        assert not (root / "top").exists()
        (entry,) = list_trash(root)
        restore(root, entry.name)
        assert state(root / "top") == before
