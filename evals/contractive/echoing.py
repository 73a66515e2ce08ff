"""A reply's own words: without what it only repeats of the question and its context. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nodes.contractive.reading.markup import THINKING

TOKEN = re.compile(r"\w+(?:[.,:/]\w+)*")
PIECE = re.compile(r"\n+|(?<=[.!?])[\"'”*_)]*\s+")
_LABEL = re.compile(
    r"^\W*(?:the\s+)?(?:question|q|context|rules?|problem|user|task|input|options?|facts?)(?:\s+is)?\s*\**\s*[:.]",
    re.IGNORECASE,
)
_ONLY_LABEL = re.compile(
    r"\W*(?:(?:the\s+)?(?:final\s+)?(?:answer|question|context|response|output|rules?)(?:\s+is)?|a|q)?\W*",
    re.IGNORECASE,
)
_ECHO = 4
"""Words a piece needs to be called an echo; fewer may be an answer in the words of the question."""


def own_words(reply: str, question: str, context: str = "") -> str:
    """A reply without thoughts, without the question and its context, and without headings before nothing."""
    text = THINKING.sub("", reply).strip()
    said = tokens_of(_LABEL.sub("", text))
    if len(said) >= _ECHO and _holds(tokens_of(f"{context} {question}"), said):
        return ""
    for source in (question, context):
        text = _without_run(text, tokens_of(source))
    pieces = PIECE.split(text)
    echoed = _echoed(
        [tokens_of(_LABEL.sub("", piece)) for piece in pieces], tokens_of(f"{context} {question}")
    )
    kept = [
        piece
        for piece, echo in zip(pieces, echoed, strict=True)
        if not echo and not _ONLY_LABEL.fullmatch(piece)
    ]
    return "\n".join(kept).strip()


def _echoed(pieces: Sequence[list[str]], source: Sequence[str]) -> list[bool]:
    """Which pieces the source has as they are: long ones, and short ones that go on where those stand."""
    echoed = [len(tokens) >= _ECHO and _holds(source, tokens) for tokens in pieces]
    for place, tokens in enumerate(pieces):
        before = pieces[place - 1] if place and echoed[place - 1] else []
        echoed[place] = echoed[place] or bool(before and tokens) and _holds(source, [*before, *tokens])
    for place in reversed(range(len(pieces) - 1)):
        tokens, after = pieces[place], pieces[place + 1] if echoed[place + 1] else []
        echoed[place] = echoed[place] or bool(after and tokens) and _holds(source, [*tokens, *after])
    return echoed


def tokens_of(text: str) -> list[str]:
    """Words and numbers of a text, in lower case."""
    return [token.lower() for token in TOKEN.findall(text)]


def _holds(source: Sequence[str], run: Sequence[str]) -> bool:
    """True if a run of words stands in a source as it is."""
    return f" {' '.join(run)} " in f" {' '.join(source)} "


def _without_run(text: str, run: Sequence[str]) -> str:
    """A text without each place where it says a whole source, however it is spaced and marked."""
    if len(run) < _ECHO:
        return text
    while True:
        found = list(TOKEN.finditer(text))
        words = [match[0].lower() for match in found]
        at = next((i for i in range(len(words) - len(run) + 1) if words[i : i + len(run)] == list(run)), None)
        if at is None:
            return text
        text = f"{text[: found[at].start()].rstrip()}\n{text[found[at + len(run) - 1].end() :]}"
