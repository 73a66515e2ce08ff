"""PEER_REVIEW: another model judges the answer; what it advises drives one revision and one more review."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from models.errors import ModelError
from nodes.contractive.asking import facts_text, messages, wanted_text
from nodes.contractive.calls import Place
from nodes.contractive.entropy import LEAST
from nodes.contractive.judged import prune_rejected
from nodes.contractive.pre_review import pre_review
from nodes.contractive.replies import LightPeerReply, PeerReply
from nodes.contractive.run import Run, run_of_task
from nodes.contractive.sampling import Drawn
from nodes.contractive.solve import sampled, told, update_of
from nodes.contractive.state import VERDICTS, Answer, Measured, Review
from nodes.contractive.tasks import Task
from nodes.contractive.telling import happened, moved
from nodes.contractive.verdicts import middle_of, peer_review_of
from nodes.errors import CallRefused
from nodes.reflective.context import RunContext

REPLY_TOKENS = 300
LIGHT_TOKENS = 48
SHOWN_OF_ANSWER = 3000


async def peer_review(given: dict[str, Any], runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Review an answer; revise it once if something is to be mended, and keep what is better.

    Args:
        given: a `Task`, JSON.
        runtime: LangGraph's.

    Raises:
        MemoryStoreError: a call cannot be written down.
    """
    task = Task.model_validate(given)
    question = task.question
    assert question.best is not None
    run = await run_of_task(runtime, task)
    refused: list[str] = []
    drawn: Drawn | None = None
    async with run.calls.at_work():
        if task.peer:
            question.reviews.append(await _by_peer(task, run, question.best, "first", refused))
        advice = [
            review for review in question.reviews if review.verdict != "approved" and not review.problem
        ]
        if any(review.advice or review.issues for review in advice) and not refused:
            drawn = await _revised(task, run, advice)
            await _keep_better(task, run, drawn, refused)
    prune_rejected(task)
    moved(question, "DONE")
    return update_of(task, drawn, refused=refused)


async def _by_peer(task: Task, run: Run, answer: Answer, of: Any, refused: list[str]) -> Review:
    """A peer's review; one that cannot be had says why, and counts for nothing."""
    question = task.question
    light = task.limits.peer == "light"
    shown = (answer.measured.text or answer.measured.answer)[-SHOWN_OF_ANSWER:]
    prompt = messages(
        "contractive_peer_light" if light else "contractive_peer",
        task.run_id,
        root=task.root,
        question=question.question,
        answer=shown,
        context=task.context,
        constraints=wanted_text(question.normal),
    )
    place = Place("review", question.id, task.branch, (task.number, len(question.merges), of))
    try:
        if light:
            brief = await run.calls.structured(
                place, "critic", prompt, LightPeerReply, max_tokens=LIGHT_TOKENS
            )
            told_ = PeerReply(verdict=brief.verdict, score=middle_of(brief.verdict))
        else:
            told_ = await run.calls.structured(place, "critic", prompt, PeerReply, max_tokens=REPLY_TOKENS)
    except (ModelError, CallRefused) as error:
        refused += [error.limit] if isinstance(error, CallRefused) else []
        question.errors.append(error.what)
        review = Review(by="peer", verdict=None, score=0.0, of=of, problem=error.what)
    else:
        verdict, score = peer_review_of(told_.score, told_.verdict)
        review = Review(
            by="peer",
            verdict=verdict,
            score=score,
            issues=[issue for issue in told_.issues if issue.strip()][:5],
            advice=told_.advice.strip(),
            of=of,
            model=run.services.models.model_name("critic"),
        )
    question.events.append(happened("reviewed", question.id, **review.model_dump(mode="json")))
    return review


async def _revised(task: Task, run: Run, reviews: list[Review]) -> Drawn:
    """Samples of a revision, told what is wrong with the first answer."""
    question = task.question
    assert question.best is not None
    issues = [issue for review in reviews for issue in review.issues]
    advice = [review.advice for review in reviews if review.advice]
    prompt = messages(
        "contractive_revise",
        task.run_id,
        question=question.question,
        answer=(question.best.measured.text or question.best.measured.answer)[-SHOWN_OF_ANSWER:],
        issues="\n".join(f"- {issue}" for issue in issues),
        advice="\n".join(f"- {one}" for one in advice),
        context=task.context,
        known=facts_text(task.known),
    )
    place = Place("revise", question.id, task.branch, (task.number, len(question.merges)))
    drawn = await sampled(run, task, place, prompt, first=LEAST)
    told(task, drawn, "revision")
    return drawn


async def _keep_better(task: Task, run: Run, drawn: Drawn, refused: list[str]) -> None:
    """Put the revision in the answer's place if the same reviewers find it better.

    Of a revision one of them could not look at nobody knows whether it is.
    """
    question = task.question
    if not drawn.measured.answered:
        return
    revision = Answer(measured=drawn.measured, source="revision")
    reviews = [pre_review(question, revision).model_copy(update={"of": "revision"})]
    question.events.append(happened("reviewed", question.id, **reviews[0].model_dump(mode="json")))
    if task.peer:
        reviews.append(await _by_peer(task, run, revision, "revision", refused))
    assert question.best is not None
    better = _rank(reviews, drawn.measured) > _rank(question.reviews, question.best.measured)
    kept = better and _reviewers(question.reviews) <= _reviewers(reviews)
    question.events.append(happened("revised", question.id, kept=kept, answer=drawn.measured.answer[:300]))
    if kept:
        question.best = revision
        question.reviews = reviews
        return
    # The reviews of what was not taken stay to be seen, without speaking for the answer.
    question.reviews += [
        review.model_copy(update={"problem": review.problem or "of a revision that was not kept"})
        for review in reviews
    ]


def _reviewers(reviews: list[Review]) -> set[str]:
    """Those who came to a verdict."""
    return {review.by for review in reviews if not review.problem}


def _rank(reviews: list[Review], measured: Measured) -> tuple[int, float, float]:
    """The worst verdict first, then the worst score, then how sure the samples are."""
    counted = [review for review in reviews if not review.problem]
    if not counted:
        return -len(VERDICTS), 0.0, -measured.uncertainty
    worst = max(VERDICTS.index(review.verdict) for review in counted)
    return -worst, min(review.score for review in counted), -measured.uncertainty
