"""Whether two answers say the same."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.contractive.answers import ShortAnswer, short_answer
from nodes.contractive.equivalence import compare, settled_by_words
from nodes.contractive.reading.verdicts import Verdict


def held(question: str, one: str, other: str) -> Verdict:
    return compare(question, short_answer(one, question), short_answer(other, question))


SAME = [
    ("How far is it?", "1,200 m", "1.2 km"),
    ("How far is it?", "5 miles", "8.05 km"),
    ("What share is it?", "50%", "half"),
    ("What share is it?", "0.5", "百分之五十"),
    ("What fraction is it?", "3 out of 4", "0.75"),
    ("How many?", "2e3", "2,000"),
    ("How many?", "12 million", "1200萬"),
    ("How many?", "none", "0"),
    ("How long does it take?", "1 h 30 min", "90 minutes"),
    ("", "The total is 57600.0 MB.", "57.6 GB"),
    ("What is it?", "It is 13 L. I hope this helps!", "13000 ml"),
    ("What is its density?", "1.2 g/cm³", "1200 kilograms per cubic meter"),
    ("多久？", "一個半小時", "90分鐘"),
    ("What is 5 factorial?", "5! = 5 × 4 × 3 × 2 × 1 = 120", "120"),
    ("Which is better, bubble sort or merge sort?", "Merge sort", "So merge sort has the better worst case."),
    ("水往高處流還是往低處流？", "低處", "往低處流"),
    ("How long does it take?", "2.5 hours", "two and a half hours"),
    ("What is the temperature?", "212 °F", "100 °C"),
    ("What is the area?", "40 cm²", "40 square centimeters"),
    ("How fast is it?", "10 m/s", "36 km/h"),
    ("What is 2 minus 5?", "-3", "minus three"),
    ("When was it?", "July 4th 1976", "1976-07-04"),
    ("When was it?", "4.7.1976", "民國65年7月4日"),
    ("When was it?", "13/07/1976", "July 13, 1976"),
    ("In what year was it?", "It was on May 8, 1945.", "1945"),
    ("Is it open?", "No, it is closed.", "It isn't open."),
    ("Is it open?", "Yes.", "It is open."),
    ("Is it legal?", "非法", "No"),
    ("Which are they?", "red, green and blue", "- Blue\n- Red\n- Green"),
    ("What are the roots of x^2 = 4?", "x = ±2", "2 and -2"),
    ("Which? A) stack B) queue", "B", "It is a queue."),
    ("Who wrote it?", "Dr. A. Einstein", "Albert Einstein"),
    ("Who wrote it?", "It was written by Mark Twain.", "Mark Twain"),
    ("Where is it?", "Zürich", "Zurich, Switzerland"),
    ("Which country is it?", "俄羅斯", "Russia"),
    ("Simplify (x + 1)^2.", "x^2 + 2x + 1", "1 + 2x + x²"),
    ("Who is the shortest, if Al is shorter than Bo? Who?", "Al", "The shortest is Al."),
]
DIFFERENT = [
    ("Is it safe?", "safe", "not safe"),
    ("What is the food like?", "The food is safe.", "The food is unsafe."),
    ("這安全嗎？", "安全", "不安全"),
    ("", "possible", "impossible"),
    ("", "41", "97"),
    ("What is it?", "41", "97"),
    ("How much is it?", "€5", "$5"),
    ("How much is it?", "5 V", "5 A"),
    ("How far is it?", "12 km", "1.2 km"),
    ("What is 2 minus 5?", "-3", "3"),
    ("How much may it be?", "more than 5", "less than 5"),
    ("How much may it be?", "The limit is more than 5.", "The limit is not more than 5."),
    ("When was it?", "July 4, 1976", "July 5, 1976"),
    ("In what year was it?", "44 BC", "44 AD"),
    ("Sort 3, 1, 2.", "1, 2, 3", "3, 2, 1"),
    ("Which are they?", "2, 3, 5", "2, 3"),
    ("Which? A) stack B) queue", "B", "A stack."),
    ("Which? A) stack B) queue", "B", "B is not correct."),
    ("Who wrote it?", "Maria Lopez", "Maria Torres"),
    ("Which way?", "clockwise", "counterclockwise"),
    ("What is the formula?", "O(n)", "O(log n)"),
    ("What is the mass of it?", "sulfate", "sulfite"),
    ("What happened?", "The cat chased the dog.", "The dog chased the cat."),
    ("What is the past tense of go?", "went", "goed"),
    ("What happened?", "Prices rose by 5%.", "Prices rose by 7%."),
    ("What happened?", "A storm tore the hull open.", "A collision tore the hull open."),
    ("What is it?", "I don't know.", "42"),
    ("What is it?", "", "42"),
    ("What is it?", "", "I don't know."),
]


@pytest.mark.parametrize(("question", "one", "other"), SAME)
def test_the_same_in_other_words(question: str, one: str, other: str) -> None:
    assert settled_by_words(held(question, one, other)).relation == "same"


@pytest.mark.parametrize(("question", "one", "other"), DIFFERENT)
def test_what_differs_is_kept_apart(question: str, one: str, other: str) -> None:
    verdict = settled_by_words(held(question, one, other))
    assert verdict.relation == "different" and verdict.apart > 0


def test_what_code_cannot_tell_is_unknown_and_words_say_that_they_decided() -> None:
    verdict = held("Why did it sink?", "It hit an iceberg.", "A collision with ice.")
    assert verdict.relation == "unknown" and not verdict.sure
    assert settled_by_words(verdict).reason.startswith("by shared words alone")


@pytest.mark.parametrize("one, other", [("7/4/1976", "1976-07-04"), ("May 1945", "May 8, 1945")])
def test_a_date_that_may_be_another_is_unknown(one: str, other: str) -> None:
    assert held("When was it?", one, other).relation == "unknown"


CODE = "def f(x):\n    return x + 1"


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ("def f(x):\n  # adds one\n  return (x+1)", True),
        ('def f(x):\n    """Add one."""\n    return x + 1', True),
        ("def f(x):\n    return x - 1", False),
        ('def f(x):\n    return "x + 1"', False),
    ],
)
def test_code_is_the_same_up_to_how_it_is_written(other: str, same: bool) -> None:
    verdict = settled_by_words(compare("", ShortAnswer("code", CODE), ShortAnswer("code", other)))
    assert (verdict.relation == "same") == same and (verdict.apart == 0) == same


texts = st.one_of(st.text(max_size=40), st.from_regex(r"[a-c0-3 .,%=()^/-]{0,25}", fullmatch=True))


@given(
    question=st.sampled_from(["", "How many?", "Is it?", "Which are they?", "When?", "Who?"]),
    one=texts,
    other=texts,
)
@settings(max_examples=50, deadline=None)
def test_any_two_texts_can_be_compared_either_way_round(question: str, one: str, other: str) -> None:
    verdict = held(question, one, other)
    assert verdict == held(question, other, one)
    assert 0 <= verdict.apart <= 1 and 0 <= verdict.likeness <= 1
    assert (verdict.relation == "same") <= (verdict.apart == 0)


UNITS = {"length": ("m", "km", 3), "mass": ("g", "kg", 3), "volume": ("ml", "L", 3), "power": ("W", "kW", 3)}


@given(
    st.sampled_from(sorted(UNITS)),
    st.decimals(min_value="0.001", max_value=99_999, places=3).map(Decimal.normalize),
    st.decimals(min_value="0.001", max_value=99_999, places=3).map(Decimal.normalize),
)
@settings(max_examples=20, deadline=None)
def test_scaling_the_unit_keeps_what_is_equal_and_what_is_not(
    kind: str, one: Decimal, other: Decimal
) -> None:
    small, large, power = UNITS[kind]
    question = f"How much {kind} is it?"
    assert held(question, f"{one:f} {large}", f"{one.scaleb(power):f} {small}").relation == "same"
    told = held(question, f"{one:f} {large}", f"{other:f} {large}")
    scaled = held(question, f"{one:f} {large}", f"{other.scaleb(power):f} {small}")
    assert told.apart == pytest.approx(scaled.apart)


subjects = st.sampled_from(["The water", "This valve", "The report", "Oxygen", "Paris", "The number 7"])
predicates = st.sampled_from(
    [
        "{} safe",
        "{} open at night",
        "{} the capital of France",
        "{} more than 5",
        "{} in July 1976",
        "{} 12 km long",
    ]
)
questions = st.sampled_from(
    ["", "Is it so?", "What is it?", "How long is it?", "When is it?", "Who is it?", "Is the water safe?"]
)


@given(
    question=questions,
    subject=subjects,
    predicate=predicates,
    denial=st.sampled_from(["is not", "isn't", "is never"]),
)
@settings(max_examples=40, deadline=None)
def test_a_not_never_leaves_an_assertion_the_same(
    question: str, subject: str, predicate: str, denial: str
) -> None:
    said = f"{subject} {predicate.format('is')}."
    denied = f"{subject} {predicate.format(denial)}."
    assert settled_by_words(held(question, said, denied)).relation == "different"


@pytest.mark.parametrize(
    ("question", "one", "other", "same"),
    [
        ("Who found the laws of motion?", "They were found by Newton in 1687.", "Isaac Newton", True),
        ("Which continents lie in the south?", "- Australia\n- Antarctica", "Antarctica and Australia", True),
        ("Where is it?", "Australia, Antarctica and Asia", "Australia", False),
        ("光速是多少？", "每秒30萬公里", "3 × 10^8 m/s", True),
        ("What is it for?", "To find food and warmth", "To find food and company", False),
    ],
)
def test_names_lists_and_rates_as_they_are_written(question: str, one: str, other: str, same: bool) -> None:
    assert (settled_by_words(held(question, one, other)).relation == "same") == same


@given(
    st.lists(st.integers(-99, 99), min_size=2, max_size=5),
    st.lists(st.integers(-99, 99), min_size=2, max_size=5),
)
def test_rows_of_numbers_are_the_same_only_number_by_number(one: list[int], other: list[int]) -> None:
    question = "What does this Python program print?"
    rows = [" ".join(map(str, row)) for row in (one, other)]
    assert (settled_by_words(held(question, *rows)).relation == "same") == (one == other)
    assert settled_by_words(held(question, rows[0], str(one[0]))).relation == "different"
    assert settled_by_words(held(question, rows[0], f"It prints {rows[0]}")).relation == "same"


def test_a_number_with_spaces_between_its_thousands_is_no_row() -> None:
    assert held("How many people live there?", "1 000 000", "1000000").relation == "same"


NAMED = ("violin", "cello", "flute", "harp", "viola")


@given(st.permutations(NAMED), st.sampled_from(["The {} does not belong with the others.", "It is the {}."]))
def test_the_same_said_of_two_things_the_question_names_is_not_the_same(names: list[str], form: str) -> None:
    question = f"Which of these instruments does not belong with the other four: {', '.join(sorted(names))}?"
    one, other = (
        settled_by_words(held(question, form.format(names[0]), form.format(name))) for name in names[:2]
    )
    assert (one.relation, other.relation) == ("same", "different")
