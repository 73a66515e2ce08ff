"""The short answer of a sample."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.contractive.answers import ShortAnswer, short_answer


@pytest.mark.parametrize(
    ("sample", "question", "answer"),
    [
        ("The answer is 42 km.", "How far is it?", "42 km"),
        ("Let me think. 2x = 14.\nTherefore, x = 7", "Solve 2x = 14.", "x = 7"),
        (r"So we get \boxed{\frac{3}{4}} in the end.", "What is 3 divided by 4?", "3/4"),
        (r"\boxed{40 \text{ cm}^2}", "What is the area?", "40 cm^2"),
        ("經過計算，答案是十二。", "有多少？", "十二"),
        ("France has many cities. **Paris** is its capital.", "What is the capital of France?", "Paris"),
        ('{"reasoning": "It is 9, not 8.", "answer": 9}', "What is 3 squared?", "9"),
        ('```json\n{"answer": ["red", "blue"]}\n```', "Which colors are they?", "- red\n- blue"),
        ("### Solution\n\n15 - 9 = 6\n\n### Answer\n\n6", "How many are left?", "6"),
        ("Sure! The total is 12. I hope this helps!", "What is the total?", "The total is 12"),
        ("<think>It could be 5. Answer: 5</think>\n7", "How many?", "7"),
        ("The lunch costs $5 and the tea $2, so the total is $7.", "What is the total?", "the total is $7"),
        ("Die Antwort lautet: Berlin.", "Was ist die Hauptstadt?", "Berlin"),
        ("I'm not sure, but I think it is Rome.", "What is the capital of Italy?", "it is Rome"),
    ],
)
def test_the_answer_is_found_in_what_stands_around_it(sample: str, question: str, answer: str) -> None:
    assert short_answer(sample, question) == ShortAnswer("answer", answer)


@pytest.mark.parametrize(
    "sample",
    [
        "I cannot answer this question.",
        "I don't know.",
        "Sorry, I can't help with that.",
        "There is not enough information to tell.",
        "It is impossible to determine from the text.",
        "無法回答",
        "我不知道這個問題的答案。",
        "资料不足，无法判断。",
        "Das weiß ich nicht.",
        "Je ne sais pas.",
        "No lo sé.",
        "Answer: unknown",
    ],
)
def test_a_refusal_is_no_answer(sample: str) -> None:
    assert short_answer(sample, "How old is the bridge?").kind == "refusal"


@pytest.mark.parametrize(
    "sample",
    [
        "Bats cannot see in the dark.",
        "It is impossible.",
        "The valve cannot be opened.",
        "不能",
        "Nobody knows him.",
    ],
)
def test_saying_that_something_cannot_be_is_an_answer(sample: str) -> None:
    assert short_answer(sample, "What about it?").kind == "answer"


@pytest.mark.parametrize(
    "sample", ["", "  \n", "...", "**Answer:**", "答案：", '{"answer": null}', r"\boxed{}", "N/A"]
)
def test_nothing_said_is_empty(sample: str) -> None:
    assert short_answer(sample, "What is it?") == ShortAnswer("empty", "")


@pytest.mark.parametrize("sample", ["+", "<", "∞", "7", "否"])
def test_a_sign_may_be_an_answer(sample: str) -> None:
    assert short_answer(sample, "Which sign is it?") == ShortAnswer("answer", sample)


def test_code_is_what_stands_in_the_fence_where_code_is_asked_for() -> None:
    sample = "Here it is:\n```python\ndef f(x):\n    return x\n```\nIt returns x."
    assert short_answer(sample, "Write a Python function.") == ShortAnswer("code", "def f(x):\n    return x")
    assert short_answer("Use `ls -a`.", "Which command lists hidden files?") == ShortAnswer("code", "ls -a")


@given(sample=st.text(max_size=300), question=st.sampled_from(["", "How many?", "Is it?", "Which are they?"]))
@settings(max_examples=40, deadline=None)
def test_any_text_has_an_answer_of_some_kind(sample: str, question: str) -> None:
    found = short_answer(sample, question)
    assert (found.kind == "empty") == (found.text == "")


@pytest.mark.parametrize(
    ("sample", "question", "answer"),
    [
        (
            "Question: Where?\nAnswer: Lima\n\nQuestion: Where is Chile?\nAnswer: Santiago",
            "Where is it?",
            "Lima",
        ),
        ("**Final Answer**\n\n7 eggs", "How many eggs are left?", "7 eggs"),
        ("There were 12 eggs. 5 were used. 7 eggs are left.", "How many eggs are left?", "7 eggs are left"),
        ("Based on the text, the capital is Lima.", "What is the capital?", "the capital is Lima"),
        ("Answer: 7\nThe answer is found by adding.", "How many?", "7"),
        ("因此，這座塔的高度是五百公尺。", "高度是多少？", "這座塔的高度是五百公尺"),
        ("1. Lima", "Where is it?", "Lima"),
    ],
)
def test_what_small_models_write_around_it(sample: str, question: str, answer: str) -> None:
    assert short_answer(sample, question).text == answer
