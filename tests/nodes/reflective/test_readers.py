"""Rows read from what the tools really print, for files with odd names and contents."""

import ast
import asyncio
import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from configs.settings import ToolSettings
from memory.recipes.recipe import AnswerTemplate
from nodes.reflective.readers import READERS, Row, read_rows, records, tidy
from tests.nodes.reflective.bench import git
from tools.protocol import ToolCall
from tools.toolbox import Toolbox

ODD = " 'ab\"\\$é中:*?\t-.,;~%#()\x0c\u2028\x85"
NAMES = st.text(ODD, min_size=1, max_size=6).filter(lambda name: name not in (".", ".."))
# A tool may refuse to print some names as they are; newlines need output that NUL separates.
NAMES_WITH_NEWLINES = st.text(ODD + "\n", min_size=1, max_size=6).filter(lambda name: name not in (".", ".."))
LINES = st.lists(st.text("xy ab:\t\x0c\u2028é\r", max_size=8), max_size=5)
quick = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def template(reader: str, **values: Any) -> AnswerTemplate:
    return AnswerTemplate.model_validate({"reader": reader, "one": "x", **values})


@contextmanager
def project(files: dict[str, list[str]]) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as place:
        for name, lines in files.items():
            path = Path(place) / name
            path.write_bytes("".join(f"{line}\n" for line in lines).encode())
        yield Path(place)


def printed(root: Path, *stages: dict[str, Any]) -> str:
    """What the stages print, run by the tools themselves."""
    toolbox = Toolbox(root, ToolSettings(sandbox="policy"), timeout=20)
    for stage in stages:
        if stage["tool"] in ("wc", "grep", "sort"):
            stage["expect_exit"] = [0, 1, 123]
    result = asyncio.run(toolbox.run(ToolCall(tool="pipeline", args={"stages": list(stages)})))
    assert result.error is None, result.error
    return result.stdout


FIND = {"tool": "find", "args": {"paths": ["."], "type": "f", "print0": True}}


def find() -> dict[str, Any]:
    return {"tool": "find", "args": dict(FIND["args"])}  # type: ignore[call-overload]  # a mapping


def search(**arguments: Any) -> dict[str, Any]:
    return {
        "tool": "grep",
        "from_input": True,
        "null_separated": True,
        "args": {"with_filename": True, "null_names": True, **arguments},
    }


@quick
@given(st.dictionaries(NAMES, LINES, min_size=1, max_size=5))
def test_counts_of_lines_are_those_of_the_files_whatever_they_are_called(files: dict[str, list[str]]) -> None:
    with project(files) as root:
        text = printed(root, find(), {"tool": "wc", "args": {"lines": True, "files0_from_stdin": True}})
    rows = read_rows(text, template("counted"))
    assert {row["path"]: row["count"] for row in rows} == {n: len(lines) for n, lines in files.items()}


@quick
@given(st.dictionaries(NAMES_WITH_NEWLINES, LINES, min_size=1, max_size=5))
def test_every_file_is_one_row_whatever_it_is_called(files: dict[str, list[str]]) -> None:
    with project(files) as root:
        rows = read_rows(printed(root, find()), template("paths"))
    assert [row["path"] for row in rows] == sorted(files)


@pytest.mark.parametrize("others", [[], ["a"], ["a", "b"]])
def test_a_file_called_total_is_no_total(others: list[str]) -> None:
    files = {name: ["x"] * number for number, name in enumerate(["total", *others], start=2)}
    with project(files) as root:
        text = printed(root, find(), {"tool": "wc", "args": {"lines": True, "files0_from_stdin": True}})
        named = printed(root, {"tool": "wc", "args": {"lines": True, "paths": ["total", *others]}})
    expected = {name: len(lines) for name, lines in files.items()}
    for output in (text, named):
        rows = read_rows(output, template("counted"))
        assert {row["path"]: row["count"] for row in rows} == expected


@quick
@given(st.dictionaries(NAMES_WITH_NEWLINES, LINES, min_size=1, max_size=4))
def test_hits_name_file_line_and_text(files: dict[str, list[str]]) -> None:
    with project(files) as root:
        text = printed(root, find(), search(pattern="x", fixed=True, line_number=True))
    expected = [
        (name, number, line.strip(), len(line) - len(line.lstrip()))
        for name in sorted(files)
        for number, line in enumerate(files[name], start=1)
        if "x" in line
    ]
    rows = read_rows(text, template("hits"))
    assert [(row["path"], row["line"], row["text"], row["indent"]) for row in rows] == expected
    assert len(read_rows(text, template("prefixed"))) == len(expected)
    per_file = {row["path"]: row["count"] for row in read_rows(text, template("prefixes"))}
    assert per_file == Counter(name for name, *_ in expected)


@quick
@given(st.dictionaries(NAMES_WITH_NEWLINES, LINES, min_size=1, max_size=4))
def test_counts_behind_a_name_are_those_of_the_file(files: dict[str, list[str]]) -> None:
    with project(files) as root:
        text = printed(root, find(), search(pattern="a", fixed=True, count=True))
    rows = read_rows(text, template("prefixed_counts"))
    assert {row["path"]: row["count"] for row in rows} == {
        name: sum("a" in line for line in lines) for name, lines in files.items()
    }


@quick
@given(st.dictionaries(NAMES_WITH_NEWLINES, LINES, min_size=1, max_size=5))
def test_fields_are_split_once_so_a_name_may_hold_the_separator(files: dict[str, list[str]]) -> None:
    with project(files) as root:
        expected = {name: (root / name).stat().st_size for name in files}
        text = printed(root, {"tool": "find", "args": {"paths": ["."], "type": "f", "printf": "%s\\t%p\\0"}})
    rows = read_rows(text, template("fields", fields=("size", "path")))
    assert {row["path"]: int(row["size"]) for row in rows} == expected


@quick
@given(st.dictionaries(NAMES_WITH_NEWLINES, LINES, min_size=1, max_size=6))
def test_extensions_are_counted_like_python_does(files: dict[str, list[str]]) -> None:
    with project(files) as root:
        text = printed(root, {"tool": "find", "args": {"paths": ["."], "type": "f", "printf": "%f\\0"}})
    rows = read_rows(text, template("extensions"))
    expected = Counter(os.path.splitext(name)[1] or "(none)" for name in files)
    assert {row["text"]: row["count"] for row in rows} == expected
    assert [row["count"] for row in rows] == sorted(expected.values(), reverse=True)


@given(st.lists(st.text("ab \x0b\x0c\x1c\u2028\x85é", min_size=1), max_size=8))
def test_only_a_newline_ends_a_line(lines: list[str]) -> None:
    assert records("".join(f"{line}\n" for line in lines)) == lines
    assert [row["text"] for row in read_rows("\n".join(lines), template("lines"))] == lines


def test_windows_line_ends_do_not_stay() -> None:
    assert records("a\r\nb\r\n") == ["a", "b"]


@given(st.text())
@example("\t0")
def test_no_reader_breaks_on_any_text(text: str) -> None:
    for reader in READERS:
        rows: list[Row] = read_rows(text, template(reader, fields=("a", "b")))
        assert all(isinstance(value, str | int) for row in rows for value in row.values())


STATEMENTS = st.sampled_from(["x = 1", "call(", "# text", ""])
HEADS = st.sampled_from(["def f():", "class A:", "async def g():"])
METHODS = st.tuples(HEADS, st.lists(STATEMENTS, max_size=2))
SOURCE = st.lists(
    STATEMENTS | st.tuples(HEADS, st.lists(STATEMENTS | METHODS, max_size=3)), min_size=1, max_size=4
)


def python_of(block: list[Any], indent: int = 0) -> str:
    """Source of nested definitions; each block ends in a statement."""
    pad = "    " * indent
    lines = []
    for item in [*block, "last = 1"]:
        if isinstance(item, tuple):
            lines.append(f"{pad}{item[0]}\n{python_of(item[1], indent + 1)}")
        elif item == "call(":
            lines.append(f"{pad}call(\n{pad}    1,\n{pad})\n")
        else:
            lines.append(f"{pad}{item}".rstrip() + "\n")
    return "".join(lines)


@quick
@given(SOURCE)
def test_a_definition_is_shown_up_to_where_python_says_it_ends(block: list[Any]) -> None:
    source = python_of(block)
    with project({"m.py": source.splitlines()}) as root:
        arguments = {"pattern": "^def f|^class A|^async def g", "extended": True, "after_context": 60}
        text = printed(root, find(), search(line_number=True, **arguments))
    ends = {
        node.lineno: node.end_lineno
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    }
    lines = source.splitlines()
    rows = read_rows(text, template("bodies"))
    assert {row["line"]: row["text"] for row in rows} == {
        start: "\n".join(lines[start - 1 : end]) for start, end in ends.items()
    }


def test_times_lose_fractions_of_a_second() -> None:
    text = "2024-03-01 12:00:07.1234567890\t./a b\0"
    rows = read_rows(text, template("fields", fields=("time", "path")))
    assert rows == [{"time": "2024-03-01 12:00:07", "path": "a b"}]


def test_records_with_too_few_fields_are_no_rows() -> None:
    assert read_rows("only one\n", template("fields", fields=("a", "b"))) == []


@pytest.mark.parametrize(("path", "shown"), [("./a", "a"), (".", "."), ("./", "."), ("a/./b", "a/./b")])
def test_a_path_is_written_as_people_write_it(path: str, shown: str) -> None:
    assert tidy(path) == shown


def test_the_text_reader_keeps_everything_but_the_last_newlines() -> None:
    assert read_rows("\n a\n\n b \n\n", template("text")) == [{"text": "\n a\n\n b "}]
    assert read_rows("\n\n", template("text")) == []


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "kept.txt").write_text("one\ntwo\nthree\nfour\n")
    (tmp_path / "gone.txt").write_text("five\n")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "start")
    git(tmp_path, "tag", "v1.0")
    git(tmp_path, "tag", "v1,1")
    git(tmp_path, "branch", "feature/x")
    git(tmp_path, "mv", "kept.txt", "moved here.txt")
    git(tmp_path, "rm", "-q", "gone.txt")
    git(tmp_path, "commit", "-q", "-m", "move", person="Grace")
    return tmp_path


def git_stage(subcommand: str, *argv: str) -> dict[str, Any]:
    return {"tool": "git", "args": {"subcommand": subcommand, "argv": list(argv)}}


ODD_NAMES = ["plain.txt", "with space.txt", 'quo"te.txt', "tab\t.txt", "é中.txt", "back\\slash", "-dash", "a"]


def test_the_state_of_the_tree_is_read_for_odd_names(repository: Path) -> None:
    for name in ODD_NAMES:
        (repository / name).write_text("x\n")
    (repository / "moved here.txt").write_text("changed\n")
    rows = read_rows(printed(repository, git_stage("status", "--porcelain")), template("status"))
    assert {row["path"]: row["change"] for row in rows} == {
        **dict.fromkeys(ODD_NAMES, "untracked"),
        "moved here.txt": "modified",
    }


def test_staged_changes_have_words_too(repository: Path) -> None:
    (repository / "new.txt").write_text("quite another text\n")
    git(repository, "add", "new.txt")
    git(repository, "mv", "moved here.txt", "again.txt")
    rows = read_rows(printed(repository, git_stage("status", "--porcelain")), template("status"))
    assert {row["change"]: row["path"] for row in rows} == {
        "added": "new.txt",
        "renamed": "moved here.txt -> again.txt",
    }


def test_branches_tags_and_the_current_branch_are_git_s(repository: Path) -> None:
    log = ("--no-walk", "--decorate=full", "--format=%D")
    branches = printed(repository, git_stage("log", "--branches", "--decorate-refs=refs/heads/*", *log))
    assert {row["text"] for row in read_rows(branches, template("refs"))} == {"main", "feature/x"}
    tags = printed(repository, git_stage("log", "--tags", "--decorate-refs=refs/tags/*", *log))
    assert {row["text"] for row in read_rows(tags, template("refs"))} == {"v1.0", "v1,1"}
    status = printed(repository, git_stage("status", "--branch", "--porcelain"))
    assert read_rows(status, template("branch")) == [{"text": "main"}]


def test_a_branch_without_commits_has_its_name(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "trunk")
    status = printed(tmp_path, git_stage("status", "--branch", "--porcelain"))
    assert read_rows(status, template("branch")) == [{"text": "trunk"}]


def test_files_of_commits_carry_commit_day_and_author(repository: Path) -> None:
    form = ("--date=short", "--format=%x1e%h%x09%ad%x09%an")
    deleted = printed(repository, git_stage("log", "--diff-filter=D", "--no-renames", "--name-only", *form))
    rows = read_rows(deleted, template("commit_files"))
    assert {(row["path"], row["author"]) for row in rows} == {("gone.txt", "Grace"), ("kept.txt", "Grace")}
    head = git(repository, "log", "-1", "--format=%h %ad", "--date=short").split()
    assert {(row["hash"], row["time"]) for row in rows} == {(head[0], head[1])}
    renamed = printed(repository, git_stage("log", "--diff-filter=R", "-M", "--name-status", *form))
    assert [row["path"] for row in read_rows(renamed, template("commit_files"))] == [
        "kept.txt -> moved here.txt"
    ]
