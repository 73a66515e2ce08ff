"""Do two sources, or a claim and a passage, speak of the same one? Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from datetime import date
from difflib import SequenceMatcher

from nodes.research.checking.chinese_names import known_word
from nodes.research.checking.concepts import concepts_of
from nodes.research.checking.dates import day_of
from nodes.research.checking.facts import Facts
from nodes.research.checking.folding import fold, lowered
from nodes.research.checking.name_words import GENERIC
from nodes.research.checking.names import names, tokens
from nodes.research.checking.sources import Document, Passage, Sources
from nodes.research.checking.stems import stem
from nodes.research.checking.terms import HAN_STOP, cut

# Share of its document's weightiest name from which on a name is one the document is about.
MAIN = 0.4
MOST = 0.8
TITLE = 3.0
LEAD = 2.0
READ = 120
SAME_TITLE = 0.75
_DESIGNATED = re.compile(
    r"\b(?P<word>line|phase|unit|terminal|stage|block|pier|section|season|series|route|reactor|district|ward|volume|round|lot|tower|building|runway|group|tunnel|berth|plant|trial|lane|zone|class|type|model|version)\s+(?P<number>\d{1,3}[a-z]?|[a-z]\b|one|two|three|four|five|six|i{1,3}|iv)\b"
    r"|第?(?P<han>\d{1,3}|[一二三四五六七八九十])(?P<sign>号线|期|号机|号墓|号楼|航厦|厂|标段|号坑|号炉|号桥|号井|线)"
)


class Topics:
    """What each source is about, read when it is first asked for.

    Args:
        sources: all sources.
    """

    def __init__(self, sources: Sources) -> None:
        self._documents = sources.documents
        self._weights: dict[int, Counter[str]] = {}
        self._main: dict[int, frozenset[str]] = {}
        self._days: dict[int, date] | None = None
        self._versions: dict[tuple[int, int], bool] = {}

    def weights(self, document: Document) -> Counter[str]:
        """The words of names in a source, each with how much the source is about it."""
        found = self._weights.get(document.number)
        if found is None:
            found = _han(document) if document.chinese else _latin(document)
            self._weights[document.number] = found
        return found

    def main(self, document: Document) -> frozenset[str]:
        """Names a source is about."""
        if document.number not in self._main:
            weights = self.weights(document)
            most = max(weights.values(), default=0.0)
            self._main[document.number] = frozenset(
                w for w, weight in weights.items() if weight >= MAIN * most
            )
        return self._main[document.number]

    def same(self, one: Document, other: Document) -> bool:
        """True if each of two sources is about one that the other is about too."""
        common = self.main(one) & self.main(other)
        # Two names of both are enough in a language whose words stand apart.
        if len(common) > 1 and not one.chinese:
            return True
        return bool(common) and self._shared(one, other) and self._shared(other, one)

    def _shared(self, one: Document, other: Document) -> bool:
        """True if the name a source is most about stands in the other: its title's first, else the weightiest."""
        title = lowered(fold(one.item.name))
        weights = self.weights(one)
        most = max(weights.values(), default=0.0)
        named = [word for word in self.main(one) if word in title]
        # What the title names later may be what sort of thing it is: 索道 of 翠屏山索道.
        first = [min(named, key=title.find)] if named else [w for w in weights if weights[w] >= MOST * most]
        return any(_stands(word, other.low) for word in first)

    def told_of(self, claim: Facts, older: Document, newer: Document) -> Callable[[Passage], bool]:
        """A test of whether a passage of a newer source speaks of what a claim resting on an older one speaks of.

        Args:
            claim: the claim.
            older: the source it rests on.
            newer: the other source.
        """
        if claim.chinese != newer.chinese:
            return lambda passage: False
        mine = _designated(claim.low)
        own = {word for word in self.weights(older) if word in claim.low} & _words(claim)
        leading = own & self.main(older)
        theirs = self.main(newer)
        if not leading:
            about = self.same(older, newer)
        elif not all(_stands(word, newer.low) for word in leading):
            others = {word for word in own - leading if _stands(word, newer.low)}
            if not others or not self.same(older, newer):
                return lambda passage: False
            return lambda passage: any(_stands(word, passage.facts.low) for word in others)
        elif leading & theirs:
            about = True
        else:
            # Of a subject both are about, only what the older one is not about leads elsewhere.
            others_first = theirs - self.main(older) if self.same(older, newer) else theirs
            return lambda passage: (
                _first_named(leading, others_first, passage.facts.low) and not _apart(mine, passage)
            )
        return lambda passage: about and not _apart(mine, passage)

    def newer(self, written: date) -> dict[int, date]:
        """Sources later than a day, with their days."""
        if self._days is None:
            days = ((document.number, day_of(document.item.date)) for document in self._documents)
            self._days = {number: day for number, day in days if day is not None}
        return {number: day for number, day in self._days.items() if day > written}

    def version(self, one: Document, other: Document) -> bool:
        """True if two sources are of one publisher, or bear nearly the same title."""
        pair = (one.number, other.number)
        if pair not in self._versions:
            titles = [lowered(fold(document.item.name)) for document in (one, other)]
            same_site = bool(one.item.site) and one.item.site == other.item.site
            alike = SequenceMatcher(None, titles[0], titles[1], autojunk=False).ratio() >= SAME_TITLE
            self._versions[pair] = same_site or alike
        return self._versions[pair]


def _words(claim: Facts) -> set[str]:
    if claim.chinese:
        return {claim.low[at : at + 2] for at in range(len(claim.low) - 1)}
    return set(re.findall(r"[a-z0-9]+", claim.low))


def _first_named(leading: set[str], theirs: frozenset[str], low: str) -> bool:
    """True if a sentence names those a claim is about before those its source is about."""
    named = [low.find(word) for word in leading if _stands(word, low)]
    others = [low.find(word) for word in theirs if _stands(word, low)]
    return bool(named) and min(named) < min(others, default=len(low))


def _stands(word: str, low: str) -> bool:
    return word in low and (not word.isascii() or re.search(rf"\b{re.escape(word)}\b", low) is not None)


def _apart(mine: dict[str, set[str]], passage: Passage) -> bool:
    """True if a claim speaks of line 4 and a passage of line 5 only."""
    if not mine:
        return False
    theirs = _designated(passage.facts.low)
    return any(word in theirs and not numbers & theirs[word] for word, numbers in mine.items())


def _designated(text: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for match in _DESIGNATED.finditer(text):
        found.setdefault(match["word"] or match["sign"], set()).add(match["number"] or match["han"])
    return found


def _latin(document: Document) -> Counter[str]:
    """Words of names: those of the title and the first sentence count more."""
    weights: Counter[str] = Counter()
    passages = document.passages[:READ]
    small = {
        word for passage in passages for word in re.findall(r"(?<![A-Za-z'-])[a-z]{2,}", passage.facts.text)
    }
    lead = next((passage for passage in passages if passage.sentence.kind != "heading"), None)
    for passage in passages:
        for number, name in enumerate(passage.facts.names):
            telling = [word for word in tokens(name.text) if word not in GENERIC and word not in small]
            for word in telling:
                # A word that only begins sentences may be any word.
                if name.start == 0 and not name.sure and concepts_of(stem(word)):
                    continue
                first = passage is lead and number == 0
                weights[word] += LEAD if first else 1.0  # type: ignore[assignment]  # a Counter counts in floats too
    title = fold(document.item.name)
    # Where every word of a title begins with a capital, only the text shows which are names.
    plain = re.search(r"(?<![A-Za-z])[a-z]{4,}", title) is not None
    for name in names(title):
        for word in set(tokens(name.text)) - GENERIC:
            if word in weights or (plain and (name.start or " " in name.text) and word not in small):
                weights[word] += TITLE  # type: ignore[assignment]  # as above
    return weights


def _han(document: Document) -> Counter[str]:
    """Pairs of signs that no dictionary joins, of the title and the first sentence, by how often they stand there."""
    title = lowered(fold(document.item.name))
    lead = document.passages[0].facts.low if document.passages else ""
    text = "\n".join(passage.facts.low for passage in document.passages[:READ])
    weights: Counter[str] = Counter()
    named = {
        name.text[:2] for part in (title, lead) for name in names(part) if not concepts_of(name.text[:2])
    }
    for pair in (
        _strange(title) | _strange(lead) | {pair for pair in named if pair in title or text.count(pair) > 1}
    ):
        times = text.count(pair)
        weights[pair] = TITLE * (pair in title) + LEAD * (pair in lead) + times  # type: ignore[assignment]  # as above
    return weights


def _strange(text: str) -> set[str]:
    """Pairs within words the dictionary lacks, and of signs it leaves single."""
    found: set[str] = set()
    for run in re.findall(r"[\u3400-\u9fff]{2,}", text):
        single = ""
        for word in [*cut(run), ""]:
            if len(word) == 1 and word not in HAN_STOP:
                single += word
                continue
            for chunk in (single, word if word and not known_word(word) else ""):
                found |= {chunk[at : at + 2] for at in range(len(chunk) - 1)}
            # A sign left single before a word of two often begins a name with it.
            single = ""
    return {pair for pair in found if not known_word(pair)}
