"""How far an answer of several engines may be relied on: no further than what it rests on. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from nodes.collective.engine_reading import NEEDS_FILES
from nodes.collective.exchange import LONGEST_TEXT, Cited, Finding
from nodes.collective.state import Agreement, Status
from nodes.reflective.grounding import ungrounded

MOST_OF_MODELS = 0.5
"""Confidence of an answer nothing but models speak for is this at most.

Engines of one run mostly ask the same model, which agrees with itself whether or not it is right: six samples
and two engines that say the same are one opinion. The reflective engine states as much for what it answers
from the model's own knowledge.
"""


def unheld(given: Sequence[str], answer: str, evidence: Sequence[Cited]) -> list[str]:
    """Numbers, paths, names and quotations of an answer that neither the question nor its evidence holds.

    Evidence that was cut may hold them where nobody sees: then the engine's own check of them stands.

    Args:
        given: the question and the material.
        answer: as it is to be shown.
        evidence: what it rests on; agreement of samples is none.
    """
    cited = [one for one in evidence if one.kind != "samples"]
    if any(len(one.text) >= LONGEST_TEXT for one in cited):
        return []
    nothing = ["0" for one in cited if not one.text.strip()]
    return ungrounded(answer, [*given, *(f"{one.where}\n{one.text}" for one in cited), *nothing[:1]])


def status_of(best: Agreement, every: Sequence[Agreement], chosen: Finding, lacking: Sequence[str]) -> Status:
    """How far the answer may be relied on.

    Evidence carries an answer alone. Without any, one engine has to stand by it and most of all members that
    answered have to say the same, and it may hold no fact that nobody was shown.

    Args:
        best: the agreement that is chosen.
        every: all of them.
        chosen: the finding whose words are given.
        lacking: what `unheld` found in them.
    """
    if lacking:
        return "uncertain"
    if chosen.grounded:
        return "answered" if chosen.status == "answered" else "partial"
    agreed = len(best.members) > 1 and 2 * len(best.members) > _answering(every)
    return "answered" if agreed and chosen.status == "answered" else "uncertain"


def confidence_of(best: Agreement, every: Sequence[Agreement], chosen: Finding) -> float:
    """Confidence in an answer, 0 to 1.

    Of one that rests on evidence, what its engine states. Of one that only models speak for, what they
    state, but no more than MOST_OF_MODELS, nor than the share of members that say the same.
    """
    stated = chosen.confidence if chosen.grounded else best.confidence
    if stated is None or chosen.grounded:
        return stated or 0.0
    return round(min(stated, MOST_OF_MODELS, len(best.members) / _answering(every)), 4)


def only_files_tell(findings: Sequence[Finding]) -> Finding | None:
    """The finding of an engine that should have looked for evidence, for nothing else answers the goal.

    It found none, or failed; what models say then is a guess about files they never saw.
    """
    looked = [
        one for one in findings if one.figures.get(NEEDS_FILES) and one.status in ("could_not", "error")
    ]
    return looked[0] if looked and not any(one.grounded for one in findings) else None


def _answering(every: Sequence[Agreement]) -> int:
    return sum(len(one.members) for one in every)
