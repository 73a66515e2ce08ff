"""Items of one address are one document: the newest of its texts, and what else came under it is told."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from configs.redaction import escaped
from tools.search.items import Item

_TRACKING = re.compile(r"utm_\w+|fbclid|gclid|msclkid|yclid|mc_[ce]id|igshid")
_PART = re.compile(r"part=\d+")
_PORTS = {"http": 80, "https": 443}


def canonical_url(url: str) -> str:
    """An address without what does not change the document: fragment, tracking, default port, last slash."""
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        return url.strip()
    if parts.scheme.lower() not in _PORTS:
        return url.strip()
    host = (parts.hostname or "").rstrip(".")
    if port is not None and port != _PORTS[parts.scheme.lower()]:
        host += f":{port}"
    query = [
        pair for pair in parse_qsl(parts.query, keep_blank_values=True) if not _TRACKING.fullmatch(pair[0])
    ]
    fragment = parts.fragment if _PART.fullmatch(parts.fragment) else ""
    return urlunsplit((parts.scheme.lower(), host, parts.path.rstrip("/"), urlencode(query), fragment))


def merged(items: Iterable[Item]) -> tuple[list[Item], list[str]]:
    """Each address once, in order of first appearance, and a note for each that came with different texts.

    Of several texts the one published last is kept, of several of one date or none the longest.
    """
    groups: dict[str, list[Item]] = {}
    for item in items:
        groups.setdefault(canonical_url(item.url), []).append(item)
    notes = [_told(group) for group in groups.values() if len({item.digest for item in group}) > 1]
    return [_chosen(group) for group in groups.values()], notes


def _chosen(group: Sequence[Item]) -> Item:
    best = max(group, key=lambda item: (item.date or "", len(item.description)))
    return best.model_copy(update={"score": max(item.score for item in group)})


def _told(group: Sequence[Item]) -> str:
    kept = _chosen(group)
    when = f"of {kept.date}" if kept.date else "that is longest"
    return f"{escaped(group[0].url)} came {len(group)} times with different texts; the one {when} is used."
