"""How much of what is asked a text speaks of: words, their meanings in both languages, and years."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from nodes.research.checking.folding import fold
from nodes.research.checking.terms import terms
from nodes.research.passages import ASKING, CJK, STOPWORDS

# Years of the Republic of China count from 1912 as 1.
ROC_OFFSET = 1911
_ROC = re.compile(r"民國\s*(\d{1,3})\s*年|民国\s*(\d{1,3})\s*年")
_HAN = re.compile(f"[{CJK}]+")
_YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")


@dataclass(frozen=True)
class Said:
    """What a text speaks of.

    Attributes:
        keys: stems and Chinese words.
        concepts: meanings of those that have one.
        years: four digits each, those of the Republic of China among them.
        pairs: two Chinese signs each, since a word is not cut alike in every sentence.
    """

    keys: frozenset[str]
    concepts: frozenset[str]
    years: frozenset[str]
    pairs: frozenset[str]

    @classmethod
    def of(cls, text: str) -> Said:
        """Of a text in either language."""
        plain = fold(unicodedata.normalize("NFKC", text))
        found = terms(plain)
        return cls(
            frozenset(term.key for term in found),
            frozenset(concept for term in found for concept in term.concepts),
            years_in(text),
            frozenset(pairs_in(plain)),
        )

    def joined(self, other: Said) -> Said:
        """Both together."""
        return Said(
            self.keys | other.keys,
            self.concepts | other.concepts,
            self.years | other.years,
            self.pairs | other.pairs,
        )


def years_in(text: str) -> frozenset[str]:
    """The years a text names."""
    roc = {str(int(match[1] or match[2]) + ROC_OFFSET) for match in _ROC.finditer(text)}
    return frozenset(roc | set(_YEAR.findall(text)))


@dataclass(frozen=True)
class Wanted:
    """What a query asks about, each part with its weight.

    Attributes:
        words: a word, its meanings, its weight.
        years: weight by year.
    """

    words: tuple[tuple[str, frozenset[str], float], ...]
    years: tuple[tuple[str, float], ...]

    @classmethod
    def of(cls, query: str, lines: Sequence[Said]) -> Wanted:
        """Of a query; words that few sentences hold weigh more.

        Args:
            query: either language.
            lines: sentences that may answer it.
        """
        found = telling(query)
        words = tuple(
            (key, concepts, _rarity(sum(_holds(line, key, concepts) for line in lines), len(lines)))
            for key, concepts in found.items()
        )
        typical = sum(weight for _, _, weight in words) / len(words) if words else 1.0
        return cls(words, tuple((year, typical) for year in sorted(years_in(query))))

    @property
    def asks(self) -> bool:
        """False if nothing is asked but a name."""
        return bool(self.words or self.years)

    def share(self, said: Said) -> float:
        """The share of the weight a text speaks of, 0 to 1."""
        whole = sum(weight for *_, weight in self.words) + sum(weight for _, weight in self.years)
        held = sum(weight * _holds(said, key, concepts) for key, concepts, weight in self.words)
        held += sum(weight for year, weight in self.years if year in said.years)
        return held / whole if whole else 0.0


def telling(query: str) -> dict[str, frozenset[str]]:
    """The words of a query that do not only ask, with their meanings."""
    plain = ASKING.sub(" ", unicodedata.normalize("NFKC", query))
    return {term.key: term.concepts for term in terms(fold(plain)) if term.key not in STOPWORDS}


def _holds(said: Said, key: str, concepts: frozenset[str]) -> float:
    """How much of a word a text speaks of, 0 to 1; a part of a Chinese word is a part."""
    if key in said.keys or concepts & said.concepts:
        return 1.0
    pairs = pairs_in(key)
    return sum(pair in said.pairs for pair in pairs) / len(pairs) if pairs else 0.0


def pairs_in(text: str) -> list[str]:
    """Pairs of neighbouring Chinese signs."""
    return [run[at : at + 2] for run in _HAN.findall(text) for at in range(len(run) - 1)]


def _rarity(count: float, total: int) -> float:
    return math.log(1 + (total + 1) / (count + 0.5))
