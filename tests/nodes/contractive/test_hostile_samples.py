"""Whatever a model writes is compared: nothing in a sample may end a run."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.contractive.answers import short_answer
from nodes.contractive.clusters import clusters, compared
from nodes.contractive.distance import distance

QUESTIONS = (
    "What is 17 + 25?", "When was it?", "How many km is it?", "List them in order.", "Is it true?",
    "Which is it, A) x or B) y?", "Write a python function f.", "What share is it, in percent?",
    "2023年的貨物吞吐量是多少？", "What year was it?", "Name three of them.",
)  # fmt: skip
PIECES = (
    "9" * 400, "1e999", "1/0", "0", "-", ".", ",", "%", "km", "h", "2024-02-30", "31/02/2023", "25:61", "²",
    "½", "√", "∞", "^", "**", "/", "=", "(", "]", "{", "\\frac{", "\\boxed{", "}", "```", "def f(x):",
    "yes", "not", "A)", "1.", "- ", "\n", "Answer:", '{"answer":', "一百", "百萬", "兆", "年", "三分之一",
    "百分之", "分之", "成", "٣", "Ⅳ", "\x00", "\u202e", "😀", "BC", "million", "dozen", "half", "and",
    "=====", "I cannot", "1.000.000", "1 000", "0x1F", "1e-400", "10^400", "2^2^2^9",
    "99999!", "1..5", "1–2", "~",
    "≤",
)  # fmt: skip
SAMPLES = st.lists(
    st.tuples(st.sampled_from(PIECES), st.sampled_from(["", " "])), min_size=1, max_size=8
).map(lambda pieces: "".join(f"{piece}{gap}" for piece, gap in pieces))
# Each of these once ended a run.
ONCE = (
    "9" * 400,
    "1" + "0" * 5000 + " halves",
    "½ 1 0001.000.000 " + "9" * 400 + "½",
    "1,2,3三分之一yes",
    "三分之一5:99",
    "百分之1..5",
    "1万1..5",
)


def compare_all(question: str, samples: list[str]) -> None:
    read = [short_answer(sample, question) for sample in samples]
    groups = clusters(read, compared(question, read))
    assert sorted(place for group in groups for place in group.members) == list(range(len(samples)))
    assert 0.0 <= distance(question, read[0], read[-1]) <= 1.0


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(QUESTIONS), st.lists(SAMPLES, min_size=2, max_size=3))
def test_samples_of_anything_are_put_together(question: str, samples: list[str]) -> None:
    compare_all(question, samples)


@pytest.mark.parametrize("sample", ONCE, ids=range(len(ONCE)))
def test_what_once_ended_a_run_is_compared(sample: str) -> None:
    for question in QUESTIONS:
        compare_all(question, [sample, "42", f"{sample}0"])
