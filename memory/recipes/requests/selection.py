"""Which entries of the file system a request is about, and the `find` that selects them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Content:
    """A text of files.

    Attributes:
        texts: any one of them will do; where ruled out, none may be there.
        denied: True if ruled out.
        word: whole words only.
        ignore_case: case does not matter.
    """

    texts: tuple[str, ...]
    denied: bool = False
    word: bool = False
    ignore_case: bool = False


@dataclass
class Selection:
    """Conditions that all hold of what is selected.

    Attributes:
        kind: find's letter: f, d, l, or None for any.
        globs: alternatives a name matches; each list of `name_tests` holds beside it.
        name_tests: further lists of globs, each with whether it is ruled out and whether case matters not.
        scope: directories searched, as written.
        excluded: paths left out, as written.
        pruned: names of directories left out wherever they are.
        depth: least and most levels below the scope.
        tests: further arguments of the `find` tool.
        sizes: tests of `-size`.
        times: (option, value) tests of age.
        contents: what files hold, one text of each or none of them.
        noun: the words for what is selected.
    """

    kind: str | None = None
    globs: list[str] = field(default_factory=list)
    name_tests: list[tuple[tuple[str, ...], bool, bool]] = field(default_factory=list)
    scope: list[str] = field(default_factory=list)
    excluded: list[str] = field(default_factory=list)
    pruned: list[str] = field(default_factory=list)
    mindepth: int | None = None
    maxdepth: int | None = None
    tests: dict[str, Any] = field(default_factory=dict)
    sizes: list[str] = field(default_factory=list)
    contents: list[Content] = field(default_factory=list)
    noun: str = "entries"

    def names(self) -> tuple[str, ...]:
        """Paths of the request that must exist."""
        newer = [self.tests["newer"]] if "newer" in self.tests else []
        return (*self.scope, *self.excluded, *newer)

    def arguments(self, **output: Any) -> dict[str, Any]:
        """Arguments of the `find` tool; `print0` unless another output is named."""
        arguments: dict[str, Any] = {"paths": self.scope or ["."], **self.tests}
        arguments |= {"type": self.kind} if self.kind else {}
        arguments |= {"names": self.globs} if self.globs else {}
        arguments |= {"sizes": self.sizes} if self.sizes else {}
        arguments |= {"mindepth": self.mindepth} if self.mindepth is not None else {}
        arguments |= {"maxdepth": self.maxdepth} if self.maxdepth is not None else {}
        arguments |= {"exclude_paths": self.excluded} if self.excluded else {}
        arguments |= {"exclude_dirs": self.pruned} if self.pruned else {}
        if self.name_tests:
            arguments["name_tests"] = [
                {"globs": list(globs), "denied": denied, "ignore_case": ignore}
                for globs, denied, ignore in self.name_tests
            ]
        return arguments | (output or {"print0": True})

    def stages(self) -> list[dict[str, Any]]:
        """Stages that print the selected names, each ended by NUL."""
        stages: list[dict[str, Any]] = [{"tool": "find", "args": self.arguments()}]
        for content in self.contents:
            args: dict[str, Any] = {"pattern": content.texts[0], "fixed": True, "null_names": True}
            args |= {"or_patterns": list(content.texts[1:])} if content.texts[1:] else {}
            args |= {"skip_binary": True}
            args["files_without_match" if content.denied else "files_with_matches"] = True
            args |= {"word": True} if content.word else {}
            args |= {"ignore_case": True} if content.ignore_case else {}
            # grep -L exits 1 where every file is listed; with no match at all, nothing is.
            over = {"from_input": True, "null_separated": True, "expect_exit": [0, 1]}
            stages.append({"tool": "grep", "args": args, **over})
        return stages

    def described(self) -> str:
        """The selection in a few words."""
        where = f" in {', '.join(self.scope)}" if self.scope and self.scope != ["."] else ""
        globs = [glob for wanted, denied, _ in self.name_tests if not denied for glob in wanted]
        return f"{' or '.join(globs)} {self.noun}{where}".strip()


def glob_escape(text: str) -> str:
    """A text as a glob that matches itself only."""
    return re.sub(r"([*?\[\]\\])", r"\\\1", text)
