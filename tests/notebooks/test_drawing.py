"""What the notebooks' plots share."""

from collections.abc import Iterator

import matplotlib
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from notebooks.drawing import BLUE, PALE, RED, Box, draw_diagram, use_style, whiskers

INTERVALS = st.tuples(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1)).map(sorted)


@pytest.fixture
def axes() -> Iterator[Axes]:
    with matplotlib.rc_context():
        use_style()
        yield Figure(figsize=(8, 4)).add_subplot()


def test_a_diagram_has_every_box_within_and_an_arrow_where_both_ends_are_there(axes: Axes) -> None:
    boxes = {"a": Box("one two three four", 0, 0, width=8), "b": Box("other", 3, -2, RED)}
    draw_diagram(axes, boxes, [("a", "b", BLUE), ("a", "nobody", RED), ("nobody", "b", RED)])
    words = [text.get_text() for text in axes.texts if text.get_text()]
    assert words == ["one two\nthree\nfour", "other"]
    arrows = [text for text in axes.texts if getattr(text, "arrow_patch", None) is not None]
    assert [arrow.arrow_patch.get_edgecolor() for arrow in arrows] == [matplotlib.colors.to_rgba(BLUE)]  # type: ignore[attr-defined]
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    assert left < 0 < 3 < right and low < -2 < 0 < high


def test_a_box_is_filled_with_a_pale_form_of_its_border(axes: Axes) -> None:
    boxes = {colour: Box(colour, number, 0, colour) for number, colour in enumerate(PALE)}
    draw_diagram(axes, boxes, [])
    for text in axes.texts:
        patch = text.get_bbox_patch()
        assert patch is not None
        border, fill = patch.get_edgecolor(), patch.get_facecolor()
        assert min(fill[:3]) > 0.75 and border[:3] != fill[:3]


@given(st.lists(INTERVALS, min_size=1, max_size=8))
def test_whiskers_reach_from_each_value_to_the_ends_of_its_interval(intervals: list[list[float]]) -> None:
    values = [middle for _, middle, _ in intervals]
    below, above = whiskers(values, [(low, high) for low, _, high in intervals])
    for (low, middle, high), down, up in zip(intervals, below, above, strict=True):
        assert down >= 0 and up >= 0
        assert (middle - down, middle + up) == pytest.approx((low, high))
