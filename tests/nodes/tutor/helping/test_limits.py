"""What is open is counted, and only what begins something new has to wait."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from configs.work_limits import RECENT_TURNS, WorkLimits
from nodes.tutor.claims import Claim
from nodes.tutor.helping.limits import refusal_of
from nodes.tutor.helping.open_work import open_questions, unproved_claims, unused_observations
from nodes.tutor.moves import Answer, Ask, Assert, Challenge, Link, Move, Pass, Propose, Reformulate, Request
from tests.nodes.tutor.helping.playing import GAMES, Play

CLAIM = Claim(predicate="exists", subject="x")


def wrong(number: int) -> Assert:
    return Assert(claim=Claim(predicate="exists", subject=f"x{number}"), evidence=())


def question(number: int) -> Ask:
    return Ask(question=f"Where is {number}?")


def look(number: int) -> Propose:
    return Propose(request=Request(tool="grep", args={"pattern": f"p{number}", "path": "."}))


@given(st.integers(1, 6), st.sampled_from([wrong, question, look]))
@settings(max_examples=25)
def test_a_kind_of_work_is_refused_from_its_limit_on_and_nothing_else_is(
    most: int, begin: Callable[[int], Move]
) -> None:
    play = Play(GAMES["token"](1))
    limits = WorkLimits(open_questions=most, unproved_claims=most, unused_observations=most)
    for number in range(most):
        assert refusal_of(play.graph, limits, begin(number)) is None
        play.play(begin(number))
    refusal = refusal_of(play.graph, limits, begin(most))
    assert refusal is not None and f"({_letter(begin)}1" in refusal
    others: list[Move] = [
        Link(evidence=("o1",), claim="c1"),
        Challenge(claim="c1", evidence=("o1",)),
        Reformulate(claim="c1", into=CLAIM),
        Answer(claims=("c1",)),
        Pass(),
        *(other(99) for other in (wrong, question, look) if other is not begin),
    ]
    assert all(refusal_of(play.graph, limits, move) is None for move in others)
    assert refusal_of(play.graph, WorkLimits(), begin(most)) is None


def _letter(begin: Callable[[int], Move]) -> str:
    return {wrong: "c", question: "q", look: "o"}[begin]  # type: ignore[index]  # one of the three


def proved(play: Play) -> Assert:
    """Two moves that prove what the game asks for; the first is played."""
    expected = play.game.expected[0]
    play.play(Propose(request=Request(tool="cat", args={"path": expected.subject})))
    return Assert(claim=expected, evidence=(f"o{play.graph.count('observation')}",))


def test_a_proved_claim_closes_questions_and_is_open_no_more() -> None:
    play = Play(GAMES["token"](1))
    play.play(question(1))
    assert open_questions(play.graph) == ("q1",)
    play.play(proved(play))
    assert open_questions(play.graph) == () and unproved_claims(play.graph) == ()
    play.play(question(2))
    assert open_questions(play.graph) == ("q2",)


def test_a_claim_that_is_reformulated_is_open_no_more() -> None:
    play = Play(GAMES["token"](1))
    play.play(wrong(1))
    play.play(wrong(2))
    play.graph.join("derives", "c1", "c2", 2)
    assert unproved_claims(play.graph) == ("c2",)
    play.graph.nodes["c2"].status = "refuted"
    assert unproved_claims(play.graph) == ()


def test_saying_something_of_an_observation_or_asking_begins_the_count_of_observations_anew() -> None:
    for said in (wrong(1), question(1)):
        play = Play(GAMES["token"](1))
        play.play(look(1))
        play.play(look(2))
        assert unused_observations(play.graph) == ("o1", "o2")
        play.play(said)
        play.play(look(3))
        assert unused_observations(play.graph) == ("o3",)


@pytest.mark.parametrize("begin", [wrong, question, look])
def test_what_was_left_lying_counts_as_given_up_so_no_limit_ends_a_game(
    begin: Callable[[int], Move],
) -> None:
    play = Play(GAMES["token"](1))
    limits = WorkLimits(open_questions=1, unproved_claims=1, unused_observations=1)
    play.play(begin(1))
    assert refusal_of(play.graph, limits, begin(2)) is not None
    for _ in range(RECENT_TURNS):
        play.play(Pass())
    assert refusal_of(play.graph, limits, begin(2)) is None
