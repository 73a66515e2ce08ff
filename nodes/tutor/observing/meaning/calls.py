"""One checked stage, its options under one name each."""

from __future__ import annotations

from dataclasses import dataclass

from tools.policy.options import ALLOWED
from tools.policy.sed import OPTIONS as SED
from tools.stages import Vector

# Long options that say the same as a short one; others keep their name.
SHORT: dict[str, dict[str, str]] = {
    "cat": {
        "show-all": "A", "number-nonblank": "b", "show-ends": "E", "number": "n", "show-tabs": "T",
        "show-nonprinting": "v",
    },
    "head": {"lines": "n", "bytes": "c", "quiet": "q", "silent": "q", "verbose": "v"},
    "tail": {"lines": "n", "bytes": "c", "quiet": "q", "silent": "q", "verbose": "v"},
    "wc": {"lines": "l", "words": "w", "bytes": "c", "chars": "m", "max-line-length": "L"},
    "ls": {
        "all": "a", "almost-all": "A", "directory": "d", "human-readable": "h", "recursive": "R",
        "reverse": "r", "inode": "i", "size": "s", "no-group": "G", "numeric-uid-gid": "n", "classify": "F",
    },
    "grep": {
        "extended-regexp": "E", "fixed-strings": "F", "basic-regexp": "G", "perl-regexp": "P",
        "ignore-case": "i", "word-regexp": "w", "line-regexp": "x", "no-messages": "s", "invert-match": "v",
        "byte-offset": "b", "line-number": "n", "with-filename": "H", "no-filename": "h",
        "only-matching": "o", "quiet": "q", "silent": "q", "text": "a", "recursive": "r",
        "dereference-recursive": "r", "files-without-match": "L", "files-with-matches": "l", "count": "c",
        "initial-tab": "T", "null": "Z", "regexp": "e", "max-count": "m", "null-data": "z",
        "context": "C", "after-context": "A", "before-context": "B",
    },
    "stat": {"format": "c", "printf": "c"},
    "diff": {
        "brief": "q", "unified": "U", "context": "C", "report-identical-files": "s", "side-by-side": "y",
        "recursive": "r", "text": "a", "width": "W", "label": "L", "minimal": "d",
        "suppress-common-lines": "suppress", "color": "color", "no-dereference": "no-dereference",
    },
    "sha256sum": {"binary": "b", "text": "t"},
    "sed": {"quiet": "n", "silent": "n", "regexp-extended": "E", "expression": "e", "unbuffered": "u"},
}  # fmt: skip
ALIASES = {("grep", "y"): "i", ("grep", "R"): "r", ("sed", "r"): "E"}


@dataclass(frozen=True)
class Call:
    """One stage.

    Attributes:
        tool: name of the program.
        options: names, each with its value or None, in order.
        operands: what is no option, of grep and sed only files; for find, all words.
        from_input: its further operands are what its input lists.
    """

    tool: str
    options: tuple[tuple[str, str | None], ...]
    operands: tuple[str, ...]
    from_input: bool = False

    @property
    def names(self) -> frozenset[str]:
        """The options that are given."""
        return frozenset(name for name, _ in self.options)

    def value(self, name: str) -> str | None:
        """What an option says; of several, the last one counts."""
        values = [value for given, value in self.options if given == name]
        return values[-1] if values else None


def call_of(vector: Vector) -> Call:
    """A checked vector, whose options stand before `--`, as a call; every pattern of grep becomes a `-e`."""
    words = list(vector.argv)
    if vector.tool == "find":
        return Call("find", (), tuple(words), vector.from_input)
    end = _end(vector.tool, words)
    operands = tuple(words[end + 1 :])
    options: list[tuple[str, str | None]] = []
    rest = words[:end]
    while rest:
        word = rest.pop(0)
        if word.startswith("--"):
            name, has_value, value = word[2:].partition("=")
            options.append((_short(vector.tool, name), value if has_value else None))
            continue
        name, text = word[1:2], word[2:]
        valued = _takes_value(vector.tool, name)
        if valued and not text:
            text = rest.pop(0)
        options.append((ALIASES.get((vector.tool, name), name), text if valued else None))
    if vector.tool == "grep" and operands and "e" not in {name for name, _ in options}:
        options, operands = [*options, ("e", operands[0])], operands[1:]
    return Call(vector.tool, tuple(options), operands, vector.from_input)


def _end(tool: str, words: list[str]) -> int:
    """Index of `--`, which is no value of the option before it."""
    at = 0
    while at < len(words) and words[at] != "--":
        word = words[at]
        apart = not word.startswith("--") and len(word) == 2 and _takes_value(tool, word[1])
        at += 2 if apart else 1
    return at


def _takes_value(tool: str, name: str) -> bool:
    allowed = SED if tool == "sed" else ALLOWED.get(tool)
    return allowed is not None and name in allowed.valued


def _short(tool: str, name: str) -> str:
    short = SHORT.get(tool, {}).get(name, name)
    return ALIASES.get((tool, short), short)
