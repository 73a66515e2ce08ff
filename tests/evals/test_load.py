from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.load import main, verdicts
from evals.load_figures import bounds, quantile
from evals.load_runs import ANSWER, goals, problem_of


@given(st.integers(1, 500), st.integers(1, 500), st.integers(1, 9), st.floats(0.01, 2), st.floats(0.001, 2))
def test_bounds_are_those_of_a_server_without_work_and_of_a_model_without_latency(
    runs: int, jobs: int, calls: int, latency: float, work: float
) -> None:
    ideal, ceiling = bounds(runs, jobs, calls, latency, 2, work)
    assert ideal * calls * latency == pytest.approx(min(runs, jobs))
    assert ceiling * work == pytest.approx(2)


def test_what_takes_no_time_bounds_nothing() -> None:
    assert bounds(10, 10, 3, 0.0, 2, 0.0) == (math.inf, math.inf)


@given(st.lists(st.floats(0, 100), min_size=1, max_size=50), st.floats(0.01, 1))
def test_a_quantile_is_a_value_that_the_share_reaches(values: list[float], share: float) -> None:
    found = quantile(values, share)
    assert found in values
    assert sum(one <= found for one in values) >= share * len(values) - 1e-9
    assert sum(one < found for one in values) < share * len(values) + 1e-9


@given(st.integers(1, 300), st.integers(0, 5))
def test_no_two_runs_ask_the_same(count: int, seed: int) -> None:
    asked = goals(count, seed)
    assert len(asked) == count == len(set(asked))


@pytest.mark.parametrize(
    "values",
    [
        {"status": "could_not", "final_answer": ANSWER},
        {"status": "answered", "final_answer": "Boreas flies the flag NO."},
        {"status": "answered"},
        {"__error__": {"error": "TimeoutError"}},
        [],
        None,
    ],
)
def test_a_run_that_does_not_answer_what_the_file_says_is_a_problem(values: object) -> None:
    assert problem_of(values)


def test_a_run_that_answers_is_none() -> None:
    assert problem_of({"status": "answered", "final_answer": f"{ANSWER}\n"}) == ""


@pytest.mark.parametrize(("share", "errors", "met"), [(0.8, 0, [True, True]), (0.79, 3, [False, False])])
def test_targets_are_met_or_missed(share: float, errors: int, met: list[bool]) -> None:
    rows = [{"share_of_ideal": share, "errors": 0}, {"share_of_ideal": 1.0, "errors": errors}]
    assert [one["met"] for one in verdicts(rows).values()] == met


@pytest.mark.parametrize(
    "options", [["--jobs", "x"], ["--jobs", "1,"], ["--jobs", "0"], ["--runs", "0"], ["--latency", "0"]]
)
def test_what_cannot_be_measured_is_refused_before_anything_starts(
    options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(options)
    assert ended.value.code == 2
    assert options[0] in capsys.readouterr().err
