"""Facts about lines and what is in them."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from evals.reflective.facts.of_files import extreme
from evals.reflective.facts.registry import fact
from evals.reflective.facts.tree import chosen, lines_of, text_of


@fact
def files_holding(
    root: Path, pattern: str, glob: str = "*", under: str = "", without: str = "", ignore_case: bool = False
) -> list[str]:
    """Files with a line that matches a regular expression, and none that matches another."""
    flags = re.IGNORECASE if ignore_case else 0
    return [
        path
        for path in chosen(root, glob, under)
        if re.search(pattern, text_of(root, path), flags | re.MULTILINE)
        and not (without and re.search(without, text_of(root, path), re.MULTILINE))
    ]


@fact
def files_lacking(root: Path, pattern: str, glob: str, under: str = "") -> list[str]:
    """Files without any line that matches."""
    return [p for p in chosen(root, glob, under) if not re.search(pattern, text_of(root, p), re.MULTILINE)]


@fact
def matching_lines(
    root: Path, pattern: str, glob: str = "*", under: str = "", ignore_case: bool = False
) -> int:
    """How many lines match, over all files."""
    flags = re.IGNORECASE if ignore_case else 0
    return sum(
        bool(re.search(pattern, line, flags))
        for path in chosen(root, glob, under)
        for line in lines_of(root, path)
    )


@fact
def found(root: Path, pattern: str, glob: str = "*", under: str = "") -> list[str]:
    """The different texts of a pattern's first group."""
    return sorted(set(groups(root, pattern, glob, under)))


def groups(root: Path, pattern: str, glob: str, under: str) -> list[str]:
    """A pattern's first group wherever it matches, file by file."""
    return [
        match.group(1)
        for path in chosen(root, glob, under)
        for match in re.finditer(pattern, text_of(root, path), re.MULTILINE)
    ]


@fact
def most_frequent(root: Path, pattern: str, glob: str, under: str = "") -> list[str]:
    """The commonest text of a pattern's first group; several where they tie."""
    counts = Counter(groups(root, pattern, glob, under))
    return sorted(text for text, count in counts.items() if count == max(counts.values()))


@fact
def different(root: Path, pattern: str, glob: str, under: str = "") -> int:
    """How many different texts a pattern's first group takes."""
    return len(set(groups(root, pattern, glob, under)))


@fact
def largest_number(root: Path, pattern: str, glob: str, under: str = "") -> int:
    """The largest number a pattern's first group takes."""
    return max(map(int, groups(root, pattern, glob, under)))


@fact
def matches(root: Path, pattern: str, glob: str, under: str = "") -> int:
    """How often a pattern matches, whatever the case, several times a line if need be."""
    return sum(len(re.findall(pattern, text_of(root, p), re.IGNORECASE)) for p in chosen(root, glob, under))


@fact
def line_number(root: Path, path: str, pattern: str) -> int:
    """Number of the first line that matches, from 1."""
    return next(n for n, line in enumerate(lines_of(root, path), start=1) if re.search(pattern, line))


@fact
def first_match(root: Path, path: str, pattern: str) -> str:
    """The first group of a pattern where it first matches."""
    match = re.search(pattern, text_of(root, path), re.MULTILINE)
    assert match is not None, f"{path} has no {pattern}"
    return match.group(1)


@fact
def sections(root: Path, path: str) -> int:
    """Second-level headings of a Markdown file."""
    return _sections(root, path)


def _sections(root: Path, path: str) -> int:
    return sum(line.startswith("## ") for line in lines_of(root, path))


@fact
def sections_of_longest(root: Path, under: str) -> int:
    """Second-level headings of the Markdown file with the most lines."""
    return _sections(root, extreme(root, "*.md", under, "lines", max)[0])
