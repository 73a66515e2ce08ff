"""A fitted table never falls, keeps away from certainty, and gives each answer's share back."""

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from configs.calibration import parse_calibration
from evals.calibration.__main__ import answers_of, as_yaml
from evals.calibration.fitting import fit, fit_groups, held_out_figures, points, table
from evals.calibration.reliability import brier_score, expected_error, reliability_bins
from evals.report import Case

scores = st.integers(0, 50).map(lambda number: number / 50)
answers = st.lists(st.tuples(scores, st.booleans()), min_size=1, max_size=60)


@given(answers)
def test_shares_rise_with_the_score_and_every_answer_lies_in_one_block(
    given: list[tuple[float, bool]],
) -> None:
    blocks = fit(given)
    assert sum(block.n for block in blocks) == len(given)
    assert sum(block.right for block in blocks) == sum(right for _, right in given)
    for before, after in zip(blocks, blocks[1:], strict=False):
        assert before.high < after.low and before.share < after.share
    assert all(0 < block.share < 1 for block in blocks)


def test_twenty_right_of_twenty_is_not_certainty() -> None:
    (block,) = fit([(0.9, True)] * 20)
    assert block.share == pytest.approx(21 / 22)


def test_scores_that_order_answers_wrongly_are_pooled() -> None:
    falling = [(0.2, True)] * 9 + [(0.2, False)] + [(0.8, False)] * 9 + [(0.8, True)]
    (block,) = fit(falling)
    assert (block.low, block.high, block.right, block.n) == (0.2, 0.8, 10, 20)


@given(answers)
def test_what_is_written_is_what_runs_read(given: list[tuple[float, bool]]) -> None:
    blocks = fit_groups([("recipe", raw, right) for raw, right in given])
    read = parse_calibration(as_yaml(blocks, "measured on: this"))
    assert read.groups == table(blocks).groups == {"recipe": tuple(points(blocks["recipe"]))}
    for block in blocks["recipe"]:
        assert read.share("recipe", block.low) == pytest.approx(block.share, abs=0.0006)
        assert read.share("recipe", block.high) == pytest.approx(block.share, abs=0.0006)


def test_each_point_says_how_many_answers_stand_behind_it() -> None:
    text = as_yaml(fit_groups([("recipe", 0.5, True), ("recipe", 0.5, False)]), "x")
    assert "# 1 of 2" in text and yaml.safe_load(text)["groups"] == {"recipe": [[0.5, 0.5]]}


def test_without_answers_the_table_is_empty() -> None:
    assert parse_calibration(as_yaml({}, "nothing")).groups == {}


def test_only_answers_that_were_given_count() -> None:
    extra = {"group": "recipe", "raw": 0.9}
    cases = [
        Case(id="a", group="f", variant="v", passed=True, status="answered", extra=extra),
        Case(id="b", group="f", variant="v", passed=False, status="partial", extra=extra),
        Case(id="c", group="f", variant="v", passed=True, status="could_not", extra=extra),
        Case(id="d", group="f", variant="v", passed=False, status="error"),
    ]
    assert answers_of(cases) == [("recipe", 0.9, True), ("recipe", 0.9, False)]


def test_a_table_fitted_elsewhere_beats_scores_that_are_far_off() -> None:
    overconfident = [("recipe", 0.95, number % 2 == 0) for number in range(100)]
    figures = held_out_figures(overconfident, range(100))
    assert figures["brier_fitted"] < figures["brier_raw"] and figures["error_fitted"] < 0.1


@given(answers)
@example([(0.7, False)] * 3)
def test_bins_hold_every_answer_once(given: list[tuple[float, bool]]) -> None:
    bins = reliability_bins(given)
    assert sum(one.n for one in bins) == len(given)
    assert sum(one.n * one.right for one in bins) == pytest.approx(sum(right for _, right in given))
    assert all(one.low <= one.confidence <= one.high for one in bins)
    assert 0 <= expected_error(given) <= 1 and 0 <= brier_score(given) <= 1


def test_known_scores() -> None:
    shown = [(0.95, True), (0.95, False), (0.05, False), (1.0, True)]
    assert brier_score(shown) == pytest.approx((0.05**2 + 0.95**2 + 0.05**2) / 4)
    # The upper bin holds three answers of mean confidence 0.9667, two right; the lower is off by 0.05.
    assert expected_error(shown) == pytest.approx((3 * abs(2.9 / 3 - 2 / 3) + 0.05) / 4)
    with pytest.raises(ValueError):
        brier_score([])
