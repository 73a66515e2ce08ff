"""What a worker's finding is worth to the tree: an answer with its evidence, or an honest absence.

Entropy and support are those of samples; of evidence they say how far it carries:

    answered, confidence of at least RELIED_ON     support 1, entropy 0
    answered, less confident                       support = the confidence, entropy = 1 - support
    partial                                        the same, but support at most A_HALF

RELIED_ON is where the reflective run itself shows no doubt: it states 0.99 for a recipe, and the measured
share of right answers for what a model planned (`configs/calibration.yaml`). A_HALF is no majority, so
nothing that rests on a partial answer is ever called sure (`confidence.MAJORITY`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nodes.collective.engine_reading import NEEDS_FILES
from nodes.collective.exchange import Cited, Finding
from nodes.contractive.confidence import MAJORITY
from nodes.contractive.state import Answer, Measured, Question
from nodes.contractive.telling import happened, moved
from nodes.hierarchy.placing import leave_out

RELIED_ON = 0.8
A_HALF = MAJORITY
LONGEST_SHORT = 600
"""Characters of an answer that others are merged with; the finding has the whole of it."""
LONGEST_TEXT = 4000
SHOWN_EVIDENCE = 300
PREFACE = "I could not answer this."
"""What a worker begins with that has no answer."""
MOST_EVIDENCE = 24


def measured_by_evidence(short: str, text: str, support: float) -> Measured:
    """What evidence comes to in the terms of samples, of which there are none.

    Args:
        short: the answer.
        text: the whole of it.
        support: 0 to 1.
    """
    left = round(1 - support, 6)
    return Measured(
        entropy=left,
        uncertainty=left,
        kind="answer",
        answer=short,
        text=text,
        support=support,
        stable=support,
    )


def support_of(finding: Finding) -> float:
    """How far a finding carries, 0 to 1; 0 for one without an answer or without evidence."""
    if not (finding.answers and finding.grounded):
        return 0.0
    stated = finding.confidence if finding.confidence is not None else 1.0
    if finding.status != "answered":
        return min(stated, A_HALF)
    return 1.0 if stated >= RELIED_ON else stated


def take(question: Question, finding: Finding) -> None:
    """Put a finding on its question: an answer, an absence with its reason, or on to the model's samples."""
    facts = {"status": finding.status, "confidence": finding.confidence, "evidence": len(finding.evidence)}
    question.events.append(happened("worked", question.id, worker=finding.worker, **facts))
    if finding.answers and finding.grounded:
        text = finding.answer.strip()[:LONGEST_TEXT]
        measured = measured_by_evidence(shortened(text), text, support_of(finding))
        question.best = Answer(measured=measured, source="work", evidence=in_short(finding.evidence))
        question.pruned = ""
        moved(question, "DONE")
    elif finding.status == "answered" and not finding.figures.get(NEEDS_FILES):
        # The worker reads the question as one that no file tells.
        question.facts_from = "samples"
    else:
        why = why_absent(finding)
        question.errors.append(why)
        leave_out(question, why)


def why_absent(finding: Finding) -> str:
    """Why a finding holds no answer that may be used, in one line."""
    if finding.failure is not None:
        return finding.failure.what
    if finding.answers:
        return "nothing that was read speaks for the answer"
    # What was tried and what to do next follow behind; the finding has them.
    first = finding.answer.strip().split("\n", 1)[0].removeprefix(PREFACE).strip()
    return shortened(first or "; ".join(finding.notes)) or "the worker brought no answer"


def in_short(evidence: Iterable[Cited]) -> list[Cited]:
    """Evidence as the tree keeps it: its places, and the beginning of what stands there."""
    every = list(evidence)[:MOST_EVIDENCE]
    return [one.model_copy(update={"text": one.text[:SHOWN_EVIDENCE]}) for one in every]


def joined(evidence: Sequence[Sequence[Cited]]) -> list[Cited]:
    """The evidence of several answers, each piece once, with something of each."""
    found: dict[tuple[str, str], Cited] = {}
    for number in range(max(map(len, evidence), default=0)):
        for pieces in evidence:
            if number < len(pieces):
                found.setdefault((pieces[number].where, pieces[number].text), pieces[number])
    return list(found.values())[:MOST_EVIDENCE]


def shortened(text: str) -> str:
    """As many whole lines of a text as fit LONGEST_SHORT characters."""
    if len(text) <= LONGEST_SHORT:
        return text
    cut = text[:LONGEST_SHORT]
    whole = cut.rsplit("\n", 1)[0] if "\n" in cut else cut.rsplit(" ", 1)[0]
    return f"{whole} ..."
