"""Results of a web search into items: pages read where that is wanted, snippets where it fails."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from configs.redaction import escaped
from configs.research import SearchSettings
from tools.errors import SearchForbidden
from tools.search.copies import with_copies
from tools.search.extraction.dates import dated_line, iso_date
from tools.search.extraction.document import Extracted, Unreadable
from tools.search.items import DATE, LANGUAGE, Item
from tools.search.merging import merged
from tools.search.tokens import language_of
from tools.search.web_pages import PageLimits, page_client, read_page

SNIPPET = "_snippet"
"""Key of `schema_object`: True when the description is what the search engine shows, not the page."""

_AT_ONCE = 6
_K = 60


@dataclass(frozen=True)
class WebResult:
    """One result.

    Attributes:
        url: of the page.
        title: of the page.
        snippet: what the engine shows of it.
        date: as the engine writes it; may be empty.
    """

    url: str
    title: str
    snippet: str
    date: str = ""


def check_web_allowed(name: str, settings: SearchSettings, profile: str) -> None:
    """Refuse a search that leaves the machine where nobody allowed it.

    Raises:
        SearchForbidden: says what forbids it.
    """
    if profile == "sovereign":
        raise SearchForbidden(
            f"The profile 'sovereign' keeps everything on this machine; {name} would send the query away.",
            "Search a folder with --corpus, or choose another profile with --profile.",
        )
    if not settings.web:
        raise SearchForbidden(
            f"{name} would send the query away, which is not allowed.", "Set research.search.web to true."
        )


async def items_of(results: Sequence[WebResult], settings: SearchSettings, notes: list[str]) -> list[Item]:
    """Items in the order of the results, each address once.

    Args:
        results: best first.
        settings: of searches.
        notes: what a reader should know is added here.
    """
    pages = await _pages(results, settings) if settings.pages else [""] * len(results)
    items = [
        _item(result, page, rank)
        for rank, (result, page) in enumerate(zip(results, pages, strict=True))
        if isinstance(page, Extracted) or result.snippet.strip()
    ]
    for result, page in zip(results, pages, strict=True):
        if isinstance(page, str) and page:
            _tell(notes, f"{escaped(result.url)} {escaped(page)}; only the search's snippet was read.")
    kept, told = merged(items)
    for note in told:
        _tell(notes, note)
    return with_copies(kept)


async def _pages(results: Sequence[WebResult], settings: SearchSettings) -> Sequence[Extracted | str]:
    """Of each result its page, or why it could not be read."""
    limits = PageLimits(settings.timeout, settings.private_addresses)
    gate = asyncio.Semaphore(_AT_ONCE)

    async with page_client(limits) as client:

        async def read(result: WebResult) -> Extracted | str:
            async with gate:
                try:
                    return await read_page(client, result.url, limits)
                except Unreadable as error:
                    return str(error)

        return await asyncio.gather(*(read(result) for result in results))


def _item(result: WebResult, page: Extracted | str, rank: int) -> Item:
    read = page if isinstance(page, Extracted) else Extracted(result.snippet)
    schema: dict[str, Any] = {"@type": "WebPage", SNIPPET: not isinstance(page, Extracted)}
    for written in (read.facts.date, dated_line(read.text), result.date):
        if written and (date := iso_date(written)):
            schema[DATE] = date
            break
    if language := read.facts.language or language_of(read.text):
        schema[LANGUAGE] = language
    # The site is the host that was asked, never what the page calls itself.
    given = {
        "url": result.url,
        "name": result.title or read.facts.title or None,
        "score": round(100 * (_K + 1) / (_K + 1 + rank)),
        "description": read.text,
        "schema_object": schema,
    }
    return Item.model_validate(given)


def result_of(
    entry: Mapping[str, Any], url: str, title: str, snippet: str, date: str = ""
) -> WebResult | None:
    """A result from an engine's answer under the engine's keys; None when it has no address of the web."""
    address = entry.get(url)
    if not isinstance(address, str) or not address.startswith(("http://", "https://")):
        return None
    values = [str(entry.get(key) or "") for key in (title, snippet, date)]
    return WebResult(address, *values)


def _tell(notes: list[str], note: str) -> None:
    if note not in notes:
        notes.append(note)
