"""How long a text is, and how many things it lists. Pure."""

from __future__ import annotations

import re

from nodes.contractive.reading.asked import Asked
from nodes.contractive.reading.items import items_of
from nodes.contractive.reading.markers import sentences
from nodes.contractive.reading.markup import BULLET
from nodes.research.checking.folding import HAN, fold

_LISTING = Asked("", "list")
_LONGEST_ITEM = 6
"""Words of an item; a longer one may be a clause, of which one item may have two."""
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|ist|sind|war|waren|hat|haben|hatte|wurde)\b", re.IGNORECASE
)
_ORDINALS = re.compile(
    r"(?:^|[.;\n]\s*|,\s*(?:and\s+)?)(?:first(?:ly)?|second(?:ly)?|third(?:ly)?|fourth(?:ly)?|fifth(?:ly)?|erstens|zweitens|drittens|viertens|fünftens)\b|第[一二三四五六](?!个月)|首先|其次|再次|最后",
    re.IGNORECASE,
)


def count_words(text: str) -> int:
    """Words of a text; a Han character counts as one, as people count Chinese."""
    return len(HAN.findall(text)) + len(
        re.findall(r"[^\W_\u3400-\u9fff]+(?:['’.,:/-][^\W_\u3400-\u9fff]+)*", text)
    )


def count_characters(text: str) -> int:
    """Characters as a person counts them: of Chinese its characters, of other scripts all of them."""
    han = len(HAN.findall(text))
    return count_words(text) if han * 2 > len(re.findall(r"\w", text)) else len(text.strip())


def count_sentences(text: str) -> int:
    """Sentences; a semicolon ends none."""
    return sum(1 for one in sentences(re.sub(r"[;；]", ",", text)) if re.search(r"\w", one))


def count_paragraphs(text: str) -> int:
    """Blocks between blank lines."""
    return sum(1 for block in re.split(r"\n\s*\n", text.strip()) if block.strip())


def count_items(text: str, short: str) -> int | None:
    """How many things an answer lists; None for prose, of which code cannot tell.

    Args:
        text: of the answer.
        short: the answer in it.
    """
    bullets = [line for line in text.splitlines() if BULLET.match(line)]
    if bullets:
        outermost = min(len(line) - len(line.lstrip()) for line in bullets)
        return sum(len(line) - len(line.lstrip()) == outermost for line in bullets)
    headed = [line for line in text.splitlines() if re.match(r"\s*\*\*[^*]{1,60}\*\*", line)]
    if len(headed) >= 2:
        return len(headed)
    if (ordered := len(_ORDINALS.findall(text))) >= 2:
        return ordered
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) >= 2 and all(
        len(line.split()) <= _LONGEST_ITEM and line[-1] not in ":：" for line in lines
    ):
        return len(lines)
    return _enumerated(short or text)


def _enumerated(text: str) -> int | None:
    told = fold(text)
    items = items_of(told, _LISTING)
    # Clauses with verbs of their own are told in prose.
    if len(sentences(text)) > 1 or len(_VERB.findall(told)) > 1 or not items:
        return None
    if any(len(item.split()) > _LONGEST_ITEM or len(HAN.findall(item)) > 2 * _LONGEST_ITEM for item in items):
        return None
    return len(items)
