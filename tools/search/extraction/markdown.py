"""Markdown and plain text, with YAML front matter or without."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tools.search.extraction.decoding import decode
from tools.search.extraction.document import Extracted, Facts

_FRONT = re.compile(r"\A---[ \t]*\n(.*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_MOST_FRONT = 20_000
_TITLE = re.compile(r"^\s{0,3}#\s+(.+?)\s*#*\s*$", re.MULTILINE)
_KEYS = {
    "title": ("title", "name", "headline"),
    "url": ("url", "link", "canonical", "permalink", "source_url"),
    "site": ("site", "source", "publisher", "sitename"),
    "date": ("date", "datepublished", "date_published", "published", "publish_date", "pubdate"),
    "language": ("language", "lang", "inlanguage"),
}


def extract(content: bytes) -> Extracted:
    """Read a Markdown or text file; the text is what follows the front matter.

    Raises:
        Unreadable: these bytes are no text.
    """
    text, notes = decode(content)
    match = _FRONT.match(text[:_MOST_FRONT])
    front: Mapping[Any, Any] | None = None
    if match:
        front = _front_matter(match[1] or "")
        if front is None:
            notes.append("begins with front matter that is not `key: value` lines, which was read as text")
        else:
            text = text[match.end() :]
    facts = _facts(front or {})
    if not facts.title and (title := _TITLE.search(text[:_MOST_FRONT])):
        facts = Facts(**{**vars(facts), "title": title[1][:300]})
    return Extracted(text, facts, notes)


def _front_matter(text: str) -> Mapping[Any, Any] | None:
    import yaml

    try:
        loaded = yaml.load(text, yaml.BaseLoader)  # every value stays as it was written
    except (yaml.YAMLError, RecursionError):
        return None
    return loaded if isinstance(loaded, Mapping) else {} if loaded in (None, "") else None


def _facts(front: Mapping[Any, Any]) -> Facts:
    lowered = {str(key).casefold(): value for key, value in front.items() if isinstance(value, str)}
    found = {
        name: next((lowered[key].strip()[:2000] for key in keys if lowered.get(key)), "")
        for name, keys in _KEYS.items()
    }
    if not found["url"].startswith(("http://", "https://")):
        found["url"] = ""
    return Facts(**found, date_source="front matter" if found["date"] else "")
