"""Scores and verdicts go together as the table says."""

import math
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from nodes.contractive.replies import LightPeerReply, NormalizeReply, PeerReply
from nodes.contractive.state import VERDICTS, Verdict
from nodes.contractive.verdicts import BORDERS, peer_review_of, verdict_of

FEW = settings(max_examples=25, deadline=None)
SCORES = st.floats(0, 1, allow_nan=False)


@pytest.mark.parametrize(
    ("score", "verdict"),
    [
        (1.0, "approved"),
        (0.6, "approved"),
        (0.5999, "minor_revision"),
        (math.nextafter(0.6, 0), "minor_revision"),
        (0.4, "minor_revision"),
        (math.nextafter(0.4, 0), "major_revision"),
        (0.3, "major_revision"),
        (0.2999, "reject"),
        (math.nextafter(0.3, 0), "reject"),
        (0.0, "reject"),
    ],
)
def test_the_upper_border_belongs_to_the_better_verdict(score: float, verdict: str) -> None:
    assert verdict_of(score) == verdict


@FEW
@given(SCORES, SCORES)
def test_a_higher_score_never_has_a_worse_verdict(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert VERDICTS.index(verdict_of(high)) <= VERDICTS.index(verdict_of(low))


@FEW
@given(st.floats().filter(lambda score: not 0 <= score <= 1))
def test_what_is_no_score_is_refused(score: float) -> None:
    with pytest.raises(ValueError):
        verdict_of(score)


@FEW
@given(st.floats(allow_nan=False), st.sampled_from(VERDICTS))
def test_a_peers_verdict_binds_and_its_score_is_brought_into_range(score: float, verdict: Verdict) -> None:
    told, brought = peer_review_of(score, verdict)
    assert told == verdict == verdict_of(brought)
    low, high = BORDERS[verdict]
    assert brought == score or brought in (low, high)


@FEW
@given(SCORES)
def test_a_score_that_fits_its_verdict_stays(score: float) -> None:
    assert peer_review_of(score, verdict_of(score)) == (verdict_of(score), score)


@pytest.mark.parametrize("verdict", VERDICTS)
def test_a_peers_score_that_is_not_a_number_is_refused(verdict: Verdict) -> None:
    with pytest.raises(ValueError, match="not a number"):
        peer_review_of(math.nan, verdict)


@pytest.mark.parametrize("said", ["not incorrect", "Approved", "reject.", "", "approve", "minor revision"])
def test_only_the_words_of_the_schema_are_verdicts(said: str) -> None:
    for reply in (LightPeerReply, PeerReply):
        with pytest.raises(ValidationError):
            reply.model_validate({"verdict": said, "score": 0.5})
    with pytest.raises(ValueError, match="no verdict"):
        peer_review_of(0.5, said)  # type: ignore[arg-type]


def test_every_verdict_has_its_range() -> None:
    assert set(BORDERS) == set(get_args(Verdict)) == set(VERDICTS)


@pytest.mark.parametrize("score", [math.nan, math.inf])
def test_a_reply_has_a_number_for_its_score(score: float) -> None:
    with pytest.raises(ValidationError):
        PeerReply(verdict="approved", score=score)


def test_a_slip_of_the_scale_loses_no_review() -> None:
    reply = PeerReply(verdict="minor_revision", score=5)
    verdict, score = peer_review_of(reply.score, reply.verdict)
    assert verdict_of(score) == verdict == "minor_revision"


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ([], []),
        (["one"], []),
        (["one", " one "], []),
        (["one", "two"], ["one", "two"]),
        (["one", "", "two"], ["one", "two"]),
    ],
)
def test_a_question_has_no_readings_or_several(told: list[str], kept: list[str]) -> None:
    assert NormalizeReply(question="q?", readings=told).readings == kept


def test_more_than_four_readings_are_refused() -> None:
    with pytest.raises(ValidationError):
        NormalizeReply(question="q?", readings=list("abcde"))
