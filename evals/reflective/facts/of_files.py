"""Facts about files as such: names, sizes, times, modes."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable
from pathlib import Path

from evals.reflective.facts.registry import fact
from evals.reflective.facts.tree import chosen, size, visible_files


@fact
def number_of_lines(root: Path, path: str) -> int:
    """Lines of a file, as `wc -l` counts them."""
    return int(size(root, path, "lines"))


@fact
def number_of_words(root: Path, path: str) -> int:
    """Words of a file."""
    return int(size(root, path, "words"))


@fact
def number_of_files(root: Path, glob: str = "*", under: str = "") -> int:
    """How many files match."""
    return len(chosen(root, glob, under))


@fact
def names_of_files(root: Path, glob: str = "*", under: str = "") -> list[str]:
    """Which files match."""
    return chosen(root, glob, under)


@fact
def total_lines(root: Path, glob: str, under: str = "") -> int:
    """Lines of all files that match."""
    return sum(number_of_lines(root, path) for path in chosen(root, glob, under))


@fact
def most(root: Path, glob: str, by: str, under: str = "") -> list[str]:
    """The files with the most lines, bytes or words, or the newest (`by: time`); several where they tie."""
    return extreme(root, glob, under, by, max)


@fact
def least(root: Path, glob: str, by: str, under: str = "") -> list[str]:
    """The files with the fewest."""
    return extreme(root, glob, under, by, min)


def extreme(
    root: Path, glob: str, under: str, by: str, choose: Callable[[Iterable[float]], float]
) -> list[str]:
    """The files whose size is the one `choose` picks; several where they tie."""
    sizes = {path: size(root, path, by) for path in chosen(root, glob, under)}
    bound = choose(sizes.values())
    return [path for path, size in sizes.items() if size == bound]


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
    return [path for path in chosen(root, "*", under) if not (root / path).stat().st_size]


@fact
def executable_files(root: Path) -> list[str]:
    """Files anybody may run."""
    return [path for path in visible_files(root) if (root / path).stat().st_mode & 0o111]


@fact
def holding_bytes(root: Path, text: str, under: str) -> list[str]:
    """Files whose bytes hold a text, binary ones too."""
    return [path for path in chosen(root, "*", under) if text.encode() in (root / path).read_bytes()]
