"""Judges one claim against the sources it cites: every fact of it against the passage that fits best. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nodes.research.checking.alignment import Finding, View, coverage
from nodes.research.checking.date_check import date_findings
from nodes.research.checking.dates import holds
from nodes.research.checking.facts import Facts
from nodes.research.checking.name_check import name_findings
from nodes.research.checking.number_check import matches, number_findings
from nodes.research.checking.polarity_check import polarity_findings
from nodes.research.checking.quote_check import quote_findings
from nodes.research.checking.sources import Passage, Sources
from nodes.research.checking.subject_check import subject_findings
from nodes.research.checking.trend_check import trend_findings
from nodes.research.checking.verdicts import Verdict

CANDIDATES = 5
CLOSE = 0.62
SUPPORTING = 0.65
SUPPORTING_WITH_FACTS = 0.34
UNRELATED = 0.15


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the cited sources say of a claim.

    Attributes:
        verdict: see `SentenceCheck`.
        findings: what is not borne out.
        passages: where that was seen, best first.
        share: how much of the claim's wording they cover, 0 to 1.
    """

    verdict: Verdict
    findings: tuple[Finding, ...]
    passages: tuple[Passage, ...]
    share: float


def judge(claim: Facts, documents: Sequence[int], sources: Sources, lowercase: frozenset[str]) -> Judgement:
    """Judge a claim.

    Args:
        claim: its facts.
        documents: numbers of the sources it cites.
        sources: all sources.
        lowercase: words the sources write in lower case.
    """
    wanted = set(documents)
    ranked = sources.best(claim, wanted, limit=24)
    cited = [passage for number in documents for passage in sources.documents[number].passages]
    scored = sorted(
        ((_rank(claim, score, passage), passage) for score, passage in ranked), key=lambda pair: -pair[0]
    )
    if not scored or claim.chinese != scored[0][1].facts.chinese:
        # Across languages there is little but numbers and dates to find a passage by.
        scored = _by_facts(claim, cited) or scored
    if not scored:
        return Judgement(
            "unsupported", (Finding("missing", "nothing in the cited source speaks of it"),), (), 0.0
        )
    quotes = quote_findings(claim, [sources.documents[number] for number in documents], sources)
    # Whom the facts are told of is asked once, of all the cited sources together.
    first = View(scored[0][1], sources.documents[scored[0][1].document], sources)
    quotes[0].extend(subject_findings(claim, first, cited))
    top = scored[0][0]
    judged = [
        _against(claim, View(passage, sources.documents[passage.document], sources), cited, quotes, lowercase)
        for score, passage in scored[:CANDIDATES]
        if score >= CLOSE * top
    ]
    return min(judged, key=_badness)


def _by_facts(claim: Facts, cited: Sequence[Passage]) -> list[tuple[float, Passage]]:
    """Passages with the claim's numbers and dates, those with most of them first."""
    ranked = [(len(claim.keys & one.facts.keys) + 3.0 * _shared(claim, one.facts), one) for one in cited]
    return sorted((pair for pair in ranked if pair[0]), key=lambda pair: -pair[0])


def _shared(claim: Facts, facts: Facts) -> int:
    """How many of a claim's numbers and dates a passage has."""
    numbers = sum(any(matches(mine, one) for one in facts.quantities) for mine in claim.quantities)
    dates = [mine for mine in claim.moments if not mine.empty]
    return numbers + sum(any(holds(mine, one, ()) for one in facts.moments) for mine in dates)


def _rank(claim: Facts, score: float, passage: Passage) -> float:
    """Words shared, and facts: a number in common tells as much as a rare word."""
    facts = passage.facts
    numbers = sum(any(matches(mine, one) for one in facts.quantities) for mine in claim.quantities)
    dates = sum(
        any(mine.year == one.year and mine.month == one.month for one in facts.moments)
        for mine in claim.moments
    )
    return (score + 3.0 * numbers + 1.0 * dates) * (0.6 if passage.sentence.kind == "heading" else 1.0)


def _badness(judgement: Judgement) -> tuple[float, float]:
    cost = {"conflict": 3.0, "missing": 2.0, "soft": 0.4}
    # A passage that holds the facts itself comes before one that needs others.
    apart = 0.1 * (len(judgement.passages) - 1)
    return sum(cost[finding.severity] for finding in judgement.findings) + apart, -judgement.share


def _against(
    claim: Facts,
    view: View,
    cited: Sequence[Passage],
    quotes: tuple[list[Finding], list[Passage]],
    lowercase: frozenset[str],
) -> Judgement:
    numbers, further = number_findings(claim, view, cited)
    passages = [view.core, *(one for one in [*further, *quotes[1]] if one is not view.core)]
    facts = [one.facts for one in passages]
    near = [one.facts for one in view.near if one.number < view.core.number]
    about = view.document.about
    alone = coverage(claim, facts, about, view.sources)
    share = max(alone, 0.9 * coverage(claim, [*facts, *near], about, view.sources))
    findings = [
        *numbers,
        *quotes[0],
        *name_findings(claim, view, lowercase, cited),
        *date_findings(claim, view, further),
        *polarity_findings(claim, view, alone),
        *trend_findings(claim, view.facts, cited, view.sources),
    ]
    return Judgement(_verdict(claim, view, findings, share), tuple(findings), tuple(passages), share)


def _verdict(claim: Facts, view: View, findings: Sequence[Finding], share: float) -> Verdict:
    severities = {finding.severity for finding in findings}
    borne = sum(
        any(matches(mine, one) for one in view.facts.quantities) for mine in claim.quantities if not mine.soft
    )
    if "conflict" in severities:
        # What the source says of something else contradicts nothing.
        return "contradicted" if share >= UNRELATED or borne else "unsupported"
    if "missing" in severities:
        return "unsupported"
    if claim.chinese != view.facts.chinese:
        return "needs_judge" if share or _shared(claim, view.facts) else "unsupported"
    if share < UNRELATED and not borne and not _shared(claim, view.facts):
        return "unsupported"
    enough = SUPPORTING_WITH_FACTS if borne or any(q.speech for q in claim.quotations) else SUPPORTING
    return "supported" if share >= enough and "soft" not in severities else "needs_judge"
