"""Who answers which question, and which are more than the workers may be given."""

from __future__ import annotations

from collections.abc import Mapping

from nodes.contractive.state import Question
from nodes.contractive.telling import happened, moved
from nodes.hierarchy.begin import asks_for_change
from nodes.hierarchy.needs import Need

TOO_MANY = "it is beyond the {most} questions workers are given in one run; raise collective.max_leaves"
CHANGES = "it asks for a change, and workers only read"


def placed(question: Question, need: Need, deepest: int) -> None:
    """Send a question to be cut up, to a worker, or to the model's samples.

    Args:
        question: a new one.
        need: what it needs.
        deepest: level whose questions are not cut up.
    """
    if asks_for_change(question.text):
        leave_out(question, CHANGES)
        return
    question.facts_from = "files" if need.files else "samples"
    if need.parts and question.depth < deepest:
        moved(question, "DECOMPOSE")


def leave_out(question: Question, why: str) -> None:
    """Leave a question without an answer, and say so."""
    question.pruned = why
    question.events.append(happened("pruned", question.id, why=why))
    moved(question, "DONE")


def is_new(question: Question) -> bool:
    """True for a question nobody decided on."""
    return question.stage == "NORMALIZE" and not question.facts_from


def waits_for_worker(question: Question) -> bool:
    """True for one that goes to a worker as soon as what it needs is known."""
    return question.stage == "NORMALIZE" and question.facts_from == "files"


def one_too_many(tree: Mapping[str, Question], worked: int, most: int) -> list[str]:
    """Ids of questions that no worker is given any more, the last asked ones.

    Args:
        tree: of the run.
        worked: questions workers had until now.
        most: that they may be given.
    """
    waiting = [one.id for one in tree.values() if waits_for_worker(one)]
    return waiting[max(0, most - worked) :]
