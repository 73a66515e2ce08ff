"""What is so in a tree of Python files, without the kernels: by `ast`, radon, bandit's own command."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from radon.complexity import cc_visit
from radon.visitors import Class as RadonClass
from radon.visitors import Function as RadonFunction

Place = tuple[str, int]


@dataclass(frozen=True)
class Defined:
    """A function, method or class as `ast` and radon see it."""

    file: str
    name: str
    line: int
    end: int
    kind: str
    public: bool
    documented: bool
    parameters: int
    cyclomatic: int

    @property
    def place(self) -> Place:
        """File and line."""
        return self.file, self.line


class Truth:
    """Facts of one tree.

    Args:
        root: of the tree.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.files = sorted(path.relative_to(root).as_posix() for path in root.rglob("*.py"))
        self.texts = {file: (root / file).read_text() for file in self.files}

    @cached_property
    def defined(self) -> list[Defined]:
        """Every function, method and class."""
        return [one for file in self.files for one in _defined(file, self.texts[file])]

    @cached_property
    def functions(self) -> list[Defined]:
        """Functions and methods."""
        return [one for one in self.defined if one.kind != "class"]

    @cached_property
    def classes(self) -> list[Defined]:
        """Classes."""
        return [one for one in self.defined if one.kind == "class"]

    @cached_property
    def findings(self) -> list[dict[str, str | int]]:
        """What bandit's own command reports, without what comments suppress."""
        argv = [sys.executable, "-m", "bandit", "-q", "-r", "-f", "json", "."]
        done = subprocess.run(argv, cwd=self.root, capture_output=True, text=True, check=False)
        return [
            {
                "file": one["filename"].removeprefix("./"),
                "line": one["line_number"],
                "rule": one["test_id"],
                "severity": one["issue_severity"].lower(),
            }
            for one in json.loads(done.stdout)["results"]
        ]

    def lines(self, file: str) -> int:
        """Lines of a file."""
        return len(self.texts[file].splitlines())

    def imports(self, file: str) -> set[str]:
        """Modules of the tree a file imports."""
        found = set()
        for node in ast.walk(ast.parse(self.texts[file])):
            if isinstance(node, ast.Import):
                found |= {
                    name for one in node.names if (name := one.name.replace(".", "/") + ".py") in self.texts
                }
        return found


def _defined(file: str, text: str) -> list[Defined]:
    complexity = {}
    for block in cc_visit(text):
        for one in [block, *(block.methods if isinstance(block, RadonClass) else [])]:
            if isinstance(one, RadonFunction):
                complexity[one.lineno] = one.complexity
    tree = ast.parse(text)
    inside = {id(child): node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.ClassDef):
            continue
        method = isinstance(inside.get(id(node)), ast.ClassDef)
        is_class = isinstance(node, ast.ClassDef)
        found.append(
            Defined(
                file=file,
                name=node.name,
                line=node.lineno,
                end=node.end_lineno or node.lineno,
                kind="class" if is_class else "method" if method else "function",
                public=not node.name.startswith("_"),
                documented=ast.get_docstring(node) is not None,
                parameters=0 if isinstance(node, ast.ClassDef) else len(node.args.args) - method,
                cyclomatic=0 if is_class else complexity[node.lineno],
            )
        )
    return found
