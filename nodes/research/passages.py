"""Passages of a text and how much each says about a query: stems of words, pairs of Chinese signs."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from nodes.research.checking import sentences as checking
from nodes.research.checking.folding import fold
from nodes.research.checking.stems import stem
from tools.search.tokens import EAST_ASIAN

LONGEST_PASSAGE = 600
# Beyond this size only the surroundings of words of the query are looked at.
WHOLE_CHARS = 200_000
MOST_HITS = 2000
AROUND = 300
CJK = EAST_ASIAN
_RUN = re.compile(rf"[{CJK}]+|[^\W_{CJK}]+(?:[.,][0-9]+)*", re.UNICODE)
_IS_CJK = re.compile(rf"[{CJK}]")
_PARAGRAPH = re.compile(r"\n[ \t\r]*\n+")
STOPWORDS = frozenset(
    "a an and are as at be been being but by can could did do does for from had has have how i if in into is"
    " it its me may might of on or our shall should so than that the their them then there these they this"
    " those to us was we were what when where which who whom whose why will with would you your much many"
    " about tell give according please say says said report reports any some all more most".split()
)
ASKING = re.compile(
    "請問|什麼|什么|甚麼|多少|哪些|哪個|哪个|哪裡|哪里|哪一|哪年|何時|何时|如何|為何|为何|為什麼|为什么|是否|怎麼|怎么|"
    "有沒有|有没有|幾個|几个|幾年|誰是|谁是|請|嗎|吗|呢|的|了|是|在|和|與|与|及|為|为|有|於|于"
)


@dataclass(frozen=True)
class Passage:
    """A stretch of a source.

    Attributes:
        number: of the source.
        start, end: offsets in its text.
        text: what stands there.
        score: how much it says about the query.
    """

    number: int
    start: int
    end: int
    text: str
    score: float = 0.0


@lru_cache(maxsize=4096)
def terms(text: str) -> tuple[str, ...]:
    """What a text is compared by: stems of words, pairs of simplified Chinese signs, numbers."""
    found: list[str] = []
    for match in _RUN.finditer(fold(unicodedata.normalize("NFKC", text)).casefold()):
        run = match[0]
        if _IS_CJK.match(run):
            found += [run] if len(run) == 1 else [run[at : at + 2] for at in range(len(run) - 1)]
        else:
            found.append(_stem(run))
    return tuple(found)


def query_terms(query: str) -> tuple[str, ...]:
    """The terms of a query without words of asking, each once, in order."""
    plain = ASKING.sub(" ", unicodedata.normalize("NFKC", query))
    words = " ".join(word for word in plain.split() if word.casefold().strip("?.,!") not in STOPWORDS)
    found = [term for term in terms(words) if term not in STOPWORDS]
    return tuple(dict.fromkeys(found)) or tuple(dict.fromkeys(terms(query)))


def _stem(word: str) -> str:
    return word.replace(",", "") if word[0].isdigit() else stem(word)


def sentences(text: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """Offsets of the sentences of a stretch of text, as the checker counts them, headings included."""
    stretch = text[start:end]
    return [(start + one.start, start + one.end) for one in checking.sentences(stretch)]


def split(text: str, wanted: Sequence[str]) -> list[tuple[int, int]]:
    """Offsets of the passages of a text: paragraphs, long ones cut at the ends of sentences.

    Args:
        text: of a source.
        wanted: terms of the query; of a text over WHOLE_CHARS only what surrounds them is cut out.
    """
    windows = [(0, len(text))] if len(text) <= WHOLE_CHARS else _around_hits(text, wanted)
    found: list[tuple[int, int]] = []
    for start, end in windows:
        begin = start
        for gap in _PARAGRAPH.finditer(text, start, end):
            found += _cut(text, begin, gap.start())
            begin = gap.end()
        found += _cut(text, begin, end)
    return found


def _cut(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """A paragraph as passages of at most LONGEST_PASSAGE characters, but for longer sentences."""
    cut: list[tuple[int, int]] = []
    for begin, stop in sentences(text, start, end):
        if cut and stop - cut[-1][0] <= LONGEST_PASSAGE:
            cut[-1] = (cut[-1][0], stop)
            continue
        while stop - begin > 2 * LONGEST_PASSAGE:
            cut.append((begin, begin + LONGEST_PASSAGE))
            begin += LONGEST_PASSAGE
        cut.append((begin, stop))
    return cut


def _around_hits(text: str, wanted: Sequence[str]) -> list[tuple[int, int]]:
    """Stretches around words of the query, joined where they touch; the beginning is always one."""
    windows = [(0, min(len(text), 2 * AROUND))]
    words = sorted({term for term in wanted if len(term) > 1}, key=len, reverse=True)
    if words:
        pattern = re.compile("|".join(map(re.escape, words)), re.IGNORECASE)
        hits = [match.start() for match in pattern.finditer(text)]
        step = max(1, len(hits) // MOST_HITS)
        for hit in hits[::step]:
            start, end = _widened(text, max(0, hit - AROUND), min(len(text), hit + AROUND))
            if start <= windows[-1][1]:
                windows[-1] = (windows[-1][0], max(windows[-1][1], end))
            else:
                windows.append((start, end))
    return windows


def _widened(text: str, start: int, end: int) -> tuple[int, int]:
    """A stretch whose edges lie between sentences, if one is near."""
    left = max(text.rfind(mark, max(0, start - AROUND), start) for mark in ("\n", "。", ". "))
    rights = [text.find(mark, end, end + AROUND) for mark in ("\n", "。", ". ")]
    right = min((place for place in rights if place >= 0), default=end - 1)
    return (left + 1 if left >= 0 else start), right + 1


def rarity(texts: Iterable[Iterable[str]], wanted: Sequence[str]) -> dict[str, float]:
    """Inverse frequency of the query's terms over passages; a term found nowhere weighs most."""
    counts: Counter[str] = Counter()
    total = 0
    targets = set(wanted)
    for found in texts:
        total += 1
        counts.update(targets.intersection(found))
    return {term: math.log(1 + (total + 1) / (counts[term] + 0.5)) for term in wanted}


def coverage(text: str, weights: Mapping[str, float]) -> float:
    """Share of the query's weight that a text holds, 0 to 1."""
    whole = sum(weights.values())
    held = set(terms(text))
    return sum(weight for term, weight in weights.items() if term in held) / whole if whole else 0.0


def ranked(query: str, texts: Mapping[int, str], bonus: Mapping[int, float]) -> list[Passage]:
    """The passages of all sources, the one that says most about the query first.

    Args:
        query: any language.
        texts: by number of the source.
        bonus: what is added to the score of a source's passages, such as for its tier.
    """
    wanted = query_terms(query)
    found = [
        Passage(number, start, end, text[start:end])
        for number, text in texts.items()
        for start, end in split(text, wanted)
    ]
    weights = rarity((terms(passage.text) for passage in found), wanted)
    scored = [
        Passage(
            passage.number,
            passage.start,
            passage.end,
            passage.text,
            coverage(passage.text, weights) + bonus.get(passage.number, 0.0),
        )
        for passage in found
    ]
    return sorted(scored, key=lambda passage: (-passage.score, passage.number, passage.start))
