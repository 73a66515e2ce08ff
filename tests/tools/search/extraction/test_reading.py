import os
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tools.search.extraction.pages import docx, page, pdf
from tools.search.extraction import html, markdown
from tools.search.extraction.document import Extracted, Unreadable
from tools.search.extraction.reading import Limits, read_document, reader_of

ARTICLE = (
    "<nav>Home | Sport | About us</nav><article><h1>Ferry delayed</h1><p>The Harbourton ferry terminal will "
    "open one year late, in 2027, the mayor said on Friday.</p><p>Costs rose to 55 million dollars because "
    "of soil contamination, the council was told.</p><table><tr><td>Cost</td><td>55</td></tr></table>"
    "</article>"
    "<script>var tracking = 'never shown';</script><footer>All rights reserved</footer>"
)


def html_tree(content: bytes) -> Any:
    import trafilatura

    return trafilatura.load_html(content)


def read(path: Path, **limits: int) -> Extracted:
    return read_document(path, Limits(**limits))


def test_front_matter_gives_the_facts_and_is_not_part_of_the_text() -> None:
    front = "title: 標題\ndate: 2024-05-01\nsource: 中央社\nurl: https://a.example/1\nlang: zh"
    extracted = markdown.extract(f"---\n{front}\n---\n內文。\n---\n".encode())
    facts = extracted.facts
    assert extracted.text == "內文。\n---\n"
    assert (facts.title, facts.date, facts.date_source) == ("標題", "2024-05-01", "front matter")
    assert (facts.site, facts.url, facts.language) == ("中央社", "https://a.example/1", "zh")


@pytest.mark.parametrize(
    "text",
    ["---\nnot: [closed\n---\nbody", "---\njust a line\n---\nbody", "no front matter", "---\nnever: closed"],
)
def test_what_is_no_front_matter_stays_in_the_text(text: str) -> None:
    assert markdown.extract(text.encode()).text == text


@given(st.text(st.characters(exclude_characters="\0\r\ufeff", exclude_categories=["Cs"])))
def test_any_text_ends_with_the_extracted_one(text: str) -> None:
    assert text.endswith(markdown.extract(text.encode()).text)


@pytest.mark.parametrize("name", ["README", "LICENSE", "copyright", "a.rst", "b.TXT"])
def test_documents_come_without_a_suffix_too(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("Each contributor grants a licence.", "utf-8")
    assert read(tmp_path / name).text == "Each contributor grants a licence."


@pytest.mark.parametrize("name", ["core", "Makefile", "a.out", "readme.exe"])
def test_other_files_are_no_documents(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("words", "utf-8")
    assert reader_of(tmp_path / name) is None
    with pytest.raises(Unreadable, match="kind"):
        read(tmp_path / name)


def test_a_date_in_an_example_of_code_is_not_the_pages_own() -> None:
    code = "<pre><code>// printed 2018-04-26T00:49:08Z</code></pre>"
    assert html.extract(page(f"{ARTICLE}{code}")).facts.date == ""
    head = '<meta property="article:published_time" content="2018-04-26T10:00:00Z">'
    assert html.extract(page(f"{ARTICLE}{code}", head)).facts.date == "2018-04-26"


def test_line_ends_of_the_markup_are_none_of_the_text_but_those_of_code_are() -> None:
    body = (
        "<div>\n<p>When set\n      to yes, it <b>keeps\n track</b>\n of it.</p>\n<pre>one\n  two</pre></div>"
    )
    for text in (html.extract(page(body)).text, html.extract(page(ARTICLE + body)).text):
        assert "When set to yes, it keeps track of it." in text and "one\n  two" in text


def test_what_is_pressed_or_points_to_itself_is_no_text_of_a_page() -> None:
    rest = "<p>Words of the manual.</p>" * 3
    body = f"<h2>Options<a href='#o'>#</a></h2><pre>node<button>copy</button></pre><ul><li>a</li></ul>{rest}"
    text = html._all_text(html_tree(page(body)))
    assert "copy" not in text and "#" not in text and "Options" in text and "node" in text


def test_a_page_is_its_article_with_what_its_metadata_say() -> None:
    head = (
        '<title>Ferry delayed - Harbour Times</title><meta property="og:site_name" content="Harbour Times">'
        '<meta property="article:published_time" content="2024-06-07T10:00:00Z">'
        '<link rel="canonical" href="https://harbour.example/ferry">'
    )
    extracted = html.extract(page(ARTICLE, head))
    assert "one year late, in 2027" in extracted.text and "55 million" in extracted.text
    assert "tracking" not in extracted.text
    facts = extracted.facts
    assert (facts.site, facts.date, facts.language) == ("Harbour Times", "2024-06-07", "en")
    assert facts.url == "https://harbour.example/ferry"


def test_a_long_page_is_read_to_its_end_and_that_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.search.extraction.html.ARTICLE_BYTES", 2_000)
    body = "<p>A sentence of the page that nobody reads to its end.</p>" * 100 + "<p>The last word.</p>"
    extracted = html.extract(page(body, "<title>Long page</title>"))
    assert extracted.text.endswith("The last word.") and extracted.facts.title == "Long page"
    assert any("so long" in note for note in extracted.notes)


@pytest.mark.parametrize("encoding", ["utf-8", "big5"])
def test_a_short_chinese_page_is_read_in_its_encoding(encoding: str) -> None:
    body = "<p>經濟部今天公布，第三季外銷訂單年增5.2%。</p>"
    content = f'<html lang="zh-TW"><head><meta charset="{encoding}"></head><body>{body}</body></html>'
    assert "第三季外銷訂單年增5.2%" in html.extract(content.encode(encoding)).text


@pytest.mark.parametrize("content", [b"", b"   ", b"<html><body></body></html>", b"<script>x()</script>"])
def test_a_page_without_text_is_told(content: bytes) -> None:
    with pytest.raises(Unreadable):
        html.extract(content)


def test_a_pdf_is_its_pages_with_title_and_date(tmp_path: Path) -> None:
    extracted = read(pdf(tmp_path / "a.pdf", "Exports rose 3.4 percent.", "Imports fell."))
    assert extracted.text == "Exports rose 3.4 percent.\n\nImports fell."
    assert extracted.facts.title == "Harbour report"
    assert extracted.facts.date.startswith("D:20240517")
    assert extracted.notes == []


def test_a_damaged_page_is_told_and_the_others_are_read(tmp_path: Path) -> None:
    extracted = read(pdf(tmp_path / "a.pdf", "First page.", "Second page.", "Third page.", damaged=1))
    assert extracted.text == "First page.\n\nThird page."
    assert extracted.notes == ["gives no text on 1 of 3 pages, damaged or pictures: 2"]


def test_pages_beyond_the_limit_are_counted(tmp_path: Path) -> None:
    extracted = read(pdf(tmp_path / "a.pdf", *["Twenty characters."] * 9), chars=30)
    assert "is long: 7 of its 9 pages were left out" in extracted.notes


@settings(deadline=None, max_examples=40)  # the first of each kind imports its library
@given(st.binary(max_size=200), st.sampled_from([".pdf", ".docx", ".html", ".md"]), st.booleans())
def test_no_bytes_of_any_kind_end_a_run(content: bytes, suffix: str, begun: bool) -> None:
    import tempfile

    start = {".pdf": b"%PDF-1.4\n", ".docx": b"PK\x03\x04"}.get(suffix, b"") if begun else b""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"a{suffix}")
        path.write_bytes(start + content)
        try:
            assert read(path).text.strip()
        except Unreadable as error:
            assert str(error)


def test_a_word_file_is_paragraphs_and_rows_in_order(tmp_path: Path) -> None:
    extracted = read(
        docx(tmp_path / "a.docx", "第三季出口成長。", table=[["Year", "Tons"], ["2023", "1,204"]])
    )
    assert [line for line in extracted.text.splitlines() if line] == [
        "第三季出口成長。",
        "Year | Tons",
        "2023 | 1,204",
    ]
    assert (extracted.facts.title, extracted.facts.date) == ("Annual figures", "2023-03-02")


def test_a_word_file_that_unpacks_into_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = docx(tmp_path / "a.docx", "text")
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as package:
        package.writestr("word/media/zeros", b"\0" * 3_000_000)
    monkeypatch.setattr("tools.search.extraction.docx.MOST_UNPACKED", 2_000_000)
    with pytest.raises(Unreadable, match="2 MB when unpacked"):
        read(path)


def test_a_long_text_is_cut_and_what_is_left_out_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text("出口" * 5_000, "utf-8")
    extracted = read(path, chars=1_000)
    assert len(extracted.text) == 1_000
    assert extracted.notes == ["is long: 9,000 characters beyond the first 1,000 were left out"]


def test_what_is_no_ordinary_file_is_not_opened(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "link.txt").symlink_to(tmp_path / "secret.txt")
    os.mkfifo(tmp_path / "pipe.txt")
    (tmp_path / "folder.txt").mkdir()
    for name in ("link.txt", "pipe.txt", "folder.txt"):
        with pytest.raises(Unreadable, match="no ordinary file"):
            read(tmp_path / name)
    with pytest.raises(Unreadable, match="cannot be read"):
        read(tmp_path / "gone.txt")
