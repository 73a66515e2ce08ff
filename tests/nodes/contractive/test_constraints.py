"""Constraints are found in a question, and an answer is held against them only where code can tell."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.contractive.answers import short_answer
from nodes.contractive.constraint_reading import constraints_of
from nodes.contractive.constraints import kept

FEW = settings(max_examples=20, deadline=None)
FOUND = [
    ("How fast is it in km/h?", ["unit in km/h"]),
    ("Wie lang ist die Donau in Kilometern?", ["unit in Kilometern"]),
    ("What is 20 °C in degrees Fahrenheit?", ["unit in degrees Fahrenheit"]),
    ("How many kilometres is it from Rome to Milan?", ["unit How many kilometres"]),
    ("Convert 10 miles to kilometres.", ["unit Convert 10 miles to kilometres"]),
    ("Name three advantages of solar energy.", ["items Name three advantages"]),
    ("Give 2-3 reasons why the ship sank.", ["items Give 2-3 reasons"]),
    ("List at least five noble gases.", ["items List at least five noble"]),
    ("请列出三个太阳能的优点。", ["items 列出三个太阳能的优点"]),
    ("Nenne mindestens zwei Gründe.", ["items Nenne mindestens zwei Gründe"]),
    ("Explain in one sentence what DNA is.", ["length one sentence"]),
    ("In 50 words or less, explain gravity.", ["length 50 words or less"]),
    ("Beschreibe Wien in höchstens 5 Wörtern.", ["length höchstens 5 Wörtern"]),
    ("请用不超过20个字说明潮汐的成因。", ["length 不超过20个字"]),
    ("List the planets as JSON.", ["format as JSON"]),
    ("What is the square root of 2? Give only the number.", ["format only the number"]),
    ("Is Pluto a planet? Answer yes or no.", ["format yes or no"]),
    ("Ist Pluto ein Planet? Ja oder nein?", ["format Ja oder nein"]),
    ("Answer in German: who wrote Faust?", ["language Answer in German"]),
    ("用英文回答：法国的首都是哪里？", ["language 用英文回答"]),
    ("Antworte auf Englisch: Wer schrieb Faust?", ["language Antworte auf Englisch"]),
    ("On a scale of 1 to 10, how hot is chili?", ["range On a scale of 1 to 10"]),
    ("Choose from: red, green or blue.", ["choice Choose from: red, green or blue"]),
    ("Name a capital other than Paris.", ["exclusion other than Paris"]),
    ("Sort a list without using sort() or sorted().", ["exclusion without using sort() or sorted()"]),
    ("What is pi to two decimals?", ["rounding to two decimals"]),
    ("圆周率保留两位小数是多少？", ["rounding 保留两位小数"]),
    ("What is 10/3, rounded to the nearest integer?", ["rounding to the nearest integer"]),
    ("As of 2020, how many people lived in Lagos?", ["time As of 2020"]),
    ("Tom has three apples and gives two apples to Ann. How many are left?", []),
    ("Which word has five letters?", []),
    ("What is cat in German?", []),
    ("Who lives in Berlin?", []),
    ("How do I undo the last commit without losing changes?", []),
    ('What does the note "answer only yes or no" mean?', []),
    ("", []),
]


@pytest.mark.parametrize(("question", "expected"), FOUND)
def test_constraints_are_found_in_words_of_the_question(question: str, expected: list[str]) -> None:
    assert [f"{one.kind} {one.words}" for one in constraints_of(question)] == expected


HELD = [
    ("How fast is it in km/h?", "It does 60 km/h.", True),
    ("How fast is it in km/h?", "60", False),
    ("How fast is it in km/h?", "16.7 m/s", False),
    ("How fast is it in km/h?", "very fast", None),
    ("How many hours does it take?", "6", True),
    ("How many hours does it take?", "3 days", False),
    ("What is the melting point of iron in degrees Celsius?", "2800 °F", False),
    ("What is the melting point of iron in degrees Celsius?", "1538 °C", True),
    ("Name three noble gases.", "Helium, neon and argon", True),
    ("Name three noble gases.", "1. Helium\n2. Neon", False),
    ("Name three reasons.", "It was late and the road, which had been wet for hours, was blocked.", None),
    ("List at least two noble gases.", "- helium\n- neon\n- argon", True),
    ("Explain tides in one sentence.", "The moon pulls the sea. The sun does too.", False),
    ("Explain tides in one sentence.", "The moon, e.g. at full moon, pulls the sea.", True),
    ("Explain tides in at most 5 words.", "Answer: the moon pulls", True),
    ("Explain tides in at most 5 words.", "the moon and the sun pull the sea", False),
    ("请用不超过5个字说明潮汐的成因。", "月球和太阳的引力", False),
    ("Give the colours as JSON.", '```json\n["red"]\n```', True),
    ("Give the colours as JSON.", "red", False),
    ("What is 2+2? Give only the number.", "4", True),
    ("What is 2+2? Give only the number.", "It is 4.", False),
    ("What is 2+2? Give only the number.", "The sum of the two numbers is 4.", False),
    ("Is it? Answer yes or no.", "Yes.", True),
    ("Is it? Answer yes or no.", "Yes, because the sun shines.", False),
    ("Answer in German: who?", "Das war der Dichter mit dem Hut.", True),
    ("Answer in German: who?", "That was the poet with the hat.", False),
    ("Answer in German: who?", "Goethe", None),
    ("On a scale of 1 to 10, how hot?", "11", False),
    ("On a scale of 1 to 10, how hot?", "7", True),
    ("Choose from: red, green or blue.", "green", True),
    ("Choose from: red, green or blue.", "yellow", False),
    ("Name a capital other than Paris.", "Paris", False),
    ("Name a capital other than Paris.", "Rome, not Paris", True),
    ("What is pi to two decimals?", "3.14", True),
    ("What is pi to two decimals?", "3.1416", False),
    ("What is 10/3, rounded to the nearest integer?", "3.3", False),
    ("As of 2020, how many people lived there?", "As of 2015, 12 million.", False),
    ("As of 2020, how many people lived there?", "15 million", None),
]


@pytest.mark.parametrize(("question", "answer", "expected"), HELD)
def test_an_answer_is_held_against_a_constraint(question: str, answer: str, expected: bool | None) -> None:
    (constraint,) = constraints_of(question)
    assert kept(constraint, answer, short_answer(answer, question).text) is expected


ALL = [constraint for question, _ in FOUND for constraint in constraints_of(question)]


@FEW
@given(st.text(max_size=80), st.text(max_size=20), st.sampled_from(ALL))
def test_any_answer_can_be_held_against_any_constraint(text: str, short: str, constraint: object) -> None:
    assert kept(constraint, text, short) in (True, False, None)  # type: ignore[arg-type]


@FEW
@given(st.text(max_size=120))
def test_any_text_may_be_a_question(text: str) -> None:
    assert all(one.words for one in constraints_of(text))


@FEW
@given(st.integers(2, 40), st.integers(1, 80))
def test_words_are_counted_as_they_are(most: int, said: int) -> None:
    (constraint,) = constraints_of(f"Explain it in at most {most} words.")
    assert kept(constraint, " ".join(["word"] * said), "") is (said <= most)


@FEW
@given(st.integers(2, 12), st.integers(2, 12))
def test_points_of_a_list_are_counted(wanted: int, given_: int) -> None:
    (constraint,) = constraints_of(f"Name {wanted} rivers.")
    text = "\n".join(f"- river {number}" for number in range(given_))
    assert kept(constraint, text, "") is (wanted == given_)


def test_an_empty_answer_breaks_no_constraint_by_itself() -> None:
    assert {kept(one, "  ", "") for one in ALL} == {None}
