"""Versions in a goal, as git names them: "since v1.2", "between v1.0 and v1.1", "in 1a2b3c4"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory.recipes.ground import Ground

# An abbreviated commit hash holds a digit and a letter, or it is taken for a number or a word.
HASH = r"(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}"
VERSION = (
    r"(?:(?:the )?(?:tags?|releases?|versions?) )?"
    rf"(v\d+(?:\.\d+)*(?:-?[a-z]+\d*)?|(?<![\w.«]){HASH})(?![\w.]*\w)"
)
BETWEEN = re.compile(
    rf"(?<!\w)(?:between |from )?{VERSION} ?(?:and|to|until|through|\.\.\.?|-) ?{VERSION}", re.IGNORECASE
)
SINCE = re.compile(rf"(?<!\w)(?:made )?(?:since|after|later than|newer than) {VERSION}", re.IGNORECASE)
UNTIL = re.compile(
    rf"(?<!\w)(?:made )?(?:before|until|up to|prior to|older than|leading up to) {VERSION}", re.IGNORECASE
)
ONE = re.compile(rf"(?<!\w){VERSION}", re.IGNORECASE)


@dataclass(frozen=True)
class Revisions:
    """Versions a goal names.

    Attributes:
        one: a single version, or None.
        span: a range of versions in git's notation (`v1..v2`), or None.
    """

    one: str | None = None
    span: str | None = None


def read_revisions(ground: Ground) -> Revisions:
    """Take the versions out of the text."""
    for pattern, form in ((BETWEEN, "{}..{}"), (SINCE, "{}..HEAD"), (UNTIL, "{}")):
        match = pattern.search(ground.text)
        if match:
            ground.take(pattern)
            return Revisions(span=form.format(*match.groups()))
    match = ONE.search(ground.text)
    ground.take(ONE)
    return Revisions(one=match.group(1)) if match else Revisions()
