import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from mcp_types import CallToolResult, EmbeddedResource, ResourceLink, TextContent, TextResourceContents

from tools.search.mcp_results import MOST_CHARS, items_of, results_of

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["results", "id", "text", "url", "title", "metadata", "x"]), inner)
    ),
    max_leaves=12,
)


def answer(structured: Any = None, *texts: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(text=text) for text in texts], structured_content=structured)


@settings(max_examples=40)
@given(JSON, st.booleans())
def test_whatever_a_server_answers_becomes_items_or_nothing(value: Any, as_text: bool) -> None:
    given = answer(None, json.dumps(value)) if as_text else answer(value)
    items, _ = items_of(results_of(given), "library", 1000)
    assert all(item.url and item.description.strip() and item.name for item in items)
    assert all(item.site == "library" for item in items if item.url.startswith("mcp:"))


def test_entries_are_found_under_the_usual_names() -> None:
    entry = {"id": 7, "headline": "Ferry", "snippet": "It opens.", "link": "https://a.example/7"}
    for value in (
        [entry],
        {"results": [entry]},
        {"result": {"items": [entry]}},
        {"result": json.dumps([entry])},
    ):
        for reply in (answer(value), answer(None, json.dumps(value))):
            (one,) = results_of(reply)
            assert (one.key, one.title, one.text, one.url) == (
                "7",
                "Ferry",
                "It opens.",
                "https://a.example/7",
            )


def test_a_document_by_itself_keeps_its_own_text() -> None:
    (one,) = results_of(answer({"id": "a", "text": "Whole.", "data": {"text": "other"}}))
    assert one.text == "Whole."


def test_resources_and_links_are_results() -> None:
    blocks = [
        ResourceLink(uri="https://a.example/", name="A", description="About a."),
        EmbeddedResource(resource=TextResourceContents(uri="file:///b.txt", text="Text of b.")),
    ]
    items, _ = items_of(results_of(CallToolResult(content=list(blocks))), "library", 1000)
    assert [(item.url, item.description) for item in items] == [
        ("https://a.example/", "About a."),
        ("mcp:library/file:///b.txt", "Text of b."),
    ]


def test_the_texts_of_one_answer_are_bounded_together() -> None:
    long = "word " * (MOST_CHARS // 8)
    items, notes = items_of(results_of(answer([{"text": long}] * 4)), "library", 60_000_000)
    assert sum(len(item.description) for item in items) <= MOST_CHARS
    assert "too long" in notes[-1]
