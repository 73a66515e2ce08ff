"""A question that asks for less than an earlier one is a part of it, and no repeat."""

import pytest

from nodes.contractive.narrower import narrower
from nodes.contractive.repeats import repeated


@pytest.mark.parametrize(
    ("part", "whole"),
    [
        ("How many chairs are on floor 1 of the house?", "How many chairs are in the whole house?"),
        ("How many apples are in one layer of the box?", "How many apples does a full box hold?"),
        ("Who wrote the contract?", "Who wrote the contract and when was it signed?"),
        ("When was the contract signed?", "Who wrote the contract and when was it signed?"),
        ("How many students passed the exam?", "What share of the students passed the exam?"),
        ("What does plan B cost?", "Which costs more, plan A or plan B?"),
        (
            "How many apples fall out of the box?",
            "How many apples are left of a full box when some fall out?",
        ),
        (
            "Wie viele Stühle stehen auf der Etage 2 des Hauses?",
            "Wie viele Stühle stehen im ganzen Haus?",
        ),
    ],
)
def test_a_part_is_no_repeat_of_the_whole(part: str, whole: str) -> None:
    assert narrower(part, whole)
    assert repeated(part, [whole]) is None


@pytest.mark.parametrize(
    ("again", "question"),
    [
        ("How many chairs are in the house?", "How many chairs are in the house?"),
        ("What is the number of chairs in the house?", "How many chairs are in the house?"),
        ("Who is the author of Dracula?", "Who wrote Dracula?"),
        ("What is the capital of France?", "Which city is the capital of France?"),
        ("Is 91 a prime number or not?", "Is 91 a prime number?"),
        ("Which plan costs more: A or B?", "Which costs more, plan A or plan B?"),
        ("光速是多少？", "光的速度是多少？"),
    ],
)
def test_the_same_in_other_words_asks_for_no_less(again: str, question: str) -> None:
    assert not narrower(again, question)
