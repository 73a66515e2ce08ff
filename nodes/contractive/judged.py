"""PRE_REVIEW: what code says of an answer, and where the question goes from there."""

from __future__ import annotations

from nodes.contractive.pre_review import pre_review
from nodes.contractive.tasks import Task
from nodes.contractive.telling import happened, moved


def reviewed_by_code(task: Task) -> None:
    """Review the best answer by code; on to the peer where there is one or something is to be mended."""
    question = task.question
    if question.reviews:
        # The answer is still the one that was reviewed.
        moved(question, "DONE")
        return
    moved(question, "PRE_REVIEW")
    if question.best is None:
        question.pruned = question.errors[-1] if question.errors else "no sample held an answer"
        question.events.append(happened("pruned", question.id, why=question.pruned))
        moved(question, "DONE")
        return
    question.pruned = ""
    review = pre_review(question, question.best)
    question.reviews = [review]
    question.events.append(happened("reviewed", question.id, **review.model_dump(mode="json")))
    wanted = task.peer or (review.verdict != "approved" and bool(review.advice))
    moved(question, "PEER_REVIEW" if wanted else "DONE")
    if not wanted:
        prune_rejected(task)


def prune_rejected(task: Task) -> None:
    """Keep an answer that was rejected out of every merge; it stays on the question, to be seen."""
    question = task.question
    if question.verdict == "reject":
        issues = "; ".join(issue for review in question.reviews for issue in review.issues)
        question.pruned = f"rejected: {issues}" if issues else "rejected"
        question.events.append(happened("pruned", question.id, why=question.pruned))
