"""The page of a trace: nothing a trace holds becomes a tag, an attribute or an address."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from cli.trace_page import escaped, page_of
from cli.trace_text import text_of
from memory.json_lines import Line
from memory.trace.reading import session_of

TAGS = set(
    "html head meta title style body main header h1 h2 h3 p nav ol ul li a span section div dl dt dd strong"
    " time code details summary pre table thead tbody tr th td footer".split()
)
ATTRIBUTES = {"lang", "charset", "name", "content", "http-equiv", "class", "id", "href", "aria-label", "open"}
HOSTILE = st.sampled_from(
    [
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "' onmouseover='alert(1)",
        "</pre></details></style><b>",
        "<!--",
        "]]>",
        "&lt;script&gt;&#60;",
        "javascript:alert(1)",
        "$title ${runs}",
        "\u202egnp.exe\x00\x1b[31m\r\n",
        "\ud800",
    ]
)
TEXTS = HOSTILE | st.text(max_size=20)
EVENTS = st.fixed_dictionaries(
    {
        "event_type": st.sampled_from(["planning", "execution", "reflection", "verification", "respond"]),
        "goal": TEXTS,
        "timestamp": st.just("2026-11-21T10:00:00+00:00") | TEXTS,
    },
    optional={
        "session_id": TEXTS,
        "outcome_status": TEXTS,
        "step_num": st.integers(0, 3),
        "step_description": TEXTS,
        "tool_input": TEXTS,
        "stdout": TEXTS,
        "stderr": TEXTS,
        "returncode": st.integers() | TEXTS,
        "error": TEXTS,
        "llm_critique": TEXTS,
        "meta": st.fixed_dictionaries(
            {},
            optional={
                "answer": TEXTS,
                "status": TEXTS,
                "model": TEXTS,
                "steps": st.lists(TEXTS, max_size=2),
                "next": TEXTS,
                "corrections": st.dictionaries(TEXTS, TEXTS, max_size=2),
                "commitments": st.lists(TEXTS, max_size=2),
                "unmet": st.dictionaries(TEXTS, TEXTS, max_size=2),
                "usage": st.dictionaries(TEXTS, st.dictionaries(st.just("calls"), st.integers() | TEXTS)),
                "seconds": st.floats() | TEXTS,
                "used": st.lists(st.fixed_dictionaries({"goal": TEXTS, "event_id": TEXTS, "scope": TEXTS})),
            },
        ),
    },
)
ENTRIES = st.fixed_dictionaries(
    {
        "record": st.just("reasoning"),
        "entry_id": TEXTS,
        "interaction_id": TEXTS,
        "timestamp": st.just("2026-11-21T10:00:01+00:00"),
        "stage": st.sampled_from(["planning", "execution", "correction"]),
        "thought": TEXTS,
        "evidence": st.lists(TEXTS, max_size=2),
        "corrections": st.lists(TEXTS, max_size=2),
        "attachments": st.lists(st.fixed_dictionaries({"path": TEXTS, "status": TEXTS}), max_size=2),
        "action": TEXTS,
        "error": TEXTS,
    }
)


class Strict(HTMLParser):
    """Collects what a page consists of, and refuses what this program never writes."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.seen: list[str] = []
        self.open: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS, tag
        for name, value in attrs:
            assert name in ATTRIBUTES, (tag, name)
            assert name != "href" or re.fullmatch(r"#run-\d+", value or ""), value
            assert name != "class" or re.fullmatch(r"[a-z ]*", value or ""), value
        self.seen.append(tag)
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"comment: {data}")

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@settings(max_examples=40, deadline=None)
@given(st.lists(EVENTS | ENTRIES, max_size=5))
@example([])
def test_no_tag_or_attribute_of_any_text_survives(records: list[dict[str, Any]]) -> None:
    session = session_of((Line(0, 0, dict(record)) for record in records), "<s>")
    page = page_of(session)
    page.encode("utf-8")
    parser = Strict()
    parser.feed(page)
    parser.close()
    assert parser.open == [] and parser.seen.count("style") == 1
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", page)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", text_of(session))


@given(TEXTS)
def test_text_reads_back_as_it_was_but_for_what_cannot_be_shown(text: str) -> None:
    parser = Strict()
    parser.feed(f"<p>{escaped(text)}</p>")
    parser.close()
    shown = "".join(parser.words)
    if text.isprintable():
        assert shown == text
    assert "<" not in escaped(text) and '"' not in escaped(text) and "'" not in escaped(text)


def test_the_page_needs_nothing_but_itself() -> None:
    page = page_of(session_of(iter([]), "s"))
    assert "http://" not in page and "https://" not in page and "url(" not in page and "@import" not in page
    assert "<script" not in page and "default-src 'none'" in page
