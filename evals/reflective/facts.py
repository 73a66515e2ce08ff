"""What is true of a project, computed from its files by Python alone; nothing of the product is used.

A fact is a function of the project's directory and of named arguments. Files that git ignores, hidden
directories and `.reflect` do not count, unless a pattern names them.
"""

from __future__ import annotations

import ast
import csv
import fnmatch
import hashlib
import json
import os
import re
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

Value = int | str | list[str]
Fact = Callable[..., Value]
Computing = TypeVar("Computing", bound=Fact)
SKIPPED = {".git", ".reflect", "node_modules", "build"}
FACTS: dict[str, Fact] = {}


def fact(function: Computing) -> Computing:
    """Register a function under its own name."""
    FACTS[function.__name__] = function
    return function


def visible_files(root: Path) -> list[str]:
    """Paths of files below a directory, sorted, without what is ignored."""
    found = []
    for folder, directories, names in os.walk(root):
        directories[:] = [name for name in directories if name not in SKIPPED]
        found += [str((Path(folder) / name).relative_to(root)) for name in names]
    return sorted(found)


def _chosen(root: Path, glob: str, under: str = "") -> list[str]:
    """Files whose name matches, at any depth below a directory; `glob` may offer several, split by blanks."""
    return [
        path
        for path in visible_files(root)
        if (not under or path.startswith(f"{under}/"))
        and any(fnmatch.fnmatch(path.rsplit("/", 1)[-1], one) for one in glob.split())
    ]


def _text(root: Path, path: str) -> str:
    try:
        return (root / path).read_text("utf-8", "replace")
    except PermissionError:
        return ""


def _lines(root: Path, path: str) -> list[str]:
    return _text(root, path).splitlines()


def _trees(root: Path, glob: str = "*.py", under: str = "src") -> Iterable[tuple[str, ast.Module]]:
    return ((path, ast.parse(_text(root, path))) for path in _chosen(root, glob, under))


def _git(root: Path, *arguments: str) -> list[str]:
    result = subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True)
    return [line for line in result.stdout.splitlines() if line]


def _size(root: Path, path: str, by: str) -> float:
    content = (root / path).read_bytes()
    sizes = {"lines": content.count(b"\n"), "bytes": len(content), "words": len(content.split())}
    return sizes[by] if by in sizes else (root / path).stat().st_mtime


@fact
def number_of_lines(root: Path, path: str) -> int:
    """Lines of a file, as `wc -l` counts them."""
    return int(_size(root, path, "lines"))


@fact
def number_of_words(root: Path, path: str) -> int:
    """Words of a file."""
    return int(_size(root, path, "words"))


@fact
def number_of_files(root: Path, glob: str = "*", under: str = "") -> int:
    """How many files match."""
    return len(_chosen(root, glob, under))


@fact
def names_of_files(root: Path, glob: str = "*", under: str = "") -> list[str]:
    """Which files match."""
    return _chosen(root, glob, under)


@fact
def number_of_directories(root: Path, under: str) -> int:
    """Directories below a directory."""
    return sum(path.is_dir() for path in (root / under).rglob("*"))


@fact
def total_lines(root: Path, glob: str, under: str = "") -> int:
    """Lines of all files that match."""
    return sum(number_of_lines(root, path) for path in _chosen(root, glob, under))


@fact
def most(root: Path, glob: str, by: str, under: str = "") -> list[str]:
    """The files with the most lines, bytes or words, or the newest (`by: time`); several where they tie."""
    return _extreme(root, glob, under, by, max)


@fact
def least(root: Path, glob: str, by: str, under: str = "") -> list[str]:
    """The files with the fewest."""
    return _extreme(root, glob, under, by, min)


def _extreme(
    root: Path, glob: str, under: str, by: str, choose: Callable[[Iterable[float]], float]
) -> list[str]:
    sizes = {path: _size(root, path, by) for path in _chosen(root, glob, under)}
    bound = choose(sizes.values())
    return [path for path, size in sizes.items() if size == bound]


@fact
def files_holding(
    root: Path, pattern: str, glob: str = "*", under: str = "", without: str = "", ignore_case: bool = False
) -> list[str]:
    """Files with a line that matches a regular expression, and none that matches another."""
    flags = re.IGNORECASE if ignore_case else 0
    return [
        path
        for path in _chosen(root, glob, under)
        if re.search(pattern, _text(root, path), flags | re.MULTILINE)
        and not (without and re.search(without, _text(root, path), re.MULTILINE))
    ]


@fact
def files_lacking(root: Path, pattern: str, glob: str, under: str = "") -> list[str]:
    """Files without any line that matches."""
    return [p for p in _chosen(root, glob, under) if not re.search(pattern, _text(root, p), re.MULTILINE)]


@fact
def matching_lines(
    root: Path, pattern: str, glob: str = "*", under: str = "", ignore_case: bool = False
) -> int:
    """How many lines match, over all files."""
    flags = re.IGNORECASE if ignore_case else 0
    return sum(
        bool(re.search(pattern, line, flags))
        for path in _chosen(root, glob, under)
        for line in _lines(root, path)
    )


@fact
def found(root: Path, pattern: str, glob: str = "*", under: str = "") -> list[str]:
    """The different texts of a pattern's first group."""
    return sorted(set(_groups(root, pattern, glob, under)))


def _groups(root: Path, pattern: str, glob: str, under: str) -> list[str]:
    return [
        match.group(1)
        for path in _chosen(root, glob, under)
        for match in re.finditer(pattern, _text(root, path), re.MULTILINE)
    ]


@fact
def most_frequent(root: Path, pattern: str, glob: str, under: str = "") -> list[str]:
    """The commonest text of a pattern's first group; several where they tie."""
    counts = Counter(_groups(root, pattern, glob, under))
    return sorted(text for text, count in counts.items() if count == max(counts.values()))


@fact
def file_with_most(root: Path, pattern: str, glob: str, under: str = "") -> list[str]:
    """The file with the most lines that match; several where they tie."""
    counts = {
        path: sum(bool(re.search(pattern, line)) for line in _lines(root, path))
        for path in _chosen(root, glob, under)
    }
    return sorted(path for path, count in counts.items() if count == max(counts.values()))


@fact
def line_number(root: Path, path: str, pattern: str) -> int:
    """Number of the first line that matches, from 1."""
    return next(n for n, line in enumerate(_lines(root, path), start=1) if re.search(pattern, line))


@fact
def number_of_functions(root: Path, path: str = "", under: str = "src", kind: str = "function") -> int:
    """Functions, methods included, or classes of a file or of all Python files below a directory."""
    wanted = ast.ClassDef if kind == "class" else (ast.FunctionDef, ast.AsyncFunctionDef)
    trees = [ast.parse(_text(root, path))] if path else [tree for _, tree in _trees(root, under=under)]
    return sum(isinstance(node, wanted) for tree in trees for node in ast.walk(tree))


@fact
def names_defined(root: Path, path: str, kind: str = "function") -> list[str]:
    """Functions of a module's own level, its methods, or its classes."""
    if kind == "function":
        return _functions(root, path)
    classes = [node for node in ast.parse(_text(root, path)).body if isinstance(node, ast.ClassDef)]
    if kind == "class":
        return sorted(node.name for node in classes)
    return sorted(one.name for node in classes for one in node.body if isinstance(one, ast.FunctionDef))


def _functions(root: Path, path: str) -> list[str]:
    tree = ast.parse(_text(root, path))
    return sorted(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


@fact
def defined_in(root: Path, name: str) -> list[str]:
    """Modules that define a function or class."""
    return [
        path
        for path, tree in _trees(root)
        if any(getattr(node, "name", None) == name for node in ast.walk(tree) if isinstance(node, ast.stmt))
    ]


@fact
def constant_value(root: Path, name: str) -> int:
    """The number a constant is set to."""
    return next(
        int(ast.literal_eval(node.value))
        for _, tree in _trees(root)
        for node in tree.body
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == name
    )


@fact
def importers(root: Path, module: str, under: str = "src") -> list[str]:
    """Python files that import a module."""
    return [
        path
        for path, tree in _trees(root, under=under)
        if any(
            (isinstance(node, ast.Import) and any(alias.name == module for alias in node.names))
            or (isinstance(node, ast.ImportFrom) and node.module == module)
            for node in ast.walk(tree)
        )
    ]


@fact
def without_docstring(root: Path, path: str) -> list[str]:
    """Functions of a module's own level that have no docstring."""
    tree = ast.parse(_text(root, path))
    return sorted(
        node.name for node in tree.body if isinstance(node, ast.FunctionDef) and not ast.get_docstring(node)
    )


@fact
def module_with_most_functions(root: Path) -> list[str]:
    """Modules that define most functions, methods not included."""
    counts = {
        path: sum(isinstance(node, ast.FunctionDef) for node in tree.body) for path, tree in _trees(root)
    }
    return [path for path, count in counts.items() if count == max(counts.values())]


@fact
def untested_modules(root: Path) -> list[str]:
    """Modules of the package that have no test file of their own."""
    tested = {Path(path).stem.removeprefix("test_") for path in _chosen(root, "test_*.py", "tests")}
    return [p for p in _chosen(root, "*.py", "src") if Path(p).stem not in tested | {"__init__"}]


@fact
def number_of_commits(root: Path, author: str = "", path: str = "", since: str = "") -> int:
    """Commits, of one author, of one path, or after a revision."""
    words = ["log", "--format=%H", *([f"--author={author}"] if author else [])]
    words += [f"{since}..HEAD"] if since else []
    return len(_git(root, *words, *(["--", path] if path else [])))


@fact
def authors(root: Path, path: str = "") -> list[str]:
    """Everybody who committed."""
    return sorted(set(_git(root, "log", "--format=%an", *(["--", path] if path else []))))


@fact
def commit_author(root: Path, which: str = "last", path: str = "") -> str:
    """Author of the last or first commit."""
    names = _git(root, "log", "--format=%an", *(["--", path] if path else []))
    return names[0] if which == "last" else names[-1]


@fact
def commit_message(root: Path, which: str = "last", path: str = "") -> str:
    """Subject of the last or first commit."""
    subjects = _git(root, "log", "--format=%s", *(["--", path] if path else []))
    return subjects[0] if which == "last" else subjects[-1]


@fact
def busiest_author(root: Path) -> str:
    """Who made the most commits."""
    return Counter(_git(root, "log", "--format=%an")).most_common(1)[0][0]


@fact
def files_of_commit(root: Path, revision: str = "HEAD") -> list[str]:
    """Files a commit changed."""
    return sorted(_git(root, "show", "--name-only", "--format=", revision))


@fact
def tags(root: Path) -> list[str]:
    """Tags, sorted."""
    return sorted(_git(root, "tag"))


@fact
def same_content(root: Path, path: str) -> list[str]:
    """Other files with the very bytes of a file."""
    digests = {
        name: hashlib.sha256((root / name).read_bytes()).digest()
        for name in visible_files(root)
        if os.access(root / name, os.R_OK)
    }
    return [name for name, digest in digests.items() if digest == digests[path] and name != path]


@fact
def empty_files(root: Path, under: str = "") -> list[str]:
    """Files without a byte."""
    return [path for path in _chosen(root, "*", under) if not (root / path).stat().st_size]


@fact
def executable_files(root: Path) -> list[str]:
    """Files anybody may run."""
    return [path for path in visible_files(root) if (root / path).stat().st_mode & 0o111]


@fact
def table_cell(root: Path, path: str, key: str, value: str, column: str) -> str:
    """A cell of a CSV file, in the first row whose key column holds a value."""
    with (root / path).open(encoding="utf-8", newline="") as stream:
        return next(row[column] for row in csv.DictReader(stream) if row[key] == value)


@fact
def table_key_of_largest(root: Path, path: str, key: str, column: str) -> list[str]:
    """Key of the row whose column holds the largest number; several where they tie."""
    with (root / path).open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    bound = max(int(row[column]) for row in rows)
    return [row[key] for row in rows if int(row[column]) == bound]


@fact
def table_rows(root: Path, path: str, key: str = "", value: str = "") -> int:
    """Rows of a CSV file without its head, those with a value in a column if one is named."""
    with (root / path).open(encoding="utf-8", newline="") as stream:
        return sum(not key or row[key] == value for row in csv.DictReader(stream))


@fact
def true_keys(root: Path, path: str) -> list[str]:
    """Keys of a JSON object whose value is true."""
    return sorted(key for key, value in json.loads(_text(root, path)).items() if value is True)


@fact
def setting(root: Path, path: str, key: str) -> str:
    """What follows `key:` or `key =` on a line of a settings file."""
    match = re.search(rf"^{key}\s*[:=]\s*(.+)$", _text(root, path), re.MULTILINE)
    assert match is not None, f"{path} has no {key}"
    return match.group(1).strip().strip('"')


@fact
def sections(root: Path, path: str) -> int:
    """Second-level headings of a Markdown file."""
    return _sections(root, path)


def _sections(root: Path, path: str) -> int:
    return sum(line.startswith("## ") for line in _lines(root, path))


@fact
def sections_of_longest(root: Path, under: str) -> int:
    """Second-level headings of the Markdown file with the most lines."""
    return _sections(root, _extreme(root, "*.md", under, "lines", max)[0])


@fact
def first_functions(root: Path, path: str, n: int) -> list[str]:
    """The functions of a module that come first in order of their names."""
    return _functions(root, path)[:n]


@fact
def first_match(root: Path, path: str, pattern: str) -> str:
    """The first group of a pattern where it first matches."""
    match = re.search(pattern, _text(root, path), re.MULTILINE)
    assert match is not None, f"{path} has no {pattern}"
    return match.group(1)


@fact
def holding_bytes(root: Path, text: str, under: str) -> list[str]:
    """Files whose bytes hold a text, binary ones too."""
    return [path for path in _chosen(root, "*", under) if text.encode() in (root / path).read_bytes()]


@fact
def matches(root: Path, pattern: str, glob: str, under: str = "") -> int:
    """How often a pattern matches, whatever the case, several times a line if need be."""
    return sum(len(re.findall(pattern, _text(root, p), re.IGNORECASE)) for p in _chosen(root, glob, under))


@fact
def largest_number(root: Path, pattern: str, glob: str, under: str = "") -> int:
    """The largest number a pattern's first group takes."""
    return max(map(int, _groups(root, pattern, glob, under)))


@fact
def different(root: Path, pattern: str, glob: str, under: str = "") -> int:
    """How many different texts a pattern's first group takes."""
    return len(set(_groups(root, pattern, glob, under)))
