"""Questions that compare the figures of several things, or add them up, as a question for each. Pure."""

from __future__ import annotations

import re
from typing import NamedTuple

from nodes.hierarchy.aims import Aim
from nodes.hierarchy.naming import ITEM, LIST, NOUN, is_telling, items_of

_WHAT = r"(?P<what>[^,;:?]+?)"
_TO = (
    r",? (?:and|with|to|against|versus|vs\.?) (?:with )?"
    r"(?:(?:that|those|the ones?) )?(?:(?:in|of|for|from) )?"
)
_PAIR = rf"(?P<first>{ITEM}){_TO}(?P<second>{ITEM})"
_THINGS = rf"(?:(?P<list>{LIST})|{_PAIR})"
_END = r"\s*[.?!]*"
_LEAD = r"(?:(?:please|can you|could you|then|and)[, ]+)*"
_ASK = rf"{_LEAD}(?:(?:what is|what's|give me|give|tell me|compute|calculate|find|show) )?"
_IN = r"(?:in|of|between|for|from|across|over)"
_HAS = r"(?:has|have|contains?|defines?|holds?)"
_MOST = r"(?P<most>more|the most|most)"
_LEAST = r"(?P<least>fewer|the fewest|less|the least|fewest|least)"


def _read(words: str) -> re.Pattern[str]:
    return re.compile(rf"{words}{_END}", re.IGNORECASE)


_COMPARE = _read(rf"{_LEAD}compare {_WHAT} {_IN} {_THINGS}")
_DIFFERENCE = _read(rf"{_ASK}(?:the )?difference (?:in|between) {_WHAT} {_IN} {_THINGS}")
_WHICH_OF = _read(rf"{_LEAD}which(?: one)? of (?P<list>{LIST}),? {_HAS} (?:{_MOST}|{_LEAST}) {_WHAT}")
_WHICH = _read(
    rf"{_LEAD}(?:which|what)(?: {NOUN}| one)? {_HAS} (?:{_MOST}|{_LEAST}) (?P<what>[^,;:?]+)[,:]"
    rf" (?P<list>{LIST})"
)
_DOES = _read(
    rf"{_LEAD}(?:does|do) (?P<first>{ITEM}) {_HAS} (?:{_MOST}|{_LEAST}) {_WHAT} than (?P<second>{ITEM})"
)
_HOW_MANY_MORE = _read(
    rf"{_LEAD}how many more {_WHAT} (?:does|do|are(?: there)? in) (?P<first>{ITEM})(?: {_HAS})? than"
    rf"(?: (?:in|does|there are in))? (?P<second>{ITEM})(?: (?:does|has))?"
)
_TOTAL = _read(
    rf"{_ASK}(?:the )?(?:total|sum|combined|(?P<mean>average|mean))(?: number| count)?(?: of)?(?: the)?"
    rf" {_WHAT} {_IN} (?P<list>{LIST})"
)
_TOGETHER = _read(
    rf"{_LEAD}how many {_WHAT} (?:are(?: there)?|do|does) (?:in total |together |altogether )?(?:in )?"
    rf"(?P<list>{LIST})(?: have| contain| define)?,? (?:in total|in all|altogether|together|combined)"
)
_COUNTED = re.compile(r"(?:the )?(?:numbers?|counts?|amounts?) of (?:the )?", re.IGNORECASE)
_MEASURED = re.compile(r"(?:the )?(?:size|length|age|owner|mode|permissions|encoding)s?\b", re.IGNORECASE)


class Compared(NamedTuple):
    """A comparison, as a question for each thing with its name, and what is to be made of the answers."""

    questions: tuple[tuple[str, str], ...]
    aim: Aim


def compared(sentence: str) -> Compared | None:
    """What a sentence compares or adds up; None if it does neither in words that are known here."""
    for pattern in (_DIFFERENCE, _COMPARE, _WHICH_OF, _WHICH, _DOES, _HOW_MANY_MORE, _TOTAL, _TOGETHER):
        match = pattern.fullmatch(sentence)
        if match is None:
            continue
        groups = match.groupdict()
        names = items_of(groups["list"]) if groups.get("list") else [groups["first"], groups["second"]]
        names = list(dict.fromkeys(_bare(name) for name in names))
        if len(names) < 2 or not all(is_telling(name) or " " not in name for name in names):
            continue
        what = groups["what"].strip()
        return Compared(
            tuple((_about(what, name), name) for name in names), _aim(pattern, groups, len(names))
        )
    return None


def _aim(pattern: re.Pattern[str], groups: dict[str, str | None], things: int) -> Aim:
    if pattern in (_TOTAL, _TOGETHER):
        return "average" if groups.get("mean") else "total"
    if groups.get("least"):
        return "least"
    return "most" if groups.get("most") or things > 2 else "difference"


def _about(what: str, name: str) -> str:
    """One question about one thing."""
    if _MEASURED.match(what):
        return f"What is {what if what.lower().startswith('the ') else f'the {what}'} of {name}?"
    return f"How many {_COUNTED.sub('', what)} are in {name}?"


def _bare(name: str) -> str:
    """The name alone: b.py of "those in b.py"."""
    return re.sub(r"^(?:(?:that|those|the ones?) )?(?:in|of|for|from) ", "", name.strip())
