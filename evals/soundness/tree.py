"""The files of a probe as plain data: what is true of them is computed from here, without any prover."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["file", "directory"]


@dataclass(frozen=True)
class Tree:
    """Files and links.

    Attributes:
        files: relative path to text; a path that ends with "/" is an empty directory.
        links: relative path to target; a link is neither a file nor a directory.
    """

    files: Mapping[str, str]
    links: Mapping[str, str] = field(default_factory=dict)

    def text(self, path: str) -> str | None:
        """Content of a file; None if there is none."""
        return self.files.get(path) if not path.endswith("/") else None

    def lines(self, path: str) -> list[str]:
        """Lines of a file, divided at line feeds."""
        text = self.files[path]
        return text.removesuffix("\n").split("\n") if text else []

    def kind(self, path: str) -> Kind | None:
        """What stands at a path; None for nothing, and for a link."""
        if self.text(path) is not None:
            return "file"
        return "directory" if path == "." or path in self.directories() else None

    def directories(self) -> set[str]:
        """All directories but the sandbox itself."""
        found = {path.rstrip("/") for path in self.files if path.endswith("/")}
        for path in [*self.files, *self.links]:
            parts = path.rstrip("/").split("/")[:-1]
            found |= {"/".join(parts[:depth]) for depth in range(1, len(parts) + 1)}
        return found

    def below(self, directory: str, kind: Kind) -> Iterator[str]:
        """Paths of all files, or all directories, below a directory; links are not followed."""
        beginning = "" if directory == "." else directory.rstrip("/") + "/"
        paths = self.directories() if kind == "directory" else (p for p in self.files if not p.endswith("/"))
        return (path for path in sorted(paths) if path.startswith(beginning) and path != directory)

    def named(self, pattern: str, directory: str, kind: Kind) -> list[str]:
        """Those of them whose name matches a pattern."""
        paths = self.below(directory, kind)
        return [path for path in paths if fnmatch.fnmatchcase(path.rsplit("/", 1)[-1], pattern)]

    def after(self, steps: Iterable[Any]) -> Tree:
        """The tree the steps of the harness among some actions leave behind."""
        files = dict(self.files)
        for step in steps:
            tool, args = (step.get("tool"), step.get("args")) if isinstance(step, dict) else (None, None)
            if tool == "host:write" and args:
                files[args["path"]] = args["content"]
            elif tool == "host:delete" and args:
                files = {path: text for path, text in files.items() if not _at(path, args["path"])}
            elif tool == "host:rename" and args:
                old, new = args["path"], args["to"]
                files = {new + path[len(old) :] if _at(path, old) else path: files[path] for path in files}
        return Tree(files, self.links)


def _at(path: str, place: str) -> bool:
    return path == place or path.startswith(place.rstrip("/") + "/")
