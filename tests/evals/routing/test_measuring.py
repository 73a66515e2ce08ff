"""Figures of routing, of decisions that are known."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from evals.routing.measuring import Routed, summarise
from evals.routing.table import RoutedGoal
from nodes.collective.engines import ENGINES, Engine
from nodes.routing.deciding import forced

PAIRS = st.lists(st.tuples(st.sampled_from(ENGINES), st.sampled_from(ENGINES)), min_size=1, max_size=20)


def routed(pairs: list[tuple[Engine, Engine]]) -> list[Routed]:
    return [
        Routed(RoutedGoal(str(number), right, "a goal"), forced(given_to), 1.0)
        for number, (right, given_to) in enumerate(pairs)
    ]


@given(PAIRS)
def test_figures_agree_with_one_another(pairs: list[tuple[Engine, Engine]]) -> None:
    report = summarise(routed(pairs), 0)
    right = sum(one == other for one, other in pairs)
    assert report["accuracy"] == round(right / len(pairs), 4)
    assert len(report["wrong"]) == len(pairs) - right
    assert sum(sum(row.values()) for row in report["confusion"].values()) == len(pairs)
    for engine in ENGINES:
        figures = report["engines"][engine]
        assert figures["n"] == sum(one == engine for one, _ in pairs)
        assert (figures["recall"] is None) == (figures["n"] == 0)
    assert report["target"]["met"] == (report["accuracy"] >= 0.9)


def test_recall_and_precision_are_told_apart() -> None:
    report = summarise(routed([("tutor", "tutor"), ("tutor", "research"), ("hybrid", "tutor")]), 0)
    assert report["engines"]["tutor"] == {"n": 2, "recall": 0.5, "precision": 0.5}
    assert report["engines"]["research"] == {"n": 0, "recall": None, "precision": 0.0}
