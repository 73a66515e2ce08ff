"""A topic: something the kernels know about a tree, and how questions ask for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from configs.audit import AuditSettings
from nodes.specialists.claims import Coverage, Row
from tools.audit.kernels import Kernel
from tools.audit.report import Audit

SpecialistName: TypeAlias = Literal["security", "analysis", "documentation"]
SPECIALISTS: tuple[SpecialistName, ...] = ("security", "analysis", "documentation")
NOUNS = {
    "function": r"functions?|methods?|routines?|procedures?",
    "class": r"class(?:es)?",
    "module": r"files?|modules?|scripts?",
}


Summary: TypeAlias = Callable[[Audit, Callable[[str], bool], frozenset[str]], tuple[str, float] | None]
"""Of an audit, of whether a file counts, and of tags: one sentence over all rows, and its figure."""


@dataclass(frozen=True)
class Narrowing:
    """A property a question asks for.

    Attributes:
        tags: a row must have one of them.
        before, after: what is said of the rows, before and behind their noun.
        noun: what the rows are then; None leaves it.
    """

    tags: frozenset[str]
    before: str = ""
    after: str = ""
    noun: tuple[str, str] | None = None


@dataclass(frozen=True)
class Topic:
    """Something that can be asked.

    Attributes:
        id: its name.
        noun: what a row is, one and several.
        rows: of an audit, sorted by place.
        covered: what the rows could have come from.
        says: pattern of the words by which a question means it, over folded text without paths and names.
        measure: what rows are ranked by, e.g. "cyclomatic complexity"; empty for rows that only are there.
        counted: pattern of what the measure counts, as in "how many lines has a.py".
        limit: figure above which a row is too much; None without one.
        total: True if the sum of the figures means something.
        good: True if a high figure is a good one.
        standing: True if a row is there because something is so, as a finding or a cycle is.
        overview: True if it answers a question after the state of everything.
        unit: behind a figure, e.g. "%".
        summary: says it for all rows at once; None where no such sentence means anything.
    """

    id: str
    noun: tuple[str, str]
    rows: Callable[[Audit, AuditSettings], Sequence[Row]]
    covered: Callable[[Audit], Coverage]
    says: str
    measure: str = ""
    counted: str = ""
    limit: Callable[[AuditSettings], float] | None = None
    total: bool = False
    good: bool = False
    standing: bool = False
    overview: bool = False
    unit: str = ""
    summary: Summary | None = None

    def meant_by(self, text: str) -> bool:
        """True if a question's words mean it."""
        return re.search(self.says, text) is not None


@dataclass(frozen=True)
class Specialist:
    """What one specialist knows.

    Attributes:
        name: of it.
        field: what it knows, in words.
        topics: the first that is meant is the one that is asked; order tells them apart.
        prompt: of its model's part.
        narrowed: what a question's words narrow the rows of a topic to.
    """

    name: SpecialistName
    field: str
    topics: tuple[Topic, ...]
    prompt: str
    narrowed: Callable[[str, Topic], list[Narrowing]]

    def topic(self, id: str) -> Topic:
        """A topic by its name.

        Raises:
            KeyError: it has none of that name.
        """
        return {one.id: one for one in self.topics}[id]


def about(noun: str, words: str) -> str:
    """Pattern of a question that holds some words and this kind of thing's noun, or no noun at all.

    Args:
        noun: a key of NOUNS.
        words: pattern.
    """
    others = "|".join(pattern for name, pattern in NOUNS.items() if name != noun)
    own = NOUNS[noun]
    return rf"(?s)\A(?=.*\b(?:{words})\b)(?:(?=.*\b(?:{own})\b)|(?!.*\b(?:{others})\b))"


def of(noun: str, words: str) -> str:
    """Pattern of a question that holds some words and this kind of thing's noun, and no other's."""
    others = "|".join(pattern for name, pattern in NOUNS.items() if name != noun)
    return rf"(?s)\A(?=.*\b(?:{words})\b)(?=.*\b(?:{NOUNS[noun]})\b)(?!.*\b(?:{others})\b)"


def coverage(audit: Audit, kernels: Sequence[Kernel], language: str = "") -> Coverage:
    """What kernels looked at: all modules, or those of a language, but for what was left out.

    Args:
        audit: the report.
        kernels: whose left-out files count, too.
        language: that they read; empty for any.
    """
    skipped = tuple(one for one in audit.skipped if one.kernel in kernels)
    lost = {one.file for one in skipped}
    mine = [one.file for one in audit.scan.modules if not language or one.language == language]
    others = [one.file for one in audit.scan.modules if language and one.language != language]
    return Coverage(
        files=tuple(file for file in mine if file not in lost),
        others=tuple(others),
        skipped=skipped,
        reads=language.capitalize(),
    )
