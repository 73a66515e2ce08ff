import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.search.items import Item
from tools.search.merging import canonical_url, merged


def item(url: str, text: str, date: str = "", score: int = 0) -> Item:
    schema = {"datePublished": date} if date else {}
    return Item.model_validate({"url": url, "description": text, "schema_object": schema, "score": score})


@pytest.mark.parametrize(
    "url",
    [
        "https://A.example/x/", "https://a.example:443/x", "https://a.example/x#top", " https://a.example/x",
        "https://a.example/x?utm_source=n&fbclid=1", "HTTPS://a.example./x",
    ],
)  # fmt: skip
def test_spellings_of_one_address_are_one(url: str) -> None:
    assert canonical_url(url) == "https://a.example/x"


@pytest.mark.parametrize(
    "url",
    ["https://a.example/x?id=2", "https://a.example/x#part=2", "https://a.example:8443/x", "docs/a b.md"],
)
def test_what_names_another_document_is_kept(url: str) -> None:
    assert canonical_url(url) == url


@given(st.text())
def test_any_text_has_one_canonical_form(url: str) -> None:
    assert canonical_url(canonical_url(url)) == canonical_url(url)


def test_of_several_texts_the_newest_is_kept_and_it_is_told() -> None:
    items = [item("https://a.example/x", "old and long", "2023-01-01", 90), item("b", "other")]
    kept, notes = merged([*items, item("https://a.example/x/", "new", "2024-01-01", 10)])
    assert [(one.description, one.score) for one in kept] == [("new", 90), ("other", 0)]
    assert len(notes) == 1 and "2024-01-01" in notes[0]


def test_the_same_text_twice_is_no_news() -> None:
    kept, notes = merged([item("a", "text"), item("a", "text")])
    assert len(kept) == 1 and notes == []
