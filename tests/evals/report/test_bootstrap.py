"""Intervals against cases whose bootstrap distribution is known."""

import operator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.report.bootstrap import average, bootstrap_interval, lift, meets, quotient, share

figures = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30)


def test_two_values_that_differ_give_an_interval_from_one_to_the_other() -> None:
    # Resampled means are 0, 1/2 and 1 with probabilities 1/4, 1/2, 1/4.
    assert bootstrap_interval([0, 1]) == (0, 1)


@pytest.mark.parametrize(("n", "right"), [(100, 50), (100, 90), (400, 100)])
def test_the_interval_of_a_share_is_that_of_the_binomial_distribution(n: int, right: int) -> None:
    low, high = bootstrap_interval([1.0] * right + [0.0] * (n - right))
    exact = np.random.default_rng(7).binomial(n, right / n, 200_000) / n
    expected = np.percentile(exact, [2.5, 97.5])
    assert (low, high) == pytest.approx(tuple(expected), abs=1.5 / n)


@given(figures, st.integers(0, 5))
def test_an_interval_holds_no_value_beyond_the_sample_and_is_the_same_each_time(
    values: list[float], seed: int
) -> None:
    low, high = bootstrap_interval(values, seed)
    slack = 1e-6 * (1 + max(map(abs, values)))
    assert min(values) - slack <= low <= high <= max(values) + slack
    assert bootstrap_interval(values, seed) == (low, high)


def test_nothing_measured_has_no_figure_and_meets_no_target() -> None:
    metric = share("right", [], target="> 80%")
    assert (metric.value, metric.met, metric.n) == (None, None, 0)
    with pytest.raises(ValueError):
        bootstrap_interval([])


@given(
    st.floats(-100, 100), st.integers(-100, 100), st.sampled_from(["<", "<=", ">", ">=", "="]), st.booleans()
)
def test_a_target_is_met_when_the_comparison_holds(
    value: float, bound: int, sign: str, percent: bool
) -> None:
    signs = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq}
    limit = bound / 100 if percent else float(bound)
    assert meets(value, f"{sign} {bound}{'%' if percent else ''}") is signs[sign](value, limit)


def test_a_target_written_otherwise_is_refused() -> None:
    with pytest.raises(ValueError, match="no target"):
        meets(1, "about 80%")


def test_lift_is_the_mean_difference_of_pairs() -> None:
    metric = lift("lift", [(True, False)] * 3 + [(True, True)] * 5 + [(False, True)] * 2)
    assert metric.value == pytest.approx(0.1)
    assert metric.low is not None and metric.high is not None and metric.low < 0.1 < metric.high


def test_an_average_says_whether_it_meets_its_target() -> None:
    assert average("steps", [1, 2, 3], target="< 6").met is True
    assert average("steps", [10, 12], target="< 6").met is False


def test_repetitions_of_one_case_make_no_interval_narrower() -> None:
    cases = [1.0] * 6 + [0.0] * 4
    repeated = [value for value in cases for _ in range(10)]
    names = [str(number) for number in range(10) for _ in range(10)]
    low, high = bootstrap_interval(repeated, clusters=names)
    assert (low, high) == bootstrap_interval(cases)
    alone = bootstrap_interval(repeated)
    assert low < alone[0] and alone[1] < high
    with pytest.raises(ValueError, match="cluster"):
        bootstrap_interval(cases, clusters=["a"])


pairs_of_counts = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=12)


@given(pairs_of_counts, st.integers(0, 5))
def test_a_quotient_is_that_of_the_sums_and_its_interval_lies_between_the_single_ones(
    pairs: list[tuple[float, float]], seed: int
) -> None:
    metric = quotient("rate", pairs, seed=seed)
    counted = [(over, under) for over, under in pairs if under]
    if not counted:
        assert (metric.value, metric.n) == (None, 0)
        return
    assert metric.value is not None and metric.low is not None and metric.high is not None
    assert metric.value == pytest.approx(sum(over for over, _ in counted) / metric.n)
    assert metric.n == sum(under for _, under in counted)
    single = [over / under for over, under in counted]
    assert min(single) - 1e-9 <= metric.low <= metric.high <= max(single) + 1e-9


def test_a_quotient_is_resampled_by_clusters_and_held_against_its_target() -> None:
    pairs = [(1, 2), (0, 2), (2, 2), (0, 1)]
    whole = quotient("rate", pairs, clusters=["a", "a", "b", "b"], target="< 50%")
    assert whole == quotient("rate", [(1, 4), (2, 3)], target="< 50%")
    assert whole.value == 3 / 7 and whole.met is True
    assert quotient("rate", pairs, target="= 0").met is False
