import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.search.tokens import language_of, query_tokens, tokens_of


def test_chinese_becomes_pairs_and_the_rest_words_and_numbers() -> None:
    tokens = tokens_of("TSMC’s N2 出口成長 3.4%，達１,２３４億")
    assert tokens == ["tsmc", "n2", "出口", "口成", "成长", "3.4", "达", "1234", "亿"]


def test_both_scripts_of_chinese_are_the_same_terms() -> None:
    assert tokens_of("臺灣經濟部數據") == tokens_of("台湾经济部数据")


def test_a_query_is_what_it_names_not_how_it_asks() -> None:
    assert query_tokens("請問台積電的營收是多少？") == tokens_of("台積電的營收")
    assert query_tokens("What was the revenue of Acme?") == ["revenue", "acme"]


def test_a_query_of_nothing_but_question_words_is_taken_as_it_stands() -> None:
    assert query_tokens("who is who") == ["who", "is"]
    assert query_tokens("什麼") != []


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("經濟部表示，NVIDIA 與 TSMC 的訂單增加。", "zh"), ("The mayor said that it will open in May.", "en"),
        ("経済産業省は輸出が増えたと発表した。", "ja"),
        ("경제부는 수출이 증가했다고 밝혔다", "ko"), ("12 - 34", None),
        ("Der Bürgermeister sagte, die Fähre werde später eröffnet.", None), ("", None),
    ],
)  # fmt: skip
def test_a_language_is_told_by_letters_and_common_words(text: str, language: str | None) -> None:
    assert language_of(text) == language


@given(st.text())
def test_any_text_has_terms_without_blanks_that_a_query_of_it_has_too(text: str) -> None:
    tokens = tokens_of(text)
    assert all(token and not token.isspace() and " " not in token for token in tokens)
    assert len(set(query_tokens(text))) == len(query_tokens(text))
