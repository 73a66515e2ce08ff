"""How much of what is asked a text speaks of: words, their meanings in both languages, and years."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from nodes.research.checking.folding import fold
from nodes.research.checking.terms import terms
from nodes.research.passages import ASKING, CJK, STOPWORDS

# Years of the Republic of China count from 1912 as 1.
ROC_OFFSET = 1911
# A word of the same root counts for a little less than the word, one of like meaning for less.
LIKE = 0.7
DERIVED, LEAST_ROOT, LONGEST_ENDING = 0.9, 4, 4
# What no candidate speaks of, and words that tell the kind of the answer rather than its matter.
UNHEARD_WORTH, KIND_WORTH, HALF = 1.2, 0.3, 0.5
_KIND = frozenset(
    "rate ratio share percentag proport number amount total level size figur sum averag valu date year day"
    " time use get make take give come go"
    " 率 比率 比例 占比 比重 数量 数 量 总数 总量 金额 幅度 情况 情形 人数 次数 规模 日期".split()
)
_CHANGE = frozenset("chang chang-in 变动 变化 增减 涨跌 变".split())
_MOVES = frozenset({"rise", "fall"})
_ROC = re.compile(r"民國\s*(\d{1,3})\s*年|民国\s*(\d{1,3})\s*年")
_HAN = re.compile(f"[{CJK}]+")
_NUMBER = re.compile(
    r"(?:民國|民国)?(?<![\w.])\d[\d.,]*\s*(?:年度|年(?!前|来|來|后|後))?|(?<=[\u4e00-\u9fff])\d[\d.,]*\s*(?:年度|年)?"
)
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
    """

    words: tuple[tuple[str, frozenset[str], float], ...]

    @classmethod
    def of(cls, query: str, lines: Sequence[Said]) -> Wanted:
        """Of a query; a word that no sentence holds weighs more: something is asked that nobody tells.

        Args:
            query: either language.
            lines: sentences that may answer it.
        """
        found = telling(query)
        words = tuple(
            (key, concepts, _weight(key, any(_holds(line, key, concepts) >= HALF for line in lines)))
            for key, concepts in found.items()
        )
        return cls(words)

    @property
    def asks(self) -> bool:
        """False if nothing is asked but a name."""
        return bool(self.words)

    def share(self, said: Said) -> float:
        """The share of the weight a text speaks of, 0 to 1."""
        whole = sum(weight for *_, weight in self.words)
        held = sum(weight * _holds(said, key, concepts) for key, concepts, weight in self.words)
        return held / whole if whole else 0.0


def telling(query: str) -> dict[str, frozenset[str]]:
    """The words of a query that do not only ask, with their meanings."""
    # A year that touches Chinese words would be read as one word with them.
    plain = _NUMBER.sub(" ", unicodedata.normalize("NFKC", query))
    plain = ASKING.sub(" ", plain)
    return {
        term.key: term.concepts | (_MOVES if term.key in _CHANGE else frozenset())
        for term in terms(fold(plain))
        if term.key not in STOPWORDS
    }


def _holds(said: Said, key: str, concepts: frozenset[str]) -> float:
    """How much of a word a text speaks of, 0 to 1; a part of a Chinese word is a part."""
    if key in said.keys:
        return 1.0
    alike = LIKE if concepts & said.concepts else 0.0
    if key.isascii():
        return max(alike, DERIVED if any(_derived(key, other) for other in said.keys) else 0.0)
    pairs = pairs_in(key)
    return max(alike, sum(pair in said.pairs for pair in pairs) / len(pairs) if pairs else 0.0)


def _derived(one: str, other: str) -> bool:
    """True of two stems of one word, such as "employ" and "employe", "leak" and "leakag"."""
    short, long = sorted((one, other), key=len)
    return len(short) >= LEAST_ROOT and long.startswith(short) and len(long) - len(short) <= LONGEST_ENDING


def pairs_in(text: str) -> list[str]:
    """Pairs of neighbouring Chinese signs."""
    return [run[at : at + 2] for run in _HAN.findall(text) for at in range(len(run) - 1)]


def _weight(key: str, found: bool) -> float:
    return KIND_WORTH if key in _KIND or key in _CHANGE else 1.0 if found else UNHEARD_WORTH
