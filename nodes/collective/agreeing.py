"""Which answers say the same, and which of them is given. Pure, but for the judge it may be lent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from models.embeddings import Embedder
from nodes.collective.exchange import Finding
from nodes.collective.state import Agreement
from nodes.contractive.entailment import Judge
from nodes.contractive.estimating import estimated


async def agreements(
    goal: str, findings: Sequence[Finding], *, judge: Judge | None, embedder: Embedder | None
) -> list[Agreement]:
    """Findings with answers put together by what they say, by the contractive estimator; the best first.

    What rests on evidence goes before any number of models that say otherwise; then most members, then the
    highest confidence. The order of the findings does not matter.

    Args:
        goal: what was asked.
        findings: of all engines.
        judge: as for `estimated`.
        embedder: as for `estimated`.
    """
    answering = sorted((one for one in findings if one.answers), key=lambda one: one.id)
    texts = [one.short or one.answer for one in answering]
    found = (await estimated(goal, texts, judge=judge, embedder=embedder)).estimate
    if found is None:
        return []
    groups = []
    for cluster in found.clusters:
        members = [answering[place] for place in cluster.members]
        # "No file matches" reads like no answer; after a look it is one.
        if cluster.kind in ("answer", "code") or any(one.grounded for one in members):
            groups.append(_agreement(cluster.answer or texts[cluster.members[0]], members))
    return sorted(groups, key=_merit)


def chosen_of(best: Agreement, findings: Mapping[str, Finding]) -> Finding:
    """The finding whose words are given: grounded first, then sure of itself, then by name."""
    members = [findings[name] for name in best.members]
    return min(
        members, key=lambda one: (not one.grounded, one.status != "answered", -(one.confidence or 0), one.id)
    )


def _agreement(answer: str, members: Sequence[Finding]) -> Agreement:
    stated = [one.confidence for one in members if one.confidence is not None]
    return Agreement(
        answer=answer,
        members=[one.id for one in members],
        grounded=any(one.grounded for one in members),
        confidence=max(stated, default=None),
    )


def _merit(one: Agreement) -> tuple[bool, int, float]:
    return not one.grounded, -len(one.members), -(one.confidence or 0.0)
