from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.experience.recollection import read_time, recollect

MOMENT = datetime(2025, 1, 2, 3, 4, 5, tzinfo=UTC)
GOOD = {"event_type": "episode", "goal": "g", "outcome_status": "success"}
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=4,
)
FIELDS = ("event_type", "goal", "outcome_status", "error", "llm_critique", "meta", "timestamp", "event_id")


@pytest.mark.parametrize(
    "value",
    [
        "2025-01-02T03:04:05",
        "2025-01-02T03:04:05Z",
        "2025-01-02T05:04:05+02:00",
        MOMENT.timestamp(),
        int(MOMENT.timestamp()) * 1000,
    ],
)
def test_times_of_every_form_are_one_moment(value: Any) -> None:
    assert read_time(value) == MOMENT


@given(anything)
def test_no_time_stops_a_reader(value: Any) -> None:
    moment = read_time(value)
    assert moment is None or moment.tzinfo is not None


@given(st.dictionaries(st.sampled_from(FIELDS), anything), st.booleans())
def test_any_object_can_be_read(record: dict[str, Any], with_good: bool) -> None:
    recalled = recollect({**GOOD, **record} if with_good else record)
    if recalled is not None:
        assert recalled.goal and recalled.indexed_text.encode("utf-8")


@pytest.mark.parametrize(
    ("values", "recalled"),
    [
        ({}, True),
        ({"event_type": "respond"}, True),
        ({"event_type": "reflection", "llm_critique": "look in src"}, True),
        ({"event_type": "execution"}, False),
        ({"event_type": "execution", "outcome_status": "failure"}, False),
        ({"event_type": "execution", "outcome_status": "failure", "error": "no such file"}, True),
        ({"event_type": "planning", "outcome_status": "failure", "error": "bad plan"}, True),
        ({"event_type": "verification", "outcome_status": "failure", "error": "e"}, False),
        ({"goal": ""}, False),
        ({"outcome_status": None}, False),
    ],
)
def test_what_is_worth_recalling(values: dict[str, Any], recalled: bool) -> None:
    assert (recollect({**GOOD, **values}) is not None) is recalled


def test_a_lesson_is_stated_or_the_steps_that_were_taken() -> None:
    steps = {"meta": {"steps": ["find files", None, "count them"]}}
    lessons = [
        recollect({**GOOD, **steps}),
        recollect({**GOOD, **steps, "llm_critique": "use wc"}),
        recollect({**GOOD, "meta": {"lesson": "use find"}, "llm_critique": "use wc"}),
        recollect({**GOOD, "meta": None}),
    ]
    assert [found.lesson for found in lessons if found] == [
        "find files; then count them",
        "use wc",
        "use find",
        "",
    ]


def test_the_indexed_text_is_goal_error_and_lesson() -> None:
    recalled = recollect({**GOOD, "error": "e", "llm_critique": "l", "stdout": "s"})
    assert recalled is not None and recalled.indexed_text == "g\ne\nl"
