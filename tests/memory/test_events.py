from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from memory.events import LONGEST, SCHEMA_VERSION, ReasoningEvent
from tests.memory.places import event

SECRET = "gh" + "p_" + "a1B2" * 9


def test_an_event_has_an_id_of_its_own_and_a_version() -> None:
    first, second = event(), event()
    assert first.event_id != second.event_id
    assert first.schema_version == SCHEMA_VERSION == 1


@pytest.mark.parametrize("name", LONGEST)
def test_long_texts_keep_head_and_tail_and_say_what_was_cut(name: str) -> None:
    text = "head" + "x" * 50_000 + "tail"
    made = event(**{name: text})
    kept = getattr(made, name)
    assert len(kept) == LONGEST[name]
    assert kept.startswith("head") and kept.endswith("tail") and "characters cut" in kept
    assert made.meta == {"cut": {name: len(text)}}


@given(st.text(max_size=9000), st.text(max_size=100))
def test_reading_back_what_was_written_changes_nothing(stdout: str, goal: str) -> None:
    made = event(goal, stdout=stdout, meta={"plan": [1, None]})
    again = ReasoningEvent.model_validate(json.loads(made.model_dump_json()))
    assert again == made


@pytest.mark.parametrize("at", [0, 1990, 1999, 2003, 15_990, 25_000, 49_990])
def test_no_cut_leaves_half_a_secret(at: int) -> None:
    text = ("x " * 25_000)[:at] + " " + SECRET + " " + ("x " * 25_000)[at:]
    assert "a1B2a1" not in str(event(stdout=text).stdout)


def test_secrets_are_hidden_in_texts_and_meta() -> None:
    made = event(SECRET, stderr=f"token={SECRET}", meta={"password": "hunter2x", "list": [SECRET]})
    assert SECRET not in made.model_dump_json() and "hunter2x" not in made.model_dump_json()


def test_unknown_fields_and_kinds_are_refused() -> None:
    with pytest.raises(ValidationError):
        event(colour="red")
    with pytest.raises(ValidationError):
        event(event_type="dreaming")
