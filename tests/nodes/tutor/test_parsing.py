"""What is a move, and what is none."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.tutor.flat_moves import FlatMove, flat
from nodes.tutor.moves import Assert, Pass
from nodes.tutor.parsing import FORMS, LONGEST_GIVEN, NoMove, kept, read_move, signature_of

CLAIM: dict[str, Any] = {"predicate": "contains", "subject": "a.txt", "value": "x"}


@pytest.mark.parametrize("kind", FORMS)
def test_every_form_that_is_shown_is_a_move(kind: str) -> None:
    move = read_move(FORMS[kind])
    assert not isinstance(move, NoMove) and move.move == kind
    assert read_move(json.loads(FORMS[kind])) == move


@pytest.mark.parametrize(
    "given_text",
    [
        "I pass.",
        'My move: {"move": "PASS"}',
        '```json\n{"move": "PASS"}\n```',
        '{"move": "PASS"} {"move": "PASS"}',
        '[{"move": "PASS"}]',
        '{"move": "PASS", "move": "PASS"}',
        '{"move": "pass"}',
        '{"move": "PASS", "why": "tired"}',
        '{"move": ["PASS"]}',
        '{"move": "ASSERT"}',
        '{"move": "LINK", "claim": "c1", "evidence": "o1"}',
        '{"move": "LINK", "claim": "c1", "evidence": []}',
        '{"move": "ASSERT", "claim": {"predicate": "count", "subject": "a", "value": NaN}}',
        '{"move": "ASSERT", "claim": {"predicate": "count", "subject": "a", "value": 99999999999999999999}}',
        '{"move": "ASSERT", "claim": {"predicate": "contains", "subject": "a", "value": "\\ud800"}}',
        "[" * 5000,
        '{"a":' * 5000,
        "1" * (LONGEST_GIVEN + 9),
        "",
        "null",
    ],
)
def test_whatever_else_is_no_move_and_is_told_how_to_write_one(given_text: str) -> None:
    move = read_move(kept(given_text))
    assert isinstance(move, NoMove) and move.message


def test_white_space_around_a_move_is_no_prose() -> None:
    assert read_move(' \n{"move": "PASS"}\n') == Pass()


PLAIN = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary()


@given(st.recursive(PLAIN, lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner)))
def test_whatever_is_given_can_be_kept_and_reads_the_same_again(given_value: Any) -> None:
    once = kept(given_value)
    assert json.loads(json.dumps(once)) == once and kept(once) == once
    json.dumps(once, ensure_ascii=False).encode("utf-8")
    assert isinstance(read_move(once), NoMove)


def test_a_signature_is_the_same_for_the_same_move() -> None:
    one = read_move({"move": "ASSERT", "claim": {**CLAIM, "label": "x"}, "evidence": ["o2", "o1"]})
    other = read_move({"evidence": ["o1", "o2", "o1"], "claim": CLAIM, "move": "ASSERT"})
    assert isinstance(one, Assert) and signature_of(one, "") == signature_of(other, "")
    third = read_move({"move": "ASSERT", "claim": {**CLAIM, "value": "y"}, "evidence": ["o1", "o2"]})
    assert signature_of(third, "") != signature_of(one, "")


VALUES = st.sampled_from(["x", "1", "true", '"q"', "a b", "[1]", "null", ""])
CLAIMS = st.one_of(
    st.builds(
        dict,
        predicate=st.sampled_from(["contains", "equals", "imports", "before"]),
        subject=st.sampled_from(["a.txt", "a:1"]),
        value=VALUES,
        unit=st.sampled_from([None, "line"]),
        scope=st.sampled_from([None, "d"]),
    ),
    st.builds(
        dict,
        predicate=st.sampled_from(["count", "value_of", "cycle", "changed_between", "greater"]),
        subject=st.sampled_from(["a.txt", "k.l"]),
        value=VALUES | st.integers(-5, 5) | st.booleans() | st.just(["a", "b"]) | st.none() | st.just(1.5),
        unit=st.sampled_from([None, "lines"]),
        scope=st.sampled_from([None, "d", ["old", "new"]]),
    ),
    st.just({"predicate": "exists", "subject": "a"}),
)
NAMES = st.lists(st.sampled_from(["o1", "o2", "o30"]), min_size=1, max_size=3)
CALLS = st.sampled_from(
    [{"raw": "grep -rn 'a  b' ."}, {"tool": "cat", "args": {"path": "a b"}}, {"tool": "ls", "args": {}}]
)
MOVES = st.one_of(
    st.builds(lambda request: {"move": "PROPOSE", "request": request}, CALLS),
    st.builds(lambda claim, names: {"move": "ASSERT", "claim": claim, "evidence": names}, CLAIMS, NAMES),
    st.builds(lambda claim: {"move": "REFORMULATE", "claim": "c1", "into": claim}, CLAIMS),
    st.builds(lambda names: {"move": "LINK", "claim": "c2", "evidence": names}, NAMES),
    st.builds(lambda request: {"move": "CHALLENGE", "claim": "c1", "falsifier": request}, CALLS),
    st.builds(lambda names: {"move": "CHALLENGE", "claim": "c1", "evidence": names}, NAMES),
    st.just({"move": "ANSWER", "claims": ["c1", "c2"]}),
    st.just({"move": "ASK", "question": "Why?"}),
    st.just({"move": "PASS"}),
)


@given(MOVES)
def test_a_flat_move_is_the_move_it_was_made_of(move: dict[str, Any]) -> None:
    whole = read_move(move)
    assert not isinstance(whole, NoMove)
    again = FlatMove.model_validate(flat(whole.model_dump(mode="json"))).whole()
    assert read_move(again) == whole
    assert read_move(FlatMove.model_validate(move).whole()) == whole


@given(st.fixed_dictionaries({"move": st.sampled_from(list(FORMS))}, optional={
    name: st.text() for name in
    ("command", "predicate", "subject", "value", "unit", "scope", "evidence", "claim")}))  # fmt: skip
def test_any_flat_move_becomes_something_the_engine_can_judge(fields: dict[str, str]) -> None:
    move = FlatMove.model_validate(fields).whole()
    assert move["move"] == fields["move"] and read_move(kept(move))
