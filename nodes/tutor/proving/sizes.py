"""Sizes of texts, as wc counts them. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from nodes.tutor.facts import MeasureUnit


def size(text: str, unit: MeasureUnit) -> tuple[int, int]:
    """A size, at least and at most: versions of wc differ on what words are."""
    return _SIZES[unit](text)


def _lines(text: str) -> tuple[int, int]:
    return text.count("\n"), text.count("\n")


def _bytes(text: str) -> tuple[int, int]:
    size = len(text.encode("utf-8", "surrogatepass"))
    return size, size


def _words(text: str) -> tuple[int, int]:
    """Words as wc counts them; versions of it differ on what control characters and rare spaces do."""
    narrow = len(re.findall(r"[^ \t\n\v\f\r]+", text))
    if text.isascii() and not _CONTROLS.search(text):
        return narrow, narrow
    others = (len(text.split()), sum(1 for word in text.split() if any(map(str.isprintable, word))))
    return min(narrow, *others), max(narrow, *others)


_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_SIZES: Mapping[MeasureUnit, Callable[[str], tuple[int, int]]] = {
    "lines": _lines,
    "words": _words,
    "bytes": _bytes,
}
