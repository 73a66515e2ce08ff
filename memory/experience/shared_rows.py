"""Records as rows of the table hosts share: the text that is sent, and what is taken from one."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Sequence
from typing import Any

from memory.experience.forgotten import is_forgetting
from memory.experience.recollection import identity, text_of
from memory.experience.record_log import Entry
from memory.json_lines import LONGEST_LINE, encode_line
from memory.redaction import redact_record

AT_ONCE = 500
"""Records of one exchange at most, unless they are larger than `BYTES_AT_ONCE` together."""
BYTES_AT_ONCE = 4_000_000

_DEEPEST = 200
"""Levels of a record that is taken in: what can just be read might not be written, higher on the stack."""

_log = logging.getLogger(__name__)


def row_text(name: str, record: dict[str, Any]) -> str | None:
    """A record as it is sent; None for one that is nested too deeply to be looked through for secrets."""
    try:
        return encode_line(redact_record(record)).decode("utf-8").rstrip("\n")
    except RecursionError:
        _log.warning("A record is nested too deeply to be shared: %s", name)
        return None


def in_parts(rows: Sequence[Entry]) -> Iterator[list[Entry]]:
    """Rows whose texts fit into memory together."""
    part: list[Entry] = []
    size = 0
    for row in rows:
        part.append(row)
        size += row.size or 0
        if len(part) == AT_ONCE or size >= BYTES_AT_ONCE:
            yield part
            part, size = [], 0
    if part:
        yield part


def fits_a_line(row: Entry) -> bool:
    """Whether a row has a text, and one that is not too long to be fetched and kept as a line."""
    if row.size is not None and row.size > LONGEST_LINE:
        _log.warning("A shared row of %d bytes is too long and is passed over: %s", row.size, row.identity)
    return row.size is not None and row.size <= LONGEST_LINE


def row_record(name: str, text: str | None) -> dict[str, Any] | None:
    """The record of a row; None when it was forgotten meanwhile, or is none of that name."""
    if text is None:
        return None
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict) or is_forgetting(record) or _depth(record) > _DEEPEST:
        _log.warning("A shared row is no record and is passed over: %s", name)
        return None
    if identity(text_of(record.get("event_id"))) != name:
        _log.warning("A shared row has the name of another record and is passed over: %s", name)
        return None
    return record


def _depth(record: dict[str, Any]) -> int:
    """Levels of lists and objects within each other; 1 for a flat record."""
    depth = 0
    level: list[Any] = [record]
    while level:
        depth += 1
        inner = (one.values() if isinstance(one, dict) else one for one in level)
        level = [value for values in inner for value in values if isinstance(value, (dict, list))]
    return depth
