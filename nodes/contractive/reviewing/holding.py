"""Whether an answer holds a number or a date that its question does not give. Pure."""

from __future__ import annotations

import re

from nodes.contractive.reading.asked import asked
from nodes.contractive.reading.days import dated
from nodes.contractive.reading.measures import is_amount, measures
from nodes.contractive.reading.notation import foreign_number, is_zero, written_out
from nodes.contractive.reading.units_asked import in_known_units
from nodes.research.checking.folding import HAN, fold

_DATE_WORDS = re.compile(
    r"\b(?:today|tomorrow|yesterday|tonight|now|noon|midnight|morning|evening|spring|summer|autumn|fall|winter|(?:mon|tues|wednes|thurs|fri|satur|sun)day|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|o'clock|half past|quarter (?:past|to)|january|february|march|april|may|june|july|august|september|october|november|december|centur(?:y|ies)|decade|years? ago|bc|bce|ad|millennium|\d{3,4}s|ice age|middle ages|era|christmas|easter|heute|morgen|gestern|januar|februar|märz|mai|juni|juli|oktober|dezember|jahrhundert|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|weihnachten|never|every (?:day|year|month|week))\b"
    r"|\d{1,2}:\d{2}|\d{1,2}\.\d{2}\s?(?:[ap]\.?m\b|uhr)|\d\s?[ap]\.m|\b\d{1,2}\s?(?:am|pm|uhr)\b|世纪|年代|年前|今天|明天|昨天|星期|周[一二三四五六日]|春|夏|秋|冬|时期|朝代?|[一二三四五六七八九十\d]+[年月日号点]",
    re.IGNORECASE,
)
_DIGITS_WORD = re.compile(
    r"\b(?:once|twice|thrice|none|zero|nobody|no one|infinite(?:ly)?|infinity|dozens?|hundreds?|thousands?|millions?|billions?|einmal|zweimal|keine?[nr]?|unendlich|dutzend\w*|hunderte|tausende|millionen)\b|∞|π|√|无数|没有|无穷|零",
    re.IGNORECASE,
)
_YEAR = re.compile(r"1\d\d\d|20\d\d")


def has_number(question: str, text: str, short: str) -> bool:
    """True if an answer gives a number that its question does not give, or nothing but a number."""
    if is_amount(in_known_units(short)) or is_zero(fold(short)) or foreign_number(fold(short)) is not None:
        return True
    for said in (short, text):
        found = {
            (one.value, one.dimension)
            for one in measures(written_out(in_known_units(said)))
            if (one.value, one.dimension) != (1.0, "count")
        }
        given = {(one.value, one.dimension) for one in measures(written_out(in_known_units(question)))}
        if (
            found - given
            or _DIGITS_WORD.search(fold(said))
            or (HAN.search(said) and re.search(r"[二两三四五六七八九十]+[个种只本座]", fold(said)))
        ):
            return True
    numbers, given_ones = set(re.findall(r"\d+", short)), set(re.findall(r"\d+", question))
    # A number of the question may be the answer, a year that only dates it is none.
    return bool(numbers - given_ones) or any(not _YEAR.fullmatch(number) for number in numbers)


def has_date(question: str, text: str, short: str, *, year: bool = False) -> bool:
    """True if an answer gives a time that its question does not give.

    Args:
        question: as it was put.
        text: the whole reply.
        short: the answer in it.
        year: a weekday or a season will not do.
    """
    want = asked(question if asked(question).wanted in ("date", "year") else f"When: {question}")
    for said in (short, text):
        if dated(said, want) is not None and not _given(said, question):
            return True
        if not year and set(_DATE_WORDS.findall(fold(said).lower())) - set(
            _DATE_WORDS.findall(fold(question).lower())
        ):
            return True
    return False


def _given(said: str, question: str) -> bool:
    """True if all years and days of an answer stand in its question."""
    numbers = set(re.findall(r"\d+", fold(said)))
    return bool(numbers) and numbers <= set(re.findall(r"\d+", fold(question)))
