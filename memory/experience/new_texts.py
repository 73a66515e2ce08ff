"""Texts of the record table that have no vector yet, for either kind of index."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from memory.experience.record_table import RecordTable
from memory.experience.texts import texts_after

_MOST_PAGES = 40


class NewTexts(NamedTuple):
    """What is to be indexed, and the number of the last text that was looked at."""

    digests: list[str]
    texts: list[str]
    upto: int


def read_new(
    table: RecordTable, upto: int, most: int, missing: Callable[[Sequence[str]], set[str]]
) -> NewTexts:
    """Read texts behind a number that have no vector; those that have one are passed over quickly.

    Args:
        table: holds the texts.
        upto: number of the last text that is known to have its vector.
        most: texts at most.
        missing: says which of some digests have no vector.
    """
    digests: list[str] = []
    texts: list[str] = []
    for _ in range(_MOST_PAGES):
        page = table.read(partial(texts_after, upto, most))
        without = missing([text.digest for text in page])
        for text in page:
            if text.digest in without and len(texts) == most:
                return NewTexts(digests, texts, upto)
            if text.digest in without:
                digests.append(text.digest)
                texts.append(text.text)
            upto = text.number
        if len(page) < most:
            break
    return NewTexts(digests, texts, upto)


def first_after(table: RecordTable, upto: int) -> int:
    """Number of the first text behind a number; 0 when there is none."""
    return next((text.number for text in table.read(partial(texts_after, upto, 1))), 0)
