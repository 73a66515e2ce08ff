"""What happens between the look and the change, and after it: each moment made, none waited for."""

from __future__ import annotations

import ctypes
import fcntl
import os
from pathlib import Path
from typing import Any

import pytest

from tests.tools.writing.worlds import World, call, leftovers, state
from tools.errors import Changed, PartlyDone, ToolError, WriteFailed, WriteRefused
from tools.protocol import ToolCall
from tools.writing import atomic, changes, descent, entries, text
from tools.writing.arguments import EditFile, WriteFile
from tools.writing.changes import Change, plan_make_dir, plan_move
from tools.writing.descent import open_root, reached, settle
from tools.writing.plan import execute, preview
from tools.writing.text import plan_edit, plan_write
from tools.writing.trash import list_trash, plan_delete


def applied_after(world: World, tool: str, happening: object) -> str:
    """Plan, let something happen, apply."""
    assert callable(happening)
    with open_root(world.root) as root:
        change: Change = {
            "edit": lambda: plan_edit(root, EditFile(path="a.txt", old="two", new="2")),
            "overwrite": lambda: plan_write(root, WriteFile(path="a.txt", content="x", overwrite=True)),
            "create": lambda: plan_write(root, WriteFile(path="new", content="x")),
            "move": lambda: plan_move(root, "a.txt", "moved"),
            "delete": lambda: plan_delete(root, "a.txt"),
            "make_dir": lambda: plan_make_dir(root, "new"),
        }[tool]()
        happening()
        return change.apply(root)


@pytest.mark.parametrize("tool", ["edit", "overwrite"])
@pytest.mark.parametrize("how", ["in place", "same size and times", "replaced", "gone", "link", "directory"])
def test_a_file_that_changed_after_the_look_is_left(tool: str, how: str, world: World) -> None:
    path = world.root / "a.txt"

    def happen() -> None:
        status = path.stat()
        if how == "in place":
            path.write_text("changed")
        elif how == "same size and times":
            path.write_text("ONE\ntwo\nthree\n")
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
        else:
            path.rename(world.root / "elsewhere")
        if how == "replaced":
            path.write_text("one\ntwo\nthree\n")
        elif how == "link":
            path.symlink_to(world.outside / "secret.txt")
        elif how == "directory":
            path.mkdir()

    guarded = world.guarded()
    with pytest.raises((ToolError, OSError)) as caught:
        applied_after(world, tool, happen)
    assert not isinstance(caught.value, PartlyDone)
    if how in ("in place", "same size and times", "replaced", "gone"):
        assert isinstance(caught.value, Changed)
    assert world.guarded() == guarded and leftovers(world.root) == []
    if path.is_file() and not path.is_symlink():
        assert path.read_text() not in ("x", "one\n2\nthree\n")


@pytest.mark.parametrize("tool", ["move", "delete"])
def test_what_took_the_name_after_the_look_is_put_back(tool: str, world: World) -> None:
    def happen() -> None:
        (world.root / "a.txt").rename(world.root / "kept")
        (world.root / "a.txt").write_text("another")

    with pytest.raises(Changed, match="replaced meanwhile"):
        applied_after(world, tool, happen)
    assert (world.root / "a.txt").read_text() == "another" and not (world.root / "moved").exists()
    assert list_trash(world.root) == []


@pytest.mark.parametrize("tool", ["move", "delete"])
def test_what_is_gone_after_the_look_is_told(tool: str, world: World) -> None:
    with pytest.raises(Changed, match="is gone"):
        applied_after(world, tool, (world.root / "a.txt").unlink)
    assert list_trash(world.root) == []
    if tool == "delete":
        assert os.listdir(world.root / ".reflect/trash") == [".gitignore"]


@pytest.mark.parametrize(("tool", "name"), [("create", "new"), ("move", "moved")])
@pytest.mark.parametrize("kind", ["file", "directory", "link"])
def test_what_appears_at_the_target_is_never_overwritten(
    tool: str, name: str, kind: str, world: World
) -> None:
    path = world.root / name

    def happen() -> None:
        if kind == "file":
            path.write_text("theirs")
        elif kind == "directory":
            path.mkdir()
        else:
            path.symlink_to(world.outside / "new")

    guarded = world.guarded()
    with pytest.raises((Changed, WriteRefused)):
        applied_after(world, tool, happen)
    assert world.guarded() == guarded and (world.root / "a.txt").exists()
    assert kind != "file" or path.read_text() == "theirs"


@pytest.mark.parametrize("when", ["before the look", "before the change"])
@pytest.mark.parametrize(
    "one",
    [
        call("write_file", path="src/new", content="x"),
        call("write_file", path="src/deep/er/new", content="x"),
        call("write_file", path="src/secret.txt", content="x", overwrite=True),
        call("edit_file", path="src/secret.txt", old="secret", new="x"),
        call("make_dir", path="src/new/er"),
        call("move", source="a.txt", target="src/new"),
        call("move", source="src/secret.txt", target="stolen"),
        call("delete", path="src/secret.txt"),
    ],
    ids=lambda one: f"{one.tool} {one.args.get('path') or one.args['target']}",
)
def test_a_directory_swapped_for_a_link_at_the_worst_moment(
    one: ToolCall, when: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The decoy holds the same names, by hard links even the same files, so nothing but the link is wrong."""
    os.link(world.outside / "secret.txt", world.root / "src/secret.txt")
    (world.outside / "deep").mkdir()
    guarded, look_at = world.guarded(), descent.reached
    entered = 0

    def swapped(*args: Any, **kwargs: Any) -> Any:
        nonlocal entered
        if args[1][:1] == ("src",):
            entered += 1
            if entered == (1 if when == "before the look" else 2):
                (world.root / "src").rename(world.root / "real")
                (world.root / "src").symlink_to(world.outside)
        return look_at(*args, **kwargs)

    for module in (changes, entries, text):
        monkeypatch.setattr(module, "reached", swapped)
    with pytest.raises(ToolError):
        execute(world.root, one)
    assert entered >= (1 if when == "before the look" else 2)
    assert world.guarded() == guarded and os.stat(world.outside / "secret.txt").st_nlink == 3
    assert not (world.root / "stolen").exists() and (world.root / "a.txt").exists()


def test_a_directory_that_is_made_meanwhile_is_as_good(world: World) -> None:
    applied_after(world, "make_dir", (world.root / "new").mkdir)
    assert (world.root / "new").is_dir()


def test_a_change_in_a_directory_that_was_moved_away_is_no_success(world: World) -> None:
    with open_root(world.root) as root, reached(root, ("src",)) as fd:
        (world.root / "src").rename(world.root / "elsewhere")
        with pytest.raises(PartlyDone, match="src/x was written, but src was moved"):
            settle(root, "src/x was written", [(("src",), fd)])
        (world.root / "src").mkdir()
        with pytest.raises(PartlyDone, match="moved or replaced"):
            settle(root, "src/x was written", [(("src",), fd)])


def test_a_change_that_is_not_durable_is_no_success(world: World) -> None:
    # A descriptor that is only a place cannot be synced.
    fd = os.open(world.root / "src", os.O_PATH | os.O_DIRECTORY)
    try:
        with (
            open_root(world.root) as root,
            pytest.raises(PartlyDone, match="may not survive a power failure"),
        ):
            settle(root, "src/x was written", [(("src",), fd)])
    finally:
        os.close(fd)


def test_another_writer_is_waited_for_and_not_for_ever(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(descent, "LOCK_SECONDS", 0.05)
    holder = os.open(world.root, os.O_RDONLY)
    fcntl.flock(holder, fcntl.LOCK_EX)
    try:
        one = call("make_dir", path="x")
        preview(world.root, one)
        with pytest.raises(WriteFailed, match="Another writer"):
            execute(world.root, one)
        assert not (world.root / "x").exists()
    finally:
        os.close(holder)
    execute(world.root, one)


def test_a_root_that_is_gone_is_told(world: World) -> None:
    world.root.rename(world.root.parent / "moved")
    for act in (preview, execute):
        with pytest.raises(ToolError):
            act(world.root, call("make_dir", path="x"))


def test_renaming_by_system_call_where_the_library_has_no_function(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Library:
        syscall = ctypes.CDLL(None, use_errno=True).syscall

    monkeypatch.setattr(ctypes, "CDLL", lambda *_, **__: Library())
    atomic._renameat2.cache_clear()
    fd = os.open(tmp_path, os.O_RDONLY)
    try:
        if atomic._renameat2() is None:
            pytest.skip("no number of the system call for this machine")
        (tmp_path / "a").write_text("a")
        (tmp_path / "b").write_text("b")
        before = state(tmp_path)
        with pytest.raises(FileExistsError):
            atomic.rename_new(fd, "a", fd, "b")
        assert state(tmp_path) == before
        atomic.rename_new(fd, "a", fd, "c")
        assert sorted(os.listdir(tmp_path)) == ["b", "c"]
    finally:
        os.close(fd)
        atomic._renameat2.cache_clear()
