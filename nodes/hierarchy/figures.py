"""The one number a part's answer states, and what code computes of several. Pure.

Only a number that is plainly the one asked for counts: it stands before the word that is counted, or it is
the only one of the answer's first line. Where two might be meant there is none, and nothing is computed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal

from nodes.hierarchy.aims import Aim
from nodes.hierarchy.naming import QUOTED
from nodes.reflective.grounding import PATH
from nodes.reflective.number_words import ENGLISH

_WORDS = {**ENGLISH, "one": "1", "no": "0", "none": "0", "zero": "0", "nothing": "0"}
_NUMBER = (
    rf"(?:\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?|{'|'.join(sorted(_WORDS, key=len, reverse=True))})"
)
_STANDING = re.compile(rf"(?<![\w.,:/-])(?P<number>{_NUMBER})(?![\w:/-]|[.,]\d)", re.IGNORECASE)
_ASKED = re.compile(
    r"(?:how many|numbers? of|counts? of|count(?: the)?|amount of) (?P<what>.+?)"
    r"(?= (?:are|is|do|does|has|have|did|can|in|of|there|that|which|within|under|at)\b|[?.!,;]|$)",
    re.IGNORECASE,
)
_SIZE = re.compile(r"\b(?:size|how (?:large|big))\b", re.IGNORECASE)
DECIMALS = 2


def figure_of(question: str, answer: str) -> Decimal | None:
    """The number an answer gives to its question; None if it gives none, or more than one.

    Args:
        question: as it was asked.
        answer: as it was given.
    """
    first = next((line for line in answer.splitlines() if line.strip()), "")
    line = PATH.sub(" ", re.sub(QUOTED, " ", first))
    counted = _counted_words(question)
    if counted:
        nouns = "|".join(re.escape(word) for word in counted)
        before = rf"(?<![\w.,:/-])(?P<number>{_NUMBER})(?: [\w'-]+){{0,2}}? (?:{nouns})\w*"
        found = {_value(match["number"]) for match in re.finditer(before, line, re.IGNORECASE)}
        if found:
            return found.pop() if len(found) == 1 else None
    alone = {_value(match["number"]) for match in _STANDING.finditer(line)}
    return alone.pop() if len(alone) == 1 and (counted or _SIZE.search(question)) else None


def figure_text(figure: Decimal) -> str:
    """A figure as it is written: whole, or with at most two decimals."""
    rounded = round(figure, DECIMALS)
    return f"{rounded.normalize():f}"


def made_of(aim: Aim, figures: Mapping[str, Decimal]) -> tuple[str, str]:
    """What is made of the figures of several things, as a sentence that shows how, and in short.

    Args:
        aim: what is wanted.
        figures: by name, two or more.
    """
    values = list(figures.values())
    if aim == "total":
        total = sum(values, Decimal(0))
        return f"Total: {figure_text(total)} ({' + '.join(map(figure_text, values))}).", figure_text(total)
    if aim == "average":
        mean = sum(values, Decimal(0)) / len(values)
        shown = figure_text(mean)
        told = f"({' + '.join(map(figure_text, values))}) / {len(values)}"
        return f"Average: {shown} ({told}).", shown
    if aim == "difference" and len(values) == 2:
        high, low = max(values), min(values)
        shown = figure_text(high - low)
        return f"Difference: {shown} ({figure_text(high)} - {figure_text(low)}).", shown
    if aim == "difference":
        most, least = _extreme("most", figures), _extreme("least", figures)
        return f"{most[0]} {least[0]}", f"{most[1]}; {least[1]}"
    return _extreme(aim, figures)


def _extreme(aim: Aim, figures: Mapping[str, Decimal]) -> tuple[str, str]:
    best = (min if aim == "least" else max)(figures.values())
    names = [name for name, value in figures.items() if value == best]
    word = "Least" if aim == "least" else "Most"
    if len(names) == len(figures):
        return f"No difference: {_and(names)} have {figure_text(best)} each.", "the same"
    each = " each" if len(names) > 1 else ""
    return f"{word}: {_and(names)} ({figure_text(best)}{each}).", _and(names)


def _counted_words(question: str) -> list[str]:
    """Stems of the words that are counted: "TODO comments" gives comment and TODO."""
    match = _ASKED.search(question)
    words = re.findall(r"[\w-]+", match["what"]) if match else []
    return [_stem(word) for word in reversed(words) if len(word) > 2]


def _stem(word: str) -> str:
    lower = word.lower()
    for ending, stem in (("ies", ""), ("sses", "ss"), ("ches", "ch"), ("xes", "x")):
        if lower.endswith(ending):
            return word[: -len(ending)] + stem
    return word[:-1] if lower.endswith("s") and not lower.endswith("ss") else word


def _value(number: str) -> Decimal:
    return Decimal(_WORDS.get(number.lower(), number).replace(",", ""))


def _and(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + f" and {names[-1]}" if len(names) > 1 else names[0]
