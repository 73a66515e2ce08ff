"""Numbers in notations of mathematics and of other languages, as the parser of numbers reads them. Pure."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import pi

from nodes.reflective.number_words import WORDS, language_of
from nodes.research.checking.number_words import FRACTIONS, HAN_DIGITS, small
from nodes.research.checking.number_words import WORDS as ENGLISH_WORDS

_REMEMBERED = 2048
_POWER_OF_TEN = re.compile(
    r"(?<![\w.])(\d+(?:\.\d+)?)\s*(?:[×x*·]\s*10\s*(?:\^|\*\*)\s*\{?([-+]?\d{1,2})\}?(?!\d)|[eE]([-+]?\d{1,2})(?!\w))"
)
_LONE_POWER = re.compile(r"(?<![\w.^*×x·] )(?<![\w.^])10\s*\^\s*\{?([-+]?\d{1,2})\}?")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_RAISED = re.compile(r"(?<=10)[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+")
_COMMA = re.compile(
    r"(?P<before>[€$£¥]\s?|(?<![\d.,]))(?P<whole>\d+),(?P<part>\d{1,2})(?![\d,])(?P<after>\s?(?:€|%|°|[a-zA-Z]{1,4}\b)|(?=\s|$|[.!?]))"
)
_GROUPED = re.compile(r"(?<![\d.,])(?P<whole>\d{1,3}(?:\.\d{3})+),(?P<part>\d{1,2})(?![\d,])")
_TOPS = "|".join([*(word for word in ENGLISH_WORDS if ENGLISH_WORDS[word] < 20), "an", "a", r"\d{1,12}"])
_PARTS = "|".join(sorted(FRACTIONS, key=len, reverse=True))
_WORDED = re.compile(
    rf"(?<![\w-])(?:(?P<top>{_TOPS})[- ](?:and )?)?(?P<part>{_PARTS})(?![\w-])(?! (?:of )?(?:time|hour|year|day|marathon|quarter))",
    re.IGNORECASE,
)
_SLASHED = re.compile(
    r"(?<![\d/.\w])(?:(?P<whole>\d{1,9})\s+)?(?P<top>\d{1,12})\s?/\s?(?P<bottom>\d{1,12})(?![\d/.]|\s?/)"
)
_HAN_HALF = re.compile(r"一半(?!以)")
_HAN_PARTS = re.compile(
    r"(?P<bottom>[一二两三四五六七八九十百]{1,6}|\d{1,6})分之(?P<top>[一二两三四五六七八九十百]{1,6}|\d{1,6})"
)
_OUT_OF = re.compile(
    rf"(?<![\w.,])(?P<top>{'|'.join(ENGLISH_WORDS)}|\d{{1,6}})\s+(?:in|out of)\s+(?:every\s+)?(?P<bottom>{'|'.join(ENGLISH_WORDS)}|\d{{1,6}})(?![\w.,]\d|\w)",
    re.IGNORECASE,
)
_HALVED = re.compile(
    rf"(?<![\w.])(?P<whole>{'|'.join(ENGLISH_WORDS)}|\d{{1,6}})\s+and\s+(?:a\s+half|one\s+half|½)(?!\w)",
    re.IGNORECASE,
)
_HAN_RATE = re.compile(
    r"每(?P<time>秒|分钟|小时|天|年)(?P<amount>[^，。,;每]{0,12}?\d[^，。,;每]{0,6}?(?:公里|公尺|千米|米|公升|升|公斤|元))"
)
_HAN_HALVED = re.compile(
    r"(?P<whole>[一二两三四五六七八九十]{1,3}|\d{1,4})个半(?=小时|钟头|月|星期|礼拜|世纪)"
)
_DOZEN = re.compile(r"(?<!\w)(?P<half>half\s+a\s+)?(?P<count>an?\s+|\d{1,4}\s+)?dozens?(?!\w)", re.IGNORECASE)
_CLOCK = re.compile(
    r"(?<![\d:])(?P<hours>\d{1,3})\s*(?::(?P<colon>[0-5]\d)\s*(?:hours?|hrs?|h)\b|h(?:ours?|rs?)?\s*(?P<minutes>\d{1,2})\s*m(?:in(?:utes?|s)?)?\b)",
    re.IGNORECASE,
)
_ZERO = re.compile(
    r"(?:none|zero|nil|nothing|null|no one|nobody|aucune?|keine?|ninguno|没有|零)", re.IGNORECASE
)
_HAN_SPACE = re.compile(r"(?<=\d) +(?=[\u3400-\u9fff])|(?<=[\u3400-\u9fff]) +(?=\d)")
# Not before a variable, where it is part of a formula.
_PI = re.compile(
    r"(?<![\w.])(\d{1,9}(?:\.\d{1,9})?)?\s?[×*·]?\s?π(?![A-Za-z²³])(?!\s?(?:[×*·+/(^\d]|[A-Za-z](?![A-Za-z])))"
)
_MANY_POINTS = re.compile(r"(?<![\d.,])\d{1,3}(?:\.\d{3}){2,}(?![\d.])")
_ONE_POINT = re.compile(r"(?<![\d.,])[1-9]\d{0,2}\.\d{3}(?![\d.,])")
_ASKS_POINTED = re.compile(r"\W*(?:wie|wer|wann|welch\w+|berechne|cuánt\w+|quant[oaie])\b", re.IGNORECASE)
_POINTED = {"de", "es", "it"}
_SCALED = re.compile(
    r"(?P<number>\d[\d.]*)\s?(?P<scale>mio\b\.?|millionen\b|millones\b|mrd\b\.?|milliarden?\b|milliards?\b|tsd\b\.?|tausend\b)",
    re.IGNORECASE,
)
_VULGAR = {"½": "1/2", "¼": "1/4", "¾": "3/4", "⅓": "1/3", "⅔": "2/3", "⅛": "1/8"}


def closed_up(text: str) -> str:
    """A text without the spaces some set between Chinese and figures: 2024 年 3 月."""
    return _HAN_SPACE.sub("", text)


@lru_cache(maxsize=_REMEMBERED)
def written_out(text: str) -> str:
    """A folded text with its numbers in the forms the parser of numbers reads."""
    text = _PI.sub(lambda m: f"{float(m[1] or 1) * pi:.12g}", closed_up(text))
    for sign, parts in _VULGAR.items():
        text = text.replace(sign, f" {parts}")
    text = _CLOCK.sub(lambda m: f"{m['hours']} hours {m['colon'] or m['minutes']} minutes", text)
    text = _HALVED.sub(lambda m: f"{_count(m['whole'])}.5", text)
    text = _HAN_RATE.sub(r"\g<amount>/\g<time>", text)
    text = _HAN_HALVED.sub(lambda m: f"{small(m['whole']):g}.5个", text)
    text = _DOZEN.sub(lambda m: str(6 if m["half"] else 12 * _count((m["count"] or "1").strip())), text)
    return _SCALED.sub(_in_english, points_for_commas(powers_written_out(text)))


def _in_english(match: re.Match[str]) -> str:
    word = match["scale"].lower()
    scale = "thousand" if word[0] == "t" else "billion" if word.startswith(("mrd", "milliar")) else "million"
    return f"{match['number']} {scale}"


def _count(word: str) -> int:
    return int(word) if word.isdecimal() else ENGLISH_WORDS.get(word.lower(), 1)


def is_zero(text: str) -> bool:
    """True for an answer such as "none", which is a number where one is asked for."""
    return _ZERO.fullmatch(text.strip(" .!。！")) is not None


def powers_written_out(text: str) -> str:
    """2e3 and 2 × 10^3 as 2000; 10³ as 1000."""
    text = _RAISED.sub(lambda match: "^" + match[0].translate(_SUPERSCRIPTS), text)
    text = _POWER_OF_TEN.sub(lambda m: _decimal(Decimal(m[1]).scaleb(int(m[2] or m[3]))), text)
    return _LONE_POWER.sub(lambda m: _decimal(Decimal(1).scaleb(int(m[1]))), text)


def _decimal(value: Decimal) -> str:
    told = format(value, "f")
    return told.rstrip("0").rstrip(".") if "." in told else told


def points_for_commas(text: str) -> str:
    """A decimal comma as a point where it can be nothing else: one or two digits after it, a unit or the end beyond.

    1.249,50 loses the points between its thousands too.
    """
    text = _GROUPED.sub(lambda m: f"{m['whole'].replace('.', '')}.{m['part']}", text)
    return _COMMA.sub(lambda m: f"{m['before']}{m['whole']}.{m['part']}{m['after']}", text)


def without_points(text: str, question: str) -> str:
    """An answer without the points between thousands: of two and more they are nothing else, of one in German."""
    text = _MANY_POINTS.sub(lambda match: match[0].replace(".", ""), text)
    if {language_of(question), language_of(text)} & _POINTED or _ASKS_POINTED.match(question):
        text = _ONE_POINT.sub(lambda match: match[0].replace(".", ""), text)
    return text


def fraction_in(text: str) -> tuple[Fraction, int, int] | None:
    """The last fraction of a folded text, 3/4 or "three quarters" or 一半, and where it stands."""
    found: list[tuple[Fraction, int, int]] = []
    for match in _SLASHED.finditer(text):
        if int(match["bottom"]):
            value = Fraction(int(match["top"]), int(match["bottom"])) + int(match["whole"] or 0)
            found.append((value, match.start(), match.end()))
    for match in _WORDED.finditer(text):
        top = (match["top"] or "a").lower()
        count = int(top) if top.isdecimal() else ENGLISH_WORDS.get(top, 1)
        if match["top"] or match["part"].lower() == "half":
            found.append((Fraction(count, FRACTIONS[match["part"].lower()]), match.start(), match.end()))
    for match in _HAN_PARTS.finditer(text):
        if bottom := small(match["bottom"]):
            found.append((Fraction(int(small(match["top"])), int(bottom)), match.start(), match.end()))
    for match in _OUT_OF.finditer(text):
        if bottom := _count(match["bottom"]):
            found.append((Fraction(_count(match["top"]), bottom), match.start(), match.end()))
    found += [(Fraction(1, 2), match.start(), match.end()) for match in _HAN_HALF.finditer(text)]
    return max(found, key=lambda one: one[2]) if found else None


def foreign_number(text: str) -> int | None:
    """The value of an answer that is one number word of German, French, Spanish or Italian."""
    word = text.strip(" .!").lower()
    values = {int(words[word]) for language, words in WORDS.items() if language != "en" and word in words}
    if len(values) == 1:
        return values.pop()
    told = WORDS.get(language_of(text), {}).get(word)
    return int(told) if told else HAN_DIGITS.get(word)
