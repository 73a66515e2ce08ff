"""Whether an answer is of the type its question asks for: a number, a date, a yes, one of the options. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable

from nodes.contractive.answers import short_answer
from nodes.contractive.reading.asked import Asked, asked
from nodes.contractive.reading.choices import option_of
from nodes.contractive.reading.days import dated
from nodes.contractive.reading.kinds import Kind, kinds_asked
from nodes.contractive.reading.measures import is_amount, measures
from nodes.contractive.reading.notation import foreign_number, is_zero, written_out
from nodes.contractive.reading.polarity import yes_or_no
from nodes.contractive.reading.units_asked import in_known_units
from nodes.contractive.reading.wording import akin, canonical, keys_of
from nodes.contractive.reviewing.finding import Finding
from nodes.research.checking.folding import HAN, fold

MISFIT = 0.35
"""Another type than asked for: the answer has to be written anew, so it stands in the middle of major_revision."""
WITHOUT_UNIT = 0.7
"""A bare number to "how tall": it fits, and lacks its unit. Alone it stays approved."""

_DIMENSIONS = (
    (re.compile(r"\bhow (?:tall|high|far|wide|deep|thick)\b|wie (?:hoch|weit|breit|tief|dick)\b(?! (?:ist|war|sind) (?:die|der|das) (?:\w+ )?(?:temperatur|preis|umsatz|anteil|gewinn|kosten|wahrscheinlichkeit|zahl|anzahl))|多[高远宽深厚]|\b(?:height|distance|wingspan|elevation)\b|高度|距离", re.IGNORECASE), frozenset({"length"}), "metres"),
    (re.compile(r"\bhow heavy\b|\bweigh\b|wie schwer|多重|重量", re.IGNORECASE), frozenset({"mass", "newton"}), "kilograms"),
    (re.compile(r"\bhow (?:fast|quickly)\b|wie schnell|多快|速度", re.IGNORECASE), frozenset({"length/time", "speed", "time"}), "km/h"),
    (re.compile(r"\bhow (?:hot|cold)\b|\btemperature\b|wie (?:heiß|kalt|warm)|temperatur|气温|温度|熔点|沸点|\b(?:melting|boiling|freezing) point\b", re.IGNORECASE), frozenset({"celsius", "degree", "fahrenheit"}), "degrees Celsius"),
)  # fmt: skip
_BARE = frozenset({"", "count", "fraction", "ratio", "points"})
_DATE_WORDS = re.compile(
    r"\b(?:today|tomorrow|yesterday|tonight|now|noon|midnight|morning|evening|spring|summer|autumn|fall|winter|(?:mon|tues|wednes|thurs|fri|satur|sun)day|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|o'clock|half past|quarter (?:past|to)|january|february|march|april|may|june|july|august|september|october|november|december|centur(?:y|ies)|decade|years? ago|bc|bce|ad|millennium|\d{3,4}s|ice age|middle ages|era|christmas|easter|heute|morgen|gestern|januar|februar|märz|mai|juni|juli|oktober|dezember|jahrhundert|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|weihnachten|never|every (?:day|year|month|week))\b"
    r"|\d{1,2}:\d{2}|\d{1,2}\.\d{2}\s?(?:[ap]\.?m\b|uhr)|\d\s?[ap]\.m|\b\d{1,2}\s?(?:am|pm|uhr)\b|世纪|年代|年前|今天|明天|昨天|星期|周[一二三四五六日]|春|夏|秋|冬|时期|朝代?|[一二三四五六七八九十\d]+[年月日号点]",
    re.IGNORECASE,
)
_YEAR = re.compile(r"1\d\d\d|20\d\d")
_WORKED_OUT = re.compile(
    r"\d\s*[-+*/×÷^]\s*\d|%\s*(?:of|von)|\b(?:divided by|times \d|plus|minus|calculate|compute|geteilt|berechne|sum|product|remainder)\b|多少|等于",
    re.IGNORECASE,
)
_HEDGED_YES = re.compile(
    r"^\W*(?:it depends|that depends|depends|partly|partially|sometimes|probably|possibly|perhaps|maybe|likely|unlikely|mostly|usually|generally|often|rarely|both|neither|kommt darauf an|teilweise|manchmal|vielleicht|wahrscheinlich|不一定|部分|有时|也许|可能|看情况|通常|一般)(?!\w)",
    re.IGNORECASE,
)
_ENDS_IN_VERB = re.compile(
    r"\b(?:is|are|does|do|did|was|were|can|could|will|would|has|have|should|may)(?: not|n't)?\W*$",
    re.IGNORECASE,
)
_BOTH = re.compile(
    r"\b(?:both|neither|none|all|equal(?:ly)?|the same|tie|beide|weder|keine?[rs]?|gleich)\b|都|一样|相同|两者",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"```|[{};]\s*$|^\s*(?:def |class |import |from \w+ import|return |for .+:|if .+:|while .+:|print\(|#include|public |function |const |let |var |SELECT\b|INSERT\b|UPDATE\b|DELETE\b|CREATE\b|WITH\b|<\w+|\$ |sudo |git |docker |curl |grep |find |ls |cd |pip |awk |sed |echo |cat |lambda )|\w+\([^)]*\)|=>|->|==|:=|\[[^\]]+ for [^\]]+\]|[\^$\\]\w*[\[(\\]|--\w+|\w+\s?=\s?\S",
    re.MULTILINE | re.IGNORECASE,
)
_DIGITS_WORD = re.compile(
    r"\b(?:once|twice|thrice|none|zero|nobody|no one|infinite(?:ly)?|infinity|dozens?|hundreds?|thousands?|millions?|billions?|einmal|zweimal|keine?[nr]?|unendlich|dutzend\w*|hunderte|tausende|millionen)\b|∞|π|√|无数|没有|无穷|零",
    re.IGNORECASE,
)


def misfit(question: str, text: str, short: str) -> Finding | None:
    """Why an answer is not of the type its question asks for; None if it is, or if that cannot be told.

    Args:
        question: as it was put; a compound one is looked at by `coverage`.
        text: the whole reply.
        short: the answer in it.
    """
    want, kinds = asked(question), kinds_asked(question)
    if want.wanted == "code":
        return (
            None
            if _is_code(text, short, question)
            else _finding("code", "Give the code itself, in a code block.")
        )
    if len(kinds) > 1:
        return None
    return _CHECKS[kinds[0] if kinds else "what"](want, question, text, short)


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


def _finding(wanted: str, advice: str) -> Finding:
    return Finding(f"the question asks for {wanted}, and the answer gives none", advice, MISFIT)


def _number(want: Asked, question: str, text: str, short: str) -> Finding | None:
    if want.wanted in ("choice", "either"):
        return _option(want, question, text, short)
    unit = _unit_asked(question)
    if want.wanted not in ("number", "share") and not re.search(
        r"how|wie|多少|几|\d", fold(question), re.IGNORECASE
    ):
        return None
    if not has_number(question, text, short):
        suffix = f" in {unit[1]}" if unit else ""
        return _finding("a number", f"Give the answer as a number{suffix}.")
    found = measures(written_out(in_known_units(short)))
    if unit is None or not found or _equations(short):
        return None
    if any(one.dimension in unit[0] for one in found):
        return None
    if all(one.dimension in _BARE or one.dimension == "percent" for one in found):
        return Finding(
            "the number has no unit", f"Give the number with its unit, such as {unit[1]}.", WITHOUT_UNIT
        )
    return Finding(
        "the number is of another quantity than asked for",
        f"Give the answer as a number in {unit[1]}.",
        MISFIT,
    )


def _equations(short: str) -> bool:
    return "=" in short


def _unit_asked(question: str) -> tuple[frozenset[str], str] | None:
    text = fold(question)
    return next(
        ((dimensions, unit) for pattern, dimensions, unit in _DIMENSIONS if pattern.search(text)), None
    )


def _when(want: Asked, question: str, text: str, short: str) -> Finding | None:
    year = (
        want.wanted == "year" or re.search(r"哪一?年|welche[mns]? jahr", want.text, re.IGNORECASE) is not None
    )
    if has_date(question, text, short, year=year):
        return None
    if year and re.fullmatch(r"\W*\d{1,4}\W*", short):
        return None
    thing = "a year" if year else "a date or a time"
    return _finding(thing, f"Give {thing} as the answer.")


def _truth(want: Asked, question: str, text: str, short: str) -> Finding | None:
    view = want if want.wanted == "yes_no" else Asked(want.text, "yes_no", {}, want.keys, want.asking)
    if any(
        yes_or_no(said, view) is not None or _HEDGED_YES.match(said) or _ENDS_IN_VERB.search(said)
        for said in (short, text)
        if said.strip()
    ):
        return None
    if any(_states(said, want) for said in (short, text)):
        return None
    return _finding("a yes or a no", "Begin the answer with yes or no.")


def _states(said: str, want: Asked) -> bool:
    """True for a statement about what is asked of: it has the first word of the question, and half of them."""
    words = keys_of(said)
    asking = [word for word in keys_of(want.text) if word in (want.asking or want.keys)]
    held = [word for word in dict.fromkeys(asking) if any(akin(word, one) for one in words)]
    return bool(asking) and asking[0] in held and 2 * len(held) >= len(set(asking))


def _labelled(want: Asked, said: str) -> bool:
    """True if the label of an option stands in brackets: "the correct one is (3)"."""
    labels = "|".join(map(re.escape, want.options))
    return want.wanted == "choice" and re.search(rf"[(（](?:{labels})[)）]", said, re.IGNORECASE) is not None


def _akin_to_option(want: Asked, short: str) -> bool:
    """True if an answer has a word of an option in another form."""
    words = keys_of(short)
    return any(
        akin(word, key) for option in want.options.values() for key in keys_of(option) for word in words
    )


def _option(want: Asked, question: str, text: str, short: str) -> Finding | None:
    if want.options:
        if _labelled(want, f"{short} {text}") or (want.wanted == "either" and _akin_to_option(want, short)):
            return None
        named = any(option_of(said, want) is not None for said in (short, text) if said.strip())
        spoken = canonical(text) + " " + canonical(short)
        if (
            named
            or _BOTH.search(fold(short))
            or any(canonical(one) and canonical(one) in spoken for one in want.options.values())
        ):
            return None
        if want.wanted == "either" and set(keys_of(short)) and set(keys_of(short)) <= want.keys:
            return None
        listed = " or ".join(want.options.values()) if want.wanted == "either" else ", ".join(want.options)
        return _finding("one of the options", f"Answer with one of the options: {listed}.")
    if set(keys_of(short)) & want.keys or _shares_signs(short, want.text) or _BOTH.search(fold(short)):
        return None
    return _finding("one of the options", "Answer with one of the options the question names.")


def _shares_signs(short: str, question: str) -> bool:
    """True if an answer has two Han characters in a row of its question."""
    text = fold(short)
    return any(
        text[at : at + 2] in question
        for at in range(len(text) - 1)
        if HAN.match(text[at]) and HAN.match(text[at + 1])
    )


def _who(want: Asked, question: str, text: str, short: str) -> Finding | None:
    if _only_numbers(short) or (
        want.wanted != "yes_no" and re.fullmatch(r"\W*(?:yes|no|ja|nein|是的?|不是)\W*", short, re.IGNORECASE)
    ):
        return _finding("a person or a group", "Answer with the name of the person or group.")
    return None


def _place(want: Asked, question: str, text: str, short: str) -> Finding | None:
    if _only_numbers(short) or re.fullmatch(r"\W*(?:yes|no|ja|nein|是的?|不是)\W*", short, re.IGNORECASE):
        return _finding("a place", "Answer with the name of the place.")
    return None


def _reason(want: Asked, question: str, text: str, short: str) -> Finding | None:
    if _only_numbers(short) or re.fullmatch(r"\W*(?:yes|no|ja|nein|是的?|不是)\W*", short, re.IGNORECASE):
        return _finding("an explanation", "Explain in one or two sentences.")
    return None


def _anything(want: Asked, question: str, text: str, short: str) -> Finding | None:
    if want.wanted in ("number", "share") and _WORKED_OUT.search(want.text):
        return _number(want, question, text, short)
    if want.wanted == "choice":
        return _option(want, question, text, short)
    if want.wanted == "year":
        return _when(want, question, text, short)
    return None


def _only_numbers(short: str) -> bool:
    """True for an amount or a date and nothing beside it."""
    return (
        is_amount(short)
        or re.fullmatch(r"[\W\d_]*(?:in|im|on|am)?[\W\d_]*(?:年|月|日)?[\W\d_]*", short, re.IGNORECASE)
        is not None
    )


def _is_code(text: str, short: str, question: str) -> bool:
    found = short_answer(text, question) if text.strip() else None
    code = found.text if found is not None else short
    words = len(re.findall(r"[A-Za-z]{2,}", code))
    return _CODE.search(text) is not None or _CODE.search(code) is not None or "`" in text or words <= 3


_CHECKS: dict[Kind, Callable[[Asked, str, str, str], Finding | None]] = {
    "number": _number, "when": _when, "yes_no": _truth, "either": _option, "who": _who, "where": _place, "why": _reason,
    "how": _reason, "what": _anything,
}  # fmt: skip
