"""When two calls are the same call: other quotes, blanks, spellings or option orders make no other one."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tools.policy.options import ALLOWED
from tools.stages import Vector

Signature = tuple[tuple[object, ...], ...]

# Long options of coreutils and grep(1) that have a letter of the same meaning.
LETTERS = {
    "grep": {
        "--ignore-case": "-i", "--recursive": "-r", "--files-with-matches": "-l",
        "--files-without-match": "-L",
        "--line-number": "-n", "--count": "-c", "--invert-match": "-v", "--word-regexp": "-w",
        "--line-regexp": "-x", "--extended-regexp": "-E", "--fixed-strings": "-F", "--perl-regexp": "-P",
        "--only-matching": "-o", "--no-filename": "-h", "--with-filename": "-H", "--max-count": "-m",
        "--regexp": "-e", "--context": "-C", "--after-context": "-A", "--before-context": "-B",
        "--no-messages": "-s", "--null": "-Z", "--null-data": "-z",
    },
    "head": {"--lines": "-n", "--bytes": "-c", "--quiet": "-q", "--silent": "-q", "--verbose": "-v"},
    "tail": {"--lines": "-n", "--bytes": "-c", "--quiet": "-q", "--silent": "-q", "--verbose": "-v"},
    "wc": {"--lines": "-l", "--words": "-w", "--bytes": "-c", "--chars": "-m", "--max-line-length": "-L"},
    "sort": {"--reverse": "-r", "--numeric-sort": "-n", "--unique": "-u", "--key": "-k",
             "--field-separator": "-t", "--human-numeric-sort": "-h", "--version-sort": "-V"},
    "ls": {"--all": "-a", "--almost-all": "-A", "--recursive": "-R", "--reverse": "-r", "--directory": "-d",
           "--human-readable": "-h", "--size": "-s"},
    "uniq": {"--count": "-c", "--repeated": "-d", "--unique": "-u", "--ignore-case": "-i"},
    "cut": {"--fields": "-f", "--delimiter": "-d", "--characters": "-c", "--bytes": "-b"},
    "du": {"--summarize": "-s", "--human-readable": "-h", "--all": "-a"},
}  # fmt: skip
PATHS = ("path", "source", "target")
# Of these the last one decides, so their order is part of the call.
ORDERED = {"ls": set("-t -S -U -X -v -f -c -u".split())}


def signature(vectors: Sequence[Vector], root: Path) -> Signature:
    """What a call comes down to; two calls with the same signature are the same call.

    Args:
        vectors: the call's stages, checked.
        root: what relative paths start from.
    """
    stages = [_stage(vector, root) for vector in vectors]
    while len(stages) > 1 and stages[-1][:3] == ("cat", (), ()):
        stages.pop()  # what `cat` without anything is given, it gives
    return tuple(stages)


def _stage(vector: Vector, root: Path) -> tuple[object, ...]:
    options, operands = _parts(vector, root)
    how = (vector.from_input, vector.null_separated, vector.per_run, vector.placeholder)
    return (vector.tool, options, operands, how, tuple(sorted(vector.expect_exit)))


def _parts(vector: Vector, root: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    words = list(vector.argv)
    if vector.tool == "find":
        first = next((i for i, word in enumerate(words) if word[:1] in ("-", "(", "!")), len(words))
        # The tests of find are an expression: their order counts.
        return tuple(words[first:]), tuple(_path(word, root) for word in words[:first])
    if vector.tool == "git":
        return _git(list(vector.written), root)
    split = words.index("--") if "--" in words else len(words)
    options, operands = words[:split], words[split + 1 :]
    kind = ALLOWED[vector.tool].operands if vector.tool in ALLOWED else "texts"
    given = any(option.startswith(("-e", "--regexp")) for option in options)
    skipped = {"paths": 0, "pattern": 0 if given else 1}.get(kind, len(operands))
    if vector.tool == "grep" and "-r" in _lettered("grep", options) and len(operands) == skipped:
        operands.append(".")  # grep -r without a path searches the current directory
    paths = [*operands[:skipped], *(_path(word, root) for word in operands[skipped:])]
    return _ordered(vector.tool, _lettered(vector.tool, options)), tuple(paths)


def _git(words: list[str], root: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    split = words.index("--") if "--" in words else len(words)
    options = sorted(word for word in words[:split] if word.startswith("-"))
    operands = [word for word in words[:split] if not word.startswith("-")]
    return tuple(options), (*operands, *(_path(word, root) for word in words[split + 1 :]))


def _lettered(tool: str, options: Sequence[str]) -> list[str]:
    known = LETTERS.get(tool, {})
    shortened = []
    for option in options:
        name, has_value, value = option.partition("=")
        letter = known.get(name) if option.startswith("--") else None
        shortened.append(f"{letter}{value}" if letter and (has_value or not value) else option)
    return shortened


def _ordered(tool: str, options: Sequence[str]) -> tuple[str, ...]:
    """Options by name; those of one name, and those that undo each other, in the order they were given."""
    kept = ORDERED.get(tool, set())
    return tuple(sorted(dict.fromkeys(options), key=lambda option: "-" if option in kept else option[:2]))


def _path(word: str, root: Path) -> str:
    if not word:
        return word
    path = posixpath.normpath(word)
    return posixpath.relpath(path, root) if path == str(root) or path.startswith(f"{root}/") else path


def with_plain_paths(args: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of a writing tool with `a` for `./a` in those that are paths."""
    plain = {name: posixpath.normpath(str(args[name])) for name in PATHS if args.get(name)}
    return {**args, **plain}
