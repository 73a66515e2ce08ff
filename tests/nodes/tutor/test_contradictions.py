"""Which claims cannot both be so, and which say the same."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.tutor.claims import PREDICATES, Claim
from nodes.tutor.contradictions import Contradictions, contradict
from nodes.tutor.identity import normalised


def said(predicate: Any, subject: str = "a", value: Any = True, unit: Any = None, scope: Any = None) -> Claim:
    return Claim(predicate=predicate, subject=subject, value=value, unit=unit, scope=scope)


VERSIONS = ["v1", "v2"]
AGAINST = [
    (said("exists"), said("absent")),
    (said("exists", unit="file"), said("absent")),
    (said("exists", unit="file"), said("absent", unit="file")),
    (said("contains", value="x"), said("not_contains", value="x")),
    (said("contains", value="x", unit="line"), said("not_contains", value="x")),
    (said("count", value=1, unit="lines"), said("count", value=2, unit="lines")),
    (said("count", "./a", 1, "lines"), said("count", "a", 2, "lines")),
    (said("equals", value="x"), said("equals", value="y")),
    (said("value_of", "k", 1, scope="a.json"), said("value_of", "k", 1.0, scope="a.json")),
    (said("value_of", "k", 1, scope="a.json"), said("value_of", "k", True, scope="./a.json")),
    (said("changed_between", scope=VERSIONS), said("changed_between", value=False, scope=VERSIONS)),
    (said("before", "a:1", "a:2"), said("after", "a:1", "a:2")),
    (said("before", "a:1", "b:2"), said("before", "b:2", "a:1")),
    (said("greater", value=5, unit="lines"), said("less", value=5, unit="lines")),
    (said("greater", value=5, unit="lines"), said("less", value=3, unit="lines")),
    (said("greater", "a", "b", "lines"), said("greater", "b", "a", "lines")),
    (said("greater", "a", "b", "lines"), said("less", "a", "b", "lines")),
    (said("count", value=5, unit="lines"), said("greater", value=5, unit="lines")),
    (said("count", value=5, unit="lines"), said("less", value=5, unit="lines")),
]  # fmt: skip
BESIDE = [
    (said("exists", unit="directory"), said("absent", unit="file")),
    (said("exists", scope="x"), said("absent", scope="y")),
    (said("contains", value="x"), said("not_contains", value="x", unit="word")),
    (said("contains", value="x"), said("contains", value="y")),
    (said("count", value=1, unit="lines"), said("count", value=2, unit="words")),
    (said("count", value=1, unit="lines"), said("count", "b", 2, "lines")),
    (said("equals", value="x"), said("equals", value="x\n")),
    (said("equals", value="b", unit="file"), said("equals", value="c", unit="file")),
    (said("equals", value="AB", unit="sha256"), said("equals", value="ab", unit="sha256")),
    (said("changed_between", "a", ["1", "2"], "line"), said("changed_between", "a", ["3", "4"], "line")),
    (said("before", "a:1", "a:2"), said("before", "a:1", "a:3")),
    (said("greater", value=3, unit="lines"), said("less", value=5, unit="lines")),
    (said("count", value=5, unit="lines"), said("greater", value=4, unit="lines")),
    (said("causes", "a:1", "l:1"), said("causes", "a:2", "l:2")),
    (said("value_of", "k", 1, scope="a.json"), said("value_of", "k", 2, scope="b.json")),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), AGAINST)
def test_claims_that_cannot_both_be_so_are_found(one: Claim, other: Claim) -> None:
    for first, second in ((one, other), (other, one)):
        assert contradict(normalised(first), normalised(second))
        holding = Contradictions()
        holding.add("c1", first)
        assert holding.of("c2", second) == ["c1"] and holding.of("c1", second) == []
        holding.remove("c1")
        assert holding.of("c2", second) == []


@pytest.mark.parametrize(("one", "other"), BESIDE)
def test_claims_that_may_both_be_so_are_left_alone(one: Claim, other: Claim) -> None:
    assert not contradict(normalised(one), normalised(other))
    holding = Contradictions()
    holding.add("c1", one)
    assert holding.of("c2", other) == []


CLAIMS = st.builds(
    said,
    st.sampled_from(PREDICATES),
    st.sampled_from(["a", "b", "a:1", "b:2"]),
    st.sampled_from([1, 2, 2.5, "a", "b", "a:1", "b:2", True, False, [1], None]),
    st.sampled_from([None, "lines", "file", "word", "line"]),
    st.sampled_from([None, "d", ("d", "e")]),
)


@given(CLAIMS, CLAIMS)
def test_contradiction_goes_both_ways_and_the_index_misses_none(one: Claim, other: Claim) -> None:
    one, other = normalised(one), normalised(other)
    against = contradict(one, other)
    assert contradict(other, one) == against
    holding = Contradictions()
    holding.add("c1", one)
    assert holding.of("c2", other) == (["c1"] if against else [])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (said("exists", "./a//b/"), said("exists", "a/b")),
        (said("before", "./a:1", "b:2"), said("before", "a:1", "./b:2")),
        (said("count", "x", 1, "lines", "./d"), said("count", "x", 1, "lines", "d")),
        (said("cycle", "p", ["b", "c", "a"]), said("cycle", "./p", ["a", "b", "c"])),
    ],
)
def test_one_thing_is_said_in_one_way(one: Claim, other: Claim) -> None:
    assert normalised(one).key == normalised(other).key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (said("count", "./a", 1, "matching lines", "d"), said("count", "a", 1, "matching lines", "d")),
        (said("contains", "a", "./x"), said("contains", "a", "x")),
        (said("cycle", "p", ["a", "c", "b"]), said("cycle", "p", ["a", "b", "c"])),
        (said("exists", "a"), said("exists", "a", scope=".")),
    ],
)
def test_texts_are_not_paths(one: Claim, other: Claim) -> None:
    assert normalised(one).key != normalised(other).key
