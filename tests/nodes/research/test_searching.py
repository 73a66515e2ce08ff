from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.research.retrieve import read_given
from nodes.research.searching import TRUSTED, merged
from nodes.research.state import Search
from tools.search.copies import COPIES
from tools.search.items import Item

TIERS = {"cna": 1, "udn": 2, "mag": 3, "agg": 4, "ptt": 5, "blog": 0}
PUBLISHED = st.tuples(st.sampled_from(sorted(TIERS)), st.sampled_from("abc"), st.integers(1, 3))
SEARCHES = st.lists(st.lists(PUBLISHED, max_size=6, unique_by=lambda one: one[0:1] + one[2:]), max_size=3)


def tier_of(item: Item) -> int:
    return TIERS[item.site]


def found(published: Sequence[tuple[str, str, int]]) -> tuple[Search, list[Item]]:
    items = [
        Item(url=f"https://{site}.example/{text}{n}", site=site, description=text * 9)
        for site, text, n in published
    ]
    return Search(query="q", found=len(items), stored=[item.url for item in items]), items


@given(SEARCHES, st.booleans())
def test_of_one_text_the_best_tier_is_the_source_and_the_others_its_copies(
    published: list[list[tuple[str, str, int]]], at_once: bool
) -> None:
    searches = [found(one) for one in published]
    sources = merged([], searches if at_once else [], tier_of)
    for search in [] if at_once else searches:
        sources = merged(sources, [search], tier_of)
    items = [item for _, listed in searches for item in listed]
    assert len({source.digest for source in sources}) == len(sources) == len({item.digest for item in items})
    for source in sources:
        same = [item for item in items if item.digest == source.digest]
        assert {source.url, *source.copies} == {item.url for item in same}
        assert source.url not in source.copies and len(set(source.copies)) == len(source.copies)
        assert TRUSTED.index(source.tier) == min(TRUSTED.index(tier_of(item)) for item in same)
        assert source.stored == source.url and TIERS[source.site] == source.tier


@given(SEARCHES)
def test_numbers_stay_and_are_given_once(published: list[list[tuple[str, str, int]]]) -> None:
    sources = merged([], [found(one) for one in published], tier_of)
    again = merged(sources, [found(one) for one in published], tier_of)
    assert {one.number: one.digest for one in again} == {one.number: one.digest for one in sources}
    assert len({one.number for one in sources}) == len(sources)


@pytest.mark.parametrize("mutual", [False, True])
def test_an_item_takes_in_only_the_copies_that_name_it_too(mutual: bool) -> None:
    one, other = (f"https://{site}.example/1" for site in ("ptt", "cna"))
    forged = Item(url=one, description="It was 9.", schema_object={COPIES: [other]})
    official = Item(url=other, description="It was 4.", schema_object={COPIES: [one]} if mutual else {})
    first = merged([], [(Search(query="a", stored=["1"]), [forged])])
    found_later = merged(first, [(Search(query="b", stored=["2"]), [official])])
    assert {source.url for source in found_later} == ({one} if mutual else {one, other})


def test_what_a_caller_says_of_copies_is_not_believed() -> None:
    given_item = {"url": "https://a.example/1", "description": "x", "schema_object": {COPIES: ["b"]}}
    ((item,), _) = read_given([given_item])
    assert COPIES not in item.schema_object


def test_strict_keeps_a_text_of_which_a_copy_was_found_first() -> None:
    (source,) = merged([], [found([("ptt", "a", 1), ("cna", "a", 1)])], tier_of)
    assert source.site == "cna" and source.tier == 1 and source.copies == ["https://ptt.example/a1"]
