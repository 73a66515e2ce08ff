"""Figures follow from cases: who stumbled, who was lifted, which target holds for whom."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.reflective.measures import metrics, plots, tables
from evals.report import Case, Metric
from evals.report.sampling import evenly


def case(name: str, **fields: Any) -> Case:
    base: dict[str, Any] = {
        "id": name,
        "group": "counting",
        "variant": "graph_v30",
        "model": "m",
        "passed": True,
    }
    return Case.model_validate(base | fields)


def by_name(cases: list[Case], judged: str = "graph_v30") -> dict[str, Metric]:
    return {metric.name: metric for metric in metrics(cases, judged, 0)}


def test_figures_of_the_seeds_come_from_the_cases_they_are_about() -> None:
    found = by_name(
        [
            case("a", steps=2),
            case("b", passed=False, reflections=1, recovered=False, budget_exhausted=True, steps=4),
            case("c", group="recovery", reflections=1, recovered=True, steps=3),
            case("d", group="bypass", extra={"label": "bypass", "expected_labels": ["bypass"]}),
            case("e", group="bypass", extra={"label": "simple", "expected_labels": ["bypass"]}),
            case("f", group="impossible", passed=False, false_success=True, budget_exhausted=True),
        ]
    )
    assert found["plan success (passed without reflection)"].value == 0.5
    assert found["recovery (first plan failed, run passed)"].value == 0.5
    assert found["budget exhausted"].value == pytest.approx(1 / 5)
    assert found["BYPASS accuracy"].value == 0.5 and found["BYPASS accuracy"].met is False
    assert found["false success"].value == pytest.approx(1 / 6) and found["false success"].met is False
    assert found["steps per task"].value == pytest.approx(9 / 6) and found["steps per task"].met is True


def test_a_recovered_run_is_no_plan_success() -> None:
    found = by_name([case("a", reflections=1, recovered=True)])
    assert found["plan success (passed without reflection)"].value == 0


def test_lift_compares_the_same_scenarios_only() -> None:
    cases = [case("a"), case("b"), case("c", passed=False)]
    cases += [case("a", variant="S0", passed=False), case("b", variant="S0"), case("z", variant="S0")]
    lifted = by_name(cases)["lift over S0"]
    assert lifted.value == pytest.approx(0.5) and lifted.n == 2


def test_targets_are_for_the_strategy_that_is_judged() -> None:
    cases = [
        case("a", false_success=True, passed=False),
        case("a", variant="loop_v1", false_success=True, passed=False),
    ]
    found = by_name(cases)
    assert found["graph_v30: false success"].met is False
    assert found["loop_v1: false success"].met is None and found["loop_v1: false success"].value == 1


def test_the_oracle_has_to_pass_everything() -> None:
    assert (
        by_name([case("a", model="scripted:oracle"), case("b", model="scripted:oracle", passed=False)])[
            "passed"
        ].met
        is False
    )
    assert by_name([case("a", passed=False)])["passed"].met is None


def test_confidence_counts_where_an_answer_was_given() -> None:
    cases = [
        case("a", status="answered", confidence=0.9, extra={"right": True}),
        case("b", status="partial", confidence=0.4, extra={"right": False}),
        case("c", status="could_not", confidence=0.0, extra={"right": False}),
    ]
    found = by_name(cases)
    assert found["Brier score"].n == 2 and found["Brier score"].value == pytest.approx((0.01 + 0.16) / 2)
    assert any(table.title.startswith("reliability") for table in tables(cases))
    assert {plot.kind for plot in plots(cases, 0)} == {"bars", "reliability", "histogram"}


@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=60), st.integers(1, 70), st.integers(0, 3))
def test_a_sample_is_drawn_evenly_from_the_groups(groups: list[str], most: int, seed: int) -> None:
    items = list(enumerate(groups))
    drawn = evenly(items, lambda item: item[1], most, seed)
    assert drawn == sorted(set(drawn)) and len(drawn) == min(most, len(items))
    assert drawn == evenly(items, lambda item: item[1], most, seed)
    if most >= len(set(groups)):
        assert {group for _, group in drawn} == set(groups)
    for group in set(groups):
        share = groups.count(group) / len(groups) * min(most, len(items))
        assert abs(sum(one == group for _, one in drawn) - share) <= len(set(groups))
