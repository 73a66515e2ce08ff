"""The facts of one sentence: numbers, dates, names, quotations, negations and the words around them. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from nodes.research.checking.chinese_names import subject
from nodes.research.checking.dates import moments
from nodes.research.checking.folding import is_chinese, lowered
from nodes.research.checking.moment import Moment
from nodes.research.checking.name import Name
from nodes.research.checking.names import names
from nodes.research.checking.negation import Negation, negations
from nodes.research.checking.numbers import quantities
from nodes.research.checking.quantity import Quantity
from nodes.research.checking.quotes import Quotation, quotations
from nodes.research.checking.terms import Term, bigrams, terms


@dataclass(frozen=True, slots=True)
class Facts:
    """What a sentence states, every offset within it.

    Attributes:
        text: the sentence, folded.
        low: in lower case.
        chinese: its language is Chinese.
        quantities: numbers that are no part of a date.
        moments: dates.
        names: names.
        subject: the Chinese noun phrase it begins with, if any.
        quotations: words it gives as somebody's own.
        negations: words that say "not".
        terms: the words that say what it is about, names among them.
        keys: the terms' stems and words, and their concepts with "#" before them.
        bigrams: every two neighbouring Han characters.
    """

    text: str
    low: str
    chinese: bool
    quantities: tuple[Quantity, ...]
    moments: tuple[Moment, ...]
    names: tuple[Name, ...]
    subject: Name | None
    quotations: tuple[Quotation, ...]
    negations: tuple[Negation, ...]
    terms: tuple[Term, ...]
    keys: frozenset[str]
    bigrams: frozenset[str]


def facts_of(text: str, written: date | None = None) -> Facts:
    """Read the facts of a folded sentence.

    Args:
        text: folded, without citations.
        written: the day it was written, which "last year" counts from.
    """
    dates = moments(text, written)
    without_dates = _blank(text, [(moment.start, moment.end) for moment in dates])
    numbers = [one for one in quantities(without_dates) if one.text.strip()]
    plain = _blank(
        without_dates,
        [(one.start - _about(text, one), one.end) for one in numbers if one.dimension != "rank"],
    )
    words = terms(plain)
    low = lowered(text)
    keys = {word.key for word in words} | {f"#{concept}" for word in words for concept in word.concepts}
    return Facts(
        text,
        low,
        is_chinese(text),
        tuple(numbers),
        tuple(dates),
        tuple(names(plain)),
        subject(plain) if not text.isascii() else None,
        tuple(quotations(text)),
        tuple(negations(text)),
        tuple(words),
        frozenset(keys),
        frozenset(bigrams(plain)),
    )


def _about(text: str, number: Quantity) -> bool:
    """True if 约 stands before a number; in 以北约600公尺 the dictionary would take 北约 for a word."""
    return text[max(0, number.start - 1) : number.start] in ("约", "近")


def _blank(text: str, places: list[tuple[int, int]]) -> str:
    """The text with a sign no word holds where the places are, so that what stands around them stays apart."""
    for start, end in places:
        text = text[:start] + "\u2400" * (end - start) + text[end:]
    return text
