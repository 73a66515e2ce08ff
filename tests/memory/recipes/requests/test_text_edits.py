"""What the stages of an edit make of a text, run as they stand; what is kept of it, and what is not."""

from __future__ import annotations

import subprocess

import pytest

from memory.recipes.requests.draft import Draft, Facts
from memory.recipes.requests.marked import mark
from memory.recipes.requests.read import read_requests
from memory.recipes.requests.text_edits import read_edit
from tests.memory.recipes.requests.known import draft_of

WORLD = {
    "a.txt": "file",
    "b.txt": "file",
    "docs": "directory",
    "x.tar": "file",
    "x.zip": "file",
    ".gitignore": "file",
}


def edited(goal: str, text: str) -> str:
    """A text, after the stages of an edit that are given as arguments."""
    marked = mark(goal)
    edit = read_edit(marked.text, marked)
    assert edit is not None
    for stage in edit.stages:
        argv = [stage["tool"], *stage["argv"]]
        environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
        done = subprocess.run(argv, input=text.encode(), capture_output=True, check=True, env=environment)
        text = done.stdout.decode()
    return text


@pytest.mark.parametrize(
    ("goal", "text", "wanted"),
    [
        ('replace "é" with "e" in a.txt', "café né\n", "cafe ne\n"),
        ('replace "—" with "-" in a.txt', "a — b\n", "a - b\n"),
        ('replace "a" with "b" in a.txt', "banana\n", "bbnbnb\n"),
        ('replace the word "cat" with "dog" in a.txt', "cat category a cat\n", "dog category a dog\n"),
        ('replace the text "cat" with "dog" in a.txt', "cat category\n", "dog dogegory\n"),
        ('remove all occurrences of the word "cat" from a.txt', "cat category\n", " category\n"),
        ('replace "\\d" with "x" in a.txt', "add \\d\n", "add x\n"),
        ("replace tabs with commas in a.txt", "a\tb\n", "a,b\n"),
        ("convert a.txt to uppercase", "café ß\n", "CAFÉ ß\n"),
        ("convert a.txt to lowercase", "CAFÉ\n", "café\n"),
        ("reverse the lines of a.txt", "x\ny\nz", "z\ny\nx\n"),
        ("remove all letters from a.txt", "é1a\n", "1\n"),
        ("remove punctuation from a.txt", "a — b!\n", "a  b\n"),
        ("strip leading spaces from each line of a.txt", "  a\n\tb\n", "a\n\tb\n"),
        ("remove leading whitespace from a.txt", "  a\n\tb\n", "a\nb\n"),
        ("remove all whitespace from a.txt", "a b\n\tc\n", "ab\nc\n"),
    ],
)
def test_a_text_is_changed_as_the_words_say(goal: str, text: str, wanted: str) -> None:
    assert edited(goal, text) == wanted


@pytest.mark.parametrize(
    "goal",
    [
        'replace the word "a b" with "c" in a.txt',
        'join the lines of a.txt with "—"',
        'insert "one\\ntwo" after line 1 of a.txt',
    ],
)
def test_what_the_tools_cannot_do_is_not_read(goal: str) -> None:
    marked = mark(goal)
    assert read_edit(marked.text, marked) is None


def changed(goal: str, new: str, old: str) -> Draft | None:
    """The plan of a change of a file whose text was and would be these."""
    facts = Facts({"a.txt": "file", "a.csv": "file"}, outputs=(new, old))
    drafts = (parsed.build(facts) for parsed in read_requests(goal) if parsed.id == "text-edited")
    return next((draft for draft in drafts if draft is not None), None)


@pytest.mark.parametrize(
    ("new", "old", "kept"),
    [
        ("a\r;\nb\r;\n", "a\r\nb\r\n", False),
        ("a\r\nnew\nb\r\n", "a\r\nb\r\n", False),
        ("b\r\n", "a\r\nb\r\n", True),
        ("a;\nb;\n", "a\nb\n", True),
        ("a\n;b\r\n", "a\nb\r\n", True),  # they were mixed before
    ],
)
def test_lines_that_end_as_on_windows_go_on_to(new: str, old: str, kept: bool) -> None:
    draft = changed('add ";" to the end of every line of a.txt', new, old)
    assert (draft is not None) is kept


@pytest.mark.parametrize(
    "goal",
    [
        "add a.txt to x.tar",
        "add a.txt to x.zip",
        "append a.txt to x.zip",
        "sort a.txt and save it to new.tar.gz",
        "add a.txt to .gitignore",
        "add docs/ to .gitignore",
        "add *.log to .gitignore",
        'put all .txt files in "old stuff"',
        "store all .log files in build/logs",
        "save all .log files to build/logs",
        "put a.txt in docs/old",
        "append all .txt files to b.txt",
        "write all .txt files to all.txt",
        "find all .txt files and put them in archive/texts",
    ],
)
def test_files_to_be_put_somewhere_are_no_text_to_be_written_there(goal: str) -> None:
    assert draft_of(goal, WORLD, ("a.txt",)) is None


@pytest.mark.parametrize(
    "goal",
    [
        "append a.txt to b.txt",
        "write a.txt to new.txt",
        "add the contents of a.txt to b.txt",
        "save the names of all .txt files to names.txt",
        "find all .txt files and save them to found.txt",
        "count the lines of a.txt and store it in results/today",
    ],
)
def test_what_files_hold_and_how_they_are_named_is_written(goal: str) -> None:
    assert draft_of(goal, WORLD, ("a.txt",)) is not None


@pytest.mark.parametrize(
    ("name", "new", "old", "kept"),
    [
        ("a.csv", "amy,9\nname,age\n", "name,age\namy,9\n", False),
        ("a.csv", "amy,9\nbob,30\n", "amy,9\nbob,30\nbob,30\n", True),
        ("a.txt", "a\nb\n", "b\na\n", True),
    ],
)
def test_the_names_of_columns_are_not_sorted_in_among_the_rows(
    name: str, new: str, old: str, kept: bool
) -> None:
    assert (changed(f"sort {name} in place", new, old) is not None) is kept
