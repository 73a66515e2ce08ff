import json
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from nodes.contractive.events import (
    EventLine,
    ResultLine,
    event_line,
    events_of,
    read_lines,
    result_line,
    result_of,
)
from nodes.contractive.state import ContractiveState, Event
from tests.nodes.contractive.trees import event, question, towers

texts = st.text(st.characters(codec=None, categories=None), max_size=12)
# Few times and facts, so that many are alike.
events = st.builds(
    event, st.sampled_from(["sampled", "merged", "started", "pass_ended", "finished"]), st.integers(0, 3)
)


def run_of(of_run: list[Event], *of_questions: list[Event]) -> ContractiveState:
    tree = {
        f"0.{n}": question(f"0.{n}", "?", events=[one.model_copy(update={"node": f"0.{n}"}) for one in told])
        for n, told in enumerate(of_questions)
    }
    return ContractiveState(events=of_run, tree=tree)


def test_events_of_the_tree_and_of_the_run_come_in_order_of_time() -> None:
    told = [(one.type, one.node) for one in events_of(towers())]
    assert told == [
        ("started", ""),
        ("node_created", "0"),
        ("node_created", "0.1"),
        ("reviewed", "0.1"),
        ("merged", "0"),
        ("pass_ended", ""),
        ("finished", ""),
    ]


@settings(max_examples=60)
@given(st.lists(events, max_size=5), st.lists(events, max_size=5), st.lists(events, max_size=5))
def test_no_event_is_lost_or_told_twice_and_none_overtakes_its_own(
    run: list[Event], one: list[Event], two: list[Event]
) -> None:
    state = run_of(run, one, two)
    told = events_of(state)
    assert told == events_of(state.model_dump(mode="json"))
    dumped = sorted(one.model_dump_json() for one in told)
    assert dumped == sorted(
        entry.model_dump_json()
        for one in [state.events, *(node.events for node in state.tree.values())]
        for entry in one
    )
    for node in state.tree.values():
        kinds = {entry.type for entry in node.events}
        if len(kinds) == 1:
            assert [entry for entry in told if entry.node == node.id] == node.events
    in_order = [sorted(told_by, key=lambda entry: entry.at) == told_by for told_by in (run, one, two)]
    if all(in_order):
        assert all(before.at <= after.at for before, after in pairwise(told))


def test_a_clock_that_was_set_back_turns_nothing_round() -> None:
    told = events_of(run_of([], [event("normalized", 20), event("sampled", 10), event("merged", 15)]))
    assert [one.type for one in told] == ["normalized", "sampled", "merged"]


def test_what_run_and_question_both_tell_is_told_once() -> None:
    both = event("sampled", 5, "0.0")
    state = run_of([event("started", 0), both], [both, both, event("merged", 6)])
    assert [one.type for one in events_of(state)] == ["started", "sampled", "sampled", "merged"]


@given(texts, texts, st.booleans())
def test_a_line_is_one_line_and_is_read_again(node: str, fact: str, ascii_only: bool) -> None:
    given = {
        "kind": "contractive",
        "type": "sampled",
        "at": event("a", 1).at,
        "node": node,
        "facts": {"x": fact},
    }
    text = event_line(given, ascii_only=ascii_only) + result_line(
        ResultLine(answer=fact, status="answered"), ascii_only=ascii_only
    )
    assert text.count("\n") == 2 and (text.isascii() or not ascii_only)
    first, last = read_lines(text)
    readable = fact.encode("utf-8", "replace").decode()
    assert isinstance(first, EventLine) and first.facts == {"x": readable}
    assert isinstance(last, ResultLine) and last.answer == readable
    assert "kind" not in json.loads(text.split("\n")[0])


@pytest.mark.parametrize(
    "changed",
    [{"type": ""}, {"type": "two words"}, {"at": "soon"}, {"at": "2026-01-02T03:04:05"}, {"facts": 3}],
)
def test_what_is_no_event_is_no_line(changed: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        event_line({**event("sampled", 1).model_dump(), **changed})


def test_the_result_says_what_the_samples_said() -> None:
    told = result_of(towers(), "t", [{"question": "Which?"}])
    assert (told.status, told.stop_reason, told.answer) == (
        "uncertain",
        "fixed_point",
        "Tower A is taller by 12.5 m.",
    )
    assert (told.samples, told.entropy, told.passes) == (7, 0.64, 1)
    assert [one.size for one in told.clusters] == [3, 2, 1, 1] and told.waiting_for == [
        {"question": "Which?"}
    ]
    empty = result_of(ContractiveState(), "t")
    assert (empty.entropy, empty.samples, empty.status) == (None, 0, "running")
