from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nodes.research.nearest import MOST, nearest, nearest_facts, nearest_markdown
from nodes.research.state import Source

QUERY = "What does the sandbox use to isolate programs?"
TEXTS = {
    1: "The kitchen opens at nine. Nobody else has a key.",
    2: "Programs run in a sandbox of namespaces.\n\nThe tea is free.",
}
SOURCES = [
    Source(number=1, url="a.md", name="Kitchen", site="", stored="1", digest="1"),
    Source(number=2, url="b.md", name="[Tools](javascript:alert(1))", site="", stored="2", digest="2"),
]


def test_the_passage_that_holds_most_of_the_words_is_quoted_with_its_source() -> None:
    found = nearest(QUERY, TEXTS)
    assert [one.number for one in found] == [2]
    told = nearest_markdown(nearest_facts(found, SOURCES), QUERY)
    assert "“Programs run in a sandbox of namespaces." in told
    assert "](" not in told
    (fact,) = nearest_facts(found, SOURCES)
    assert TEXTS[2][fact["start"] : fact["end"]] == fact["text"]


def test_nothing_near_is_no_section() -> None:
    assert nearest("Who painted the ceiling?", TEXTS) == []
    assert nearest_markdown([], QUERY) == ""


@given(st.dictionaries(st.integers(1, 6), st.text(max_size=300), max_size=6), st.text(max_size=60))
def test_any_text_is_quoted_on_a_line_of_its_own(texts: dict[int, str], query: str) -> None:
    sources = [Source(number=n, url=f"{n}.md", name="", site="", stored="", digest="") for n in range(1, 7)]
    found = nearest(query, texts)
    assert len(found) <= MOST
    told = nearest_markdown(nearest_facts(found, sources), query)
    assert not told or len(told.splitlines()) == len(found) + 2
    for one in found:
        assert texts[one.number][one.start : one.end] == one.text
