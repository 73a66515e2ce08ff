"""The sources of a report, cut into sentences that can be found by their words."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from nodes.research.checking.chains import Chain, chain
from nodes.research.checking.clauses import Clause, clauses
from nodes.research.checking.dates import day_of, moments
from nodes.research.checking.facts import Facts, facts_of
from nodes.research.checking.folding import fold, is_chinese, lowered
from nodes.research.checking.quotes import bare
from nodes.research.checking.roster import Entity, roster
from nodes.research.checking.sentences import Sentence, sentences
from nodes.research.checking.verdicts import Span
from nodes.research.checking.ways import only_way
from tools.search.items import Item

# Longer texts are read only where a report's words stand.
WHOLE = 400_000
BLOCK = 3_000
BLOCKS_A_CLAIM = 8
NEIGHBOURS = 2
_ENRICHED = re.compile(r"\A\[Tier \d[^\]\n]*\]\s*")


@dataclass
class Passage:
    """A sentence of a source.

    Attributes:
        document: number of its document.
        number: of the sentence in its document.
        sentence: where it stands.
        facts: what it states.
    """

    document: int
    number: int
    sentence: Sentence
    facts: Facts

    @cached_property
    def clauses(self) -> list[Clause]:
        """The parts of it that state something by themselves."""
        return clauses(self.facts)

    @cached_property
    def ways(self) -> list[dict[str, int]]:
        """Of each clause, the way it says things go, see `only_way`."""
        return [only_way(part) for part in self.clauses]


@dataclass
class Document:
    """A source as the checks read it.

    Attributes:
        item: the source.
        number: among the sources, from 0.
        text: its description, folded.
        passages: its sentences in order; of a very long text only those near a report's words.
    """

    item: Item
    number: int
    text: str
    passages: list[Passage] = field(default_factory=list)

    @cached_property
    def about(self) -> str:
        """Its title, site and address, folded, in lower case: what every sentence of it is about."""
        place = re.sub(r"[^\w]+", " ", self.item.url)
        return lowered(fold(f"{self.item.name}\n{self.item.site}\n{place}"))

    @cached_property
    def low(self) -> str:
        """Title and text, folded, in lower case."""
        return f"{self.about}\n{lowered(self.text)}"

    @cached_property
    def bare(self) -> str:
        """The text as quotations are compared."""
        return bare(self.text)

    @cached_property
    def chinese(self) -> bool:
        """True if it is written in Chinese."""
        return is_chinese(self.text[:4000])

    @cached_property
    def digest(self) -> str:
        """SHA-256 of its description."""
        return self.item.digest

    @cached_property
    def years(self) -> frozenset[int]:
        """Years a date without one may belong to: of its date, its title and its first lines."""
        found = {
            moment.year for moment in moments(self.text[:600] + "\n" + fold(self.item.name)) if moment.year
        }
        day = day_of(self.item.date)
        return frozenset(found | ({day.year} if day else set()))

    @cached_property
    def every_year(self) -> frozenset[int]:
        """All years it names, that of its date too."""
        found = {moment.year for passage in self.passages for moment in passage.facts.moments if moment.year}
        return self.years | found

    @cached_property
    def roster(self) -> list[Entity]:
        """Who and what it names."""
        return roster(fold(self.item.name), [passage.facts for passage in self.passages])

    @cached_property
    def chain(self) -> Chain:
        """Its clauses, each with those it tells of."""
        texts = [passage.facts for passage in self.passages]
        paragraphs = [passage.sentence.paragraph for passage in self.passages]
        return chain(fold(self.item.name), texts, paragraphs, self.roster)

    def near(self, passage: Passage, back: int = NEIGHBOURS, ahead: int = 1) -> list[Passage]:
        """The passages around one, within its part of the text, the heading above it too."""
        first = max(0, passage.number - back)
        around = [one for one in self.passages[first : passage.number + ahead + 1] if one is not passage]
        if heading := self.heading(passage):
            around.append(heading)
        return around

    def heading(self, passage: Passage) -> Passage | None:
        """The heading a passage stands under."""
        for one in reversed(self.passages[max(0, passage.number - 40) : passage.number]):
            if one.sentence.kind == "heading":
                return one
        return None

    def span(self, passage: Passage) -> Span:
        """Where a passage stands in the source."""
        start, end = passage.sentence.start, passage.sentence.end
        return Span(
            url=self.item.url, start=start, end=end, text=self.item.description[start:end], digest=self.digest
        )


class Sources:
    """All sources of a report.

    Args:
        items: the sources; two of one address are two documents that a citation of it means together.
        claims: folded sentences that will be looked for; very long sources are read only near their words.
    """

    def __init__(self, items: Sequence[Item], claims: Iterable[str] = ()) -> None:
        looked_for = list(claims)
        self.documents = [_document(number, item, looked_for) for number, item in enumerate(items)]
        self.passages = [passage for document in self.documents for passage in document.passages]
        # The last question: several checks ask it of one claim.
        self._asked: tuple[Facts, frozenset[int] | None, int] | None = None
        self._found: list[tuple[float, Passage]] = []
        self._having: dict[str, list[int]] = defaultdict(list)
        for number, passage in enumerate(self.passages):
            for key in passage.facts.keys | passage.facts.bigrams:
                self._having[key].append(number)

    @cached_property
    def names(self) -> list[Entity]:
        """Who and what all of them name, each once, as what the source that knows best has it for."""
        found: dict[str, Entity] = {}
        for document in self.documents:
            for one in document.roster:
                known = found.get(one.name)
                if known is None or len(one.kinds) < len(known.kinds):
                    found[one.name] = one
        for one in list(found.values()):
            last = one.name.split()[-1]
            # A report says "Remizova" of the Olga Remizova of its source.
            if one.kinds == {"person"} and last != one.name and last.isalpha():
                found.setdefault(last, Entity(last, one.kinds))
        return list(found.values())

    def weight(self, key: str) -> float:
        """How much a word tells: the rarer among the sources' sentences, the more."""
        return math.log(1 + (len(self.passages) + 1) / (1 + len(self._having.get(key, ()))))

    def best(
        self, claim: Facts, documents: set[int] | None = None, limit: int = 6
    ) -> list[tuple[float, Passage]]:
        """The sentences that share most of a claim's words, with what they share, best first.

        Args:
            claim: what is looked for.
            documents: where to look; everywhere if None.
            limit: how many at most.
        """
        asked = (claim, frozenset(documents) if documents is not None else None, limit)
        if self._asked is not None and self._asked[0] is claim and self._asked[1:] == asked[1:]:
            return self._found
        scores: Counter[int] = Counter()
        for key in claim.keys | claim.bigrams:
            weight = self.weight(key) * (0.5 if key.startswith("#") or key in claim.bigrams else 1.0)
            for number in self._having.get(key, ()):
                if documents is None or self.passages[number].document in documents:
                    scores[number] += weight  # type: ignore[assignment]  # a Counter counts in floats too
        ranked = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]
        self._asked, self._found = asked, [(score, self.passages[number]) for number, score in ranked]
        return self._found


def _document(number: int, item: Item, claims: list[str]) -> Document:
    text = fold(item.description)
    document = Document(item, number, text)
    written = day_of(item.date)
    parts = [(0, len(text))] if len(text) <= WHOLE else _parts(text, claims)
    for start, end in parts:
        part = text[start:end]
        skipped = _ENRICHED.match(part) if start == 0 else None
        for one in sentences(part):
            first = one.start
            if skipped and first < skipped.end():
                first = min(skipped.end(), one.end)
            if first >= one.end:
                continue
            moved = Sentence(first + start, one.end + start, one.paragraph + start, one.kind)
            facts = facts_of(text[moved.start : moved.end], written)
            document.passages.append(Passage(number, len(document.passages), moved, facts))
    return document


def _parts(text: str, claims: list[str]) -> list[tuple[int, int]]:
    """Where in a long text the claims' rarest words stand together: blocks that end at line ends."""
    low = lowered(text)
    chosen: set[int] = {0}
    for claim in claims:
        scores: Counter[int] = Counter()
        for anchor in _anchors(claim):
            places = _places(low, anchor)
            for block in {at // BLOCK for at in places}:
                scores[block] += 1000 // (10 + len(places))
        chosen |= {block for block, _ in scores.most_common(BLOCKS_A_CLAIM)}
    wanted = sorted(chosen | {block + 1 for block in chosen})
    parts: list[tuple[int, int]] = []
    for block in wanted:
        start, end = block * BLOCK, min((block + 1) * BLOCK, len(text))
        if start >= end:
            continue
        if parts and parts[-1][1] >= start:
            parts[-1] = (parts[-1][0], end)
        else:
            parts.append((max(0, text.rfind("\n", max(0, start - 500), start) + 1) or start, end))
    return parts


def _anchors(claim: str) -> list[str]:
    low = lowered(claim)
    words = {word[:7] for word in re.findall(r"[a-z][a-z'-]{4,}", low)}
    numbers = set(re.findall(r"\d[\d,.]*\d|\d{2,}", low))
    han = {
        run[at : at + 3] for run in re.findall(r"[\u3400-\u9fff]{3,}", low) for at in range(0, len(run) - 2)
    }
    return sorted(words | numbers | han, key=len, reverse=True)[:24]


def _places(low: str, anchor: str, limit: int = 120) -> list[int]:
    found: list[int] = []
    at = low.find(anchor)
    while at >= 0 and len(found) < limit:
        found.append(at)
        at = low.find(anchor, at + len(anchor))
    return found
