"""What an answer is worth, and that the questions the recipes were made with stay answered."""

from pathlib import Path

import pytest

from evals.phrasings import Question, judge, read_questions, run
from models.scripted import Script, register_script
from nodes.reflective.state import ReasoningState, Status

QUESTIONS = Path(__file__).resolve().parents[2] / "evals" / "questions"
SETS = [*sorted(QUESTIONS.glob("held_out_*.jsonl")), QUESTIONS / "tuned.jsonl"]  # the other files are pairs


def question(**fields: object) -> Question:
    return Question.model_validate(
        {"id": "q", "family": "f", "goal": "g", "expect": [r"\b3\b"], "forbid": ["old"]} | fields
    )


def ended(status: Status, answer: str) -> ReasoningState:
    return ReasoningState(goal="g", status=status, final_answer=answer)


@pytest.mark.parametrize(
    ("status", "answer", "none", "verdict"),
    [
        ("answered", "There are 3 of them.", False, "right"),
        ("answered", "There are 13 of them.", False, "wrong"),
        ("answered", "There are 3, and the old one.", False, "wrong"),
        ("answered", "", False, "wrong"),
        ("could_not", "I could not answer: 3", False, "could_not"),
        ("partial", "It may be 3.", False, "right"),
        ("partial", "It may be 4.", False, "could_not"),
        ("error", "3", False, "could_not"),
        ("could_not", "3.txt does not exist here: \n3 ", True, "right"),
        ("could_not", "does not exist", True, "could_not"),
    ],
)
def test_only_an_answer_that_holds_the_facts_is_right(
    status: Status, answer: str, none: bool, verdict: str
) -> None:
    assert judge(question(none=none), ended(status, answer)) == verdict


@pytest.mark.parametrize("path", SETS, ids=lambda path: path.stem)
def test_every_question_of_a_set_can_be_read_and_is_asked_once(path: Path) -> None:
    questions = read_questions(path)
    assert len({question.id for question in questions}) == len(questions) >= 90
    assert {question.none for question in questions} == {True, False}


@pytest.mark.integration
async def test_no_recipe_answers_a_question_wrongly_and_most_are_answered() -> None:
    register_script("silent", Script())
    report = await run(read_questions(QUESTIONS / "tuned.jsonl"), "scripted:silent", verbose=False)
    assert report["wrong_ids"] == []
    assert isinstance(report["right_share"], float) and report["right_share"] >= 0.75
