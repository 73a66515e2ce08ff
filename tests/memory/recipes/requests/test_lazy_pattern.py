import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.recipes.requests.files_made import FILE_ACTIONS
from memory.recipes.requests.lazy_pattern import LazyPattern
from memory.recipes.requests.lines import TEMPLATES
from memory.recipes.requests.marked import mark
from memory.recipes.requests.permissions import PERMISSION_ACTIONS
from memory.recipes.requests.wording import plain
from tests.memory.recipes.requests.test_changes import CHANGES
from tests.memory.recipes.requests.test_reading import REQUESTS

SHIPPED = [
    *(pattern for pattern, _ in (*FILE_ACTIONS, *PERMISSION_ACTIONS)),
    *(template[1] for template in TEMPLATES),
]
PIECES = st.one_of(
    st.sampled_from("abki"),
    st.sampled_from(["a?", "b*", "[ab]", "[^]a]k", r"\w", r"\(", "(?=a)", "a{0,1}", ".+"]),
)
EXPRESSIONS = st.recursive(
    PIECES,
    lambda inner: st.builds(
        lambda branches, name, after: f"(?{name}{'|'.join(branches)}){after}",
        st.lists(st.lists(inner, max_size=3).map("".join), min_size=1, max_size=3),
        st.just(":"),
        st.sampled_from(["", "?", "*", "{0,2}", "+"]),
    ),
    max_leaves=6,
)


@given(st.lists(EXPRESSIONS, max_size=3).map("".join), st.text("abkiABKI\u212a\u0131\u0130(]", max_size=5))
def test_what_a_pattern_matches_is_what_it_matches_compiled(raw: str, text: str) -> None:
    said, expected = LazyPattern(raw).fullmatch(text), re.compile(raw, re.IGNORECASE).fullmatch(text)
    assert (said is None) == (expected is None)
    assert said is None or expected is None or said.groups() == expected.groups()


def test_shipped_patterns_read_requests_as_they_do_compiled() -> None:
    texts = [plain(mark(goal).text) for goal in (*REQUESTS, *CHANGES)]
    found = 0
    for pattern in SHIPPED:
        for text in texts:
            match = pattern.fullmatch(text)
            assert (match is None) == (pattern.compiled.fullmatch(text) is None), (text, pattern.openings)
            found += match is not None
    assert found > len(CHANGES)


@pytest.mark.parametrize(
    ("raw", "openings"),
    [
        (r"(?:copy|cp) (?P<x>\w+)", ("copy", "cp")),
        (r"(?P<verb>(?:count|(?:find and )?tally)|show) .+", ("count", "find", "tally", "show")),
        (r"(?:the )?lines?", ("the", "line")),
        (r"colou?r", ("colo",)),
        (r"a?b", None),
        (r".+ of x", None),
        (r"(?:|x)y", None),
        (r"(?!a)b", None),
        (r"[ab]c|d", None),
    ],
)
def test_the_openings_are_those_of_every_alternative(raw: str, openings: tuple[str, ...] | None) -> None:
    assert LazyPattern(raw).openings == openings


def test_most_shipped_patterns_are_left_uncompiled_by_small_talk() -> None:
    seen = [pattern for pattern in SHIPPED if pattern.openings is not None]
    assert len(seen) > 0.9 * len(SHIPPED)
    assert not any("hello there".startswith(pattern.openings or ("",)) for pattern in seen)
