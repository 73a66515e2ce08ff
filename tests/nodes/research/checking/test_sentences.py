from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.research.checking.folding import fold, lowered
from nodes.research.checking.sentences import sentences


def parts(text: str) -> list[str]:
    return [text[one.start : one.end] for one in sentences(text)]


def test_english_abbreviations_and_decimals_end_nothing() -> None:
    text = "Dr. J. Smith of Acme Inc. paid $3.5 million. He left the U.S. in 2020."
    assert parts(text) == ["Dr. J. Smith of Acme Inc. paid $3.5 million.", "He left the U.S. in 2020."]


def test_chinese_stops_and_quotations() -> None:
    assert parts("他說：「走吧！」然後離開。她沒走。") == ["他說：「走吧！」然後離開。", "她沒走。"]


def test_citations_after_the_stop_belong_to_the_sentence() -> None:
    assert parts("One is so.[1] Two is so. {cite:2} 三是如此。[3]四也是。") == [
        "One is so.[1]",
        "Two is so. {cite:2}",
        "三是如此。[3]",
        "四也是。",
    ]


def test_markdown() -> None:
    text = "# Title\n\n- first point\n- second point\n\n| a | 5 |\n|---|---|\n\n```\ncode 5\n```\n"
    assert [(text[one.start : one.end], one.kind) for one in sentences(text)] == [
        ("# Title", "heading"),
        ("first point", "prose"),
        ("second point", "prose"),
        ("a | 5", "row"),
        ("code 5", "code"),
    ]


@given(st.text(alphabet='ab.。!? \n"」[]1{}cite:-#|，A中文\u3000\t', max_size=120))
@settings(max_examples=60, deadline=None)
def test_sentences_are_in_order_and_lose_no_word(text: str) -> None:
    found = sentences(text)
    assert all(one.start < one.end for one in found)
    assert all(one.end <= two.start for one, two in zip(found, found[1:], strict=False))


@given(st.text(max_size=200))
@settings(max_examples=60, deadline=None)
def test_folding_keeps_the_length(text: str) -> None:
    assert len(fold(text)) == len(text)
    assert len(lowered(text)) == len(text)
