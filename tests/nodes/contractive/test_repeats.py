"""What asks a question again, and what only looks like it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from configs.relevance import WORDS, load_part_weights
from models.multilingual_embeddings import E5Embedder
from nodes.contractive.differences import different
from nodes.contractive.meanings import Meanings
from nodes.contractive.repeats import repeated, restates, sameness, texts_compared

THINGS = ("steel", "ice", "wood", "the bridge", "the blue tank")
ASKED = ("the weight", "the price", "the height", "the melting point", "the colour")


def near(texts: list[str], cosine: float) -> Meanings:
    """Vectors of texts any two of which are equally near."""
    size = len(texts) + 1
    rows = np.full((len(texts), size), 0.0, np.float32)
    rows[:, 0] = np.sqrt(cosine)
    rows[np.arange(len(texts)), np.arange(1, size)] = np.sqrt(1 - cosine)
    languages = np.zeros(len(texts), np.int64)
    return Meanings(E5Embedder.name, {text: row for row, text in enumerate(texts)}, languages, rows, rows)


@given(st.sampled_from(ASKED), st.sampled_from(THINGS), st.sampled_from(ASKED), st.sampled_from(THINGS))
@settings(max_examples=20, deadline=None)
def test_only_the_same_attribute_of_the_same_thing_is_the_same_question(
    one: str, of: str, other: str, other_of: str
) -> None:
    first, second = f"What is {one} of {of}?", f"What is {other} of {other_of}?"
    again = repeated(second, [first]) is not None
    assert again == ((one, of) == (other, other_of))


@given(
    st.sampled_from(["", "Please answer: ", "First of all, we have to find out: ", "Question 2: ", "Bitte "]),
    st.sampled_from(ASKED),
    st.sampled_from(THINGS),
    st.sampled_from(["", " Answer briefly.", " Think step by step."]),
)
@settings(max_examples=20, deadline=None)
def test_words_around_a_question_do_not_make_it_another(before: str, asked: str, of: str, after: str) -> None:
    question = f"What is {asked} of {of}?"
    assert repeated(f"{before}{question}{after}", [question]) == question


@given(st.integers(5, 9999), st.integers(5, 9999))
@settings(max_examples=20, deadline=None)
def test_another_number_is_another_question_however_near_it_is(one: int, other: int) -> None:
    first, second = f"How many days are there in {one} weeks?", f"{other} weeks have how many days?"
    meanings = near([first, second], 0.99)
    assert (repeated(second, [first], meanings) is not None) == (one == other)


@pytest.mark.parametrize(
    ("earlier", "later", "reason"),
    [
        ("Is the mushroom edible?", "Is the mushroom not edible?", "not"),
        ("Can the driver be fined without proof?", "Can the driver be fined with proof?", "not"),
        ("Wie tief taucht man ohne Gerät?", "Wie tief taucht man mit Gerät?", "without"),
        ("Does the drug lower blood pressure?", "Does the drug raise blood pressure?", "raise"),
        ("Does the drug lower blood pressure?", "How does the drug lower blood pressure?", "whether"),
        ("Is every square a rectangle?", "Is every rectangle a square?", "places"),
        ("Why did the empire fall?", "When did the empire fall?", "time"),
        ("How far is it from Madrid to Lyon?", "How far is it from Madrid to Lille?", "lille"),
        ("What is 3x if 3x + 5 = 20?", "What is 3x if 3x - 5 = 20?", "-5"),
        ("What is 15 percent of 240?", "What percent of 240 is 15?", "15"),
        ("What is x if x^2 = 9 + y?", "What is x if x^3 = 9 + y?", "3"),
        ("What does f(a + 2) give?", "What does f(2 + a) print?", "formulas"),
        ("What is 240 times 15?", "What is 240 plus 15?", "calculate"),
        ("Is the sum at least 10?", "Is the sum at most 10?", "least"),
        ("Who is the second oldest?", "Who is the third oldest?", "order"),
        ("What is the weight of ice?", "What is the weight of ice on the Moon?", "moon"),
        ("Is the lake deeper or the sea?", "Is the lake deep?", "one of the two"),
        ("北京到上海的高鐵要多久？", "北京到廣州的高鐵要多久？", "广"),
        ("水箱裡有36升水，還能裝多少？", "水箱裡有24升水，還能裝多少？", "24"),
    ],
)
def test_what_decides_is_told_by_code_however_near_the_two_are(earlier: str, later: str, reason: str) -> None:
    assert reason in different(later, earlier, earlier)
    told = near([*texts_compared(earlier), later], 0.99)
    assert sameness(later, earlier, told).probability == 0.0
    assert repeated(later, [earlier], told) is None


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("What is the weight of ice?", "How heavy is ice?"),
        ("Who wrote the novel?", "By whom was the novel written?"),
        ("How many days are there in 14 weeks?", "What is the number of days in fourteen weeks?"),
        ("Which exports more coffee, Brazil or Vietnam?", "Which exports more coffee, Vietnam or Brazil?"),
        ("A tank loses 2 litres a minute. How long does it last?", "How long does the tank last?"),
        ("Can one pay without a fee?", "Is it possible to pay with no fee?"),
        ("Wie schwer ist ein Liter Öl?", "Was wiegt ein Liter Öl?"),
        ("聲音的速度是多少？", "声音的速度是多少？"),
        ("What share of 2,000 people is 3 percent?", "3 % of 2000 people is what share?"),
    ],
)
def test_the_same_question_in_other_words_is_not_told_apart(earlier: str, later: str) -> None:
    told = near([*texts_compared(earlier), later], 0.9)
    assert sameness(later, earlier, told).apart == ""
    assert repeated(later, ["Who?", earlier], told) == earlier


def test_nearness_raises_the_probability_and_its_lack_ends_it() -> None:
    one, other = "Why did the empire collapse?", "What were the reasons for the fall of the empire?"
    told = [sameness(other, one, near([one, other], cosine)).probability for cosine in (0.1, 0.5, 0.7, 0.9)]
    assert told[0] == 0.0 and told == sorted(told) and told[-1] > 0.9


def test_a_single_part_is_taken_for_its_question_by_a_lower_bar() -> None:
    enough = load_part_weights().same_from
    assert 0 < enough[E5Embedder.name] < 1 and enough[WORDS] > enough[E5Embedder.name] / 2
    one, other = "Why did the empire collapse?", "What were the reasons for the fall of the empire?"
    cosines = [cosine / 100 for cosine in range(30, 99)]
    barely = [c for c in cosines if restates(other, one, near([one, other], c))]
    surely = [c for c in cosines if repeated(other, [one], near([one, other], c))]
    assert surely and barely[0] < surely[0]


@given(st.text(max_size=80), st.text(max_size=80))
@settings(max_examples=25, deadline=None)
def test_any_two_texts_can_be_compared(one: str, other: str) -> None:
    assert 0 <= sameness(one, other).probability <= 1
    assert (
        0
        <= sameness(one, other, near(sorted({*texts_compared(one), *texts_compared(other)}), 0.6)).probability
    )
