from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tools.writing.worlds import World, call, leftovers, state
from tools.errors import Changed, ToolError
from tools.writing import atomic
from tools.writing.atomic import Replaced, publish, rename_new
from tools.writing.plan import execute


@pytest.fixture
def directory(tmp_path: Path) -> Iterator[int]:
    fd = os.open(tmp_path, os.O_RDONLY | os.O_DIRECTORY)
    yield fd
    os.close(fd)


@pytest.fixture(params=["unnamed", "named"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """With O_TMPFILE, and as on file systems without it: there the flag opens a directory for writing."""
    if request.param == "named":
        monkeypatch.setattr(os, "O_TMPFILE", os.O_DIRECTORY)
    return str(request.param)


@pytest.fixture(params=["call", "steps"])
def renaming(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """With renameat2, and as on systems without it."""
    if request.param == "steps":
        monkeypatch.setattr(atomic, "_renameat2", lambda: None)
    return str(request.param)


@pytest.mark.usefixtures("way", "renaming")
def test_a_free_name_gets_its_content_and_a_taken_one_is_left(directory: int, tmp_path: Path) -> None:
    publish(directory, "x", b"new", None)
    assert (tmp_path / "x").read_bytes() == b"new"
    for taken in ("file", "directory", "dangling"):
        path = tmp_path / taken
        {"file": path.touch, "directory": path.mkdir, "dangling": lambda p=path: p.symlink_to("gone")}[
            taken
        ]()
        before = state(tmp_path)
        with pytest.raises(FileExistsError):
            publish(directory, taken, b"new", None)
        assert state(tmp_path) == before


@pytest.mark.usefixtures("way")
def test_a_file_that_changed_while_the_new_one_was_written_is_kept(directory: int, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"old")
    fd = os.open(path, os.O_RDONLY)
    try:
        replaced = Replaced(fd, os.fstat(fd))
        publish(directory, "x", b"new", replaced)
        assert path.read_bytes() == b"new"
        with pytest.raises(Changed):  # the name holds another file now
            publish(directory, "x", b"newer", replaced)
        path.unlink()
        with pytest.raises(Changed):
            publish(directory, "x", b"newer", replaced)
    finally:
        os.close(fd)
    assert os.listdir(tmp_path) == []


@pytest.mark.usefixtures("renaming")
@pytest.mark.parametrize("kind", ["file", "directory", "link"])
@pytest.mark.parametrize("taken", ["", "file", "directory", "full directory", "link"])
def test_renaming_never_overwrites(kind: str, taken: str, directory: int, tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    make(source, kind)
    if taken:
        make(target, taken)
    before = state(tmp_path)
    if taken:
        with pytest.raises(FileExistsError):
            rename_new(directory, "source", directory, "target")
        assert state(tmp_path) == before
        return
    rename_new(directory, "source", directory, "target")
    assert os.listdir(tmp_path) == ["target"]
    moved = stat.S_IFMT(os.lstat(target).st_mode)
    assert moved == {"file": stat.S_IFREG, "directory": stat.S_IFDIR, "link": stat.S_IFLNK}[kind]


def make(path: Path, kind: str) -> None:
    if kind == "file":
        path.write_text(path.name)
    elif kind == "link":
        path.symlink_to("gone")
    else:
        path.mkdir()
        if kind == "full directory":
            (path / "x").touch()


@pytest.mark.usefixtures("renaming")
def test_a_directory_does_not_go_into_itself(directory: int, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    inner = os.open(tmp_path / "a", os.O_RDONLY)
    try:
        with pytest.raises(OSError, match="Invalid"):
            rename_new(directory, "a", inner, "b")
    finally:
        os.close(inner)
    assert os.listdir(tmp_path) == ["a"] and os.listdir(tmp_path / "a") == []


@pytest.mark.usefixtures("way", "renaming")
def test_the_tools_work_alike_on_every_kind_of_system(world: World) -> None:
    execute(world.root, call("write_file", path="n/x", content="1\n"))
    execute(world.root, call("edit_file", path="n/x", old="1", new="2"))
    execute(world.root, call("move", source="n", target="m/n"))
    assert (world.root / "m/n/x").read_text() == "2\n"
    execute(world.root, call("delete", path="m"))
    assert not (world.root / "m").exists() and leftovers(world.root) == []


def test_directories_made_for_a_write_that_fails_are_taken_back(world: World) -> None:
    before = world.inside()
    with pytest.raises(ToolError, match="File name too long"):
        execute(world.root, call("write_file", path=f"p/q/{'x' * 256}", content="x"))
    with pytest.raises(ToolError):
        execute(world.root, call("move", source="a.txt", target=f"p/q/{'x' * 256}"))
    assert world.inside() == before
