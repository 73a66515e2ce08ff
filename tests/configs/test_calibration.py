"""The measured table of confidences: rising, interpolated, and refused when it is not."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import ValidationError

from configs.calibration import Calibration, load_calibration, parse_calibration
from configs.errors import SettingsError


@st.composite
def tables(draw: st.DrawFn) -> Calibration:
    raws = sorted(draw(st.sets(st.floats(0, 1), min_size=1, max_size=6)))
    shares = sorted(draw(st.lists(st.floats(0, 1), min_size=len(raws), max_size=len(raws))))
    return Calibration(groups={"g": tuple(zip(raws, shares, strict=True))})


@given(tables(), st.floats(0, 1), st.floats(0, 1))
def test_a_higher_score_never_shows_a_lower_share(table: Calibration, one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert 0 <= table.share("g", low) <= table.share("g", high) + 1e-12 <= 1 + 1e-9


@given(tables())
@example(Calibration(groups={"g": ((0.0, 0.0), (5e-324, 0.5))}))
def test_the_points_themselves_are_shown(table: Calibration) -> None:
    for raw, share in table.groups["g"]:
        assert table.share("g", raw) == pytest.approx(share)


@given(st.floats(0, 1))
def test_a_group_nobody_measured_shows_its_raw_score(raw: float) -> None:
    assert Calibration().share("none", raw) == pytest.approx(raw)


@pytest.mark.parametrize(
    "points",
    [(), ((0.1, 0.5), (0.1, 0.6)), ((0.2, 0.5), (0.1, 0.6)), ((0.1, 0.6), (0.2, 0.5)), ((0.1, 1.5),)],
)
def test_a_table_that_falls_or_leaves_the_unit_interval_is_refused(
    points: tuple[tuple[float, float], ...],
) -> None:
    with pytest.raises(ValidationError):
        Calibration(groups={"g": points})


@pytest.mark.parametrize("text", ["groups: [1]", "groups: {a: [[0.1]]}", "more: 1", "a: [", "7"])
def test_a_file_that_holds_no_table_says_what_to_do(text: str) -> None:
    with pytest.raises(SettingsError, match=r"evals\.calibration"):
        parse_calibration(text)


def test_the_packaged_table_is_one() -> None:
    assert load_calibration().source
