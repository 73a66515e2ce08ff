"""How much of a claim's wording a passage covers, and the view a claim is judged in. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from nodes.research.checking.facts import Facts
from nodes.research.checking.folding import lowered
from nodes.research.checking.sources import Document, Passage, Sources
from nodes.research.checking.terms import Term

CONCEPT = 0.9
SAME_SIGN = 0.35


@dataclass
class View:
    """A passage as the one a claim may rest on, with what surrounds it.

    Attributes:
        core: the passage.
        document: that it stands in.
        sources: all sources, which tell how rare a word is.
    """

    core: Passage
    document: Document
    sources: Sources

    @cached_property
    def near(self) -> list[Passage]:
        """The passages around the core and the heading above it."""
        return self.document.near(self.core)

    @cached_property
    def near_low(self) -> str:
        """Text around the core, title and site, folded, in lower case."""
        return "\n".join([self.document.about, *(one.facts.low for one in self.near)])

    @property
    def facts(self) -> Facts:
        """What the core states."""
        return self.core.facts


@dataclass(frozen=True, slots=True)
class Finding:
    """Something a claim and its source do not share.

    Attributes:
        severity: "conflict": the source says otherwise; "missing": it does not say it; "soft": code cannot tell.
        text: which fact, and what the source has.
        at: offset in the claim of the fact it is about; -1 if it is about the whole of it.
        elsewhere: another cited passage may bear the fact out.
    """

    severity: str
    text: str
    at: int = -1
    elsewhere: bool = False


def coverage(
    claim: Facts, passages: Sequence[Facts], about: str, sources: Sources, only: Iterable[Term] | None = None
) -> float:
    """The share of a claim's words that passages hold, rare words weighing more.

    Args:
        claim: the claim.
        passages: where to look.
        about: title and site of the document, in lower case; its words count as said.
        sources: tells how rare a word is.
        only: these of the claim's words instead of all.

    Returns:
        0 to 1; 1 if there is no word to look for.
    """
    words = list(claim.terms if only is None else only)
    keys = frozenset().union(*(one.keys for one in passages))
    pairs = frozenset().union(*(one.bigrams for one in passages))
    text = "\n".join([*(one.low for one in passages), about])
    total = reached = 0.0
    for word in words:
        weight = weight_of(word, sources)
        total += weight
        reached += weight * share_of(word, keys, pairs, text)
    return reached / total if total else 1.0


def weight_of(word: Term, sources: Sources) -> float:
    """How much a word tells of what is said, by how rare it is among the sources."""
    # Words of speech ("said", 表示) tell little of what is said.
    return sources.weight(word.key) * (0.3 if "say" in word.concepts or "reach" in word.concepts else 1.0)


def share_of(word: Term, keys: frozenset[str], pairs: frozenset[str], text: str) -> float:
    """How far some text says a word, 0 to 1.

    Args:
        word: the word.
        keys: words of the text, and its concepts with "#" before them.
        pairs: its neighbouring Han characters.
        text: itself, in lower case.
    """
    if word.key in keys:
        return 1.0
    if any(f"#{concept}" in keys for concept in word.concepts):
        return CONCEPT
    if word.key.isascii():
        return 1.0 if len(word.key) > 3 and word.key in text else 0.0
    if word.key in text:
        return 1.0
    parts = [word.key[at : at + 2] for at in range(len(word.key) - 1)]
    share = sum(part in pairs for part in parts) / len(parts) if parts else 0.0
    if not share and len(word.key) == 2 and any(sign in text for sign in word.key):
        return SAME_SIGN
    return share


def covers(word: Term, view: View) -> bool:
    """True if the core says a word or its like."""
    return share_of(word, view.facts.keys, view.facts.bigrams, view.facts.low) >= 0.5


def clause(facts: Facts, at: int) -> list[Term]:
    """The words of the clause that holds an offset: between commas, "and" and the like."""
    text = facts.text
    breaks = [
        i
        for i, sign in enumerate(text)
        if sign in ",;:、。；：，" and not (i + 1 < len(text) and text[i + 1].isdigit())
    ]
    start = max((i for i in breaks if i < at), default=-1)
    end = min((i for i in breaks if i >= at), default=len(text))
    inside = [word for word in facts.terms if start < word.start < end]
    return inside or list(facts.terms)


def distance(text: str, one: int, other: int) -> int:
    """Characters between two offsets; what a comma or "and" parts stands further off."""
    first, last = sorted((one, other))
    between = lowered(text[first:last])
    parts = sum(
        between.count(sign) for sign in (",", ";", "，", "；", "、", " and ", " while ", "而", "和", "与")
    )
    return last - first + (20 if text.isascii() else 8) * parts
