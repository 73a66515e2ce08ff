"""Which option of a multiple choice an answer names. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

from nodes.contractive.reading.asked import Asked
from nodes.contractive.reading.polarity import denials
from nodes.contractive.reading.wording import REMEMBERED, canonical
from nodes.research.checking.folding import fold

_LABELLED = re.compile(
    r"^\W*(?:(?:the )?(?:option|choice|letter|answer|number|选项|选择|选)\s*)?[(（\[]?(?P<label>[A-Ja-j]|\d{1,2})(?:[)）\].:：、．]+(?!\d)|\s*(?:$|[,;，。.!—-]\s|\s(?:is|because|since)\b|是|因为))",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"\b(?:option|choice|answer is|选项|选)\s*[(（]?(?P<label>[A-Ja-j]|\d{1,2})(?![\w])|[(（](?P<bracketed>[A-J])[)）]",
    re.IGNORECASE,
)
_ENDS = re.compile(r"(?:\bis|\bbe|是|为|:)\s*[(（]?(?P<label>[A-J])[)）]?$")


@lru_cache(maxsize=REMEMBERED)
def option_of(answer: str, want: Asked) -> str | None:
    """The label of the option an answer names, by its letter or by its text; None if by neither, or if it denies it.

    Args:
        answer: short.
        want: the question, with its options.
    """
    text = fold(answer).strip()
    label = _named(text, want)
    if label is None:
        return None
    told = want.options[label]
    own = len(denials(told)) if canonical(told) in canonical(text) else 0
    return None if (len(denials(text)) - own) % 2 else label


def _named(text: str, want: Asked) -> str | None:
    said = canonical(text)
    texts = {label: canonical(option) for label, option in want.options.items()}
    exact = [label for label, option in texts.items() if option == said]
    if len(exact) == 1:
        return exact[0]
    for pattern in (_LABELLED, _NAMED, _ENDS):
        if match := pattern.search(text):
            label = next(group for group in match.groups() if group).upper()
            if label in texts:
                return label
    return _by_text(said, texts)


def _by_text(said: str, texts: dict[str, str]) -> str | None:
    """The one option whose text stands in the answer, a longer one before the shorter within it."""
    named = [label for label, option in texts.items() if option and f" {option} " in f" {said} "]
    if not named and not said.isascii():
        named = [label for label, option in texts.items() if option and option in said]
    longest = [
        label
        for label in named
        if not any(texts[label] != texts[other] and texts[label] in texts[other] for other in named)
    ]
    return longest[0] if len(longest) == 1 else None
