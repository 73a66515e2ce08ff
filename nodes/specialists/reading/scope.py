"""Which part of the tree a question is about: the paths and names in it that the audit knows, or does not."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from nodes.specialists.claims import Row
from nodes.specialists.function_topics import called
from nodes.specialists.reading.name_words import NO_NAMES, SOFTWARE
from tools.audit.report import Audit

TOKEN = re.compile(
    r"`([^`\n]{1,300})`|\"([^\"\n]{1,300})\"|(?<!\w)'([^'\n]{1,300})'(?!\w)|([^\s`\"(),;!?]+(?:\(\))?)"
)
EXTENSION = re.compile(
    r"[\w./\\-]+\.(?:pyi?|[jt]sx?|mjs|rs|go|java|kt|[ch]|[ch]pp|cc|hh|rb|php|cs|swift|scala|lua|md|rst|txt)$",
    re.I,
)
BEFORE = re.compile(
    r"(?:in|inside|within|under|below|of|from|for|about|between|and|folder|directory|package|to|except|outside|than"
    r"|excluding|does|do|is|has|or|audit|review|check|scan|file|module|script|imports?)\s*$",
    re.I,
)
LEFT_OUT = re.compile(
    r"(?:outside(?: of)?|except(?: for| in)?|excluding|without|not (?:in|under)|other than|but not(?: in)?|ignoring)"
    r"(?: the)?(?: folder| directory| file| module)?\s*$",
    re.I,
)
AND = re.compile(r"\s*(?:,|and|or|, and|, or|nor)?\s+(?:in |outside |under )?(?:the )?", re.I)
DEFINITION = re.compile(r"\b(?:function|method|class|def|called|named|routine)\s*$", re.I)
MODULE = re.compile(r"(?:files?|modules?|scripts?)\s*$", re.I)
AFTER_DEFINITION = re.compile(r"\s*(?:functions?|methods?|class)\b", re.I)
AFTER_FOLDER = re.compile(r"\s*(?:folders?|director(?:y|ies)|packages?|subpackages?|tree)\b", re.I)
AFTER_MODULE = re.compile(r"\s*(?:files?|modules?|scripts?)\b", re.I)
IDENTIFIER = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
LOOKS_LIKE_A_NAME = re.compile(r"\w*[a-z]_\w+|_\w+|[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*")
RULE = re.compile(r"(?:B\d{3}|CWE-?\d+)", re.I)
MASK = "\u2588"
"""Stands in the masked text for what was read as a path or a name."""


@dataclass(frozen=True)
class Scope:
    """Part of a tree.

    Attributes:
        groups: files and directories (with `/` at the end) rows must lie in, those one word names together;
            empty for the whole tree.
        outside: those they must not lie in.
        names: of definitions rows must be about; empty for any.
        ranges: file, first and last line of the definitions of these names.
        spots: file and line of what an earlier part of the goal came to; None without such a part.
        unknown: paths and names in the question that are not in the tree.
        text: the question with all of these masked.
    """

    groups: tuple[tuple[str, ...], ...] = ()
    outside: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    ranges: tuple[tuple[str, int, int], ...] = ()
    spots: frozenset[tuple[str, int]] | None = None
    unknown: tuple[str, ...] = ()
    text: str = ""

    @property
    def paths(self) -> tuple[str, ...]:
        """All of its files and directories."""
        return tuple(dict.fromkeys(path for group in self.groups for path in group))

    @property
    def narrow(self) -> bool:
        """True if it is not the whole tree."""
        return bool(self.paths or self.outside or self.names)

    def holds(self, row: Row, *, all_of_them: bool = False) -> bool:
        """True if a row lies in it.

        Args:
            row: to be looked at.
            all_of_them: something of each group must be among the row's files, as for a copy "between a and b".
        """
        files = [one for one in row.files if not any(_lies_in(one, path) for path in self.outside)]
        if not files:
            return False
        if self.spots is not None and not self._is_spot(row):
            return False
        if self.names and not self._names(row):
            return False
        touched = [any(_lies_in(file, path) for file in files for path in group) for group in self.groups]
        return not touched or (all(touched) if all_of_them else any(touched))

    def _is_spot(self, row: Row) -> bool:
        """True if a row is about the same thing, or lies within it."""
        claim = row.claim
        if row.names or self.spots is None:
            return (claim.file, claim.line) in (self.spots or ())
        return any(file == claim.file and start <= claim.line <= end for file, start, end in self.ranges)

    def _names(self, row: Row) -> bool:
        """True if a row is about one of the names, or lies within what is called so."""
        if row.names:
            return bool(set(self.names) & set(row.names))
        claim = row.claim
        return any(file == claim.file and start <= claim.line <= end for file, start, end in self.ranges)

    def covers(self, file: str) -> bool:
        """True if a file lies in it, whatever the names."""
        if any(_lies_in(file, path) for path in self.outside):
            return False
        return not self.paths or any(_lies_in(file, path) for path in self.paths)


def _lies_in(file: str, path: str) -> bool:
    return file == path or (path.endswith("/") and file.startswith(path))


class Tree:
    """The paths and names of an audit, for looking up."""

    def __init__(self, audit: Audit) -> None:
        skipped = [one.file for one in audit.skipped]
        texts = [one.place.file for one in audit.documentation.texts]
        self.files = tuple(dict.fromkeys([*(one.file for one in audit.scan.modules), *skipped, *texts]))
        self._defined = [(one.name, one.place) for one in audit.scan.functions]
        self._defined += [(one.name, one.place) for one in audit.scan.classes]

    @cached_property
    def directories(self) -> frozenset[str]:
        """Every directory above a file, with `/` at its end."""
        parts = [file.split("/")[:-1] for file in self.files]
        return frozenset("/".join(one[:end]) + "/" for one in parts for end in range(1, len(one) + 1))

    @cached_property
    def names(self) -> frozenset[str]:
        """Every way to call a definition."""
        return frozenset(way for name, _ in self._defined for way in called(name))

    def ranges(self, names: Iterable[str]) -> tuple[tuple[str, int, int], ...]:
        """File, first and last line of what is called by one of these names."""
        wanted = set(names)
        return tuple(
            (place.file, place.line, place.end_line)
            for name, place in self._defined
            if wanted & set(called(name))
        )

    @cached_property
    def by_last(self) -> dict[str, list[str]]:
        """Files by the last part of their path."""
        found: dict[str, list[str]] = {}
        for file in self.files:
            found.setdefault(file.rpartition("/")[2], []).append(file)
        return found

    def paths(self, token: str, *, folder: bool, module: bool) -> list[str]:
        """What a token names: files, or a directory; nothing if it is not known.

        Args:
            token: as it is written.
            folder: a bare word may be a directory.
            module: a bare word may be a file without its extension, or a dotted module.
        """
        plain = token.replace("\\", "/").removeprefix("./")
        bare = plain.rstrip("/")
        if not bare:
            return []
        if "*" in plain:
            return sorted(fnmatch.filter(self.files, plain) or fnmatch.filter(self.files, f"*/{plain}"))
        if plain in self.files:
            return [plain]
        if (folder or plain.endswith("/") or "/" in bare) and f"{bare}/" in self.directories:
            return [f"{bare}/"]
        ends = [one for one in self.by_last.get(bare.rpartition("/")[2], []) if one.endswith(f"/{bare}")]
        if ends:
            return ends
        if folder or plain.endswith("/") or "/" in bare:
            below = sorted(one for one in self.directories if one.endswith(f"/{bare}/"))
            if below:
                return below
        return self._module(bare) if module or "." in bare else []

    def _module(self, token: str) -> list[str]:
        path = token.replace(".", "/")
        whole = {f"{path}.py", f"{path}.pyi", f"{path}/__init__.py"}
        found = [one for one in self.files if one in whole]
        if found:
            return found
        if "." in token and f"{path}/" in self.directories:
            return [f"{path}/"]
        return [
            one for one in self.files if one.endswith((f"/{path}.py", f"/{path}.pyi")) or _stem(one) == token
        ]


def _stem(file: str) -> str:
    return file.rpartition("/")[2].rpartition(".")[0]


def read_scope(question: str, tree: Tree) -> Scope:
    """The paths and names of a question."""
    groups: list[tuple[str, ...]] = []
    outside: list[str] = []
    names: list[str] = []
    unknown: list[str] = []
    masked = list(question)
    left_out_until = -1
    for match in TOKEN.finditer(question):
        quoted = match[4] is None
        token = next(group for group in match.groups() if group is not None)
        token = token if quoted else token.rstrip(".:'’").removesuffix("'s").removesuffix("’s")
        before, after = question[: match.start()], question[match.start() + len(token) :]
        if not token or RULE.fullmatch(token):
            continue
        found = _path(token, before, after, tree, quoted)
        if found:
            goes_on = left_out_until >= 0 and AND.fullmatch(question[left_out_until : match.start()])
            if LEFT_OUT.search(before) or goes_on:
                outside.extend(found)
                left_out_until = match.start() + len(token) + 2 * quoted
            else:
                groups.append(tuple(found))
        elif name := _name(token, before, after, tree, quoted):
            names.append(name)
        elif _is_unknown(token, before, after, quoted):
            unknown.append(token)
        else:
            continue
        at = match.start() + (1 if quoted else 0)
        masked[at : at + len(token)] = MASK * len(token)
    return Scope(
        groups=tuple(dict.fromkeys(groups)),
        outside=_unique(outside),
        names=_unique(names),
        ranges=tree.ranges(names),
        unknown=_unique(unknown),
        text="".join(masked),
    )


def _unique(found: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(found))


def _path(token: str, before: str, after: str, tree: Tree, quoted: bool) -> list[str]:
    definition = DEFINITION.search(before) or AFTER_DEFINITION.match(after) or token.endswith("()")
    if definition and "/" not in token and not EXTENSION.search(token):
        return []
    plain_word = token.lower() in NO_NAMES
    folder = bool(AFTER_FOLDER.match(after)) or (not plain_word and bool(quoted or BEFORE.search(before)))
    module = bool(AFTER_MODULE.match(after) or MODULE.search(before)) and not plain_word
    module = module or (quoted and not plain_word)
    return tree.paths(token, folder=folder, module=module)


def _name(token: str, before: str, after: str, tree: Tree, quoted: bool) -> str:
    called_here = token.endswith("()")
    name = token.removesuffix("()")
    if name not in tree.names:
        return ""
    beside = bool(DEFINITION.search(before) or AFTER_DEFINITION.match(after)) and name.lower() not in NO_NAMES
    marked = quoted or called_here or bool(LOOKS_LIKE_A_NAME.fullmatch(name)) or "." in name or beside
    whole_word = name.lower() not in NO_NAMES and bool(re.search(r"\b(?:is|does|of|has)\s*$", before, re.I))
    return name if marked or whole_word else ""


def _is_unknown(token: str, before: str, after: str, quoted: bool) -> bool:
    """True if a token can only be a path or a name, and is none that is known."""
    name = token.removesuffix("()")
    if EXTENSION.fullmatch(token) and name.lower() not in SOFTWARE:
        return True
    if re.fullmatch(r"[\w.-]+(?:/[\w.*-]+)*/", token) or re.fullmatch(r"(?:[\w.-]+/){2,}[\w.-]+", token):
        return True
    if not IDENTIFIER.fullmatch(name) or name.lower() in SOFTWARE:
        return False
    if quoted and DEFINITION.search(before):
        return True
    if LOOKS_LIKE_A_NAME.fullmatch(name) and (name != token or DEFINITION.search(before) or "_" in name):
        return True
    if "." in name and re.search(r"\b(?:of|in|module|package|class|function|file)\s*$", before, re.I):
        return True
    asked_for = re.search(r"\b(?:the|of) (?:function|method|class)\s*$", before, re.I)
    ends = re.match(r"\s*(?:\?|$|has\b|have\b|take\b|documented\b|too\b)", after)
    return bool(asked_for and ends and name.lower() not in NO_NAMES)
