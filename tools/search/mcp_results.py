"""Results of an MCP tool into items, whichever of the usual shapes they come in, bounded in size.

A tool's answer has structured content, or blocks: texts (many of which are JSON), links to resources, and
resources themselves. `id`, `title`, `text`, `url` are what the tools `search` and `fetch` of the "deep
research" servers use; others have names of their own for the same.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

from configs.redaction import escaped
from tools.search.extraction.dates import dated_line, iso_date
from tools.search.items import DATE, LANGUAGE, Item
from tools.search.tokens import language_of

MOST_CHARS = 5_000_000
"""Characters of all texts of one answer, as much as one page of the web may hold."""

MOST_RESULTS = 200

_LISTS = ("results", "items", "documents", "hits", "data", "result", "entries", "articles")
_TEXTS = (
    "text",
    "content",
    "description",
    "body",
    "snippet",
    "summary",
    "abstract",
    "passage",
    "page_content",
)
_TITLES = ("title", "name", "headline")
_URLS = ("url", "link", "href", "uri", "source_url")
_DATES = ("datePublished", "date", "published", "published_date", "publishedDate", "published_at")
_K = 60


@dataclass(frozen=True)
class McpResult:
    """One result.

    Attributes:
        key: by which a tool fetches the whole of it; empty if it has none.
        url: its address; empty if it has none.
        title: may be empty.
        text: may be empty.
        date: as it is written; may be empty.
    """

    key: str = ""
    url: str = ""
    title: str = ""
    text: str = ""
    date: str = ""

    def filled(self, whole: McpResult) -> McpResult:
        """This result with what a fetched one says more."""
        return replace(
            self,
            url=self.url or whole.url,
            title=self.title or whole.title,
            text=whole.text if len(whole.text) > len(self.text) else self.text,
            date=self.date or whole.date,
        )


def results_of(answer: Any) -> list[McpResult]:
    """Results in the order of a `CallToolResult`."""
    structured = answer.structured_content
    found = list(_of_value(structured)) if structured is not None else []
    if not found:
        found = [result for block in answer.content for result in _of_block(block)]
    return found[:MOST_RESULTS]


def whole_text(answer: Any) -> str:
    """The texts of all blocks."""
    return "\n".join(str(block.text) for block in answer.content if hasattr(block, "text"))


def items_of(results: Sequence[McpResult], server: str, most_chars: int) -> tuple[list[Item], list[str]]:
    """Items, and notes on what was left out.

    Args:
        results: best first.
        server: its name, which stands for the address where a result has none.
        most_chars: of one document.
    """
    items: list[Item] = []
    left = MOST_CHARS
    empty = cut = 0
    for rank, result in enumerate(results):
        text = result.text[: min(left, most_chars)]
        cut += len(text) < len(result.text)
        empty += not result.text.strip()
        left -= len(text)
        if text.strip():
            items.append(_item(replace(result, text=text), server, rank))
    name = escaped(server)
    notes = [f"{empty} results of the MCP server {name!r} have no text and were left out."] if empty else []
    if cut:
        notes.append(
            f"{cut} results of the MCP server {name!r} are too long and were not read to their ends."
        )
    return items, notes


def _item(result: McpResult, server: str, rank: int) -> Item:
    schema: dict[str, Any] = {"@type": "CreativeWork"}
    for written in (result.date, dated_line(result.text)):
        if written and (date := iso_date(written)):
            schema[DATE] = date
            break
    if language := language_of(result.text):
        schema[LANGUAGE] = language
    web = result.url.startswith(("http://", "https://"))
    place = (
        result.url or result.key or hashlib.sha256(result.text.encode("utf-8", "replace")).hexdigest()[:16]
    )
    first = result.text.strip().split("\n", 1)[0]
    given = {
        "url": result.url if web else f"mcp:{quote(server)}/{quote(place, safe='/:#?=&')}",
        "name": " ".join((result.title or first).split())[:200] or None,
        # Who publishes it decides how far it is trusted: the host, never what a result calls itself.
        "site": None if web else server,
        "score": round(100 * (_K + 1) / (_K + 1 + rank)),
        "description": result.text,
        "schema_object": schema,
    }
    return Item.model_validate(given)


def _of_block(block: Any) -> Iterable[McpResult]:
    if block.type == "text":
        return _of_text(block.text)
    if block.type == "resource_link":
        return [McpResult(str(block.uri), str(block.uri), block.title or block.name, block.description or "")]
    if block.type == "resource" and isinstance(text := getattr(block.resource, "text", None), str):
        return [McpResult(str(block.resource.uri), str(block.resource.uri), "", text)]
    return []


def _of_text(text: str) -> Iterable[McpResult]:
    if text.lstrip().startswith(("{", "[")):
        try:
            found = list(_of_value(json.loads(text)))
        except (ValueError, RecursionError):
            found = []
        if found:
            return found
    return [McpResult(text=text)]


def _of_value(value: Any) -> Iterable[McpResult]:
    """Results in a list, in a list under one of the usual names, or one result by itself."""
    if isinstance(value, Mapping):
        inner = [value[name] for name in _LISTS if name in value]
        lists = [one for one in inner if isinstance(one, list)]
        if lists or (inner and not _first(value, _TEXTS)):
            return _of_value(lists[0] if lists else inner[0])
        return _of_entry(value)
    if isinstance(value, list):
        return [result for one in value for result in _of_entry(one)]
    return _of_text(value) if isinstance(value, str) else []


def _of_entry(entry: Any) -> Iterable[McpResult]:
    if isinstance(entry, str):
        return [McpResult(text=entry)]
    if not isinstance(entry, Mapping):
        return []
    metadata = entry.get("metadata")
    about = {**(metadata if isinstance(metadata, Mapping) else {}), **entry}
    key = about.get("id")
    result = McpResult(
        key=str(key) if isinstance(key, (str, int)) else "",
        **{
            name: _first(about, names)
            for name, names in (("url", _URLS), ("title", _TITLES), ("text", _TEXTS), ("date", _DATES))
        },
    )
    return [result] if result.text or result.url or result.key else []


def _first(entry: Mapping[str, Any], names: Sequence[str]) -> str:
    return next((value for name in names if isinstance(value := entry.get(name), str) and value), "")
