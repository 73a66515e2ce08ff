"""Ratios of distances, and why iterating stops."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.contractive.answers import short_answer
from nodes.contractive.contraction import contraction_stop, ratios, resampling_noise
from nodes.contractive.distance import distance


def gap(one: float, other: float) -> float:
    return min(1.0, abs(one - other))


@pytest.mark.parametrize(
    ("states", "reason"),
    [
        ([0.5], None),
        ([0.5, 0.5], None),
        ([0.5, 0.5, 0.5], "fixed_point"),
        ([0.9, 0.5, 0.505, 0.5], "fixed_point"),
        ([0.8, 0.4, 0.2, 0.1], None),
        ([0.0, 0.1, 0.3, 0.6], "diverging"),
        ([0.0, 0.1, 0.3, 0.4], None),
        ([0.0, 0.5, 0.0], None),
        ([0.0, 0.5, 0.0, 0.5], "cycle"),
        ([0.9, 0.0, 0.3, 0.6, 0.0, 0.3, 0.6], "cycle"),
        ([0.5, 0.5, 0.9], None),
    ],
)
def test_why_it_stops(states: list[float], reason: str | None) -> None:
    assert contraction_stop(states, gap, eps=0.01) == reason


def test_ratios_are_of_neighbouring_steps() -> None:
    assert ratios([0.8, 0.4, 0.0, 0.3]) == [0.5, 0.0, None]
    assert ratios([]) == [] and ratios([0.3]) == []


@pytest.mark.parametrize("steps", [[0.1, -0.1], [float("nan")]])
def test_a_distance_is_not_negative(steps: list[float]) -> None:
    with pytest.raises(ValueError, match="at least 0"):
        ratios(steps)


@given(st.floats(0, 0.8), st.floats(0.1, 0.5))
@settings(max_examples=15)
def test_a_contraction_comes_to_its_fixed_point(factor: float, start: float) -> None:
    states = [start * factor**n for n in range(40)]
    stops = [contraction_stop(states[:n], gap, eps=1e-3) for n in range(1, 41)]
    assert next(stop for stop in stops if stop) == "fixed_point"


def test_noise_is_the_mean_distance_of_one_state() -> None:
    assert resampling_noise([0.0, 0.2, 0.1]) == pytest.approx(0.1) and resampling_noise([]) == 0.0


@pytest.mark.parametrize(
    ("question", "one", "other", "apart"),
    [
        ("How many?", "100", "80", 0.2),
        ("How far?", "1 km", "800 m", 0.2),
        ("How many?", "5", "-5", 1.0),
        ("Which are they?", "red, green, blue", "red, green", 1 / 3),
        ("Sort 1, 2, 3, 4.", "1, 2, 3, 4", "1, 2, 4, 3", 0.5),
        ("When was it?", "May 8, 1945", "May 9, 1945", 1 / 3),
        ("When was it?", "May 8, 1945", "June 8, 1945", 2 / 3),
        ("Is it open?", "Yes", "No", 1.0),
        ("How many?", "5", "I don't know.", 1.0),
        ("How many?", "5", "five", 0.0),
    ],
)
def test_the_distance_of_answers(question: str, one: str, other: str, apart: float) -> None:
    found = distance(question, short_answer(one, question), short_answer(other, question))
    assert found == pytest.approx(apart)
    assert found == distance(question, short_answer(other, question), short_answer(one, question))


def test_answers_that_draw_together_do_so_by_their_distances() -> None:
    answers = [short_answer(text, "How many?") for text in ("160", "120", "100", "100", "100")]
    steps = [distance("How many?", one, other) for one, other in zip(answers, answers[1:], strict=False)]
    assert steps == pytest.approx([0.25, 1 / 6, 0.0, 0.0]) and ratios(steps)[0] == pytest.approx(2 / 3)
    assert contraction_stop(answers, lambda a, b: distance("How many?", a, b), 0.0) == "fixed_point"
