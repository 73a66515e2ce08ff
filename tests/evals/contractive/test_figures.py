"""Figures: held against their definitions, and missing their targets when they should."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.contractive.figures import calibration_error, metrics_of
from evals.contractive.ranking import auroc
from evals.contractive.tables import plots_of, tables_of
from evals.report import Case, Metric

SCORES = st.lists(st.tuples(st.sampled_from([0.0, 0.25, 0.5, 0.5000001, 1.0]), st.booleans()), max_size=30)


@settings(max_examples=40)
@given(SCORES)
def test_the_area_is_the_share_of_pairs_in_order_with_ties_as_halves(
    scored: list[tuple[float, bool]],
) -> None:
    pairs = [(p, n) for p, positive in scored if positive for n, negative in scored if not negative]
    if not pairs:
        assert auroc(scored) is None
        return
    by_pairs = sum(1.0 if p > n else 0.5 if p == n else 0.0 for p, n in pairs) / len(pairs)
    assert auroc(scored) == pytest.approx(by_pairs)


@settings(max_examples=40)
@given(SCORES)
def test_turning_the_scores_round_turns_the_area_round(scored: list[tuple[float, bool]]) -> None:
    found = auroc(scored)
    turned = auroc([(-score, positive) for score, positive in scored])
    assert (found is None) == (turned is None)
    if found is not None and turned is not None:
        assert found + turned == pytest.approx(1.0)


def case(name: str, variant: str, passed: bool, **more: Any) -> Case:
    extra: dict[str, Any] = {
        "difficulty": "easy",
        "answered": True,
        "keywords_found": 1,
        "keywords": 2,
        "peer": "",
        "peer_told": "",
    }
    if variant != "S0":
        extra |= {
            "uncertainty": 0.0 if passed else 1.0,
            "questions": 4,
            "split": 1,
            "reviewed": 2,
            "approved": 1,
        }
        extra |= {"ratios": []}
    extra |= more.pop("extra", {})
    given: dict[str, Any] = {"tokens": 500, "model_calls": 3, "seconds": 2.0, "confidence": 0.9} | more
    return Case(
        id=name,
        group=name.rpartition("-")[0],
        variant=variant,
        model="m",
        passed=passed,
        extra=extra,
        **given,
    )


def figures(cases: list[Case]) -> dict[str, Metric]:
    return {metric.name: metric for metric in metrics_of(cases, 0)}


def test_figures_are_as_the_user_defined_them() -> None:
    found = figures(
        [
            case("maths-01", "S3", True, extra={"split": 2, "approved": 2, "ratios": [0.5, 2.0, 0.0]}),
            case("maths-02", "S3", False, tokens=1500, seconds=6.0, false_success=True),
        ]
    )
    value = {name: metric.value for name, metric in found.items()}
    assert value["S3: accuracy"] == 0.5 and value["S3: coverage"] == 1.0
    assert value["S3: keyword coverage"] == 0.5
    assert value["S3: right answers per 1000 tokens"] == 0.5
    assert value["S3: decomposition rate"] == 3 / 8
    assert value["S3: peer agreement"] == 3 / 4
    assert value["S3: seconds"] == 4.0 and value["S3: tokens"] == 1000.0 and value["S3: model calls"] == 3.0
    assert value["S3: says it is sure, and is wrong"] == 0.5
    assert value["graph: measured q, median"] == 0.5
    assert found["graph: measured q, median"].n == 3
    assert value["graph: measured q below 1"] == pytest.approx(2 / 3)
    assert value["graph: AUROC of uncertainty against error"] == 1.0
    assert value["graph: calibration error of confidence"] == pytest.approx(0.4)
    assert "S3: accuracy less that of S0" not in found


def test_a_scenario_below_the_bare_model_misses_its_target_and_only_those_that_have_one() -> None:
    cases = [case("maths-01", "S0", True), case("maths-02", "S0", False)]
    for variant in ("S1", "S2", "S4"):
        right = variant == "S4"
        cases += [case("maths-01", variant, right), case("maths-02", variant, right)]
    found = figures(cases)
    assert (
        found["S2: accuracy less that of S0"].met is False
        and found["S2: accuracy less that of S0"].value == -0.5
    )
    assert found["S4: accuracy less that of S0"].met is True
    assert found["S1: accuracy less that of S0"].met is None
    assert not any("decomposition" in name for name in found if name.startswith("S0"))


def test_uncertainty_that_tells_nothing_misses_its_target_and_one_class_has_none() -> None:
    blind = [case(f"maths-0{n}", "S2", n < 3, extra={"uncertainty": 0.5}) for n in range(1, 6)]
    assert figures(blind)["graph: AUROC of uncertainty against error"].met is False
    assert "graph: AUROC of uncertainty against error" not in figures([case("maths-01", "S2", True)])


def test_only_answers_that_were_given_count_for_calibration() -> None:
    silent = case("maths-02", "S2", False, confidence=None, extra={"answered": False})
    assert calibration_error([case("maths-01", "S2", True, confidence=1.0), silent]) == 0.0
    assert calibration_error([silent]) is None


def test_echoes_are_tried_on_every_task_that_ran() -> None:
    metric = figures([case("maths-01", "S0", True), case("regulation-05", "S0", True)])[
        "echoes and empty replies that pass"
    ]
    assert metric.value == 0.0 and metric.met is True and metric.n > 50


def test_a_run_that_ended_in_an_error_misses_its_target() -> None:
    cases = [case("maths-01", "S2", True), case("maths-02", "S2", False, status="error")]
    assert figures(cases)["runs that ended in an error"].met is False
    assert figures(cases[:1])["runs that ended in an error"].met is True


def test_tables_name_peers_and_reasons_and_plots_show_every_scenario() -> None:
    cases = [
        case("maths-01", "S0", True),
        case(
            "maths-01",
            "S4",
            True,
            stop_reason="confident",
            extra={"peer": "p:x", "peer_told": "as asked for"},
        ),
        case(
            "code-01",
            "S4",
            False,
            stop_reason="max_loops",
            extra={"peer": "p:x", "peer_told": "as asked for"},
        ),
    ]
    tables = {table.title: table for table in tables_of(cases)}
    assert [row[-1] for row in tables["By scenario"].rows] == [None, "p:x (as asked for)"]
    assert tables["Right by domain"].rows == [["S0", "1 of 1", None], ["S4", "1 of 1", "0 of 1"]]
    assert tables["Why runs stopped"].columns == ["scenario", "confident", "max_loops"]
    assert {plot.title for plot in plots_of(cases)} >= {
        "Right by domain",
        "Tokens of a run",
        "Time to solution",
    }
    assert len(plots_of(cases)) == 4 and len(plots_of(cases[:1])) == 3
