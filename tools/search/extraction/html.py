"""Web pages, by trafilatura: the article without navigation, and what its metadata say."""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Collection
from typing import Any

from tools.search.extraction.document import Extracted, Facts, Unreadable
from tools.search.own_reports import HEAD_BYTES, PAGE_MARK, WHY

MOST_BYTES = 60_000_000
"""A page is parsed into a tree in memory, about twelve times its size."""

ARTICLE_BYTES = 5_000_000
"""Telling the article from the rest takes 0.4 s for a megabyte, and few pages that long have any rest."""

_ISO = re.compile(r"\b\d{4}-\d{2}-\d{2}")
_BLANKS = re.compile(r"[ \t\r\n\f]+")
_DATES = {"original_date": True, "extensive_search": False}
_LEAST_SHARE = 0.25
_UNSEEN = "//script|//style|//noscript|//template|//head|//button|//select|//*[@hidden]|//comment()"
_ANCHORS = "//a[normalize-space(.)='#' or normalize-space(.)='¶' or normalize-space(.)='§']"
_CODE = "//pre|//code[not(ancestor::pre)]"
_BLOCKS = "p br div li tr h1 h2 h3 h4 h5 h6 section article table ul ol blockquote pre".split()


def extract(content: bytes) -> Extracted:
    """Read a page.

    Raises:
        Unreadable: there is no text in it.
    """
    import trafilatura

    if PAGE_MARK in content[:HEAD_BYTES]:
        raise Unreadable(WHY)
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
    notes = []
    if len(content) > MOST_BYTES:
        notes.append(f"is long: {len(content) - MOST_BYTES:,} of its {len(content):,} bytes were left out")
        content = content[:MOST_BYTES]
    try:
        tree = trafilatura.load_html(content[:ARTICLE_BYTES])
        if tree is None:
            raise Unreadable("holds no HTML")
        shown_in_code = _dates_in_code(tree)
        _collapse(tree)
        whole = _all_text(_collapse(trafilatura.load_html(content)))
        page = _article(tree) if len(content) <= ARTICLE_BYTES else _metadata(tree)
    except Unreadable:
        raise
    except Exception as error:  # Broken pages are met with errors of any kind, the XML parser's among them.
        raise Unreadable(f"cannot be read as HTML ({type(error).__name__}: {error})"[:300]) from error
    article = (page.text or "") if page is not None else ""
    # What it takes for the article of a short or unusual page may be one box of it.
    text = article if len(article) >= _LEAST_SHARE * len(whole) else whole
    if len(content) > ARTICLE_BYTES:
        text = whole
        notes.append("is so long that all its text was read, not only its article")
    if not text.strip():
        raise Unreadable("holds no text")
    return Extracted(text.replace("\r\n", "\n"), _facts(page, tree, shown_in_code), notes)


def _collapse(tree: Any) -> Any:
    """Blanks and line ends as a browser shows them: outside of `pre`, any number of them is one blank."""
    kept = {element for pre in tree.iter("pre", "textarea") for element in pre.iter()}
    tops = set(tree.iter("pre", "textarea"))
    for element in tree.iter():
        if element.text and element not in kept:
            element.text = _BLANKS.sub(" ", element.text)
        if element.tail and (element not in kept or element in tops):
            element.tail = _BLANKS.sub(" ", element.tail)
    return tree


def _metadata(tree: Any) -> Any:
    import trafilatura

    return trafilatura.extract_metadata(tree, date_config=_DATES)


def _article(tree: Any) -> Any:
    import trafilatura

    return trafilatura.bare_extraction(
        tree,
        include_comments=False,
        include_tables=True,
        favor_recall=True,
        with_metadata=True,
        date_extraction_params=_DATES,
    )


def _dates_in_code(tree: Any) -> set[str]:
    """Dates that stand in examples of code and nowhere else: what they date is not the page."""
    from lxml.html import tostring

    in_code: Counter[str] = Counter()
    for element in tree.xpath(_CODE):
        in_code.update(_ISO.findall(tostring(element, encoding="unicode", with_tail=False)))
    everywhere = Counter(_ISO.findall(tostring(tree, encoding="unicode"))) if in_code else Counter()
    return {date for date, count in in_code.items() if everywhere[date] == count}


def _facts(page: Any, tree: Any, not_its_own: Collection[str]) -> Facts:
    language = (tree.get("lang") or "").split("-")[0].lower()
    if page is None:
        return Facts(language=language)
    url = page.url or ""
    date = page.date if page.date and page.date not in not_its_own else ""
    return Facts(
        title=page.title or "",
        url=url if url.startswith(("http://", "https://")) else "",
        site=page.sitename or "",
        date=date,
        date_source="page metadata" if date else "",
        language=page.language or language,
    )


def _all_text(tree: Any) -> str:
    for element in tree.xpath(f"{_UNSEEN}|{_ANCHORS}"):
        if element.getparent() is not None:
            element.drop_tree()
    for element in tree.iter(*_BLOCKS):
        element.tail = "\n" + (element.tail or "")
    return re.sub(r"[ \t]*\n\s*", "\n", tree.text_content()).strip()
