"""Judges one claim against the sources it cites: every fact of it against the passage that fits best. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from nodes.research.checking.alignment import Finding, View, coverage
from nodes.research.checking.clause_matching import said
from nodes.research.checking.clauses import Clause, clause_of, segments
from nodes.research.checking.date_check import date_findings
from nodes.research.checking.elsewhere import softened
from nodes.research.checking.facts import Facts
from nodes.research.checking.matching import matches
from nodes.research.checking.moment import holds
from nodes.research.checking.name_check import name_findings
from nodes.research.checking.number_check import number_findings
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
PART = 0.3
FLAGGED = ("contradicted", "unsupported")


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

    def within(self, start: int, end: int) -> list[Finding]:
        """The findings about facts between two offsets of the claim."""
        return [one for one in self.findings if start <= one.at < end]


@dataclass(frozen=True, slots=True)
class _Case:
    """A claim and what it is judged by, whichever passage it may rest on.

    Attributes:
        claim: its facts.
        sources: all sources.
        cited: every passage of the cited ones.
        quotes: findings about its quotations, and the passages that hold them.
        told: what the cited sources together say the contrary of, or tell of another.
        lowercase: words the sources write in lower case.
    """

    claim: Facts
    sources: Sources
    cited: Sequence[Passage]
    quotes: tuple[list[Finding], list[Passage]]
    told: Sequence[Finding]
    lowercase: frozenset[str]


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
    first = scored[0][1]
    told = [
        *polarity_findings(claim, _around(scored, sources), sources),
        *subject_findings(claim, View(first, sources.documents[first.document], sources), cited),
    ]
    case = _Case(claim, sources, cited, quotes, told, lowercase)
    judged = _judged(case, scored)
    best = min(judged, key=_badness)
    if best.verdict in FLAGGED and len(wanted) > 1:
        best = min([best, _joined(case, _each_alone(case, scored, documents))], key=_badness)
    return _softened(case, best) if best.verdict in FLAGGED else best


def _softened(case: _Case, best: Judgement) -> Judgement:
    """A judgement without alarm for facts that other cited passages have."""
    findings = softened(best.findings, case.claim, best.passages[0], case.cited, case.sources)
    if findings == list(best.findings):
        return best
    return _judgement(case.claim, findings, best.passages, best.share)


def _judged(case: _Case, scored: Sequence[tuple[float, Passage]], close: float = CLOSE) -> list[Judgement]:
    """The claim judged by each of the passages that fit nearly as well as the best."""
    documents = case.sources.documents
    return [
        _against(case, View(passage, documents[passage.document], case.sources))
        for score, passage in scored[:CANDIDATES]
        if score >= close * scored[0][0]
    ]


def _each_alone(
    case: _Case, scored: Sequence[tuple[float, Passage]], documents: Sequence[int]
) -> list[Judgement]:
    """The claim judged by each cited document as if it were the only one."""
    found = []
    for number in documents:
        alone = replace(case, cited=[one for one in case.cited if one.document == number])
        if pairs := [pair for pair in scored if pair[1].document == number]:
            found += _judged(alone, pairs, 0.0)
    return found


def _joined(case: _Case, judged: Sequence[Judgement]) -> Judgement:
    """Several documents may bear out a claim together, each some of its parts wholly."""
    findings = [
        one for one in judged[0].findings if one.at < 0 and all(one in two.findings for two in judged)
    ]
    used = []
    named = 0
    for start, end in segments(case.claim):
        here = [name.start for name in case.claim.names if start <= name.start < end]
        # "Along the streets of Penbrook, 2,400 trees": who has the trees must be the one who has Penbrook.
        named = start if here else named
        part = clause_of(case.claim, named, end)
        best = min(judged, key=lambda one: (_against_part(case, part, one), -one.share))
        findings += best.within(named, end)
        used.append(best)
    findings = list(dict.fromkeys(findings))
    passages = list({id(one): one for two in used for one in two.passages}.values())
    about = "\n".join(case.sources.documents[one.document].about for one in passages)
    share = coverage(case.claim, [one.facts for one in passages], about, case.sources)
    return _judgement(case.claim, findings, passages, share)


def _around(scored: Sequence[tuple[float, Passage]], sources: Sources) -> list[Passage]:
    """The passages that fit best and those beside them, each once, best first."""
    best = [passage for _, passage in scored[:CANDIDATES]]
    beside = [one for passage in best[:2] for one in sources.documents[passage.document].near(passage)]
    return list({id(one): one for one in [*best, *beside]}.values())


def _against_part(case: _Case, part: Clause, judgement: Judgement) -> float:
    """How much speaks against a part of the claim in a judgement: that its passage is about something else, too."""
    core = judgement.passages[0].facts
    held = said(part, clause_of(core, 0, len(core.text)), case.sources)
    return _cost(judgement.within(part.start, part.end)) + (2.0 if held < PART else 0.0)


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
    # A passage that holds the facts itself comes before one that needs others.
    apart = 0.1 * (len(judgement.passages) - 1)
    return _cost(judgement.findings) + apart, -judgement.share


def _cost(findings: Sequence[Finding]) -> float:
    cost = {"conflict": 3.0, "missing": 2.0, "soft": 0.4}
    return sum(cost[finding.severity] for finding in findings)


def _against(case: _Case, view: View) -> Judgement:
    claim = case.claim
    numbers, further = number_findings(claim, view, case.cited)
    passages = [view.core, *(one for one in [*further, *case.quotes[1]] if one is not view.core)]
    facts = [one.facts for one in passages]
    near = [one.facts for one in view.near if one.number < view.core.number]
    about = view.document.about
    alone = coverage(claim, facts, about, view.sources)
    share = max(alone, 0.9 * coverage(claim, [*facts, *near], about, view.sources))
    findings = [
        *numbers,
        *case.quotes[0],
        *name_findings(claim, view, case.lowercase, case.cited),
        *date_findings(claim, view, further),
        *case.told,
        *trend_findings(claim, view.facts, case.cited, view.sources),
    ]
    return _judgement(claim, findings, passages, share)


def _judgement(
    claim: Facts, findings: Sequence[Finding], passages: Sequence[Passage], share: float
) -> Judgement:
    return Judgement(_verdict(claim, passages, findings, share), tuple(findings), tuple(passages), share)


def _verdict(claim: Facts, passages: Sequence[Passage], findings: Sequence[Finding], share: float) -> Verdict:
    severities = {finding.severity for finding in findings}
    core = passages[0].facts
    borne = sum(
        any(matches(mine, one) for one in core.quantities) for mine in claim.quantities if not mine.soft
    )
    if "conflict" in severities:
        # What the source says of something else contradicts nothing.
        return "contradicted" if share >= UNRELATED or borne else "unsupported"
    if "missing" in severities:
        return "unsupported"
    if claim.chinese != core.chinese:
        return "needs_judge" if share or _shared(claim, core) else "unsupported"
    if share < UNRELATED and not borne and not _shared(claim, core):
        return "unsupported"
    enough = SUPPORTING_WITH_FACTS if borne or any(q.speech for q in claim.quotations) else SUPPORTING
    return "supported" if share >= enough and "soft" not in severities else "needs_judge"
