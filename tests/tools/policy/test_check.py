from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tools.places import Project
from tools.errors import CommandRefused, UnknownTool
from tools.policy.check import NAMES, check_argv, check_listed
from tools.policy.options import ALLOWED, INSTEAD

WORD = st.sampled_from(
    [
        "-r",
        "-l",
        "-n",
        "-c",
        "-u",
        "-o",
        "-oX",
        "-f",
        "-L",
        "-e",
        "-s",
        "--",
        "-",
        "-5",
        "5",
        "--output=x",
        "--line",
    ]
    + ["--files0-from=-", "notes.txt", "src", "-dash.txt", "link_in", "link_out", "dirlink/secret.txt", ".."]
    + ["../outside/secret.txt", "/etc/passwd", "~", "", "a b", "--regexp=x", "--rec"]
)


@settings(max_examples=250, deadline=None)
@given(tool=st.sampled_from(sorted(ALLOWED)), argv=st.lists(WORD, max_size=5))
def test_a_vector_that_passes_passes_again_unchanged_and_names_only_files_inside(
    tool: str, argv: list[str], shared: Project
) -> None:
    try:
        checked = check_argv(shared.root, tool, argv)
    except CommandRefused:
        return
    assert check_argv(shared.root, tool, checked) == checked
    if ALLOWED[tool].operands == "paths" and "--" in checked:
        for operand in checked[checked.index("--") + 1 :]:
            assert operand == "-" or not operand.startswith("-")
            named = shared.root / operand
            if tool in ("ls", "du", "stat", "file", "readlink") and not operand.endswith(("/", ".")):
                named = named.parent  # such a tool tells of a link itself
            place = os.path.realpath(named)
            assert os.path.commonpath([place, shared.root]) == str(shared.root)


@pytest.mark.parametrize(
    "tool", ["rm", "sh", "python3", "ed", "awk", "tee", "xargs", "env", "/bin/ls", "./ls", "", "LS"]
)
def test_a_tool_outside_the_set_is_unknown_and_another_is_named(tool: str, shared: Project) -> None:
    with pytest.raises(UnknownTool, match="not in the read-only set") as refusal:
        check_argv(shared.root, tool, [])
    assert refusal.value.remedy


def test_the_hint_fits_the_tool_even_with_a_version_or_a_directory(shared: Project) -> None:
    for name in ("python3.11", "/usr/bin/python3", "python"):
        with pytest.raises(UnknownTool) as refusal:
            check_argv(shared.root, name, [])
        assert refusal.value.remedy == INSTEAD["python"]


@pytest.mark.parametrize(
    "argv", [["link_out"], ["-r", "x", ".."], ["-e", "x", "../outside/secret.txt"], ["x", "/etc"]]
)
def test_grep_keeps_its_files_inside_whatever_gives_the_pattern(argv: list[str], shared: Project) -> None:
    if len(argv) == 1:
        assert check_argv(shared.root, "grep", argv) == ["--", "link_out"]  # the pattern, not a file
        argv = ["x", *argv]
    with pytest.raises(CommandRefused, match="outside"):
        check_argv(shared.root, "grep", argv)


def test_grep_needs_a_pattern_and_takes_any(shared: Project) -> None:
    with pytest.raises(CommandRefused, match="pattern is missing"):
        check_argv(shared.root, "grep", ["-r"])
    assert check_argv(shared.root, "grep", ["-r", "--", "-exec", "src"]) == ["-r", "--", "-exec", "src"]
    assert check_argv(shared.root, "grep", ["-e", "/etc/passwd"]) == ["-e/etc/passwd"]


def test_compared_directories_do_not_follow_their_links(shared: Project) -> None:
    assert "--no-dereference" in check_argv(shared.root, "diff", ["src", "."])
    assert "--no-dereference" in check_argv(shared.root, "diff", ["-r", "src", "."])
    assert "--no-dereference" not in check_argv(shared.root, "diff", ["notes.txt", "link_in"])


@pytest.mark.parametrize("tool", ["uniq", "diff", "comm", "tr", "seq", "find"])
def test_a_tool_with_few_operands_takes_no_list_of_them(tool: str) -> None:
    with pytest.raises(CommandRefused, match=f"xargs {tool}"):
        check_listed(tool)


@pytest.mark.parametrize("tool", ["wc", "grep", "cat", "git", "basename"])
def test_a_tool_with_many_operands_takes_a_list_of_them(tool: str) -> None:
    assert tool in NAMES
    check_listed(tool)


def test_grep_follows_links_only_where_there_are_none(project: Project) -> None:
    with pytest.raises(CommandRefused, match="follows links") as refusal:
        check_argv(project.root, "grep", ["-R", "x", "."])
    assert "grep -r" in refusal.value.remedy
    for option in ("-R", "--dereference-recursive", "-nR"):
        checked = check_argv(project.root, "grep", [option, "x", "src"])
        assert "-r" in checked and not {"-R", "--dereference-recursive"} & set(checked)


@pytest.mark.parametrize("option", ["--relative-to", "--relative-base"])
def test_what_a_path_is_told_relative_to_lies_inside(option: str, shared: Project) -> None:
    assert check_argv(shared.root, "realpath", [f"{option}=src", "a.py"])[0] == f"{option}=src"
    for place in ("..", "/etc", "dirlink", "link_out"):
        with pytest.raises(CommandRefused, match="outside the root"):
            check_argv(shared.root, "realpath", [f"{option}={place}", "a.py"])


@pytest.mark.parametrize("argv", [["du"], ["stat"], ["file"], ["ls", "-l"], ["ls", "-d"]])
def test_a_tool_that_tells_of_a_link_itself_may_be_given_one(argv: list[str], shared: Project) -> None:
    tool, *options = argv
    for link in ("dirlink", "link_out"):
        assert check_argv(shared.root, tool, [*options, link])[-1] == link
    for place in ("dirlink/", "dirlink/.", "dirlink/secret.txt", "dirlink/.."):
        with pytest.raises(CommandRefused):
            check_argv(shared.root, tool, [*options, place])


@pytest.mark.parametrize(
    "argv", [["du", "-H"], ["stat", "-f"], ["ls", "-l", "-C"], ["ls", "-lf"], ["ls", "-l", "--format=across"]]
)
def test_an_option_by_which_it_follows_takes_that_back(argv: list[str], shared: Project) -> None:
    with pytest.raises(CommandRefused, match="outside the root|not a read-only option"):
        check_argv(shared.root, argv[0], [*argv[1:], "dirlink"])


@pytest.mark.parametrize("tool", ["cat", "ls", "wc", "head", "find", "grep"])
def test_a_tool_that_follows_a_link_may_not_be_given_one_that_leads_out(tool: str, shared: Project) -> None:
    for link in ("dirlink", "link_out"):
        with pytest.raises(CommandRefused):
            check_argv(shared.root, tool, ["x", link] if tool == "grep" else [link])


@pytest.mark.parametrize("argv", [["-f"], ["-F"], ["--follow"], ["--fol"], ["-qf"], ["-f5"], ["--retry"]])
def test_waiting_for_more_is_refused_and_the_other_way_told(argv: list[str], shared: Project) -> None:
    with pytest.raises(CommandRefused, match="for ever") as refusal:
        check_argv(shared.root, "tail", [*argv, "notes.txt"])
    assert "tail -n" in refusal.value.remedy


def test_an_old_count_is_one_only_where_tail_takes_it(shared: Project) -> None:
    assert check_argv(shared.root, "tail", ["+2", "a.py"]) == ["-n+2", "--", "a.py"]
    assert check_argv(shared.root, "tail", ["a.py", "+2"])[-1] == "+2"


@pytest.mark.parametrize("tool", ["grep", "find", "sort", "head"])
def test_a_tool_may_be_asked_for_its_help_and_nothing_beside_it(tool: str, shared: Project) -> None:
    assert check_argv(shared.root, tool, ["--help"]) == ["--help"]
    with pytest.raises(CommandRefused):
        check_argv(shared.root, tool, ["--help", "--no-such-option-here"])
    with pytest.raises(CommandRefused):
        check_argv(shared.root, "git", ["--help"])


@pytest.mark.parametrize(
    ("tool", "argv"),
    [
        ("stat", ["x" * 300]),
        ("ls", ["-l", "x" * 300]),
        ("diff", ["x" * 300, "a.py"]),
        ("cat", ["/".join(["x" * 200] * 30)]),
        ("find", ["x" * 300]),
    ],
)
def test_a_name_no_file_can_have_is_left_to_the_tool(tool: str, argv: list[str], shared: Project) -> None:
    assert check_argv(shared.root, tool, argv)[-1] in {*argv, "."}
