from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.research.ambiguity import ambiguity_of
from nodes.research.reading_choice import ALL, answer_text, chosen, means_all, not_a_reading, question_of
from nodes.research.readings import time_options
from nodes.research.state import ClarificationOption, ClarificationOutput, TemporalContext
from nodes.research.time_bounds import in_time

OPTIONS = ClarificationOutput(
    options=[
        ClarificationOption(label="the planet", query="Mercury, the planet"),
        ClarificationOption(label="the metal"),
    ]
)


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("What are the latest figures on exports?", "time"),
        ("最近台灣的出口如何？", "time"),
        ("How did exports of Lindow do in 2023?", None),
        ("latest exports in 2023", None),
        ("Mercury", "entity"),
        ("水星", "entity"),
        ("林都港2023年的貨物吞吐量", None),
        ("Tell me about Lindow harbour", "scope"),
        ("What is the impact of offshore wind farms?", "scope"),
        ("Give me an overview of Lindow harbour", "scope"),
        ("台灣離岸風電的影響", "scope"),
        ("請介紹林都港的現況", "scope"),
        ("What is the impact of offshore wind farms on the nesting of gannets at Lindow?", None),
        ("How much cargo did Lindow harbour handle in 2023?", None),
        ("Who is the director of Lindow harbour?", None),
        ("Give an overview of the cargo Lindow harbour handled in 2023", None),
        ("離岸風電對林都港外海燕鷗築巢數量的影響有多大", None),
        ("林都港的港務長是誰？", None),
    ],
)
def test_what_is_open_in_a_query(query: str, kind: str | None) -> None:
    assert ambiguity_of(query) == kind


def test_readings_of_an_open_time_have_bounds_and_the_language_of_the_query() -> None:
    english, chinese = (time_options(query, date(2024, 6, 1)) for query in ("latest exports", "最近出口"))
    assert 2 <= len(english.options) <= 4 and english.options[1].start == "2023-06-01"
    assert chinese.options[0].label == "最近一個月"


def test_an_answer_is_a_number_a_label_or_all() -> None:
    assert chosen({"option": 2}, OPTIONS) == OPTIONS.options[1] == chosen("The Metal", OPTIONS)
    assert (
        chosen(ALL, OPTIONS) is None
        and chosen({"option": 3}, OPTIONS) is None
        and chosen(None, OPTIONS) is None
    )
    assert question_of("Mercury", "entity", OPTIONS)["all"] == ALL


@pytest.mark.parametrize(
    ("day", "inside"),
    [
        ("2023-05-31", False),
        ("2023-06-01", True),
        ("2023-06", True),
        ("2023", True),
        ("2022", False),
        (None, True),
    ],
)
def test_a_date_is_inside_if_a_part_of_it_is(day: str | None, inside: bool) -> None:
    assert in_time(day, TemporalContext(start="2023-06-01", end="2024-01-01")) is inside


@given(st.one_of(st.text(), st.integers(), st.none(), st.sampled_from(["²", "٣", "9" * 5000, "2", "①"])))
def test_any_answer_is_a_reading_all_of_them_or_told_to_be_neither(answer: object) -> None:
    text = answer_text({"option": answer})
    option = chosen(text, OPTIONS)
    assert option == chosen({"option": answer}, OPTIONS)
    if text.casefold() in ("", "all") or text == "3":
        assert option is None and means_all(text, OPTIONS)
    elif text not in ("1", "2") and text.isascii() and text.casefold() not in ("the planet", "the metal"):
        assert option is None and (text.strip("0") in "123" or not means_all(text, OPTIONS))


def test_an_answer_that_is_no_reading_is_told() -> None:
    assert chosen("²", OPTIONS) is None and not means_all("²", OPTIONS)
    assert "'²' names none" in not_a_reading("²") and "{cite" not in not_a_reading("{cite:1}")
