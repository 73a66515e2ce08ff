"""Name patterns, and which of them cover which."""

import fnmatch

from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.tutor.proving.patterns import can_begin_with, covers, literal, matches, parse

written = st.text(alphabet="ab.*?", max_size=6) | st.sampled_from(["[ab]*", "[!a]?", "*.[b-b]", "a[a-b]"])
names = st.text(alphabet="abc.", min_size=1, max_size=6)


@given(written, names)
@settings(max_examples=200)
def test_names_fit_as_in_the_standard_library(pattern: str, name: str) -> None:
    steps = parse(pattern)
    assert steps is not None
    assert matches(steps, name) == fnmatch.fnmatchcase(name, pattern)
    if matches(steps, name):
        assert can_begin_with(steps, name[0])


@given(written, written, st.lists(names, max_size=30))
@settings(max_examples=200)
def test_what_is_covered_fits(wider: str, narrower: str, some: list[str]) -> None:
    one, other = parse(wider), parse(narrower)
    assert one is not None and other is not None
    if covers(one, other):
        assert all(matches(one, name) for name in some if matches(other, name))
    for name in some:
        assert covers(one, literal(name)) == matches(one, name)


def test_wider_patterns_are_known() -> None:
    pairs = [
        ("*.py", "test_*.py"),
        ("*", ".*"),
        ("*a*", "*ba?"),
        ("?*", "[ab]"),
        ("[!a]*", "b*"),
        ("[a-c]", "[bc]"),
    ]
    for wider, narrower in pairs:
        one, other = parse(wider), parse(narrower)
        assert one is not None and other is not None
        assert covers(one, other)
        assert not covers(other, one)


def test_what_systems_read_in_several_ways_is_no_pattern() -> None:
    for unclear in ("[", "[a", "[[:alpha:]]", "a\\", "[a\\]]", "[z-a]", "*" * 300):
        assert parse(unclear) is None
    escaped = parse("\\*")
    assert escaped is not None
    assert matches(escaped, "*") and not matches(escaped, "a")
