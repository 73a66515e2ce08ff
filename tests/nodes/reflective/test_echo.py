"""What only repeats is no answer."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from nodes.reflective.echo import echoes, repeats_itself

WORDS = st.lists(st.text("abcdefgh\u6587\u4ef6", min_size=1, max_size=6), min_size=3, max_size=8)
SIGNS = st.sampled_from(["", "?", ".", "!", " \n", "？"])


@given(WORDS, SIGNS, SIGNS)
def test_a_question_is_no_answer_to_itself_however_it_is_written(
    words: list[str], one: str, other: str
) -> None:
    question = " ".join(words)
    assert echoes(question + one, question.upper() + other)
    assert echoes(question + one, f"{question}{other} {question}")


@given(WORDS, st.lists(st.text("stuvwxyz", min_size=2, max_size=6), min_size=3, max_size=8, unique=True))
def test_an_answer_that_takes_up_the_question_and_goes_on_is_one(words: list[str], new: list[str]) -> None:
    question = " ".join(words)
    assert not echoes(question, f"{question} {' '.join(new)}")
    assert not echoes(question, " ".join(new))


@given(
    st.lists(st.text("abcdefgh", min_size=2, max_size=7), min_size=4, max_size=9, unique=True),
    st.integers(3, 6),
)
def test_a_sentence_said_again_and_again_is_no_answer(words: list[str], times: int) -> None:
    sentence = " ".join(words)
    assert repeats_itself(". ".join([sentence] * times))
    assert repeats_itself("\n".join([sentence] * times))
    assert repeats_itself(" ".join([sentence] * times))
    assert not repeats_itself(sentence)
    assert not repeats_itself(f"{sentence}. {' '.join(reversed(words))}.")


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    assume(len(text.split()) < 3)
    assert not echoes(text, "")
    assert repeats_itself(text) in (True, False)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("is Python or Java older?", "Java"),
        ("say hello world", "hello world"),
        ("hi", "Hi!"),
        ("what is http?", "HTTP is the protocol by which browsers fetch pages."),
        ("write a haiku", "The sea is wide,\nthe sea is deep,\nthe sea, the sea."),
        ("laugh", "Ha ha ha ha!"),
    ],
)
def test_short_and_playful_answers_are_answers(question: str, answer: str) -> None:
    assert not echoes(question, answer) and not repeats_itself(answer)
