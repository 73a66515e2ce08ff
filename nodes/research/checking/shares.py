"""Shares and multiples in words: "one in four", 三成五, "by half", 多了一倍. Pure."""

from __future__ import annotations

import re

from nodes.research.checking.hedges import bound_of
from nodes.research.checking.number_words import FRACTIONS, HAN_DIGITS, WORDS, han_words, small
from nodes.research.checking.quantity import Quantity

_WORD = "|".join(sorted(WORDS, key=len, reverse=True))
_PART = "|".join(sorted(FRACTIONS, key=len, reverse=True))
_HAN = "一二两三四五六七八九十百"
_PARTS = re.compile(
    r"百分之(?P<han>\d+(?:\.\d+)?|[零一二两三四五六七八九十百点]+)|千分之(?P<mille>\d+(?:\.\d+)?|[一二三四五六七八九十]+)"
)
_TENTHS = re.compile(
    r"(?<![\d.])(?P<tens>[一二两三四五六七八九]|\d(?:\.\d)?)成(?![为立果长功员本交份熟就])"
    r"(?P<ones>[零一二三四五六七八九半]|\d(?![\d.]*[年月日个人万亿%]))?(?P<next>(?<=[零一二三四五六七八九])[一二三四五六七八九]|(?<=成\d)\d)?"
)
# What may stand behind "a third" where no noun does, which would make it "a third time".
_NO_NOUN = r"(?=\s*(?:[,.;:)\]\"]|$|\b(?:of|the|its|their|his|her|our|that|as|to|in|from|since|on|over|and|or|between|at|for|last|this|by|during|within|after|before|than|were|are|was|is|had|have|has|will|would|said|say|who|which|more|less|fewer|out|off|up|down|with|without|not|now|also|still|again|compared|went|came|did|do|does|can|could|live|lives|own|owns|say|says|use|uses|now|lost|lose|[a-z]+ed)\b))"
_FRACTION = re.compile(
    rf"(?<![\w-])(?P<top>{_WORD}|an?|\d)(?P<hyphen>[- ])(?P<part>{_PART})(?:{_NO_NOUN}|(?<=s)(?=\s))"
    rf"|(?<![\w-])(?P<bare>half|thirds?|quarters?)(?=\s+(?:of|the|its|their|his|her|our|that|as|all)\b)"
    r"|(?<=\bby )(?P<byhalf>half)\b|(?<=\bin )(?P<inhalf>half)\b(?! an?\b)|(?<=than )(?P<thanhalf>half)\b|(?P<halved>\bhalv(?:ed|ing)\b)"
    rf"|(?P<hantop>[{_HAN}]+|\d+)分之(?P<hanpart>[{_HAN}]+|\d+)|(?<![第上下前后另])(?P<hanhalf>半数|一半|过半|腰斩|减半)"
    rf"|(?P<some>(?<=[近逾占到足了掉少超减])半(?=[的,。;、]|$))"
    rf"|(?<![\w-])(?P<in>{_WORD}|\d+)\s(?:in|out of)\s(?:every\s)?(?P<of>hundred|{_WORD}|\d{{1,3}})(?![\w,.]\d|\w)"
    rf"|(?<![\w-])(?P<in2>{_WORD}|\d+)\s[a-z]+\s(?:in|out of)\s(?:every\s)?(?P<of2>{_WORD}|\d{{1,3}})(?![\w,.]\d|\w){_NO_NOUN}"
    rf"|每(?P<hanof>[{_HAN}]+|\d+)[个名位人座家户台所辆件支间](?!月|小时|百分|世纪)[^,。;\d{_HAN}]{{0,6}}?(?:就|便)?有(?P<hanin>[{_HAN}]+|\d+)[个名位人座家户台所辆件支间]",
    re.IGNORECASE,
)  # fmt: skip
# Few sentences hold any of these, and to look for them is quick.
_FRACTION_WORDS = (
    "half",
    "halv",
    "third",
    "quarter",
    "fourth",
    "fifth",
    "sixth",
    "eighth",
    "tenth",
    "out of",
    "分之",
    "半",
    "每",
    "腰斩",
)
_MULTIPLE_WORDS = ("倍", "番", "twice", "thrice", "doubl", "tripl", "trebl", "quadrupl", "fold")
_ONE_IN = re.compile(rf" in (?:every )?(?:\d|hundred|{_WORD})")
_RISE = "增加?|增长|成长|多|高出?|长|升|上升|提高|提升|涨|上涨|扩大|大|快|贵|暴增|激增|扩增|增至"
_MULTIPLE = re.compile(
    rf"(?:(?P<rise>{_RISE})(?:了|出|过|幅?达|将?近|逾|约|超过|不止)*(?P<by>\d+(?:\.\d+)?|[{_HAN}]+)倍(?P<byhalf>半)?)"
    r"|(?P<double>翻了?一?番|翻倍|翻了一倍|加倍|倍增)|(?P<fourfold>翻了?两番)"
    r"|(?<![\w-])(?P<word>twice|thrice|doubl(?:ed|ing)|double (?=the|its|that|what|as)|tripl(?:ed|ing)|trebl(?:ed|ing)|triple (?=the|its|that)|quadrupl(?:ed|ing))(?!\w)"
    rf"|(?<![\w-])(?P<fold>{_WORD})-?fold\b",
    re.IGNORECASE,
)
_WORDED = {"twi": 2.0, "thr": 3.0, "dou": 2.0, "tri": 3.0, "tre": 3.0, "qua": 4.0}


def parts_of_hundred(text: str) -> list[Quantity]:
    """百分之十二, 三成五, 四成一七 in a folded text."""
    found = []
    for match in _PARTS.finditer(text):
        word = match["han"] or match["mille"]
        value = float(word) if word[0].isdecimal() else (han_words(word) or (0.0, 1.0))[0]
        percent = value if match["han"] else value / 10
        step = 10.0 ** -len(word.replace("点", ".").partition(".")[2])
        found.append(_percent(text, match, percent, step if match["han"] else step / 10))
    for match in _TENTHS.finditer(text):
        value = 10 * _digit(match["tens"]) + (5.0 if match["ones"] == "半" else _digit(match["ones"]))
        value += _digit(match["next"]) / 10
        step = 0.1 if match["next"] else 1.0 if match["ones"] else 10.0
        found.append(_percent(text, match, value, step, default="" if match["ones"] else "about"))
    return found


def _digit(sign: str | None) -> float:
    if not sign:
        return 0.0
    return float(sign) if sign[0].isdecimal() else float(HAN_DIGITS[sign])


def _percent(
    text: str, match: re.Match[str], value: float, step: float, default: str = "", *, soft: bool = False
) -> Quantity:
    bound = bound_of(text, match.start(), match.end()) or default
    return Quantity(match.start(), match.end(), match[0], value, step, "percent", bound, soft, plain=value)


def fractions(text: str) -> list[Quantity]:
    """Fractions in words in a folded text, as percent."""
    found: list[Quantity] = []
    low = text.lower()
    if not (any(word in low for word in _FRACTION_WORDS) or _ONE_IN.search(low)):
        return found
    for match in _FRACTION.finditer(text):
        value = _share(match)
        if not 0 < value <= 100 or _ordinal(match):
            continue
        number = _percent(
            text, match, value, 2.0, "min" if match["hanhalf"] == "过半" else "about", soft=True
        )
        found.append(number)
    return found


def _ordinal(match: re.Match[str]) -> bool:
    """True for "the one quarter" of a year and the like, which only looks like a fraction."""
    return bool(match["part"]) and match["top"].lower() in ("a", "an") and match["part"].endswith("s")


def _share(match: re.Match[str]) -> float:
    if match["part"]:
        return 100.0 * _number(match["top"]) / FRACTIONS[match["part"].lower()]
    if match["bare"]:
        return 100.0 / FRACTIONS[match["bare"].lower()]
    if match["hanpart"]:
        under = small(match["hantop"])
        return 100.0 * small(match["hanpart"]) / under if under else 0.0
    for one, other in (("in", "of"), ("in2", "of2")):
        if match[one]:
            base = 100.0 if match[other].lower() == "hundred" else _number(match[other])
            share = 100.0 * _number(match[one]) / base if base > 1 else 0.0
            # "One in four" is a share; "three in five days" seldom, "ten in four" never.
            return share if share < 100 else 0.0
    if match["hanof"]:
        under = small(match["hanof"])
        return 100.0 * small(match["hanin"]) / under if under > 1 else 0.0
    return 50.0


def _number(word: str) -> float:
    return float(word) if word.isdecimal() else float(WORDS.get(word.lower(), 1))


def multiples(text: str) -> list[Quantity]:
    """How many times as much: "doubled" and 多了一倍 are twice, 增加兩倍 is three times."""
    found: list[Quantity] = []
    low = text.lower()
    if not any(word in low for word in _MULTIPLE_WORDS):
        return found
    for match in _MULTIPLE.finditer(text):
        start = match.start("by") if match["rise"] else match.start()
        soft = True
        if match["rise"]:
            value = small(match["by"]) if "." not in match["by"] else float(match["by"])
            value += 0.5 if match["byhalf"] else 0.0
            soft = False
            value += 1.0 if match["rise"] != "增至" else 0.0
        elif match["word"]:
            value = _WORDED[match["word"][:3].lower()]
        elif match["fold"]:
            value, soft = _number(match["fold"]), False
        else:
            value = 4.0 if match["fourfold"] else 2.0
        bound = bound_of(text, start, match.end())
        found.append(
            Quantity(
                start, match.end(), text[start : match.end()], value, 1.0, "ratio", bound, soft, plain=value
            )
        )
    return found
