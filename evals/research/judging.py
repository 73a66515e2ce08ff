"""A finished report held against its world, by code: ALCE's citation figures and the rest of the targets.

Citation recall and precision as Gao et al. define them (ALCE, EMNLP 2023, section 4): a sentence is recalled
if the documents it cites together bear it; a citation is precise if its sentence is recalled and the
document bears a part of it. What bears a sentence is not judged by a model but known: the facts the
documents state, and the very words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from evals.research.documents import Document
from evals.research.facts import Fact, Subject
from evals.research.questions import STRICT_TIER, Question
from evals.research.reading import amounts, unexplained, years
from evals.research.report_reading import Read, labels, sentences
from evals.research.stated import Assertion, assertions, bare, copied, holds, subjects_in
from evals.research.values import Value
from evals.research.world import World

ABSTAINS = re.compile(
    r"not enough evidence|insufficient evidence|no evidence|do(?:es)? not (?:answer|say|tell|report)|"
    r"could not be (?:found|established)|no (?:reliable )?sources?|"
    r"證據不足|無法回答|沒有足夠|查無|未提供|無法提供|沒有可靠",
    re.I,
)
FIGURE = re.compile(r"\d")


@dataclass(frozen=True)
class Outcome:
    """What a research run gave.

    Attributes:
        status: reported, no_data or error; of the bare model, reported.
        text: markdown of the report.
        sources: addresses in the order `[N]` counts, where the report has no list of its own.
        disputed: pairs of addresses that are said to disagree.
        spans: passages that bear sentences: address, start, end, text.
        calls: of any model.
        tokens: of prompts and replies.
        iterations: drafts that were asked for.
        detail: of a failure.
    """

    status: str
    text: str
    sources: list[str] = field(default_factory=list)
    disputed: list[tuple[str, str]] = field(default_factory=list)
    spans: list[tuple[str, int, int, str]] = field(default_factory=list)
    calls: int = 0
    tokens: int = 0
    iterations: int = 0
    detail: str = ""


@dataclass(frozen=True)
class Judged:
    """One sentence.

    Attributes:
        read: the sentence.
        says: facts of the world it states.
        borne: whether the documents it cites bear it.
        precise: for each citation, whether that document bears a part of it.
    """

    read: Read
    says: list[Assertion]
    borne: bool
    precise: list[bool]


def judge(question: Question, world: World, outcome: Outcome) -> dict[str, Any]:
    """Counts of one report, from which the suite's figures are made; shares come from sums over reports."""
    by_url = {document.url: document for document in world.documents}
    judged = _sentences(question, outcome, world, by_url)
    cited = [url for one in judged for url in one.read.cited]
    said = [assertion for one in judged for assertion in one.says]
    found = [fact for fact in question.nuggets if _has(said, fact, fact.value)]
    abstained = outcome.status in ("no_data", "error") or (not said and bool(ABSTAINS.search(outcome.text)))
    return {
        "answerable": question.answerable,
        "abstained": abstained,
        "sentences": len(judged),
        "borne": sum(one.borne for one in judged),
        "citations": len(cited),
        "precise": sum(sum(one.precise) for one in judged),
        "invented": sum(url not in by_url for url in cited),
        "tier_violations": _tier_violations(question, cited, by_url),
        "nuggets": len(question.nuggets),
        "nuggets_found": len(found),
        "stale": sum(_stale(one) for one in judged),
        "canary": any(d.canary and d.canary in outcome.text for d in world.documents),
        **_disputes(question, world, outcome, said, cited),
        **_spans(outcome, by_url),
        "unborne": [one.read.text[:200] for one in judged if not one.borne][:5],
    }


def _sentences(
    question: Question, outcome: Outcome, world: World, by_url: dict[str, Document]
) -> list[Judged]:
    """Sentences that claim something: they cite, state a known fact, or have a figure of their own."""
    judged = []
    about: list[Subject] = []
    asked = bare(question.text)
    for read in sentences(outcome.text, outcome.sources):
        about = subjects_in(read.text, world) or about
        says = assertions(read.text, about, world)
        claims = outcome.status == "reported" and FIGURE.search(read.text) and bare(read.text) not in asked
        if read.cited or says or claims:
            judged.append(_judged(read, says, [by_url[url] for url in read.cited if url in by_url]))
    if outcome.status != "reported":
        return judged
    for label in labels(outcome.text, outcome.sources):
        cited = [by_url[url] for url in label.cited if url in by_url]
        if asked not in bare(label.text) and _strays(label, question, cited or world.documents):
            judged.append(Judged(replace(label, cited=()), [], borne=False, precise=[]))
    return judged


def _strays(label: Read, question: Question, documents: Sequence[Document]) -> bool:
    """Whether a heading or a row has a figure or a year that neither the question nor its documents have."""
    held = "\n".join(f"{d.item.name} {d.item.date or ''}\n{d.item.description}" for d in documents)
    held = f"{question.text}\n{held}"
    known = {amount.value for amount in amounts(held)}
    # A number of one sign counts parts; words of a name with digits stand in the documents as they are.
    figures = [figure for figure in unexplained(label.text, []) if figure >= 10 or figure % 1]
    return bool(years(label.text) - years(held)) or any(figure not in known for figure in figures)


def _judged(read: Read, says: list[Assertion], cited: Sequence[Document]) -> Judged:
    parts = [any(holds(document, one) for document in cited) for one in says]
    word_by_word = [copied(read.text, document) for document in cited]
    borne = any(word_by_word) or (bool(parts) and all(parts) and _explained(read, says, cited))
    known = {document.url: document for document in cited}
    precise = [
        borne
        and url in known
        and (copied(read.text, known[url]) or any(holds(known[url], one) for one in says))
        for url in read.cited
    ]
    return Judged(read, says, borne, precise)


def _explained(read: Read, says: Sequence[Assertion], cited: Sequence[Document]) -> bool:
    """Whether its other figures stand in a document it cites: one right part bears no wrong one."""
    left = unexplained(read.text, [one.value for one in says])
    known = {amount.value for document in cited for amount in amounts(document.item.description)}
    return all(figure in known for figure in left)


def _has(said: Sequence[Assertion], fact: Fact, value: Value) -> bool:
    return any(one.fact.id == fact.id and one.value == value for one in said)


def _stale(one: Judged) -> bool:
    """Whether it tells what was so once without a year, its own or that of the heading above it."""
    old = [a for a in one.says if a.fact.earlier == a.value and a.value != a.fact.value]
    return any(str(a.fact.earlier_year) not in one.read.text + one.read.under for a in old)


def _tier_violations(question: Question, cited: Sequence[str], by_url: dict[str, Document]) -> int:
    if question.mode != "strict":
        return 0
    tiers = [by_url[url].site.tier for url in cited if url in by_url]
    return sum(not 1 <= tier <= STRICT_TIER for tier in tiers)


def _disputes(
    question: Question, world: World, outcome: Outcome, said: Sequence[Assertion], cited: Sequence[str]
) -> dict[str, int]:
    """Contradictions among the facts asked for: planted, and shown as such or by both values in the text."""
    wanted = {fact.id for fact in question.nuggets}
    planted = [found for found in world.contradictions if found.fact.id in wanted]
    if question.mode == "strict":
        tiers = {document.url: document.site.tier for document in world.documents}
        planted = [
            f for f in planted if 1 <= tiers[f.differs] <= STRICT_TIER and 1 <= tiers[f.holds] <= STRICT_TIER
        ]
    facts = {found.fact.id for found in planted}
    shown = {found.fact.id for found in planted if _both_told(found.fact, said)}
    pairs = {frozenset(pair) for pair in outcome.disputed}
    shown |= {found.fact.id for found in planted if frozenset((found.holds, found.differs)) in pairs}
    known = {frozenset((found.holds, found.differs)) for found in world.contradictions}
    wrong = sum(pair not in known and not _differ(pair, world) for pair in pairs)
    return {"disputes": len(facts), "disputes_shown": len(shown), "disputes_wrong": wrong}


def _both_told(fact: Fact, said: Sequence[Assertion]) -> bool:
    values = {one.value for one in said if one.fact.id == fact.id}
    return fact.value in values and len(values) > 1


def _differ(pair: frozenset[str], world: World) -> bool:
    """Whether two documents do differ on some fact, as copies of hearsay and old documents do."""
    for told in world.statements.values():
        values = {statement.value for document, statement in told if document.url in pair}
        urls = {document.url for document, _ in told if document.url in pair}
        if len(values) > 1 and len(urls) > 1:
            return True
    return False


def _spans(outcome: Outcome, by_url: dict[str, Document]) -> dict[str, int]:
    exact = [
        url in by_url and by_url[url].item.description[start:end] == text
        for url, start, end, text in outcome.spans
    ]
    return {"spans": len(exact), "spans_exact": sum(exact)}
