"""Copies of one text: what agencies send out is published by many, and counts once.

Two texts are copies when the shorter one's shingles (five terms in a row; Broder, "On the resemblance and
containment of documents", 1997) are nearly all in the longer one, and so are its numbers: a later version of
an article with another figure is no copy, and neither is the same article of another company.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

from tools.search.items import Item
from tools.search.tokens import tokens_of

COPIES = "_copies"
"""Key of `schema_object`: urls of the other copies of an item's text."""

CONTAINED = 0.75
_SHINGLE = 5
_SKETCH = 1_000
_COMPARED = 30_000
_LEAST_SHINGLES = 8
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*|[〇零一二兩三四五六七八九十百千萬万億亿兆]{2,}")


@dataclass(frozen=True)
class _Print:
    shingles: frozenset[int]
    numbers: frozenset[str]


def with_copies(items: Sequence[Item]) -> list[Item]:
    """The same items, those with copies among them telling the copies' urls under `_copies`.

    What an item brings under that name is taken off: whose copy it is, it cannot say itself.
    """
    prints = [_print(item) for item in items]
    copies: dict[int, list[int]] = {}
    for one in range(len(items)):
        for other in range(one + 1, len(items)):
            if items[one].digest == items[other].digest or _alike(prints[one], prints[other]):
                copies.setdefault(one, []).append(other)
                copies.setdefault(other, []).append(one)
    return [
        _with_schema(item, {COPIES: [items[n].url for n in copies[place]]})
        if place in copies
        else without_copies(item)
        for place, item in enumerate(items)
    ]


def without_copies(item: Item) -> Item:
    """The item without what it says of copies."""
    return _with_schema(item, {}) if COPIES in item.schema_object else item


def _with_schema(item: Item, update: dict[str, list[str]]) -> Item:
    kept = {key: value for key, value in item.schema_object.items() if key != COPIES}
    return item.model_copy(update={"schema_object": {**kept, **update}})


def _print(item: Item) -> _Print:
    text = item.description[:_COMPARED]
    tokens = tokens_of(text)
    windows = {
        zlib.crc32(" ".join(tokens[at : at + _SHINGLE]).encode()) for at in range(len(tokens) - _SHINGLE + 1)
    }
    # Of a long text the smallest hashes are a random sample, the same one in every copy.
    sketch = frozenset(sorted(windows)[:_SKETCH])
    plain = unicodedata.normalize("NFKC", text)
    numbers = frozenset(number.replace(",", "") for number in _NUMBER.findall(plain))
    return _Print(sketch, numbers)


def _alike(one: _Print, other: _Print) -> bool:
    shorter, longer = sorted((one, other), key=lambda p: len(p.shingles))
    if len(shorter.shingles) < _LEAST_SHINGLES or not shorter.numbers <= longer.numbers:
        return False
    reach = max(longer.shingles) if len(longer.shingles) >= _SKETCH else None
    within = [hashed for hashed in shorter.shingles if reach is None or hashed <= reach]
    if len(within) < _LEAST_SHINGLES:
        return False
    return len(longer.shingles.intersection(within)) >= CONTAINED * len(within)
