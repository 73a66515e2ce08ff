"""The part of sed that only prints, and other readers that could do more than read."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tools.errors import CommandRefused
from tools.policy.check import check_argv

HOSTILE_SCRIPTS = (
    "w out",
    "5w out",
    "s/a/b/w out",
    "s/a/b/gw out",
    "s/a/b/e",
    "s/a/b/ge",
    "s,a,b,e",
    "e",
    "1e date",
    "e date",
    "r /etc/passwd",
    "R /etc/passwd",
    "W out",
    "p;w out",
    "p\nw out",
    "1,5p;e id",
    "$!e",
    "a text",
    "i\\ text",
    "c\\ x",
    ":a;ba",
    "b",
    "t",
    "{p;p}",
    "s/a/b/;w out",
    "y/a/b/;e",
    "/x/e",
    "s/a\\/b/c/e",
    "s/x/y/p w out",
    "F",
    "v",
    "Q;e",
    "s|a|b|w out",
    "s/a/b/m;r x",
    "#n",
    "p # c\nw out",
    "p}",
    "0~4e",
    "",
)
GOOD_SCRIPTS = (
    "5,10p",
    "$p",
    "1~2p",
    "/error/p",
    "/a/,/b/p",
    "s/old/new/g",
    "s|a/b|c|",
    "5q",
    "1d",
    "/^$/d",
    "2!d",
    "=",
    "s/.*,//;s/x$//",
    "y/abc/xyz/",
    "/x/I,+3p",
    "s/a\\/b/c/2",
)


@pytest.mark.parametrize("script", HOSTILE_SCRIPTS)
def test_a_script_that_does_more_than_print_is_refused(script: str, tmp_path: Path) -> None:
    for argv in (
        ["-n", script, "x"],
        ["-e", script, "x"],
        [f"--expression={script}"],
        ["-e", "p", "-e", script],
    ):
        with pytest.raises(CommandRefused):
            check_argv(tmp_path, "sed", argv)


@pytest.mark.parametrize(
    "option",
    [
        "-i",
        "-i.bak",
        "--in-place",
        "--in-place=.bak",
        "-ni",
        "-f",
        "-fscript",
        "--file=x",
        "-l5",
        "--follow-symlinks",
        "--line-length=3",
        "--debug",
        "--help",
        "--in",
    ],
)
def test_an_option_that_writes_or_reads_elsewhere_is_refused(option: str, tmp_path: Path) -> None:
    for argv in ([option, "p", "x"], ["p", option], ["p", "x", option]):
        with pytest.raises(CommandRefused):
            check_argv(tmp_path, "sed", argv)


@pytest.mark.parametrize("script", GOOD_SCRIPTS)
def test_a_script_that_prints_runs_sandboxed(script: str, tmp_path: Path) -> None:
    checked = check_argv(tmp_path, "sed", ["-n", script, "x"])
    assert checked == ["--sandbox", "-n", "-e", script, "--", "x"]
    assert check_argv(tmp_path, "sed", ["-n", "--", script, "x"]) == checked


def test_files_of_sed_stay_inside_the_root(tmp_path: Path) -> None:
    for path in ("../x", "/etc/passwd", "~/x"):
        with pytest.raises(CommandRefused, match="outside the root"):
            check_argv(tmp_path, "sed", ["-n", "p", path])
    with pytest.raises(CommandRefused, match="script is missing"):
        check_argv(tmp_path, "sed", ["-n"])


PARTS = st.sampled_from(
    "p d q = w r e W R s/a/b/ s/a/b/w s/a/b/e y/a/b/ 1 2,3 $ /a/ ! ; \n { } out :a b".split(" ")
)


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(parts=st.lists(PARTS, max_size=6))
def test_what_is_let_through_changes_no_file(parts: list[str], tmp_path: Path) -> None:
    (tmp_path / "x").write_text("a\nb\na b\n")
    try:
        argv = check_argv(tmp_path, "sed", ["".join(parts), "x"])
    except CommandRefused:
        return
    argv.remove("--sandbox")  # the script alone must be harmless
    subprocess.run(["sed", *argv], cwd=tmp_path, capture_output=True, timeout=10, check=False)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("x", "a\nb\na b\n")]


@pytest.mark.parametrize(
    ("tool", "argv"),
    [
        ("date", ["010203042030"]),
        ("date", ["-s", "tomorrow"]),
        ("date", ["--set=now"]),
        ("date", ["-f", "x"]),
        ("date", ["+%F", "x"]),
        ("date", ["-r", "/etc/passwd"]),
        ("uname", ["-n"]),
        ("uname", ["-a"]),
        ("uname", ["--nodename"]),
        ("uname", ["x"]),
        ("df", []),
        ("df", ["/"]),
        ("df", ["-a", "."]),
        ("id", ["root"]),
        ("rev", ["/etc/passwd"]),
        ("paste", ["../x"]),
        ("paste", ["-d", ",", "/etc/passwd"]),
        ("cmp", ["a", "/etc/passwd"]),
        ("od", ["/etc/passwd"]),
        ("readlink", ["-f", "x"]),
        ("readlink", ["/etc/mtab"]),
        ("sha1sum", ["-c", "x"]),
        ("sha512sum", ["/etc/passwd"]),
    ],
)
def test_readers_neither_set_nor_read_elsewhere(tool: str, argv: list[str], tmp_path: Path) -> None:
    with pytest.raises(CommandRefused):
        check_argv(tmp_path, tool, argv)


def test_readers_are_let_through(tmp_path: Path) -> None:
    (tmp_path / "out").symlink_to("/etc/passwd")
    assert check_argv(tmp_path, "date", ["+%F"]) == ["--", "+%F"]
    assert check_argv(tmp_path, "uname", ["-sr"]) == ["-s", "-r"]
    assert check_argv(tmp_path, "df", ["-h", "."]) == ["-h", "--", "."]
    assert check_argv(tmp_path, "id", ["-un"]) == ["-u", "-n"]
    # What a link says is told; what it leads to is not opened.
    assert check_argv(tmp_path, "readlink", ["out"]) == ["--", "out"]
    with pytest.raises(CommandRefused, match="outside the root"):
        check_argv(tmp_path, "rev", ["out"])
