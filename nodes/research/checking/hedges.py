"""Words that hedge a number, and which values a hedged number may honestly stand for. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

# How far a hedged number may lie from the true one, by how many digits it is told with.
_ABOUT = {1: 0.1, 2: 0.06}
_BESIDE = {1: 0.12, 2: 0.06}
_TIGHT = 0.06
_EXACT = 0.04
_ONE_SIDED = {1: 0.7}
_FAR = 0.25
_SOFT_REACH = 0.5
_CLOSE = 0.05

_BETWEEN = r"(?: the| a| an| some| around| about)?[ $€£¥]{0,3}"
_VERB = r"(?:为|是|有|达到?|在|共|的|可达|了)?(?:每(?:秒|分钟?|小时|日|天|周|月|年|人|公斤|公吨|吨|平方公尺|平方米|立方公尺|立方米|公顷|公里|公升))?"
_NEARLY = re.compile(
    rf"(?:(?:nearly|almost|just (?:under|below|shy of)|close to|nearing|approaching|(?:slightly|a (?:little|bit|shade|touch|fraction)) (?:under|below|less than|fewer than|short of)|shy of|short of|not quite){_BETWEEN}"
    rf"|(?:接近于?|将近|近|逼近|直逼|差不多|几近|几乎|快|(?:略|稍|稍微)(?:低于|少于|不足|不到)){_VERB})$",
    re.IGNORECASE,
)
_OVER = re.compile(
    rf"(?:(?:just (?:over|above|more than|past)|(?:slightly|a (?:little|bit|shade|touch|fraction)|marginally) (?:over|above|more than|higher than)){_BETWEEN}"
    rf"|(?:略|稍|稍微|刚刚?|微)(?:高于|多于|超过|超|逾|大于|过){_VERB})$",
    re.IGNORECASE,
)
_APPROXIMATE = re.compile(
    rf"(?:(?:about|around|roughly|approximately|approx\.?|some|circa|ca\.|an estimated|estimated(?: at)?|in the (?:region|order|vicinity|neighbou?rhood) of|~|≈|or so|more or less){_BETWEEN}"
    rf"|(?:约|大约|大概|大致|大抵|左右|上下|估计|约莫|粗估|概算|大体){_VERB})$",
    re.IGNORECASE,
)
_MIN = re.compile(
    rf"(?:(?:more than|over|above|exceed(?:ed|ing|s)?|upwards of|at least|surpass(?:ed|ing|es)?|topp?(?:ed|ing|s)|north of|greater than|higher than|no (?:less|fewer) than|well over|pass(?:ed|es|ing)?|cross(?:ed|es|ing)?|broke(?: through)?|breach(?:ed|es)?){_BETWEEN}"
    rf"|(?:逾|站上|跨越|越过|冲破|超过|超出|超逾|突破|高于|多于|至少|不少于|不低于|不下|破|大于|达到?逾|以上|起码){_VERB})$",
    re.IGNORECASE,
)
_MAX = re.compile(
    rf"(?:(?:less than|fewer than|under|below|at most|up to|no more than|not more than|lower than|at the most|well under|not exceed(?:ed|ing)?){_BETWEEN}"
    rf"|(?:不到|不足|不及|未满|不满|低于|少于|至多|最多|不超过|未超过|没超过|没有超过|未逾|不逾|未达|顶多){_VERB})$",
    re.IGNORECASE,
)
_AFTER_MIN = re.compile(r"\s?(?:以上|有余|or more|or above|-plus|\+|plus\b)")
_AFTER_ODD = re.compile(r"\s?(?:[多余几](?![数种样年元下]))|(?:-| )odd\b")
_AFTER_MAX = re.compile(r"\s?(?:以下|以内|or less|or fewer|or below)")
_AFTER_ABOUT = re.compile(r"\s?(?:左右|上下|or so\b|许|前后|or thereabouts)")
_BEHIND = (("odd", _AFTER_ODD), ("min", _AFTER_MIN), ("max", _AFTER_MAX), ("about", _AFTER_ABOUT))
_ODD_INSIDE = re.compile(r"[\d百千十万亿兆](?:[多余几])|个多")


# A word of some hedge: most numbers have none before them, and one search tells.
_HEDGED = re.compile(
    r"near|most|just|close|approach|slight|little|bit|shade|touch|short|shy|quite|margin|about|around|rough|approx|some|circa|ca\.|estimat|region|order|vicin|neighb|~|≈|or so|more|over|above|exceed|up|least|surpass|top|north|greater|higher|fewer|less|well|pass|cross|bro|breach|under|below|lower|not|soon|minutes"
    r"|[接近逼直差几快略稍刚微约大左上估粗概逾站跨越冲超突高多至不破达以起低少未没顶最满下]",
    re.IGNORECASE,
)
_SHORTLY = re.compile(r"\b(?:shortly|soon|just|a little|minutes) (?:after|before) $", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Written:
    """How a number is told.

    Attributes:
        figures: significant digits, zeros at the end not counted.
        sign: what the last of them counts, in the number's base unit.
        loose: the same, but a number that ends in 5 counts fives.
    """

    figures: int
    sign: float
    loose: float


def written(value: float, factor: float = 1.0) -> Written:
    """How a number is told.

    Args:
        value: as written.
        factor: what one of it is in the base unit.
    """
    if not value:
        return Written(1, factor, factor)
    mantissa, _, exponent = f"{abs(value):.9e}".partition("e")
    kept = mantissa.rstrip("0").rstrip(".")
    figures = len(kept.replace(".", ""))
    sign = 10.0 ** (int(exponent) - figures + 1) * factor
    return Written(figures, sign, 5 * sign if 1 < figures < 4 and kept[-1] == "5" else sign)


def bound_of(text: str, start: int, end: int) -> str:
    """How a folded text hedges the number between two offsets.

    Returns:
        "about"; "nearly" (a little less); "over" (a little more); "min" (more than); "max" (less than);
        "odd" (more, but by less than its last digit counts: 十多, twenty-odd); "" if it is not hedged.
    """
    before, after = text[max(0, start - 30) : start].rstrip(), text[end : end + 14]
    if start and text[start - 1] == " ":
        before += " "
    if _HEDGED.search(before) is None:
        return _bound_within(text[start:end], after)
    if _SHORTLY.search(before):
        return "about"
    if before.endswith("上") and text[start] in "百千万":
        return "odd"
    for kind, pattern in (("nearly", _NEARLY), ("over", _OVER), ("max", _MAX)):
        if pattern.search(before):
            return kind
    if _MIN.search(before) and not _ODD_INSIDE.search(text[start:end]):
        return "min"
    return _bound_within(text[start:end], after) or ("about" if _APPROXIMATE.search(before) else "")


def _bound_within(number: str, after: str) -> str:
    """The hedge that a number has in it or behind it."""
    if _ODD_INSIDE.search(number):
        return "odd"
    return next((kind for kind, pattern in _BEHIND if pattern.match(after)), "")


def honest(bound: str, form: Written, told: float, true: float, soft: bool) -> bool:
    """True if a hedged number may stand for the true one: on the side it says, and near enough.

    Args:
        bound: the hedge, as `bound_of` tells it.
        form: how the number is told.
        told: its size, in the base unit.
        true: what it stands for.
        soft: it is a fraction in words, "more than half", which tells less than a figure.
    """
    off = abs(told - true)
    if bound == "about":
        return off <= min(0.5 * form.loose, _ABOUT.get(form.figures, _TIGHT) * told) * 1.0001
    if bound == "odd":
        return true > told and off < form.sign
    below = bound in ("nearly", "max")
    if (true > told) is below:
        return False
    if bound in ("nearly", "over"):
        return off < form.loose and off <= _BESIDE.get(form.figures, _EXACT) * told
    if soft:
        return off <= _SOFT_REACH * told
    reach = _ONE_SIDED.get(form.figures, _FAR) if bound == "min" else _FAR
    return off <= min(max(form.loose, _CLOSE * told), reach * told)
