"""Answers of several items, as a set or in an order. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

from nodes.contractive.reading.asked import Asked
from nodes.contractive.reading.markup import BULLET
from nodes.contractive.reading.notation import points_for_commas
from nodes.contractive.reading.wording import REMEMBERED, STOP, canonical, words_of
from nodes.research.checking.folding import fold

_SEPARATOR = re.compile(
    r"\s*(?:,\s*(?:and|or|und|et|y)\s+|;|、|,(?!\d{3}(?!\d))|，|\n|→|->|\s>\s|\s<\s|\s+(?:and|or|und|et|then|followed by|as well as|plus)\s+|\s&\s|以及|(?<=[\u3400-\u9fff\s])[和与及跟](?=[\u3400-\u9fff\s]))\s*",
    re.IGNORECASE,
)
_DIGIT_LIST = re.compile(r"(?<=\d),(?=\d)")
_LEADING = re.compile(
    r"^.*(?:\b(?:is|are|was|were|be|include|includes|including|follow(?:s|ing)|named|called)\b|[:：]|(?<=[\u3400-\u9fff])(?:是|为|有|包括|分别是))\s*",
    re.IGNORECASE | re.DOTALL,
)
_NAMED = re.compile(r"^[a-z]\w?\s*[=≈]\s*|^(?:either|both|the numbers?|only|just)\s+", re.IGNORECASE)
_ONE_NUMBER = re.compile(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_BOTH_SIGNS = re.compile(r"(?<![\w)]\s)(?<![\w)])±\s*([\w.√/]+)")
_BRACKETS = str.maketrans("", "", '[]{}`"“”「」')


@lru_cache(maxsize=REMEMBERED)
def items_of(answer: str, want: Asked) -> tuple[str, ...]:
    """The items of an answer in order, as canonical text; () for an answer that is no list.

    Words around the list are left out: those before "are" or a colon, and those of the question.
    """
    text = _BOTH_SIGNS.sub(r"\1 and -\1", fold(answer).strip().translate(_BRACKETS))
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) >= 2 and all(BULLET.match(line) for line in lines):
        return tuple(_item(re.split(r"\s+[-–:(]\s*|[:：]\s", BULLET.sub("", line))[0]) for line in lines)
    if re.fullmatch(r"[\d\s,.-]+", text) and not re.search(r",\s", text) and not _ONE_NUMBER.fullmatch(text):
        text = _DIGIT_LIST.sub(", ", text)
    elif want.wanted not in ("list", "order"):
        text = points_for_commas(text)
    parts = [part.strip() for part in _SEPARATOR.split(text) if part and part.strip(" .")]
    if len(parts) < 2 and want.wanted not in ("list", "order"):
        return ()
    if parts:
        after = _LEADING.sub("", parts[0])
        # "17 is prime" leads to no item where the question says prime.
        parts[0] = after if set(words_of(after)) - want.keys or re.search(r"\d", after) else parts[0]
        parts[0] = _trimmed(parts[0], want, left=True)
        parts[-1] = _trimmed(parts[-1], want, left=False)
    return tuple(item for item in map(_item, parts) if item)


def _item(part: str) -> str:
    part = BULLET.sub("", part)
    told = canonical(_NAMED.sub("", part.strip()))
    return re.sub(r"(?<=[\u3400-\u9fff])(?:色|市|省|县)$", "", told) or told


def _trimmed(part: str, want: Asked, *, left: bool) -> str:
    """The first or last item without words of the question that stand around the list.

    A part that is made of such words alone is an item of its own: the question may name what is to be sorted.
    """
    words = part.split()
    known = [
        set(words_of(word)) <= want.keys | _JOINING | STOP and not re.search(r"\d", word) for word in words
    ]
    if all(known):
        return part
    if left:
        first = next(at for at, is_known in enumerate(known) if not is_known)
        return " ".join(words[first:])
    verb = next((at for at, word in enumerate(words) if at and word.lower() in _VERBS), None)
    if verb is not None and all(set(words_of(word)) <= want.keys | _JOINING for word in words[verb:]):
        return " ".join(words[:verb])
    last = len(words) - next(at for at, is_known in enumerate(reversed(known)) if not is_known)
    return " ".join(words[:last])


_VERBS = frozenset("is are was were have has had do does".split())
_JOINING = frozenset("the a an of is are have has in on by to border borders".split())
