"""History: real repositories, read by git in its sandbox."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from configs.audit import AuditSettings
from tests.tools.audit.repositories import Commit, git, made, text
from tools import programs
from tools.audit.history import history
from tools.audit.ignored import ignored_by_git
from tools.audit.report import Changes, History

SETTINGS = AuditSettings()


def changes(found: History) -> dict[str, tuple[int, int, int, int]]:
    return {one.file: (one.commits, one.added, one.deleted, one.authors) for one in found.files}


async def test_changes_are_counted_by_file(tmp_path: Path) -> None:
    root = made(
        tmp_path,
        Commit({"a.py": text("a"), "b.py": text("b"), "left.md": b"x\n"}),
        Commit({"a.py": text("a", 1, 2)}, author="B@x"),
        Commit({"a.py": text("a", 1, 2, 3)}, author="b@x"),
    )
    found = await history(root, ["a.py", "b.py", "never.py"], SETTINGS)
    assert found == History(
        available=True,
        commits=3,
        until="2023-11-14",
        files=(
            Changes(file="a.py", commits=3, added=23, deleted=3, authors=2),
            Changes(file="b.py", commits=1, added=20, deleted=0, authors=1),
        ),
    )


async def test_a_file_keeps_its_changes_under_a_new_name(tmp_path: Path) -> None:
    root = made(
        tmp_path,
        Commit({"old.py": text("a")}),
        Commit({"old.py": text("a", 1)}),
        Commit(renames={"old.py": "sub/new name.py"}),
        Commit({"old.py": text("another")}, author="c@x"),
        Commit({"sub/new name.py": text("a", 1, 2)}),
    )
    found = await history(root, ["old.py", "sub/new name.py"], SETTINGS)
    assert changes(found) == {"old.py": (1, 20, 0, 1), "sub/new name.py": (4, 22, 2, 1)}


async def test_files_that_take_each_others_names_keep_their_changes(tmp_path: Path) -> None:
    root = made(
        tmp_path,
        Commit({"a.py": text("a"), "b.py": text("b")}),
        Commit({"a.py": text("a", 1)}),
        Commit(renames={"a.py": "x.py"}),
        Commit(renames={"b.py": "a.py"}),
        Commit(renames={"x.py": "b.py"}),
    )
    assert changes(await history(root, ["a.py", "b.py"], SETTINGS)) == {
        "a.py": (2, 20, 0, 1),
        "b.py": (4, 21, 1, 1),
    }


async def test_a_merge_counts_what_its_sides_changed_once(tmp_path: Path) -> None:
    root = made(
        tmp_path,
        Commit({"a.py": text("a"), "b.py": text("b")}),
        Commit({"a.py": text("a", 1)}, parents=[1]),
        Commit({"b.py": text("b", 1)}, parents=[1]),
        Commit({"a.py": text("a", 1), "b.py": text("b", 1)}, parents=[3, 2]),
    )
    found = await history(root, ["a.py", "b.py"], SETTINGS)
    assert found.commits == 3
    assert changes(found) == {"a.py": (2, 21, 1, 1), "b.py": (2, 21, 1, 1)}


@pytest.mark.parametrize("folder", ["lib", ":(top)", "*", "-n", "a b", "ü", "a/b"])
async def test_below_the_top_only_what_lies_there_counts(tmp_path: Path, folder: str) -> None:
    root = made(
        tmp_path / "top",
        Commit({f"{folder}/a.py": text("a"), "a.py": text("b"), "lib2/a.py": text("c")}),
        Commit({"a.py": text("b", 1)}),
        Commit({f"{folder}/a.py": text("a", 1)}),
    )
    below = root / folder
    below.mkdir(parents=True)
    found = await history(below, ["a.py"], SETTINGS)
    assert (found.commits, changes(found)) == (2, {"a.py": (2, 21, 1, 1)})


async def test_what_is_no_text_has_changes_without_lines(tmp_path: Path) -> None:
    root = made(tmp_path, Commit({"a.py": b"\0\1\2"}), Commit({"a.py": b"\0\1\3"}))
    assert changes(await history(root, ["a.py"], SETTINGS)) == {"a.py": (2, 0, 0, 1)}


async def test_beyond_the_bound_the_note_says_so(tmp_path: Path) -> None:
    root = made(tmp_path, *(Commit({"a.py": text("a", number)}) for number in range(5)))
    all_of_it = await history(root, ["a.py"], AuditSettings(most_commits=5))
    bounded = await history(root, ["a.py"], AuditSettings(most_commits=3))
    assert (all_of_it.commits, all_of_it.note) == (5, "")
    assert (bounded.commits, bounded.files[0].commits) == (3, 3)
    assert "Only the newest 3 commits" in bounded.note


async def test_a_shallow_clone_is_said_and_its_first_commit_changes_nothing(tmp_path: Path) -> None:
    whole = made(tmp_path / "whole", *(Commit({"a.py": text("a", number)}) for number in range(5)))
    git(tmp_path, "clone", "-q", "--depth", "3", f"file://{whole}", "cut")
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{whole}", "least")
    cut = await history(tmp_path / "cut", ["a.py"], SETTINGS)
    least = await history(tmp_path / "least", ["a.py"], SETTINGS)
    assert cut.available and cut.shallow and "shallow" in cut.note
    assert (cut.commits, changes(cut)) == (2, {"a.py": (2, 4, 4, 1)})
    assert least.available and least.shallow and least.files == () and least.until == "2023-11-14"


async def test_a_linked_working_tree_has_the_history_of_its_branch(tmp_path: Path) -> None:
    top = made(tmp_path / "top", Commit({"a.py": text("a")}), Commit({"a.py": text("a", 1)}))
    git(top, "worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"), "main~1")
    git(top, "worktree", "add", "-q", "--detach", str(tmp_path / "loose"), "main")
    assert (await history(tmp_path / "linked", ["a.py"], SETTINGS)).files[0].commits == 1
    assert (await history(tmp_path / "loose", ["a.py"], SETTINGS)).files[0].commits == 2


async def test_a_tree_cannot_lead_to_a_repository_that_does_not_know_it(tmp_path: Path) -> None:
    other = made(tmp_path / "other", Commit({"a.py": text("secret")}))
    git(other, "worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"))
    for number, led in enumerate((other / ".git", other / ".git/worktrees/linked")):
        hostile = tmp_path / f"hostile{number}"
        hostile.mkdir()
        (hostile / ".git").write_text(f"gitdir: {led}\n")
        found = await history(hostile, ["a.py"], SETTINGS)
        assert not found.available and not found.files and "does not know" in found.note
    linking = tmp_path / "linking"
    linking.mkdir()
    (linking / ".git").symlink_to(other / ".git")
    assert "does not know" in (await history(linking, ["a.py"], SETTINGS)).note


@pytest.mark.parametrize(
    "said", [b"", b"gitdir: ", b"gitdir: a\0b\n", b"gitdir: \xff" * 3000, b"\xff\n", b"gitdir: .git"]
)
async def test_a_git_file_may_hold_anything(tmp_path: Path, said: bytes) -> None:
    (tmp_path / ".git").write_bytes(said)
    (tmp_path / "a.py").write_text("x = 1\n")
    assert "does not know" in (await history(tmp_path, ["a.py"], SETTINGS)).note
    assert "does not know" in ignored_by_git(tmp_path)[1]


async def test_a_submodule_is_left_out_and_says_so(tmp_path: Path) -> None:
    inner = made(tmp_path / "inner", Commit({"a.py": text("a")}))
    outer = made(tmp_path / "outer", Commit({"b.py": text("b")}))
    git(outer, "checkout", "-q", "main")
    git(outer, "submodule", "--quiet", "add", str(inner), "sub")
    git(outer, "commit", "-q", "-m", "x")
    found = await history(outer, ["b.py", "sub/a.py"], SETTINGS)
    below = await history(outer / "sub", ["a.py"], SETTINGS)
    assert changes(found) == {"b.py": (1, 20, 0, 1)}
    assert not below.available and below.note


async def test_whatever_is_missing_is_said(tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    assert (await history(bare, [], SETTINGS)).note == "There is no git repository here."
    (bare / ".git").mkdir()
    assert (await history(bare, [], SETTINGS)).note == "There is no git repository here."
    assert "Nothing is committed" in (await history(made(tmp_path / "new"), [], SETTINGS)).note
    beside = made(tmp_path / "beside", Commit({"a.py": text("a")}))
    (beside / "ignored").mkdir()
    unknown = await history(beside / "ignored", ["a.py"], SETTINGS)
    assert (unknown.available, unknown.note) == (False, "No commit changed anything here.")


async def test_without_git_there_is_no_history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = made(tmp_path / "top", Commit({"a.py": text("a")}))
    monkeypatch.setattr(programs, "TRUSTED", str(tmp_path / "nothing"))
    programs.program.cache_clear()
    try:
        found = await history(root, ["a.py"], SETTINGS)
    finally:
        programs.program.cache_clear()
    assert not found.available and "'git' is not installed" in found.note


async def test_time_is_bounded(tmp_path: Path) -> None:
    root = made(tmp_path, Commit({"a.py": text("a")}))
    found = await history(root, ["a.py"], AuditSettings(history_seconds=0.000_001))
    assert not found.available and "audit.history_seconds" in found.note


def lose_objects(root: Path) -> None:
    shutil.rmtree(root / ".git/objects")
    (root / ".git/objects").mkdir()


def garble_head(root: Path) -> None:
    (root / ".git/HEAD").write_bytes(b"\xff\0\x1b[2J not a reference")


def garble_pack(root: Path) -> None:
    git(root, "gc", "-q")
    for pack in (root / ".git/objects/pack").glob("*.pack"):
        pack.chmod(0o600)
        pack.write_bytes(pack.read_bytes()[:60] + b"\0" * 200)


def loop(root: Path) -> None:
    (root / ".git/refs/heads/main").unlink(missing_ok=True)
    (root / ".git/refs/heads/main").symlink_to("main")


@pytest.mark.parametrize("breaks", [lose_objects, garble_head, garble_pack, loop])
async def test_a_broken_repository_is_said_without_its_place(tmp_path: Path, breaks: object) -> None:
    root = made(tmp_path / "top", *(Commit({"a.py": text("a", number)}) for number in range(3)))
    assert callable(breaks)
    breaks(root)
    found = await history(root, ["a.py"], SETTINGS)
    assert not found.available and found.files == () and found.note
    assert str(tmp_path) not in found.note and found.note.isprintable() and len(found.note) <= 300


@pytest.mark.parametrize("name", ["config", "HEAD", "shallow", "packed-refs", "index"])
async def test_a_pipe_in_the_repository_holds_nobody_up_for_good(tmp_path: Path, name: str) -> None:
    root = made(tmp_path, Commit({"a.py": text("a")}))
    (root / ".git" / name).unlink(missing_ok=True)
    os.mkfifo(root / ".git" / name)
    found = await history(root, ["a.py"], AuditSettings(history_seconds=1))
    assert found.note or found.available


async def test_a_pipe_behind_a_git_file_is_no_repository(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / ".git").write_text("gitdir: elsewhere\n")
    for name in ("gitdir", "commondir", "HEAD"):
        os.mkfifo(tmp_path / "elsewhere" / name)
    assert "does not know" in (await history(tmp_path, ["a.py"], SETTINGS)).note


HOSTILE = {
    "fsmonitor": '[core]\nfsmonitor = "{run}"\n',
    "hooks": "[core]\nhooksPath = {hooks}\n",
    "pager": '[core]\npager = "{run}"\n[pager]\nlog = "{run}"\n',
    "external": '[diff]\nexternal = "{run}"\n',
    "textconv": '[diff "x"]\ntextconv = "{run}"\n',
    "driver": '[diff "x"]\ncommand = "{run}"\n',
    "filter": '[filter "x"]\nclean = "{run}"\nsmudge = "{run}"\nprocess = "{run}"\n',
    "alias": '[alias]\nlog = "!{run}"\n',
    "signature": '[log]\nshowSignature = true\n[gpg]\nprogram = "{run}"\n',
    "ssh": '[core]\nsshCommand = "{run}"\n',
    "include": "[include]\npath = {hooks}/config\n",
    "promisor": "[core]\nrepositoryformatversion = 1\n[extensions]\npartialClone = origin\n"
    '[remote "origin"]\nurl = ext::{run}\npromisor = true\nuploadpack = {run}\n',
    "mailmap": "[log]\nmailmap = true\n[mailmap]\nfile = {hooks}/config\n",
    "order": "[diff]\norderFile = {hooks}/config\nrenames = copies\nalgorithm = patience\nnoprefix = true\n",
}


@pytest.mark.parametrize("kind", HOSTILE)
async def test_nothing_a_repository_names_runs(tmp_path: Path, kind: str) -> None:
    root = made(
        tmp_path / "top",
        Commit({"a.py": text("a"), ".gitattributes": b"* diff=x filter=x\n", ".mailmap": b"B <b@x> <a@x>\n"}),
        Commit({"a.py": text("a", 1)}, author="b@x"),
    )
    hooks, marker = root / "hooks", root / "ran"
    hooks.mkdir()
    run = hooks / "run"
    run.write_text(f"#!/bin/sh\ntouch {marker} {tmp_path}/ran\n")
    (hooks / "config").write_text(f'[diff "x"]\n textconv = {run}\n')
    for name in ("post-checkout", "reference-transaction", "post-index-change"):
        (hooks / name).write_text(run.read_text())
    for program in hooks.iterdir():
        program.chmod(0o755)
    config = root / ".git/config"
    config.write_text(config.read_text() + HOSTILE[kind].format(run=run, hooks=hooks))
    (root / ".gitattributes").write_text("* diff=x filter=x\n")
    if kind == "promisor":
        lose_objects(root)
    found = await history(root, ["a.py"], SETTINGS)
    assert not marker.exists() and not (tmp_path / "ran").exists()
    if found.available:
        assert changes(found) == {"a.py": (2, 21, 1, 2)}
    else:
        assert found.note and not found.files


async def test_objects_of_another_repository_are_not_read(tmp_path: Path) -> None:
    other = made(tmp_path / "other", Commit({"a.py": text("secret")}))
    root = made(tmp_path / "top")
    (root / ".git/objects/info/alternates").write_text(f"{other}/.git/objects\n")
    (root / ".git/refs/heads/main").write_text(git(other, "rev-parse", "main"))
    found = await history(root, ["a.py"], SETTINGS)
    assert not found.available and "outside" in found.note


@pytest.mark.parametrize("when", [0, 1, 4_102_444_800, 253_402_300_800, 10**15])
async def test_any_time_a_commit_names_is_taken(tmp_path: Path, when: int) -> None:
    root = made(tmp_path, Commit({"a.py": text("a")}, when=when))
    found = await history(root, ["a.py"], SETTINGS)
    assert found.available and found.files[0].commits == 1
    assert found.until in ("", "1970-01-01", "2100-01-01") or len(found.until) == 10
