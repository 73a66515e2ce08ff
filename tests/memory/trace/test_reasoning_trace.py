from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.errors import TraceEntryInvalid
from memory.json_lines import encode_line
from memory.trace.entry_fields import MORE, MOST_ITEMS
from memory.trace.reasoning_trace import (
    OutcomeStatus,
    ReasoningStage,
    ReasoningTrace,
    new_entry,
    read_entry,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
TEXTS = st.lists(st.text(max_size=20), max_size=4)
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "action": st.none() | st.text(max_size=20),
        "parameters": st.dictionaries(st.text(max_size=8), JSON, max_size=3),
        "evidence": TEXTS,
        "outcome": st.sampled_from([item.value for item in OutcomeStatus]),
        "error": st.none() | st.text(max_size=20),
        "commitments": TEXTS,
        "attachments": st.lists(st.dictionaries(st.text(max_size=8), JSON, max_size=3), max_size=3),
        "corrections": TEXTS,
    },
)


@settings(max_examples=25)
@given(st.sampled_from(list(ReasoningStage)), st.text(max_size=40), FIELDS)
def test_an_entry_is_the_same_after_it_was_stored(stage: str, thought: str, given: dict[str, Any]) -> None:
    entry = new_entry(stage, thought, "i1", **given)
    assert encode_line(entry.as_record())
    again = read_entry(entry.as_record())
    assert again is not None and encode_line(again.as_record()) == encode_line(entry.as_record())


@settings(max_examples=25)
@given(FIELDS, FIELDS)
def test_an_update_loses_nothing_and_twice_is_once(first: dict[str, Any], second: dict[str, Any]) -> None:
    entry = new_entry("execution", "t", "i1", **first)
    once = entry.updated(**second)
    assert set(entry.evidence) <= set(once.evidence) and set(entry.corrections) <= set(once.corrections)
    assert set(entry.parameters) <= set(once.parameters)
    assert encode_line(once.updated(**second).as_record()) == encode_line(once.as_record())
    assert (once.entry_id, once.interaction_id) == (entry.entry_id, entry.interaction_id)


@settings(max_examples=25)
@given(st.dictionaries(st.sampled_from(["entry_id", "stage", "thought", "evidence", "outcome", "x"]), JSON))
def test_reading_takes_anything(record: dict[str, Any]) -> None:
    entry = read_entry(record)
    assert entry is None or entry.entry_id


@pytest.mark.parametrize(
    "given",
    [
        {"stage": "dreaming"},
        {"outcome": "great"},
        {"evidence": "one text"},
        {"evidence": [1]},
        {"parameters": ["a"]},
        {"attachments": [["a"]]},
        {"thought": None},
        {"commitment": ["send_email"]},
        {"entry_id": "other"},
    ],
)
def test_what_does_not_fit_is_an_error_and_changes_nothing(given: dict[str, Any]) -> None:
    entry = new_entry("planning", "t", "i1", evidence=["kept"])
    with pytest.raises(TraceEntryInvalid):
        entry.updated(**{"corrections": ["lost"], **given})
    assert entry.evidence == ("kept",) and entry.corrections == ()


def test_secrets_leave_before_the_entry_exists() -> None:
    key = "sk-" + "a1B2c3D4e5F6g7H8i9J0"
    entry = new_entry(
        "execution",
        f"use {key}",
        "i1",
        parameters={"password": "hunter2x", "nested": [{"text": f"token={key}"}]},
        evidence=[f"printed {key}"],
        attachments=[{"path": f"/tmp/{key}"}],
        error="x " * 495 + key,
    )
    stored = repr(entry) + str(entry.as_record())
    assert "sk-a1B2" not in stored and "hunter2x" not in stored


def test_texts_and_lists_are_bounded_and_say_so() -> None:
    entry = new_entry("planning", "a" * 5000, "i1", evidence=[f"e{n}" for n in range(80)])
    assert len(entry.thought) == 1000 and entry.thought.endswith("…")
    assert len(entry.evidence) == MOST_ITEMS and entry.evidence[-1] == MORE
    more = entry.updated(evidence=["later"])
    assert more.evidence == entry.evidence


def test_a_later_version_keeps_its_place_and_of_a_path_the_last_word_counts() -> None:
    trace = ReasoningTrace("i1")
    first = new_entry(
        "execution", "a", "i1", outcome="pending", attachments=[{"path": "p", "status": "found"}]
    )
    trace.put(first)
    trace.put(new_entry("correction", "b", "i1", corrections=["x", "x"], commitments=["send_email"]))
    assert trace.pending() == [first]
    trace.put(first.updated(outcome="success", attachments=[{"path": "p", "status": "sent"}]))
    assert [entry.thought for entry in trace.entries] == ["a", "b"] and trace.pending() == []
    assert trace.attachments() == [{"path": "p", "status": "sent"}]
    assert trace.corrections() == ["x"] and trace.commitments() == ["send_email"]
