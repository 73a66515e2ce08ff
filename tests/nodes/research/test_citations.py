from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.research.citations import CITE, cited_numbers, clean, rendered, renumbered, without_citations
from nodes.research.state import Source

SOURCES = [
    Source(number=1, url="https://a.example/1"),
    Source(number=4, url="https://b.example/4", copies=["https://copy.example/4"]),
    Source(number=7, url="https://c.example/7"),
]
SHOWN = {1, 4}
PIECES = st.sampled_from(
    ["{cite:1}", "{cite:4,9}", "{cite: 7}", "{cite:x}", "{{cite:2}}", "{cite", "[1]", "[9]", "【4】", "[a](https://a.example/1)",
     "[b](http://evil.example/)", "https://evil.example/x", "<https://b.example/4>", "https://copy.example/4.",
     "[x][y]",
     "Cargo rose. ", "貨物增加。", " ", "\n", "<b>", "\0cite:9\0", "![i](x)"]
)  # fmt: skip


@settings(deadline=None)
@given(st.lists(PIECES, max_size=12).map("".join))
def test_whatever_a_model_writes_only_shown_sources_are_cited(text: str) -> None:
    cleaned, _ = clean(text, SOURCES, SHOWN)
    assert set(cited_numbers(cleaned)) <= SHOWN
    assert "evil.example" not in cleaned and "{cite" not in CITE.sub("", cleaned)
    assert clean(cleaned, SOURCES, SHOWN) == (cleaned, 0)


@given(st.lists(PIECES, max_size=8).map("".join), st.permutations([1, 4]))
def test_renumbering_there_and_back_is_the_same_text(text: str, order: list[int]) -> None:
    cleaned, _ = clean(text, SOURCES, SHOWN)
    places = {number: place for place, number in enumerate(order, start=1)}
    back = {place: number for number, place in places.items()}
    assert renumbered(renumbered(cleaned, places), back) == renumbered(cleaned, {1: 1, 4: 4})


def test_every_form_of_a_citation_becomes_ours() -> None:
    text = "A {cite:1}. B [4]. C [see](https://b.example/4). D https://a.example/1. E {cite:1, 4}."
    cleaned, removed = clean(text, SOURCES, SHOWN)
    assert (
        cleaned == "A {cite:1}. B {cite:4}. C see{cite:4}. D {cite:1}. E {cite:1}{cite:4}." and removed == 0
    )
    assert rendered(cleaned) == "A [1]. B [4]. C see[4]. D [1]. E [1][4]."
    assert without_citations("A {cite:1}.") == "A ."


def test_a_source_that_was_not_shown_cannot_be_cited() -> None:
    assert clean("A {cite:7}. B https://c.example/7", SOURCES, SHOWN) == ("A. B", 2)


def test_a_models_own_list_of_sources_goes() -> None:
    text = "A {cite:1}.\n\n## Sources\n1. [x](https://a.example/1)\n2. other\n"
    assert clean(text, SOURCES, SHOWN)[0] == "A {cite:1}."
