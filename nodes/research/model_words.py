"""What a model says beside the report: notes, gaps, reasons. Plain words, and no fact nobody has. Pure."""

from __future__ import annotations

import re

from nodes.research.checking.sentences import sentences
from nodes.research.citations import clean
from nodes.research.framing import Ground
from nodes.research.report_text import unmarked

_BARE_HOST = re.compile(r"(?<![\w.])www\.[^\s<>()]+", re.IGNORECASE)


def plain_words(text: str) -> str:
    """A model's words on one line, without links, addresses, citations and Markdown."""
    words = clean(" ".join(text.split()), (), ())[0]
    return " ".join(unmarked(_BARE_HOST.sub("", words)).split())


def without_strays(text: str, ground: Ground) -> str:
    """A model's words, plain, without the sentences that state what the ground lacks.

    Args:
        text: as the model wrote it.
        ground: the query, and the sources where they may be spoken of.
    """
    words = plain_words(text)
    parts = [words[one.start : one.end] for one in sentences(words)]
    return " ".join(part for part in parts if not ground.stray(part))
