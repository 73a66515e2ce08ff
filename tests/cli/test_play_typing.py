"""Moves as a person types them."""

import json
import shlex
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.play_typing import COMMANDS, HELP, NotUnderstood, move_of
from nodes.tutor.claims import Claim
from nodes.tutor.parsing import NoMove, read_move
from tests.cli.test_play_claims import CLAIMS

NAMES = st.lists(st.integers(1, 30).map("o{}".format), min_size=1, max_size=3, unique=True)


def line_of(claim: Claim, mark: str = "=") -> str:
    """A claim as a person would type it."""
    words = [claim.predicate, claim.subject, *((claim.unit or "").split())]
    if claim.predicate not in ("exists", "absent"):
        value = claim.value if isinstance(claim.value, str) else json.dumps(claim.value)
        words += [mark, value]
    scope = claim.scope if isinstance(claim.scope, tuple) else (claim.scope,)
    said = " ".join(map(shlex.quote, words))
    return f"{said} in {' '.join(map(shlex.quote, filter(None, scope)))}" if claim.scope else said


def read(move: Mapping[str, Any] | str) -> Any:
    typed = read_move(move)
    assert not isinstance(typed, NoMove), typed
    return typed


@given(st.sampled_from(CLAIMS), NAMES, st.sampled_from([" ", ",", ", "]))
def test_a_claim_that_is_typed_is_the_claim(claim: Claim, names: list[str], between: str) -> None:
    plain = claim.model_copy(update={"label": ""})
    asserted = read(move_of(f"assert {line_of(claim)} by {between.join(names)}"))
    assert asserted.claim.key == plain.key and list(asserted.evidence) == names
    assert read(move_of(f"ASSERT {line_of(claim, 'is')}")).claim.key == plain.key
    instead = read(move_of(f"instead c3 {line_of(claim)}"))
    assert (instead.claim, instead.into.key) == ("c3", plain.key)


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("cat 'a b.txt'", {"move": "PROPOSE", "request": {"raw": "cat 'a b.txt'"}}),
        ("answer c1, c2", {"move": "ANSWER", "claims": ["c1", "c2"]}),
        ("link c1 o2 o3", {"move": "LINK", "claim": "c1", "evidence": ["o2", "o3"]}),
        ("challenge c1 by o2", {"move": "CHALLENGE", "claim": "c1", "evidence": ["o2"]}),
        (
            "challenge c1 grep -c x 'a b'",
            {"move": "CHALLENGE", "claim": "c1", "falsifier": {"raw": "grep -c x 'a b'"}},
        ),
        ("ask where is it?", {"move": "ASK", "question": "where is it?"}),
        ("pass", {"move": "PASS"}),
        (' {"move": "PASS"} ', {"move": "PASS"}),
        ("12", "12"),
    ],
)
def test_short_commands_are_moves(line: str, move: dict[str, Any] | str) -> None:
    assert move_of(line) == move
    if isinstance(move, dict):
        read(move)


@pytest.mark.parametrize(
    ("line", "claim"),
    [
        ("assert contains a.txt by by o1", {"subject": "a.txt", "value": "by"}),
        ("assert contains a.txt in", {"subject": "a.txt", "value": "in"}),
        ('assert contains a.txt "port = 80"', {"value": "port = 80"}),
        ("assert contains a.txt 12", {"value": "12"}),
        ("assert count error matching lines = 2 in log", {"unit": "matching lines", "value": 2}),
        ("assert contains a.txt line", {"unit": "line"}),
        ("assert contains a.txt = line", {"value": "line"}),
    ],
)
def test_words_of_the_form_may_be_what_is_claimed(line: str, claim: dict[str, Any]) -> None:
    move = move_of(line)
    assert isinstance(move, dict) and claim.items() <= move["claim"].items()


@pytest.mark.parametrize(
    "line",
    ["assert", "assert smells a b", "assert contains a 'b", "assert contains a b c", "link c1",
     "challenge c1", '{"move": ', "{}{}", "instead c1 count a lines = 1 by o1", "link 'c1"],
)  # fmt: skip
def test_what_is_no_move_says_how_to_write_one(line: str) -> None:
    with pytest.raises(NotUnderstood, match=r"\w+ \w+"):
        move_of(line)


@given(
    st.text() | st.sampled_from(sorted(COMMANDS)).flatmap(lambda word: st.text().map(f"{word} {{}}".format))
)
def test_whatever_is_typed_is_a_move_or_is_not_understood(line: str) -> None:
    try:
        move = move_of(line)
    except NotUnderstood as problem:
        assert str(problem)
        return
    assert isinstance(move, str | dict)


def test_the_help_names_every_command() -> None:
    assert all(f"  {name}" in HELP for name in COMMANDS)
