"""Whom a line of a document is about: it says so, or a line before it; others of its kind are rivals."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum

from nodes.research.checking.folding import fold, lowered
from nodes.research.checking.name_words import HAN_SUFFIX, ORGANISED
from nodes.research.checking.names import held, names, tokens
from nodes.research.checking.terms import cut, terms
from nodes.research.lines import Line
from nodes.research.passages import CJK
from nodes.research.relevance import Said

# A Chinese name that the question ran together with what it asks may be shorter in a source.
LEAST_NAME = 2
# Of a name, what bodies of its kind share: "Animal Shelter", 動物收容所.
LEAST_KIND = 2
# What Chinese names of bodies end with.
_BODIES = (*HAN_SUFFIX, *ORGANISED, "分行")
_HAN = re.compile(f"[{CJK}]")
_HAN_BEFORE = re.compile(f"[{CJK}]{{2}}$")
_PARTICLE = re.compile(
    "[的在了和与及是有对于为以从由到把被将该这那此其各每某等之而但或也都就,]$|(?:这家|该家|一家|一所|一座|一个|这个|这座|这所|当地|本地|附近|所有|各地|其他)$"
)
_ARTICLE = re.compile(
    r"\b(?:the|this|that|a|an|its|their|our|his|her|each|every|any|some|of|in|at|for|to|by|and)$", re.I
)


class About(Enum):
    """Whom a line is about, seen from one name."""

    HELD = "held"
    RIVAL = "rival"
    NEUTRAL = "neutral"


def subjects(name: str, title: str, lines: Sequence[Line]) -> list[tuple[About, bool]]:
    """For each line of a document, what it says itself and whether it is about the name all the same.

    Args:
        name: folded; empty if nobody in particular is asked about.
        title: of the document.
        lines: all of them, in order.

    Returns:
        Pairs: what the line itself names, and True if it or what it points back to names whom it is about.
    """
    if not name:
        return [(About.HELD, True)] * len(lines)
    current = about(name, fold(title)) is About.HELD
    heading, before = "", current
    found = []
    for line in lines:
        if line.heading != heading:
            heading = line.heading
            said = about(name, fold(heading))
            current = before if said is About.NEUTRAL else said is About.HELD
        said = about(name, fold(line.text))
        if said is not About.NEUTRAL:
            current = said is About.HELD
        found.append((said, current))
    return found


def about(name: str, text: str) -> About:
    """What a folded text names: the name, another one in its place, or nobody."""
    if named(name, text):
        return About.HELD
    if rival(name, text):
        return About.RIVAL
    return About.NEUTRAL


def named(name: str, text: str, said: Said | None = None) -> bool:
    """True if a folded text names what the name names, perhaps in a shorter form."""
    if not name or name.casefold() in text.casefold():
        return True
    if not _HAN.search(name):
        if held(name, lowered(text)):
            return True
        words = {term.key for term in terms(name)}
        keys = said.keys if said is not None else {term.key for term in terms(text)}
        return bool(words) and words <= keys
    return (held(name, lowered(text)) and not _of_its_house(name, text)) or _shortened(name, text)


def _of_its_house(name: str, text: str) -> bool:
    """True if what a text shares with a name belongs to another body: 国泰金控 is not 国泰人寿."""
    suffix = max((one for one in _BODIES if name.endswith(one)), key=len, default="")
    stem = name.removesuffix(suffix)
    if not suffix or len(stem) < LEAST_NAME or stem not in text:
        return False
    if stem.endswith(_BODIES):
        return True
    following = (text[match.end() : match.end() + 4] for match in re.finditer(re.escape(stem), text))
    return all(next(iter(cut(part)), "").endswith(_BODIES) for part in following)


def _shortened(name: str, text: str) -> bool:
    """True if a text has a name's first words and speaks of the rest of it elsewhere: 泰恒捷运 ... 路网."""
    words = list(cut(name))
    for last in range(len(words) - 1, 0, -1):
        first, rest = "".join(words[:last]), "".join(words[last:])
        if len(first) <= LEAST_NAME or first not in text:
            continue
        left = text.replace(first, " ")
        return all(pair in left for pair in _pairs(rest)) if len(rest) > 1 else rest in left
    return False


def _pairs(text: str) -> list[str]:
    return [text[at : at + 2] for at in range(len(text) - 1)]


def rival(name: str, text: str) -> bool:
    """True if a folded text speaks of another body: one of the same kind, or one its sentence begins with."""
    return _same_kind(name, text) or _begins_with_another(name, text)


def _same_kind(name: str, text: str) -> bool:
    if _HAN.search(name):
        kind = name[-max(LEAST_KIND, len(name) // 2) :]
        for match in re.finditer(re.escape(kind), text):
            before = text[: match.start()]
            if _HAN_BEFORE.search(before) and not _PARTICLE.search(before):
                return True
        return False
    words = name.split()
    if len(words) < 2:
        return False
    kind = words[-1].removesuffix("'s")
    for match in re.finditer(rf"([A-Z][\w'-]*)\s+(?:[A-Z][\w'-]*\s+)*{re.escape(kind)}\b", text):
        if not set(match[0].split()) <= {*words, "The", "This", "That", "A", "Our", "Its", "Their"}:
            return True
    return False


def _begins_with_another(name: str, text: str) -> bool:
    """True if the first name of a sentence stands at its beginning and shares no word with the name."""
    first = next((one for one in names(text) if one.sure), None)
    if first is None or first.start > 4 or _ARTICLE.search(text[: first.start].strip()):
        return False
    if _HAN.search(first.text) or _HAN.search(name):
        return False
    return len(first.text.split()) > 1 and not set(tokens(first.text)) & set(tokens(name))
