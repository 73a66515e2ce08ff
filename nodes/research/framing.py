"""Headings, questions and framing lines: what they state must stand in the query or in the sources. Pure.

The sentence check lets pass what makes no claim. A number, a date, a name or a quotation is a claim wherever
it stands, so each such line is held once more against the query and the sources it stands with.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from nodes.research.checking.checker import check_report
from nodes.research.checking.citations import CitationReader, without_citations
from nodes.research.checking.dates import day_of
from nodes.research.checking.facts import Facts, facts_of
from nodes.research.checking.folding import fold, lowered
from nodes.research.checking.matching import matches
from nodes.research.checking.moment import Moment, holds
from nodes.research.checking.names import held
from nodes.research.checking.quotes import bare, verbatim
from nodes.research.checking.sources import Document, Sources
from nodes.research.checking.verdicts import SentenceCheck
from tools.search.items import Item

_HEADING = re.compile(r"^[ \t]*(#{1,6})[ \t]", re.MULTILINE)
_COUNT = r"(?:\d{1,2}|two|three|four|five|six|seven|eight|nine|ten|several)"
_PARTS = (
    r"findings?|points?|takeaways?|questions?|parts?|sections?|sources?|documents?|reports?|articles?|results?"
    r"|themes?|topics?|aspects?|areas?|reasons?|conclusions?|sides?|views?|steps?|claims?|statements?|subjects?"
)
# Numbers that count or number the report's own parts, which no source can hold.
_OWN_NUMBERS = re.compile(
    r"^\W*\d{1,2}(?:\.\d{1,2})*[.)、:](?=\s|[\u3400-\u9fff])"
    r"|^\W*\d{1,2}(?:\.\d{1,2})+(?=\s+(?!(?:Million|Billion|Trillion|Thousand|Percent|Per|K|M|G)\b)[A-Z])"
    r"|\b(?:part|section|chapter|step|table|figure|fig\.|question|point|finding|appendix|source|document|note|item)"
    r"\s+\d{1,2}\b(?!\s*[.,]\d)"
    rf"|\b{_COUNT}\s+(?:(?:key|main|major|central|important|different|other|following|separate)\s+)?(?:{_PARTS})\b"
    r"|第?[\d一二两三四五六七八九十]{1,3}(?:个|项|点|大|份|类|部分|章|节|段|篇)?"
    r"(?:重点|要点|部分|问题|面向|来源|文件|资料|结论|发现|主题|章|节|段|步骤|点(?![\d零一二三四五六七八九]))",
    re.IGNORECASE,
)

# What a report calls its own confidence.
LEVELS = ("high", "medium", "low")
_DATES_SOURCES = re.compile(
    r"\bpublish|\bdated\b|\bupdated\b|\bas of\b|\b(?:sources?|documents?|reports?|articles?) (?:from|of)\b"
    r"|发布|发表|公布|刊登|截至|更新",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Ground:
    """What a line may speak of without being a claim of its own.

    Attributes:
        query: what was asked, and whatever else the run itself holds, such as its day.
        items: sources.
    """

    query: str
    items: tuple[Item, ...] = ()

    @cached_property
    def asked(self) -> Facts:
        """The facts of the query."""
        return facts_of(fold(self.query))

    @cached_property
    def documents(self) -> list[Document]:
        """The sources, read whole."""
        return Sources(self.items).documents

    @cached_property
    def folded(self) -> list[tuple[str, str]]:
        """Address and text of each source in one form, which costs far less than reading them."""
        return [(item.url, fold(f"{item.name}\n{item.description}")) for item in self.items]

    @cached_property
    def lowered(self) -> list[str]:
        """Title, site and text of each source, in lower case."""
        return [lowered(fold(f"{item.name}\n{item.site}\n{item.description}")) for item in self.items]

    def stray(self, text: str, urls: Sequence[str] = ()) -> str:
        """The first fact of a line that neither the query nor the sources hold; empty if there is none.

        Args:
            text: a line, without citations.
            urls: of the sources that have to hold it; all if empty. A name may stand in any source.
        """
        # Marks before the first word would make a name of it.
        plain = fold(text).strip(" \t\n#>*_|~`-+•")
        facts = facts_of(_OWN_NUMBERS.sub(lambda match: " " * len(match[0]), plain))
        for moment in facts.moments:
            if not (moment.empty or moment.relative or self._dated(moment, plain, urls)):
                return moment.text.strip()
        for number in facts.quantities:
            worded_rank = number.dimension == "rank" and not re.search(r"\d", number.text)
            if number.soft or worded_rank or any(matches(number, one) for one in self.asked.quantities):
                continue
            if not self._written(number.text, urls) and not any(
                matches(number, one)
                for document in self._among(urls)
                for passage in document.passages
                for one in passage.facts.quantities
            ):
                return number.text.strip()
        for quotation in facts.quotations:
            if quotation.speech and not self._quoted(quotation.text, urls):
                return f'"{quotation.text}"'
        return self._unknown_name(facts)

    def _among(self, urls: Sequence[str]) -> list[Document]:
        return [one for one in self.documents if not urls or one.item.url in urls]

    def _written(self, text: str, urls: Sequence[str]) -> bool:
        """True if a source has a number or a date in the very same signs."""
        signs = re.compile(rf"(?<![\w.,]){re.escape(text.strip())}(?![\w]|[.,]\d)")
        return any(signs.search(one) for url, one in self.folded if not urls or url in urls)

    def _dated(self, moment: Moment, text: str, urls: Sequence[str]) -> bool:
        # That a source was published in 2024 bears out nothing that is said to have happened then.
        dates_sources = bool(moment.day or _DATES_SOURCES.search(text))
        if any(holds(moment, one, ()) for one in self.asked.moments) or self._written(moment.text, urls):
            return True
        for document in self._among(urls):
            day = day_of(document.item.date)
            published = [Moment(0, 0, "", day.year, day.month, day.day)] if day and dates_sources else []
            told = [one for passage in document.passages for one in passage.facts.moments]
            if any(holds(moment, one, document.every_year) for one in [*published, *told]):
                return True
        return False

    def _quoted(self, text: str, urls: Sequence[str]) -> bool:
        if verbatim(text, bare(self.asked.text)):
            return True
        return any(verbatim(text, bare(one)) for url, one in self.folded if not urls or url in urls)

    def _unknown_name(self, facts: Facts) -> str:
        # Where every word has a capital letter, the letters tell nothing of names.
        if facts.chinese or not re.search(r"(?<![A-Za-z'-])[a-z]{4}", facts.text):
            return ""
        for name in facts.names:
            named = name.sure and name.text.isascii() and lowered(name.text) not in LEVELS
            if named and not any(held(name.text, text) for text in (self.asked.low, *self.lowered)):
                return name.text
        return ""


def check_all(report: str, items: Sequence[Item], known: str = "") -> list[SentenceCheck]:
    """Check every sentence of a report, headings and framing lines included; blocking.

    Args:
        report: Markdown or prose.
        items: every source, as for `check_report`.
        known: what the report may speak of though no source does: the query, the day of the run.
    """
    checks = check_report(report, items)
    ground = Ground(known, tuple(items))
    reader = CitationReader(items, report)
    return [
        _framing(check, checks, report, ground, reader) if check.verdict == "no_claim" else check
        for check in checks
    ]


def _framing(
    check: SentenceCheck,
    checks: Sequence[SentenceCheck],
    report: str,
    ground: Ground,
    reader: CitationReader,
) -> SentenceCheck:
    text = report[check.start : check.end]
    words = without_citations(text, reader.find(text, check.start), check.start)
    stray = ground.stray(words, check.citations or _section(check, checks, report))
    if not stray:
        return check
    told = f"It states {stray}, which neither the query nor the sources it stands with hold."
    return check.model_copy(update={"verdict": "unsupported", "reason": told})


def _section(check: SentenceCheck, checks: Sequence[SentenceCheck], report: str) -> list[str]:
    """What the part of the report cites that a line heads or stands in; nothing for a title of the whole."""
    headings = [(match.start(), len(match[1])) for match in _HEADING.finditer(report)]
    above = [one for one in headings if one[0] <= check.start]
    if not above or above[-1][1] == 1:
        return []
    start, level = above[-1]
    end = next((at for at, other in headings if at > start and other <= level), len(report))
    inside = [one for one in checks if start <= one.start < end]
    return list(dict.fromkeys(url for one in inside for url in one.citations))
