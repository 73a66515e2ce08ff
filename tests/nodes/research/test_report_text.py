import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from nodes.research.report_text import MOST_UNREAD, WORDS, source_list, unread, unread_markdown
from nodes.research.sentence_checks import FAILED, check_rendered
from nodes.research.state import ResearchState, Search, Source
from tests.nodes.research.corpus import QUERY, researched
from tools.search.items import Item

BAD = ("1. bad.pdf", "bad.docx", "nul.txt")


def broken(folder: Path, *, good: bool) -> str:
    folder.mkdir()
    (folder / BAD[0]).write_bytes(b"%PDF-1.4 broken")
    (folder / BAD[1]).write_bytes(b"PK\x03\x04 junk")
    (folder / BAD[2]).write_bytes(b"Lindow\0harbour" * 90)
    if good:
        text = "Lindow harbour handled 4.2 million tonnes of cargo in 2023."
        (folder / "good.md").write_text(text, "utf-8")
    return str(folder)


@pytest.mark.parametrize("good", [True, False])
async def test_what_could_not_be_read_is_told_in_report_and_item(tmp_path: Path, good: bool) -> None:
    corpus = broken(tmp_path / "docs", good=good)
    settings = {"research.search.embedder": "none"}
    state = await researched(tmp_path, f"broken-{good}", items=[], corpus=corpus, settings=settings)
    (item,) = state.result
    told = item["schema_object"]
    assert told["@type"] == ("ResearchReport" if good else "NoDataReport")
    assert len(told["unread"]) == len(BAD) + (not good)
    for name in ("bad.pdf", "bad.docx", "nul.txt"):
        assert any(name in note for note in told["unread"]) and name in item["description"]


def test_a_name_of_a_file_is_no_entry_of_the_list_of_sources() -> None:
    listing = unread_markdown(["1. [x](https://evil.example) is no PDF", *map(str, range(40))], QUERY)
    text = "Lindow handled 4.2 million tonnes [1].\n\n## Sources\n\n1. [a](https://a.example/1) — b\n\n"
    item = Item(url="https://a.example/1", description="Lindow handled 4.2 million tonnes.")
    assert check_rendered(text + listing, [item])[0].verdict == "supported"
    assert "](" not in listing and f"and {41 - MOST_UNREAD} more" in listing


def test_how_passages_were_ranked_leaves_nothing_out() -> None:
    notes = ["Passages were found by their words only.", "a.pdf is no PDF; left out."]
    assert unread(ResearchState(searches=[Search(query="q", notes=notes)] * 2)) == notes[1:]


def test_the_address_a_file_names_is_told_and_hides_no_path() -> None:
    source = Source(number=1, url="papers/a.md", name="A", says_from="https://gov.example/1")
    line = source_list([source], QUERY)
    assert "](papers/a.md)" in line and "says it is from `https://gov.example/1`" in line


HOSTILE = st.text(alphabet="[]()<>`\\!&:; \n\tjavscriptJ#/=x.&colon;", max_size=40)
ADDRESS = st.one_of(
    HOSTILE,
    HOSTILE.map("javascript:".__add__),
    st.sampled_from(
        [
            "JaVaScRiPt:x",
            "java\nscript:x",
            "\x01javascript:x",
            "javascript&colon;x",
            "javascript\\:x",
            "data:x",
        ]
    ),
)


class Tags(HTMLParser):
    """The names of the tags of a page, and where its links lead."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.links: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.links += [value or "" for name, value in attrs if name == "href"]


@given(HOSTILE, HOSTILE, ADDRESS)
def test_no_name_or_address_of_a_source_becomes_a_tag_or_a_script(name: str, site: str, url: str) -> None:
    reader = MarkdownIt("commonmark")
    reader.validateLink = lambda address: True  # a reader that lets every scheme pass
    source = Source(number=1, url=url, name=name, site=site, says_from=site)
    tags = Tags(reader.render(source_list([source], QUERY)))
    assert tags.names <= {"ol", "li", "p", "a", "code", "em", "strong"}
    for link in tags.links:
        scheme = re.match(r"([a-z][a-z0-9+.-]*):", re.sub(r"[\x00-\x20]", "", link).lower())
        assert scheme is None or scheme[1] in ("http", "https", "chroma", "mcp")


def test_what_the_program_says_of_its_own_report_is_no_claim_that_needs_a_source() -> None:
    for key in ("rejected", "copied", "not_understood"):
        for told in WORDS[key]:
            assert all(one.verdict not in FAILED for one in check_rendered(f"# T\n\n> {told}\n", []))
