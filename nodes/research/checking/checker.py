"""Checks whole reports and single claims against the sources they cite."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from nodes.research.checking.citations import Citation, CitationReader, plain_address, without_citations
from nodes.research.checking.claims import makes_claim
from nodes.research.checking.facts import Facts, facts_of
from nodes.research.checking.folding import fold
from nodes.research.checking.judge import Judgement, judge
from nodes.research.checking.sentences import Sentence, sentences
from nodes.research.checking.sources import Passage, Sources
from nodes.research.checking.staleness import newer_version
from nodes.research.checking.stems import stem
from nodes.research.checking.topics import Topics
from nodes.research.checking.verdicts import SentenceCheck, Span, Verdict
from tools.search.items import Item

SPANS = 4
# Another source must fit this much better before it is called the right one.
BETTER = 0.3
WELL = 0.6


@dataclass(frozen=True, slots=True)
class _Claim:
    """A sentence to judge: where it stands, what it cites, what it states."""

    sentence: Sentence
    text: str
    citations: tuple[Citation, ...]
    facts: Facts
    states: bool


def check_report(report: str, items: Sequence[Item]) -> list[SentenceCheck]:
    """Check every sentence of a report.

    Args:
        report: Markdown or prose; its own list of sources at the end is read, not checked.
        items: every source; `[1]` is the first of them unless the report lists its sources itself.

    Returns:
        One check a sentence, in order, headings included.
    """
    reader = CitationReader(items, report)
    body = report[: reader.list_start]
    claims = [_read(body, sentence, reader) for sentence in sentences(body)]
    checker = Checker(items, [claim.facts.text for claim in claims if claim.states])
    return [_checked(claim, claims, checker) for claim in claims]


def check_claim(claim: str, items: Sequence[Item], others: Sequence[Item] = ()) -> SentenceCheck:
    """Check one sentence against the items it cites.

    Args:
        claim: the sentence.
        items: those it cites.
        others: further sources: who has it if these do not, and who has it newer.
    """
    every = [*items, *others]
    return Checker(every, [fold(claim)]).claim(claim, [item.url for item in items])


class Checker:
    """Judges sentences against one set of sources, read once.

    Args:
        items: the sources.
        claims: folded sentences that will be judged; sources too long to read whole are read near their words.
    """

    def __init__(self, items: Sequence[Item], claims: Sequence[str]) -> None:
        self.items = list(items)
        self.sources = Sources(items, claims)
        self._topics = Topics(self.sources)
        small = {
            word
            for passage in self.sources.passages
            for word in re.findall(r"(?<![A-Za-z'-])[a-z]{2,}", passage.facts.text)
        }
        self._lowercase = frozenset(small | {stem(word) for word in small})
        self._numbers: dict[str, list[int]] = {}
        for number, item in enumerate(items):
            self._numbers.setdefault(plain_address(item.url), []).append(number)

    def claim(self, text: str, urls: Sequence[str]) -> SentenceCheck:
        """Check one sentence that cites addresses.

        Args:
            text: the sentence; marks of citations in it are ignored.
            urls: what it cites.
        """
        marks = CitationReader(self.items).find(text)
        facts = facts_of(fold(without_citations(text, marks)))
        known = [url for url in urls if plain_address(url) in self._numbers]
        missing = [url for url in urls if plain_address(url) not in self._numbers]
        return self.check(text, 0, facts, known, missing)

    def check(
        self, sentence: str, start: int, facts: Facts, urls: Sequence[str], unknown: Sequence[str]
    ) -> SentenceCheck:
        """Check a sentence of known facts.

        Args:
            sentence: as it stands in its report.
            start: its offset there.
            facts: of it, citations left out.
            urls: of the sources it cites.
            unknown: what it cites besides that names no source.
        """
        place = {
            "sentence": sentence,
            "start": start,
            "end": start + len(sentence),
            "citations": [*urls, *unknown],
        }
        if unknown:
            return SentenceCheck(
                **place, verdict="unsupported", reason=f"It cites {unknown[0]}, which is none of the sources."
            )
        if not urls:
            return SentenceCheck(**place, verdict="unsupported", reason=self._uncited(facts))
        documents = self._documents(urls)
        judgement = judge(facts, documents, self.sources, self._lowercase)
        verdict, reason, passages = self._final(facts, judgement, documents)
        return SentenceCheck(**place, verdict=verdict, spans=self._spans(passages, verdict), reason=reason)

    def supported_by(self, facts: Facts, urls: Sequence[str]) -> Judgement | None:
        """The judgement of a sentence by sources it does not cite itself, if they bear it out."""
        judgement = judge(facts, self._documents(urls), self.sources, self._lowercase)
        return judgement if judgement.verdict == "supported" else None

    def _documents(self, urls: Sequence[str]) -> list[int]:
        return list(
            dict.fromkeys(number for url in urls for number in self._numbers.get(plain_address(url), ()))
        )

    def _final(
        self, facts: Facts, judgement: Judgement, documents: list[int]
    ) -> tuple[Verdict, str, Sequence[Passage]]:
        verdict: Verdict = judgement.verdict
        reason = _reason(judgement)
        if verdict in ("supported", "needs_judge"):
            newer = newer_version(facts, judgement.passages, documents, self.sources, self._topics)
            # What a claim computes from a cited passage is not out of date by that passage.
            computed = any(one.elsewhere for one in judgement.findings)
            if newer is not None and not (computed and newer[0].document in documents):
                url = self.sources.documents[newer[0].document].item.url
                told = f"Out of date: {url}, which is newer, has {newer[1]}. Say of what date it is, or use the newer."
                return "contradicted", told, [newer[0], *judgement.passages]
            if verdict == "supported":
                return verdict, reason, judgement.passages
        right = self._right_one(facts, judgement, set(documents))
        if right is not None and (verdict != "needs_judge" or judgement.share < 0.5):
            if verdict != "contradicted":
                verdict = "unsupported"
            reason += f" {right} holds it: cite that."
        return verdict, reason, judgement.passages

    def _right_one(self, facts: Facts, judgement: Judgement, cited: set[int]) -> str | None:
        """Address of a source that holds a sentence which its own sources do not."""
        tried: list[int] = []
        for _, passage in self.sources.best(facts, limit=12):
            if passage.document in cited or passage.document in tried or len(tried) >= 3:
                continue
            tried.append(passage.document)
            other = judge(facts, [passage.document], self.sources, self._lowercase)
            if other.verdict == "supported" and other.share >= max(WELL, judgement.share + BETTER):
                return self.sources.documents[passage.document].item.url
        return None

    def _uncited(self, facts: Facts) -> str:
        right = self._right_one(facts, Judgement("unsupported", (), (), 0.0), set())
        return "It cites no source." + (f" {right} holds it: cite that." if right else "")

    def _spans(self, passages: Sequence[Passage], verdict: Verdict) -> list[Span]:
        shown = passages if verdict != "unsupported" else passages[:1]
        spans = [self.sources.documents[passage.document].span(passage) for passage in shown]
        return list(dict.fromkeys(spans))[:SPANS]


def _read(body: str, sentence: Sentence, reader: CitationReader) -> _Claim:
    text = body[sentence.start : sentence.end]
    citations = reader.find(text, sentence.start)
    plain = fold(without_citations(text, citations, sentence.start))
    facts = facts_of(plain)
    return _Claim(
        sentence, text, tuple(citations), facts, makes_claim(plain, facts, sentence.kind, bool(citations))
    )


def _checked(claim: _Claim, claims: Sequence[_Claim], checker: Checker) -> SentenceCheck:
    start = claim.sentence.start
    urls, unknown = _cited(claim)
    if not claim.states:
        unstated = "It cites sources but states nothing." if urls or unknown else "Nothing to check."
        if unknown:
            return checker.check(claim.text, start, claim.facts, urls, unknown)
        return SentenceCheck(
            sentence=claim.text,
            start=start,
            end=claim.sentence.end,
            citations=urls,
            verdict="no_claim",
            reason=unstated,
        )
    check = checker.check(claim.text, start, claim.facts, urls, unknown)
    if urls or unknown:
        return check
    beside = _beside(claim, claims)
    judgement = checker.supported_by(claim.facts, beside) if beside else None
    if judgement is None:
        return check
    spans = [checker.sources.documents[passage.document].span(passage) for passage in judgement.passages][
        :SPANS
    ]
    told = "Supported by what its paragraph cites."
    return check.model_copy(
        update={"verdict": "supported", "reason": told, "spans": spans, "citations": beside}
    )


def _cited(claim: _Claim) -> tuple[list[str], list[str]]:
    known = [one.name for one in claim.citations if one.number is not None]
    unknown = [one.name for one in claim.citations if one.number is None]
    return list(dict.fromkeys(known)), list(dict.fromkeys(unknown))


def _beside(claim: _Claim, claims: Sequence[_Claim]) -> list[str]:
    """What the other sentences of its paragraph cite: the mark often stands at the paragraph's end only."""
    alike = [one for one in claims if one.sentence.paragraph == claim.sentence.paragraph and one is not claim]
    return list(
        dict.fromkeys(
            citation.name for one in alike for citation in one.citations if citation.number is not None
        )
    )


def _reason(judgement: Judgement) -> str:
    order = {"conflict": 0, "missing": 1, "soft": 2}
    findings = sorted(judgement.findings, key=lambda finding: order[finding.severity])
    if findings:
        told = "; ".join(dict.fromkeys(finding.text for finding in findings[:3]))
        return told[0].upper() + told[1:] + "."
    share = f"{round(100 * judgement.share)}% of its words"
    if judgement.verdict == "supported":
        return f"The source holds its facts and {share}."
    if judgement.verdict == "needs_judge":
        return f"Nothing contradicts it, but the source holds only {share}."
    return f"The source holds only {share}."
