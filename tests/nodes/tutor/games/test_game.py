"""Targets: their form, and the one claim a seal names."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.tutor.claims import Claim
from nodes.tutor.games.game import Target, sealed

RIGHT = Claim(predicate="value_of", subject="a.b", value=1, scope="c.json")
TARGET = Target(
    predicate="value_of", open=frozenset({"subject", "value"}), scope="c.json", seal=sealed(RIGHT)
)


@pytest.mark.parametrize(
    "change",
    [{"value": True}, {"value": 1.0}, {"value": "1"}, {"subject": "a.c"}, {"value": [1]}, {"value": None}],
)
def test_what_is_open_may_be_anything_of_the_form_and_only_one_claim_settles(change: dict[str, Any]) -> None:
    other = RIGHT.model_copy(update=change)
    assert TARGET.fits(RIGHT) and TARGET.has_form(other) and not TARGET.fits(other)


@pytest.mark.parametrize(
    "change", [{"scope": "d.json"}, {"scope": None}, {"unit": "ms"}, {"predicate": "count"}]
)
def test_what_is_given_must_be_as_given(change: dict[str, Any]) -> None:
    other = RIGHT.model_copy(update=change)
    assert not TARGET.has_form(other) and not TARGET.fits(other)


def test_without_a_seal_every_claim_of_the_form_settles() -> None:
    target = TARGET.model_copy(update={"seal": ""})
    assert target.fits(RIGHT) and target.fits(RIGHT.model_copy(update={"subject": "x", "value": [2]}))


def test_a_seal_holds_for_every_spelling_of_a_path_and_any_label() -> None:
    plain = Claim(predicate="before", subject="a/b.log:3", value="c.log:4", scope="corrected by x")
    same = Claim(
        predicate="before", subject="./a//b.log:3", value="./c.log:4", scope="corrected by x", label="y"
    )
    assert sealed(plain) == sealed(same)
    assert sealed(plain) != sealed(plain.model_copy(update={"subject": "c.log:4", "value": "a/b.log:3"}))


def test_a_path_that_is_given_may_be_spelled_otherwise_and_a_text_may_not() -> None:
    spelled = RIGHT.model_copy(update={"scope": "./c.json"})
    assert TARGET.fits(spelled) and not TARGET.fits(RIGHT.model_copy(update={"subject": "./a.b"}))
    literal = Target(predicate="count", open=frozenset({"value"}), subject="a//b", unit="matching lines")
    claim = Claim(predicate="count", subject="a//b", value=1, unit="matching lines")
    assert literal.fits(claim) and not literal.fits(claim.model_copy(update={"subject": "a/b"}))
    folder = Target(predicate="cycle", open=frozenset({"value"}), subject="a/b")
    ring = Claim(predicate="cycle", subject="./a/b/", value=["x", "y"])
    assert folder.fits(ring) and not folder.fits(ring.model_copy(update={"subject": "a/c"}))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(["contains", "before", "value_of"]), st.text(), json_values)
def test_no_claim_a_model_may_write_stops_a_target(predicate: Any, subject: str, value: Any) -> None:
    claim = Claim(predicate=predicate, subject=subject, value=value, scope="c.json")
    assert not TARGET.fits(claim)
