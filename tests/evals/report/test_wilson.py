"""Wilson's interval: known values, and what holds of every share."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.report import wilson_interval


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    # Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_published_values(hits: int, of: int, low: float, high: float) -> None:
    assert wilson_interval(hits, of) == pytest.approx((low, high), abs=5e-5)


@given(data=st.data(), of=st.integers(1, 10_000), level=st.floats(0.5, 0.999))
def test_it_holds_the_share_lies_within_0_and_1_and_is_never_a_point(
    data: st.DataObject, of: int, level: float
) -> None:
    hits = data.draw(st.integers(0, of))
    low, high = wilson_interval(hits, of, level)
    assert 0 <= low <= hits / of <= high <= 1 and low < high
    mirrored = wilson_interval(of - hits, of, level)
    assert (1 - mirrored[1], 1 - mirrored[0]) == pytest.approx((low, high), abs=1e-12)


@given(of=st.integers(1, 1000), hits=st.integers(0, 1000), times=st.integers(2, 9))
def test_more_cases_of_the_same_share_make_it_narrower(of: int, hits: int, times: int) -> None:
    hits = min(hits, of)
    few, many = wilson_interval(hits, of), wilson_interval(times * hits, times * of)
    assert many[1] - many[0] < few[1] - few[0]


@pytest.mark.parametrize(
    ("hits", "of", "level"), [(0, 0, 0.95), (3, 2, 0.95), (-1, 2, 0.95), (1, 2, 1.0), (1, 2, 0.0)]
)
def test_what_is_no_share_is_refused(hits: int, of: int, level: float) -> None:
    with pytest.raises(ValueError, match="is no"):
        wilson_interval(hits, of, level)
