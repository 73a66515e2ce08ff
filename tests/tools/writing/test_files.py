from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tools.writing.worlds import World, call, leftovers
from tools.errors import BadArguments, Changed, PartlyDone, ToolError, WriteRefused
from tools.writing.plan import displayed, execute, preview

PATHS = st.sampled_from(
    [
        "a.txt", "src", "src/b.txt", "src/deep", "src/deep/c.bin", "new", "new/x/y", "in", "in/b.txt",
        "in_file", "out", "out/new", "out/secret.txt", "out_file", "out_new", "dangling", "loop", "up/x",
        "hard.txt", "pipe", ".git/config", "git/config", "src/back/root/a.txt", "-rf", "new\nline",
        "x" * 255, "x" * 256, "\udcff\udcfe", "../outside/y", "proc/x", "root/tmp/x", ".reflect/x",
        "src/../a.txt", "~", "a.txt/x", "e\u0301",
    ]
)  # fmt: skip
TEXTS = st.sampled_from(["", "one\n", "one", "alpha\nbeta", "\r\n", "caf\u00e9", "\0"])
CALLS = st.one_of(
    st.builds(
        lambda p, c, o: call("write_file", path=p, content=c, overwrite=o), PATHS, TEXTS, st.booleans(),
    ),
    st.builds(
        lambda p, a, b, every: call("edit_file", path=p, old=a, new=b, replace_all=every),
        PATHS, st.sampled_from(["one", "beta", "a", "\n"]), TEXTS, st.booleans(),
    ),
    st.builds(lambda p: call("make_dir", path=p), PATHS),
    st.builds(lambda a, b: call("move", source=a, target=b), PATHS, PATHS),
    st.builds(lambda p: call("delete", path=p), PATHS),
)  # fmt: skip


@settings(max_examples=120, deadline=None)
@given(calls=st.lists(CALLS, min_size=1, max_size=6))
def test_any_calls_change_the_root_only_and_say_truly_whether_they_did(calls: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as name:
        world = World(Path(os.path.realpath(name)))
        guarded = world.guarded()
        for one in calls:
            before = world.inside()
            try:
                shown = preview(world.root, one)
            except ToolError:
                shown = None
            assert world.inside() == before
            displayed(one).encode("utf-8")
            try:
                said = execute(world.root, one, shown.fingerprint if shown else None)
            except PartlyDone:
                raise
            except ToolError:
                assert shown is None and world.inside() == before, one
            else:
                assert shown is not None and said, one
                said.encode("utf-8")
                check_done(world, one)
            assert world.guarded() == guarded, one
        assert leftovers(world.root) == []


def check_done(world: World, one: Any) -> None:
    """Look at the disk by path, not by what the tools say."""
    args = one.args
    if one.tool == "write_file":
        assert (world.root / args["path"]).read_bytes() == args["content"].encode()
    elif one.tool == "edit_file":
        assert args["new"].encode() in (world.root / args["path"]).read_bytes()
    elif one.tool == "make_dir":
        assert (world.root / args["path"]).is_dir()
    elif one.tool == "move":
        assert os.path.lexists(world.root / args["target"])
        assert not os.path.lexists(world.root / args["source"])
    else:
        assert not os.path.lexists(world.root / args["path"])


def test_a_new_file_gets_its_directories_and_the_mode_the_umask_gives(world: World) -> None:
    diff = execute(world.root, call("write_file", path="x/y/z.txt", content="one\n"))
    assert diff == "--- /dev/null\n+++ b/x/y/z.txt\n@@ -0,0 +1,1 @@\n+one\n"
    (world.root / "plain").touch()
    assert (world.root / "x/y/z.txt").stat().st_mode == (world.root / "plain").stat().st_mode


def test_a_file_that_exists_is_kept_unless_overwriting_is_asked_for(world: World) -> None:
    with pytest.raises(WriteRefused, match="a.txt exists"):
        execute(world.root, call("write_file", path="a.txt", content="new"))
    assert (world.root / "a.txt").read_text() == "one\ntwo\nthree\n"
    execute(world.root, call("write_file", path="a.txt", content="new", overwrite=True))
    assert (world.root / "a.txt").read_text() == "new"


def test_mode_and_attributes_stay_and_set_user_id_does_not(world: World) -> None:
    path = world.root / "a.txt"
    try:
        os.setxattr(path, "user.note", b"kept")
    except OSError:
        names = []
    else:
        names = ["user.note"]
    path.chmod(0o4751)
    execute(world.root, call("edit_file", path="a.txt", old="two", new="2"))
    assert stat.S_IMODE(path.stat().st_mode) == 0o751
    assert [name for name in os.listxattr(path) if name.startswith("user.")] == names


def test_the_other_name_of_a_hard_link_is_never_written_through(world: World) -> None:
    execute(world.root, call("edit_file", path="hard.txt", old="secret", new="public"))
    assert (world.root / "hard.txt").read_text() == "public\n"
    assert (world.outside / "secret.txt").read_text() == "secret\n"


def test_a_link_that_leads_inside_is_written_through_and_stays(world: World) -> None:
    execute(world.root, call("edit_file", path="in_file", old="beta", new="gamma"))
    assert (world.root / "in_file").is_symlink() and (
        world.root / "src/b.txt"
    ).read_text() == "alpha\ngamma\n"
    execute(world.root, call("write_file", path="dangling", content="x"))
    assert (world.root / "src/not_there").read_text() == "x"


def test_links_are_moved_and_deleted_themselves(world: World) -> None:
    execute(world.root, call("move", source="out", target="renamed"))
    execute(world.root, call("delete", path="renamed"))
    execute(world.root, call("delete", path="in"))
    assert (world.outside / "secret.txt").exists() and (world.root / "src/b.txt").exists()


@pytest.mark.parametrize(
    ("content", "why"),
    [(b"\xff\xfe", "not UTF-8 text: byte 0"), (b"a\0b", "binary file: it holds a NUL byte at 1")],
)
def test_what_is_no_text_is_not_edited(content: bytes, why: str, world: World) -> None:
    (world.root / "a.txt").write_bytes(content)
    with pytest.raises(WriteRefused, match=why):
        execute(world.root, call("edit_file", path="a.txt", old="a", new="b"))
    shown = preview(world.root, call("write_file", path="a.txt", content="text\n", overwrite=True))
    assert "no text" in shown.diff and "+text" in shown.diff


def test_what_is_too_long_is_refused(world: World) -> None:
    with pytest.raises(BadArguments, match="1048576 is the limit"):
        execute(world.root, call("write_file", path="x", content="\u00e9" * (2**19 + 1)))
    with pytest.raises(BadArguments, match="content"):
        execute(world.root, call("write_file", path="x", content="x" * (2**20 + 1)))
    os.truncate(world.root / "a.txt", 9 * 2**20)
    with pytest.raises(WriteRefused, match="edit_file takes up to"):
        execute(world.root, call("edit_file", path="a.txt", old="one", new="x"))
    execute(world.root, call("write_file", path="a.txt", content="short", overwrite=True))
    assert (world.root / "a.txt").read_text() == "short"


@pytest.mark.parametrize("path", ["pipe", "src", "loop"])
def test_what_is_no_ordinary_file_is_not_written(path: str, world: World) -> None:
    before = world.inside()
    with pytest.raises(ToolError):
        execute(world.root, call("write_file", path=path, content="x", overwrite=True))
    assert world.inside() == before


def test_a_directory_is_not_moved_into_itself_and_nothing_is_overwritten(world: World) -> None:
    for target, why in (("src/deep/src", "into itself"), ("src", "into itself"), ("in", "exists")):
        with pytest.raises(WriteRefused, match=why):
            execute(world.root, call("move", source="src", target=target))
    with pytest.raises(WriteRefused, match="Choose src/a.txt"):
        execute(world.root, call("move", source="a.txt", target="src"))
    execute(world.root, call("move", source="src", target="new/place"))
    assert (world.root / "new/place/deep/c.bin").exists()


@pytest.mark.integration  # takes seconds
def test_a_tree_deeper_than_any_path_is_long_goes_to_the_trash(world: World) -> None:
    fd = os.open(world.root, os.O_RDONLY)
    for _ in range(600):
        os.mkdir("d" * 20, dir_fd=fd)
        inner = os.open("d" * 20, os.O_RDONLY, dir_fd=fd)
        os.close(fd)
        fd = inner
    os.close(fd)
    assert "directory with 599 entries" in execute(world.root, call("delete", path="d" * 20))


def test_an_approval_holds_for_the_call_and_the_content_it_was_given_for(world: World) -> None:
    one = call("edit_file", path="a.txt", old="two", new="2")
    approved = preview(world.root, one)
    assert approved == preview(world.root, one) and "-two\n+2\n" in approved.diff
    (world.root / "a.txt").write_text("one\ntwo\nFOUR\n")
    with pytest.raises(Changed, match="not what was approved"):
        execute(world.root, one, approved.fingerprint)
    with pytest.raises(Changed):
        execute(world.root, call("edit_file", path="a.txt", old="two", new="3"), approved.fingerprint)
    assert (world.root / "a.txt").read_text() == "one\ntwo\nFOUR\n"
    execute(world.root, one, preview(world.root, one).fingerprint)


@pytest.mark.parametrize(
    "one", [call("delete", path="src"), call("move", source="src", target="x")], ids=lambda one: one.tool
)
def test_an_approval_for_a_directory_holds_for_what_is_in_it(one: Any, world: World) -> None:
    approved = preview(world.root, one)
    assert "directory with 4 entries" in approved.diff
    (world.root / "src/deep/more").touch()
    with pytest.raises(Changed):
        execute(world.root, one, approved.fingerprint)
    assert (world.root / "src").is_dir()


def test_the_preview_of_a_file_tells_the_bytes_that_will_be_there(world: World) -> None:
    import hashlib

    one = call("edit_file", path="a.txt", old="two", new="2")
    after = preview(world.root, one).after
    execute(world.root, one)
    assert hashlib.sha256((world.root / "a.txt").read_bytes()).hexdigest() == after


def test_commands_are_previewed_whole(world: World) -> None:
    shown = preview(world.root, call("run", argv=["sh", "-c", "echo x"]))
    assert (shown.kind, shown.argv) == ("command", ["sh", "-c", "echo x"])
    assert shown.fingerprint != preview(world.root, call("run", argv=["sh", "-c", "echo y"])).fingerprint
    shown = preview(world.root, call("python", code="print(1)\n"))
    assert (shown.kind, shown.code) == ("command", "print(1)\n")
    with pytest.raises(BadArguments, match="NUL"):
        preview(world.root, call("run", argv=["a\0b"]))
    with pytest.raises(BadArguments, match="list"):
        preview(world.root, call("run", argv="ls -la"))


def test_a_repository_kept_apart_is_protected_too(world: World) -> None:
    (world.root / ".git").rename(world.root / "apart")
    (world.root / ".git").write_text("gitdir: apart\n")
    for one in (
        call("write_file", path="apart/hooks/pre-commit", content="x"),
        call("delete", path="apart"),
        call("make_dir", path="apart/x"),
    ):
        with pytest.raises(WriteRefused, match="under another name"):
            execute(world.root, one)


def test_no_descriptor_stays_open(world: World) -> None:
    """In a repository, outside one, where a call is refused and where it is done."""
    calls = [
        call("write_file", path="f", content="x", overwrite=True),
        call("edit_file", path="f", old="x", new="y"),
        call("edit_file", path="f", old="absent", new="y"),
        call("write_file", path="../f", content="x"),
        call("delete", path="f"),
    ]

    def open_files() -> int:
        return len(os.listdir("/proc/self/fd"))

    for git in (True, False):
        assert (world.root / ".git").is_dir() is git
        before = open_files()
        for one in calls * 4:
            with suppress(ToolError):
                execute(world.root, one)
        assert open_files() == before
        (world.root / ".git").rename(world.root.parent / "gone") if git else None
