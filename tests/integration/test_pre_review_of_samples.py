"""The review by code over answers of small models: what answers is kept, what does not is rejected."""

import pytest

from evals.entropy.sample_set import NO_ANSWER, sample_sets
from nodes.contractive.answers import short_answer
from nodes.contractive.normalization import guarded
from nodes.contractive.pre_review import pre_review
from nodes.contractive.state import Answer, Measured, Question

pytestmark = pytest.mark.integration
APPROVED, REJECTED = 0.98, 0.95


def verdict(question: str, text: str) -> str:
    short = short_answer(text, question)
    told = short.text if short.kind in ("answer", "code") else ""
    measured = Measured(answer=told, text=text, kind=short.kind, support=1.0, samples=3)
    return pre_review(Question(id="0", text=question), Answer(measured=measured)).verdict


def test_answers_are_approved_and_refusals_rejected() -> None:
    told = [
        (label in NO_ANSWER, verdict(one.question, text), one.question, text)
        for one in sample_sets().values()
        for label, text in zip(one.labels, one.texts, strict=True)
    ]
    answers = [entry for entry in told if not entry[0]]
    others = [entry for entry in told if entry[0]]
    lost = [entry for entry in answers if entry[1] == "reject"]
    assert len(lost) <= 0.002 * len(answers), lost
    assert sum(entry[1] == "approved" for entry in answers) >= APPROVED * len(answers)
    passed = [entry for entry in others if entry[1] != "reject"]
    assert len(passed) <= (1 - REJECTED) * len(others), passed


def test_a_question_given_back_is_rejected() -> None:
    questions = sorted({one.question for one in sample_sets().values()})
    kept = [question for question in questions if verdict(question, f"Question: {question}") != "reject"]
    assert len(kept) <= 0.01 * len(questions), kept


def test_courtesies_may_be_left_out() -> None:
    questions = sorted({one.question for one in sample_sets().values() if "\n" not in one.question})
    english = [question for question in questions if question.isascii()]
    refused = [question for question in english if guarded(f"Hi! {question} Thanks!", question)]
    assert len(refused) <= 0.01 * len(english), refused
