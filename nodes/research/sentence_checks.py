"""The citation checker at work on a run's texts: {cite:N} by the run's numbers, findings for the state."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from typing import Protocol

from nodes.research.citations import cited_numbers, renumbered
from nodes.research.framing import check_all
from nodes.research.state import Finding, ResearchState
from tools.search.items import Item

# What a citation of nothing is renumbered to: beyond any source there may be.
NOTHING = 999
FAILED = ("contradicted", "unsupported")
UNJUDGED = "Code could not tell whether the source says this, and no model could judge it."
_MARKS = re.compile(r"\s*(?:\{cite:[^}\n]*\}|\[\d{1,3}\](?!\())")


class Checked(Protocol):
    """What is read of a check, the checker's own or one in the state."""

    @property
    def sentence(self) -> str:
        """As it stands in the text."""
        ...

    @property
    def verdict(self) -> str:
        """supported, contradicted, unsupported, needs_judge or no_claim."""
        ...

    @property
    def reason(self) -> str:
        """Why."""
        ...


def check_cited(text: str, items: Mapping[int, Item], known: str = "") -> list[Finding]:
    """What the checker says of each sentence of a text; blocking.

    Args:
        text: Markdown with {cite:N}, N a key of `items`; any other is checked as a citation of nothing.
        items: sources with their original texts, by number.
        known: what the text may speak of though no source does: the query, the day of the run.

    Returns:
        One finding a sentence; sentences and offsets are those of `in_order(text)`.
    """
    cited = [number for number in cited_numbers(text) if number in items]
    # A newer version of what a cited source says may stand in one that is not cited.
    order = [*cited, *(number for number in items if number not in cited)]
    return [
        Finding.model_validate(check.model_dump(mode="json"))
        for check in check_all(in_order(text, items), [items[number] for number in order], known)
    ]


def check_rendered(text: str, items: Sequence[Item], known: str = "") -> list[Finding]:
    """What the checker says of each sentence of a whole report, its list of sources included; blocking.

    Args:
        text: Markdown with [N] and a numbered list of sources.
        items: sources in the order of that list, then all others, which may hold newer versions.
        known: as for `check_cited`.
    """
    return [Finding.model_validate(check.model_dump(mode="json")) for check in check_all(text, items, known)]


def known_of(state: ResearchState) -> str:
    """What a run's report may speak of though no source does."""
    return f"{state.query}\n{state.today}"


def judgements_kept(findings: Sequence[Finding], before: Sequence[Finding]) -> list[Finding]:
    """Findings with the word a model gave before on the same sentence, the same sources and passages.

    Args:
        findings: of code alone.
        before: findings on an earlier or differently numbered form of the text.
    """
    judged = {_same(finding): finding for finding in before if finding.judged}
    kept = []
    for finding in findings:
        word = judged.get(_same(finding)) if finding.verdict == "needs_judge" else None
        told = {"verdict": word.verdict, "reason": word.reason, "judged": True} if word else {}
        kept.append(finding.model_copy(update=told))
    return kept


def settled(finding: Finding) -> Finding:
    """A sentence nobody could judge is not supported: it cannot stay as if it were."""
    if finding.verdict != "needs_judge":
        return finding
    reason = f"{finding.reason} {UNJUDGED}".strip()
    return finding.model_copy(update={"verdict": "unsupported", "reason": reason})


def _same(finding: Finding) -> tuple[str, frozenset[str], frozenset[tuple[str, str]]]:
    """What makes a judgement hold: the words, whatever numbers they cite by, and the sources read."""
    words = " ".join(_MARKS.sub("", finding.sentence).split())
    versions = {(str(span.get("url")), str(span.get("digest"))) for span in finding.spans}
    return words, frozenset(finding.citations), frozenset(versions)


def in_order(text: str, known: Container[int]) -> str:
    """A text whose citations count its sources from 1 in the order they are cited; unknown ones come last."""
    cited = cited_numbers(text)
    known_first = [number for number in cited if number in known]
    places = {number: place for place, number in enumerate(known_first, start=1)}
    return renumbered(text, {number: places.get(number, NOTHING) for number in cited})


def failing(checks: Sequence[Checked]) -> list[Checked]:
    """Checks of sentences that cannot stay."""
    return [check for check in checks if check.verdict in FAILED]
