from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.research.asked_words import NOTHING_ASKED, asked_words, speaks_of
from nodes.research.extract import extracts
from nodes.research.passages import STOPWORDS
from nodes.research.report_text import REASONS
from nodes.research.state import Source
from tests.nodes.research.corpus import researched

TEXT = "Lindow harbour opened in 1987. It handled 4.2 million tonnes. C++ is quite old. 熵是混亂的量度。"


@pytest.mark.parametrize(
    "query",
    [
        "Is it?",
        "What is this about?",
        "what are these documents about",
        "😀😀",
        '"',
        "...",
        "\x00",
        "這是什麼？",
        "这份文件在说什么？",
        "請問有多少？",
        "When was it?",
        "IS IT?",
    ],
)
def test_a_question_that_names_nothing_has_no_words(query: str) -> None:
    assert asked_words(query) == []
    assert extracts(query, [Source(number=1, url="a")], {1: TEXT}) == []


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("What is the WHO?", ["WHO"]),
        ("Is IT a department?", ["IT", "department"]),
        ("C++?", ["C++"]),
        ("什麼是熵？", ["熵"]),
        ("What is X?", ["X"]),
        ("404?", ["404"]),
        ("Что это?", ["Что", "это"]),
        ("What is a file?", ["file"]),
    ],
)
def test_a_short_or_foreign_name_is_a_word(query: str, words: list[str]) -> None:
    assert asked_words(query) == words


@given(st.lists(st.sampled_from(sorted(STOPWORDS - {"us", "it"})), max_size=6), st.sampled_from("?!. \"'😀"))
def test_words_that_only_ask_name_nothing(words: list[str], mark: str) -> None:
    assert asked_words(" ".join(words) + mark) == []
    assert asked_words(" ".join([*words, "Lindow"]) + mark) == ["Lindow"]


@pytest.mark.parametrize(
    ("query", "sentence"), [("什麼是熵？", "熵是混亂的量度。"), ("What is X?", None), ("C++?", "C++ is")]
)
def test_one_letter_is_looked_for_itself(query: str, sentence: str | None) -> None:
    found = [one.text for one in extracts(query, [Source(number=1, url="a")], {1: TEXT})]
    assert len(found) == (sentence is not None) and all(sentence in one for one in found if sentence)


def test_a_word_is_no_part_of_another() -> None:
    assert speaks_of("an x ray", ["X"]) and not speaks_of("an axis", ["x"]) and not speaks_of("x", [])


@pytest.mark.parametrize("query", ["Is it?", "這是什麼？"])
async def test_what_asks_nothing_is_told_so_without_a_model(tmp_path: Path, query: str) -> None:
    state = await researched(tmp_path, f"asks-nothing-{len(query)}", analyst=[], query=query)
    (item,) = state.result
    told = item["schema_object"]
    assert told["@type"] == "NoDataReport" and told["reason"] == NOTHING_ASKED and not told["searches"]
    assert REASONS[NOTHING_ASKED] in item["description"] or NOTHING_ASKED in item["description"]
    assert "4.2 million" not in item["description"]
