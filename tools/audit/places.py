"""What in a file a fact about all of it points to, and which files are tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from tools.audit.report import Function, Place

TEST_FOLDERS = frozenset({"test", "tests", "testing"})


def most_complex(functions: Sequence[Function]) -> dict[str, Function]:
    """The most complex function of each file; of equal ones, the first."""
    worst: dict[str, Function] = {}
    for function in sorted(functions, key=lambda one: (one.place.file, one.place.line, one.place.end_line)):
        known = worst.get(function.place.file)
        if known is None or _weight(function) > _weight(known):
            worst[function.place.file] = function
    return worst


def _weight(function: Function) -> tuple[int, int]:
    return function.cyclomatic, function.cognitive or 0


def whole(file: str, lines: Mapping[str, int]) -> Place:
    """All of a file, given the number of lines of each."""
    return Place(file=file, line=1, end_line=max(1, lines.get(file, 1)))


def is_test(file: str) -> bool:
    """Whether a path is one that pytest or unittest, or their users, give to tests."""
    path = PurePosixPath(file)
    named = path.name.startswith("test_") or path.stem.endswith("_test") or path.name == "conftest.py"
    return named or not TEST_FOLDERS.isdisjoint(path.parts[:-1])
