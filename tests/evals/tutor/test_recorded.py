"""What is written down of a game: an error is no win, and neither is the tutor's answer, nor a false one."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.report import Planned
from evals.tutor.field import NULL
from evals.tutor.recorded import case_of, counted, status_of, wrong_claims
from nodes.tutor.games.generating import GAMES, generate
from tests.evals.tutor.made import GAME, case, lost, played, turn

KINDS = st.sampled_from(["PROPOSE", "ASSERT", "REFORMULATE", "ANSWER", "PASS", ""])
OUTCOMES = st.sampled_from(["played", "illegal", "failed", "rejected"])


@pytest.mark.parametrize(
    ("found", "status"),
    [
        (played(), "won"),
        (played(ended="composed"), "composed"),
        (lost(), "lost"),
        (lost(ended="answers"), "lost"),
        (lost(ended="player"), "error"),
        (lost(failure="The model failed."), "error"),
        (played(failure="The model failed."), "error"),
        (played(ended=None), "error"),
    ],
)
def test_a_win_is_an_answer_of_the_players_own_in_a_game_nothing_went_wrong_with(
    found: Any, status: str
) -> None:
    assert status_of(found) == status
    recorded = case_of(Planned(id="B01", variant="none", model="p:m"), GAME, found)
    assert recorded.passed == (status == "won") and bool(recorded.detail) == (status != "won")


@pytest.mark.parametrize("model", NULL)
def test_who_knows_nothing_goes_as_it_should_by_losing(model: str) -> None:
    assert not case(model).passed and "knows nothing" in case(model).detail
    beaten = case(model, ended="turns", won=False, answer=[])
    assert beaten.passed and not beaten.detail
    assert not case(model, ended="composed").passed
    assert not case(model, ended="player", won=False, answer=[]).passed


def test_moves_are_counted_by_what_became_of_them() -> None:
    turns = [
        turn("PROPOSE"),
        turn("PROPOSE", "failed"),
        turn("", "illegal"),
        turn("ASSERT"),
        turn("ASSERT", "rejected", helped=("compass",)),
        turn("ASSERT", "illegal"),
        turn("REFORMULATE", "rejected"),
        turn("ANSWER", "rejected"),
        turn("ANSWER", "rejected", by="tutor"),
        turn("ASSERT", "lost", otherwise="rejected"),
    ]
    assert counted(turns) == {
        "moves": 9,
        "illegal": 2,
        "failed": 1,
        "asserted": 4,
        "unsupported": 3,
        "answers_rejected": 1,
        "helped": 1,
    }


@given(st.lists(st.tuples(KINDS, OUTCOMES)))
def test_no_rate_is_above_one(moves: list[tuple[str, str]]) -> None:
    found = counted([turn(move, outcome) for move, outcome in moves])
    assert 0 <= found["illegal"] <= found["moves"] == len(moves)
    assert 0 <= found["unsupported"] <= found["asserted"] <= found["moves"]


@pytest.mark.parametrize("id", sorted(GAMES))
def test_the_claims_expected_are_so_and_others_are_looked_into(id: str) -> None:
    game = generate(id, 3)
    assert wrong_claims(game, game.expected) == []
    spoiled = [claim.model_copy(update={"subject": "no/such.py:9"}) for claim in game.expected]
    assert len(wrong_claims(game, spoiled)) == len(spoiled)


def test_a_true_claim_that_was_not_expected_is_not_wrong() -> None:
    path, text = next(iter(GAME.files.items()))
    there = GAME.expected[0].model_copy(update={"predicate": "contains", "subject": path, "value": text[:5]})
    assert wrong_claims(GAME, [there]) == []


def test_an_accepted_answer_that_is_false_is_no_win_and_is_told() -> None:
    false = GAME.expected[0].model_copy(update={"value": "what no file holds"})
    recorded = case(answer=[false])
    assert recorded.status == "won" and recorded.false_success and not recorded.passed
    assert "this is not so" in recorded.detail and "what no file holds" in recorded.detail
    # Of a game without an accepted answer nothing is claimed.
    assert not case(ended="turns", won=False, answer=[]).false_success
    assert not case(answer=[false], failure="The model failed.").passed


def test_what_a_game_cost_and_brought_is_kept() -> None:
    recorded = case(turns=[turn(), turn("ANSWER", "won")])
    assert (recorded.steps, recorded.group, recorded.extra["score"]) == (2, GAME.band, 7)
    assert recorded.extra["justification"] == 0.5 and recorded.extra["par"] == GAME.par
    assert case(ended="turns", won=False, answer=[]).extra["justification"] is None
