"""Which answers say the same, and which of them is given. Pure, but for the judge it may be lent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from models.embeddings import Embedder
from nodes.collective.engine_reading import NEEDS_FILES
from nodes.collective.exchange import Finding
from nodes.collective.state import Agreement, Status
from nodes.contractive.entailment import Judge
from nodes.contractive.estimating import estimated


async def agreements(
    goal: str, findings: Sequence[Finding], *, judge: Judge | None, embedder: Embedder | None
) -> list[Agreement]:
    """Findings with answers put together by what they say, by the contractive estimator; the best first.

    What rests on evidence goes before any number of models that say otherwise; then most members, then the
    highest confidence.

    Args:
        goal: what was asked.
        findings: of all engines, in order.
        judge: as for `estimated`.
        embedder: as for `estimated`.
    """
    answering = [one for one in findings if one.answers]
    texts = [one.short or one.answer for one in answering]
    found = (await estimated(goal, texts, judge=judge, embedder=embedder)).estimate
    if found is None:
        return []
    groups = [
        _agreement(cluster.answer, [answering[place] for place in cluster.members])
        for cluster in found.clusters
        if cluster.kind in ("answer", "code")
    ]
    return sorted(groups, key=_merit)


def chosen_of(best: Agreement, findings: Mapping[str, Finding]) -> Finding:
    """The finding whose words are given: grounded first, then sure of itself, then in order."""
    members = [findings[name] for name in best.members]
    return min(members, key=lambda one: (not one.grounded, one.status != "answered", -(one.confidence or 0)))


def status_of(best: Agreement, every: Sequence[Agreement], chosen: Finding) -> Status:
    """How far the answer may be relied on.

    Evidence carries an answer alone. Without any, one engine has to stand by it and most of all members that
    answered have to say the same; models that agree may still be wrong together, which a note says.
    """
    if chosen.grounded:
        return "answered" if chosen.status == "answered" else "partial"
    saying = sum(len(one.members) for one in every)
    agreed = len(best.members) > 1 and 2 * len(best.members) > saying
    return "answered" if agreed and chosen.status == "answered" else "uncertain"


def only_files_tell(findings: Sequence[Finding]) -> Finding | None:
    """The finding of an engine that looked for evidence, for nothing else answers the goal, and found none.

    What models say then is a guess about files they never saw. An engine that failed did not look.
    """
    looked = [one for one in findings if one.figures.get(NEEDS_FILES) and one.status == "could_not"]
    return looked[0] if looked and not any(one.grounded for one in findings) else None


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
