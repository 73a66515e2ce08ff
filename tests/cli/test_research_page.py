from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.research_page import body_of, page_of
from tools.search.extraction import html
from tools.search.extraction.document import Unreadable

NASTY = "<script>alert(1)</script>\"'&{x}$title"


class Seen(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def seen(page: str) -> Seen:
    parser = Seen()
    parser.feed(page)
    return parser


def item(text: str, url: str = "https://a.example/1") -> dict[str, Any]:
    start = text.index("Cargo")
    span = {"url": url, "start": 3, "end": 9, "text": NASTY, "digest": "ab" * 32}
    stances = [{"url": url, "site": NASTY, "tier": 1, "stance": "contradicts", "text": "t", "copies": ["x"]}]
    return {
        "name": NASTY,
        "score": 70,
        "description": text,
        "schema_object": {
            "@type": "ResearchReport",
            "confidence": "Medium",
            "sentences": [
                {
                    "sentence": "Cargo rose [1].",
                    "start": start,
                    "end": start + 15,
                    "verdict": "supported",
                    "spans": [span],
                }
            ],
            "sources": [{"url": url, "name": NASTY, "tier": 1}],
            "contradictions": [{"claim": NASTY, "stances": stances}],
            "removed_sentences": [{"sentence": NASTY, "action": "dropped", "reason": "r"}],
            "timeline": [{"node": "critic", "what": NASTY, "iteration": 1}],
            "notes": [NASTY],
        },
    }


def test_a_sentence_leads_to_the_words_of_its_source() -> None:
    found = seen(page_of(item("# Title\n\n- Cargo rose [1].\n\nMore.\n")))
    links = [attributes["href"] for tag, attributes in found.tags if tag == "a"]
    ids = {attributes.get("id") for _, attributes in found.tags}
    assert "#e1" in links and "e1" in ids
    assert "Cargo rose [1]." in found.words and NASTY in found.words
    assert "critic".upper() in found.words and "contradicts" in found.words


@given(
    st.sampled_from(
        [
            "javascript:alert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "a b",
            "//x",
            "notes.md",
            "http://[bad",
        ]
    )
)
def test_nothing_on_the_page_runs_or_leads_outside_the_web(url: str) -> None:
    page = page_of(item("Cargo rose [1]. <img src=x onerror=alert(1)>", url))
    found = seen(page)
    assert not {tag for tag, _ in found.tags} & {"script", "img", "iframe", "object", "form", "base"}
    assert all(not name.startswith("on") for _, attributes in found.tags for name in attributes)
    targets = [str(attributes.get("href")) for tag, attributes in found.tags if tag == "a"]
    assert all(target.startswith(("#e", "http://", "https://")) for target in targets)


def test_reports_of_every_kind_have_a_page() -> None:
    for kind in ("NoDataReport", "ErrorReport"):
        page = page_of(
            {"name": "n", "score": 0, "description": "# n\n\nNothing.", "schema_object": {"@type": kind}}
        )
        assert kind in page and "Nothing." in page


def test_quotes_links_and_emphasis_are_shown_as_such() -> None:
    lines = (
        "> **Low.** A note.",
        "1. [Port <b>](https://example.org/a?b=1&c) — site",
        "2. [x](javascript:alert(1))",
    )
    text = "\n".join(lines)
    page = body_of(text, [])
    assert '<p class="aside"><strong>Low.</strong> A note.</p>' in page
    assert '<a href="https://example.org/a?b=1&amp;c" rel="noreferrer noopener">Port &lt;b&gt;</a>' in page
    assert 'href="javascript' not in page and "<b>" not in page


def test_a_page_without_sentences_has_no_empty_evidence_and_its_own_language() -> None:
    item = {"name": "n", "score": 0, "description": "# 深度研究：港口\n\n證據不足。", "schema_object": {}}
    page = page_of(item)
    assert "choose a sentence" not in page and "<title>深度研究：港口</title>" in page
    assert '<html lang="zh">' in page


def test_a_report_is_no_source_of_the_next_one() -> None:
    page = page_of({"description": "# a\n\nThe harbour opened in 1987.", "schema_object": {}})
    with pytest.raises(Unreadable, match="report of deep research"):
        html.extract(page.encode())


def test_a_file_is_named_where_no_link_can_lead_to_it() -> None:
    body = body_of("1. [Manual <b>](docs/mc-manual.html) — html", [])
    assert "docs/mc-manual.html" in body and "href" not in body and "<b>" not in body
    assert 'href="https://a.example/"' in body_of("[A](https://a.example/)", [])


def test_evidence_is_shown_in_lines_of_the_page() -> None:
    span = {"text": "When set\n   to\u00a0yes,\n it keeps track.", "url": "a.md", "start": 0, "end": 9}
    sentence = {"start": 5, "end": 9, "sentence": "When set", "verdict": "supported", "spans": [span]}
    page = page_of({"description": "# a\n\nWhen set", "schema_object": {"sentences": [sentence]}})
    assert "<blockquote><p>When set to yes, it keeps track.</p>" in page
