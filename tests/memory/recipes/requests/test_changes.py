"""Changes: nothing is planned that is not stated, and every change is followed by a look at what it made."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.recipes.requests.permissions import applied
from memory.recipes.requests.read import read_requests
from tests.memory.recipes.requests.known import draft_of

WORLD = {
    "docs": "directory",
    "conf": "directory",
    "a.txt": "file",
    "b.sh": "file",
    "c.txt": "file",
    "old.lnk": "link",
}
MODES = dict.fromkeys(WORLD, 0o644)
CHANGES = [
    "create a directory backup and copy all .conf files in conf into it",
    "rename a.txt to z.txt",
    "move a.txt to docs",
    "copy docs to docs2",
    "delete a.txt and c.txt",
    "delete all .conf files in conf",
    'create a file hello.txt with the text "hello world"',
    'append "x" to a.txt',
    'replace "a" with "b" in a.txt',
    "change the permissions of b.sh to 755",
    "give the owner execute permission on b.sh",
    "compress docs into docs.tar.gz",
    "compress a.txt",
    "create a symbolic link new.lnk to a.txt",
]


@pytest.mark.parametrize("goal", CHANGES)
def test_a_change_ends_with_steps_that_only_read_and_say_what_must_be_found(goal: str) -> None:
    draft = draft_of(goal, WORLD, ("conf/x.conf", "conf/y.conf"), MODES)
    assert draft is not None and draft.answer is None
    tools = [step["tool_call"]["tool"] for step in draft.steps]
    readers = [step for step in draft.steps if step["tool_call"]["tool"] == "pipeline"]
    assert tools[0] != "pipeline" and tools[-1] == "pipeline"
    assert all("expect_text" in step or step.get("expect_output") for step in readers)
    assert [step["num"] for step in draft.steps] == list(range(1, len(draft.steps) + 1))


@pytest.mark.parametrize(
    "goal",
    [
        "create a file a.txt",  # it exists: what is in it would be lost
        "create a directory docs",
        "rename a.txt to c.txt",
        'write "x" to a.txt',
        "compress docs into a.tar",  # stands for an existing one below
        "delete the directory a.txt",
        "delete the file docs",
        "move docs into docs.tar.gz.d and nowhere",
        "chmod 755 old.lnk",
        "create a symbolic link new.lnk to missing.txt",
        'write "x" to new/',  # no file has such a name
        "create a file new/",
        "create a symbolic link new/ to a.txt",
    ],
)
def test_what_would_overwrite_or_miss_something_is_not_planned(goal: str) -> None:
    assert draft_of(goal, {**WORLD, "a.tar": "file"}, (), MODES) is None


@pytest.mark.parametrize(
    ("goal", "places"),
    [
        ("move a.txt to archive/", ["archive/a.txt"]),
        ("move a.txt into archive", ["archive/a.txt"]),
        ("move a.txt to the folder archive", ["archive/a.txt"]),
        ("copy a.txt to archive/", ["archive/a.txt"]),
        ("make a copy of a.txt in archive", ["archive/a.txt"]),
        ("copy a.txt to docs/old/", ["docs/old/a.txt"]),
        ("move a.txt and c.txt to archive/", ["archive/a.txt", "archive/c.txt"]),
        ("move all .conf files in conf to archive/", ["archive/x.conf", "archive/y.conf"]),
        ("copy all .conf files in conf to archive/", ["archive/x.conf", "archive/y.conf"]),
    ],
)
def test_a_directory_that_is_not_there_yet_is_made_and_files_go_into_it(goal: str, places: list[str]) -> None:
    known = {**WORLD, "conf/x.conf": "file", "conf/y.conf": "file"}
    draft = draft_of(goal, known, ("conf/x.conf", "conf/y.conf"), MODES)
    assert draft is not None
    first, change, check, *_ = draft.steps
    folder = places[0].rpartition("/")[0]
    assert first["tool_call"] == {"tool": "make_dir", "args": {"path": folder}}
    assert check["expect_text"] == "d"
    args = change["tool_call"]["args"]
    if len(places) == 1:
        assert args.get("target") == places[0] or args["argv"][-1] == places[0]
    else:
        assert args["argv"][:4] == ["mv" if "move" in goal else "cp", "-n", "-t", folder]


@pytest.mark.parametrize(
    ("goal", "target"),
    [
        ("move a.txt to archive", "archive"),
        ("move a.txt to docs/", "docs/a.txt"),
        ("move a.txt into docs", "docs/a.txt"),
        ("copy a.txt into a.bak", "a.bak"),
        ("move docs to papers/", "papers"),
    ],
)
def test_no_directory_is_made_where_none_is_named_or_one_is_there(goal: str, target: str) -> None:
    draft = draft_of(goal, WORLD, (), MODES)
    assert draft is not None
    args = draft.steps[0]["tool_call"]["args"]
    assert args.get("target") == target or args["argv"][-1] == target


def test_a_file_is_not_renamed_to_a_directory() -> None:
    assert draft_of("rename a.txt to archive/", WORLD, (), MODES) is None
    assert draft_of("move a.txt to c.txt/", WORLD, (), MODES) is None


def test_two_files_of_one_name_are_not_copied_over_each_other() -> None:
    listed = ("conf/x.conf", "docs/x.conf")
    assert draft_of("copy all .conf files to docs", WORLD, listed) is None


@settings(deadline=None, max_examples=20)
@given(
    mode=st.integers(0, 0o777),
    who=st.sets(st.sampled_from("ugoa"), min_size=1),
    sign=st.sampled_from("+-="),
    rights=st.sets(st.sampled_from("rwx"), min_size=1),
)
def test_the_mode_is_what_chmod_makes(
    mode: int, who: set[str], sign: str, rights: set[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    change = f"{''.join(sorted(who))}{sign}{''.join(sorted(rights))}"
    path: Path = tmp_path_factory.getbasetemp() / "mode"
    path.touch()
    path.chmod(mode)
    subprocess.run(["chmod", change, str(path)], check=True)
    assert applied(mode, change) == path.stat().st_mode & 0o777


def test_words_around_a_name_do_not_become_part_of_a_command() -> None:
    for name in ("--reference=x", "-rf", "$(id)", "a;b"):
        draft = draft_of(f"make '{name}' executable", {name: "file"}, (), {name: 0o644})
        assert draft is not None
        argv = draft.steps[0]["tool_call"]["args"]["argv"]
        assert argv == ["chmod", "a+x", "--", name]


@pytest.mark.parametrize(
    "goal",
    [
        "create files x.txt or y.txt",
        "create a directory listing",
        "make files writable",
        "make the directory private",
        "create files x.txt and y.txt and append 'x' to it",
        'create a file x.txt with the text "one\\ntwo"',
        'append "one\\ntwo" to a.txt',
        "compress docs into docs.tar",
        "create a compressed archive of docs called docs.tar",
        "create a symbolic link to a.txt in new",
        "copy docs into backup",
        "move docs into the folder backup",
        "rename a.txt to .md",
        "move a.txt to trash",
        "move old.lnk to docs",
        "compress old.lnk into x.tar.gz",
        "replace all occurrences of the word cat with dog in a.txt",
        "replace all occurrences of digits with none in a.txt",
    ],
)
def test_what_can_be_meant_otherwise_is_not_planned(goal: str) -> None:
    assert draft_of(goal, WORLD, (), MODES) is None


@pytest.mark.parametrize(
    ("goal", "made"),
    [
        ("create files x.txt,y.txt", ["x.txt", "y.txt"]),
        ("create files x.txt AND y.txt", ["x.txt", "y.txt"]),
        ("create directories x, y and z", ["x", "y", "z"]),
        ("create a directory named listing", ["listing"]),
        ("create a directory backup", ["backup"]),
    ],
)
def test_each_of_the_named_is_made(goal: str, made: list[str]) -> None:
    draft = draft_of(goal, WORLD, (), MODES)
    assert draft is not None
    calls = [step["tool_call"] for step in draft.steps]
    assert [call["args"]["path"] for call in calls if call["tool"] != "pipeline"] == made


@pytest.mark.parametrize(
    "goal",
    [
        "copy a.txt to docs and move it to conf",
        "move a.txt to docs and copy it to conf",
        "move a.txt into archive and copy it to conf",
    ],
)
def test_it_is_not_the_directory_something_went_into(goal: str) -> None:
    assert draft_of(goal, WORLD, (), MODES) is None


def test_it_is_a_directory_where_something_goes_into_it() -> None:
    draft = draft_of("move a.txt to docs and copy c.txt into it", WORLD, (), MODES)
    assert draft is not None
    assert draft.steps[1]["tool_call"]["args"]["argv"][-1] == "docs/c.txt"


@pytest.mark.parametrize(
    ("goal", "listed"),
    [
        ("move a.txt to docs and delete all .txt files in docs", ("docs/b.txt",)),
        ("create a file x.txt and copy all .txt files to docs", ("a.txt", "c.txt")),
        ("delete a.txt and copy all .txt files to docs", ("./a.txt", "./c.txt")),
        ("create a directory new and delete all empty directories", ("conf",)),
    ],
)
def test_files_are_not_listed_before_a_change_that_adds_or_takes_some(
    goal: str, listed: tuple[str, ...]
) -> None:
    assert draft_of(goal, {**WORLD, "docs/b.txt": "file"}, listed, MODES) is None


def test_files_are_listed_before_a_change_of_others() -> None:
    assert draft_of("delete a.txt and delete all .md files", WORLD, ("x.md",), MODES) is not None


@pytest.mark.parametrize("name", ["README", "Makefile", ".env", ".gitignore", "a.txt"])
def test_a_file_that_is_ruled_out_is_not_selected_whatever_its_name_looks_like(name: str) -> None:
    (parsed,) = (found for found in read_requests(f"delete all files except {name}") if found.changes)
    assert ((name,), True, False) in parsed.listings[0].name_tests


@pytest.mark.parametrize(
    "goal",
    [
        "delete all but .txt files",
        "delete all but hidden files",
        "delete all files but hidden",
        "delete .txt and empty files",
        "delete hidden and empty files",
        "delete hidden and .txt files",
        "delete docs/*",  # directories as well
        "move docs/* to archive/",
        "delete *.txt",  # not those in directories
        "copy *.txt to conf",
        "delete .txt files in conf only",
        "delete all files except a",  # a.txt may be meant
        "copy all files except a to docs",
        "delete all files except b.txt and those older than 30 days",
        "delete all files except .md files older than 30 days",
        "delete all files except *.md and empty ones",
    ],
)
def test_files_of_which_others_may_be_meant_are_not_changed(goal: str) -> None:
    assert draft_of(goal, WORLD, ("a.txt", "docs/b.txt"), MODES) is None


@pytest.mark.parametrize("goal", ["delete *.txt", "copy *.txt to conf", "find *.txt and delete them"])
def test_a_glob_selects_what_lies_where_it_says(goal: str) -> None:
    assert draft_of(goal, WORLD, ("a.txt", "c.txt"), MODES) is not None


@pytest.mark.parametrize(
    "goal",
    [
        "find *.txt and delete them",
        "find all .txt files and copy them to conf",
        "copy all .txt files recursively to conf",
        "copy all .txt files to conf",
        "delete all .txt files",
    ],
)
def test_files_are_taken_wherever_they_lie_where_that_is_said(goal: str) -> None:
    assert draft_of(goal, WORLD, ("a.txt", "docs/b.txt"), MODES) is not None


def test_a_glob_in_a_directory_leaves_hidden_files_out() -> None:
    (parsed,) = (found for found in read_requests("delete conf/*.conf") if found.changes)
    assert ((".*",), True, False) in parsed.listings[0].name_tests


@pytest.mark.parametrize("text", ["one\ttwo", "it’s", "a\u00a0b", "say „no“"])
def test_a_text_that_is_not_read_as_it_stands_is_not_written(text: str) -> None:
    assert draft_of(f'write "{text}" to x.txt', WORLD, (), MODES) is None
    assert draft_of("write “it's here” to x.txt", WORLD, (), MODES) is not None
