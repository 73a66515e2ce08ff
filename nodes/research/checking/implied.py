"""Numbers a passage gives without writing them: two of the five is 40%, June 2021 to December 2023 two and a half years. Pure."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from nodes.research.checking.alignment import View
from nodes.research.checking.dates import day_of
from nodes.research.checking.facts import Facts
from nodes.research.checking.matching import matches
from nodes.research.checking.moment import Moment
from nodes.research.checking.quantity import Quantity

_OF = re.compile(
    r"(?: [a-z-]+){0,2}? (?:of|out of|in|among|from)(?: all| every| the| its| their| his| her| some| about)*(?: [a-z-]+){0,1} ",
    re.IGNORECASE,
)
_AMONG = re.compile(r"[^,。;\d]{0,6}(?:中|里|之中|当中|之内)(?:,)?[^,。;\d]{0,8}")
_BEFORE = re.compile(r"\b(?:before|previous(?:ly)?|earlier|already|prior)\b", re.IGNORECASE)
_HAN_BEFORE = re.compile(r"此前|先前|之前|以前|曾|已经?|前")
_SINCE = re.compile(
    r"\bsince(?: the)?(?: early| late| mid)? ?$|\bfrom ?$|自从?(?:[^,。;]{0,4})$"
    r"|\b(?:founded|established|opened|launched|began|begun|started|introduced|created|built|formed)(?: in)? ?$"
    r"|(?:成立|创立|创办|创建|设立|始建?|开业|启用|建成|开馆|开通|通车|创刊)(?:于|在)?$",
    re.IGNORECASE,
)
_SINCE_AFTER = re.compile(
    r"(?:\d{1,2}月)?(?:成立|创立|创办|创建|设立|开业|启用|建成|开馆|开通|通车|创刊)|起|以来|至今|迄今|开始"
)
_SO_FAR = re.compile(
    r"\b(?:total|tally|so far|altogether|in all|already|now|to (?:his|her|their|its))\b|已|共|累计|总计|合计"
)
_OF_ALL = re.compile(r"\b(?:of|among|out of)(?: the| its| their| all| these| those)? $", re.IGNORECASE)
_REST = re.compile(
    r"\b(?:others?|rest|remain\w*|not|no|none|lack\w*|without|still)\b|其余|其他|另外?|剩|未|没|不",
    re.IGNORECASE,
)
_VOTE = re.compile(r"\b(?:vot|ballot)|票")
_AGAINST = re.compile(
    r"(?: votes)?(?: in favou?r)? (?:to|against|and) |票?(?:赞成|同意)?[,、]?(?:对|比)", re.IGNORECASE
)
# "The last decade", without a number.
_PERIODS = ((" decade", 120.0), (" century", 1200.0), ("世纪", 1200.0))
_TWO = re.compile(r"\b(?:both|neither|either|pair|couple|duo|twins?)\b")
_LAST_WORD = re.compile(r"\b([a-z]{3,}) $")
_HAN = "零一二三四五六七八九十"


def implied(number: Quantity, claim: Facts, view: View) -> bool:
    """True if a passage gives a claim's number in another form than as that number.

    Args:
        number: of the claim, found nowhere in the passage.
        claim: the claim.
        view: the passage.
    """
    if _counted_word(number, claim, view.facts) or _in_a_date(number, view.facts):
        return True
    if number.dimension in ("percent", "ratio"):
        return any(matches(number, one) for one in shares(view.facts)) or _ordinal(number, claim, view.facts)
    if number.dimension in ("months", "time", "age"):
        return any(matches(number, one) for one in _spans(view)) or _ordinal(number, claim, view.facts)
    return (
        _ordinal(number, claim, view.facts)
        or _in_words(number, view.facts)
        or any(
            matches(number, one) for one in _counted(view.facts, rest=_REST.search(claim.text) is not None)
        )
    )


def shares(facts: Facts) -> list[Quantity]:
    """Two of the five; of 84 villages 60; 五座中有兩座."""
    return [
        replace(part, value=share, plain=share, step=0.01, dimension="percent", bound="", soft=False)
        for part, whole in _parts(facts)
        if (share := 100 * part.value / whole.value)
    ]


def _parts(facts: Facts) -> list[tuple[Quantity, Quantity]]:
    """Counts with the counts they are part of."""
    found = []
    for at, one in enumerate(facts.quantities):
        for two in facts.quantities[at + 1 : at + 3]:
            between = facts.text[one.end : two.start]
            if {one.dimension, two.dimension} - {"", "count", "people", "households"}:
                continue
            if _OF.fullmatch(between):
                part, whole = one, two
            elif _OF_ALL.search(facts.text[: one.start]) or _AMONG.fullmatch(between):
                part, whole = two, one
            else:
                continue
            if 0 < part.value < whole.value:
                found.append((part, whole))
    return found


def _counted(facts: Facts, *, rest: bool) -> list[Quantity]:
    """What a vote or a score of 38 to 21 tells besides, each side, both together, the margin; what a part leaves."""
    pairs = [(one, *divmod(one.value, 1000.0)) for one in facts.quantities if one.dimension == "score"]
    if _VOTE.search(facts.low):
        for one, two in zip(facts.quantities, facts.quantities[1:], strict=False):
            if _AGAINST.fullmatch(facts.text[one.end : two.start]) and {one.dimension, two.dimension} <= {
                "",
                "count",
            }:
                pairs.append((one, one.value, two.value))
    parts = _parts(facts) if rest else []
    others = [
        replace(part, value=left, plain=left) for part, whole in parts if (left := whole.value - part.value)
    ]
    return others + [
        replace(one, value=told, plain=told, dimension="count")
        for one, more, fewer in pairs
        for told in (more, fewer, more + fewer, abs(more - fewer))
    ]


def _months(value: float, step: float) -> Quantity:
    return Quantity(0, 0, "", value, step, "months", plain=value)


def _spans(view: View) -> list[Quantity]:
    """How long it is from each date of a passage to each other one, and since when to the day it was written."""
    dated = [one for one in view.facts.moments if one.year]
    pairs = [
        (one, two)
        for one in dated
        for two in dated
        if (one.year or 0, one.month or 0) < (two.year or 0, two.month or 0)
    ]
    written = day_of(view.document.item.date)
    found = [span for one, two in pairs for span in _between(one, two)]
    if written:
        today = Moment(0, 0, "", written.year, written.month, written.day)
        found += [span for one in dated if _since(one, view.facts) for span in _between(one, today, written)]
    found += [_months(months, 0.1) for word, months in _PERIODS if word in view.facts.low]
    for one in view.facts.moments:
        for two in view.facts.moments:
            found += between_days(one, two)
    return found


def between_days(one: Moment, two: Moment) -> list[Quantity]:
    """How many days lie from an earlier date to a later one, the last of them counted or not; none without both days."""
    first, last = _day(one), _day(two)
    # Without its year a date is taken to be of the other's.
    if one.year and not two.year or two.year and not one.year:
        year = one.year or two.year
        first, last = _day(replace(one, year=year)), _day(replace(two, year=year))
    if not first or not last or first >= last:
        return []
    length = (last - first).days
    return [Quantity(0, 0, "", 86_400.0 * n, 8_640.0, "time", plain=float(n)) for n in (length, length + 1)]


def _since(moment: Moment, facts: Facts) -> bool:
    return bool(
        _SINCE.search(facts.text[max(0, moment.start - 12) : moment.start])
        or _SINCE_AFTER.match(facts.text, moment.end)
        or facts.text[moment.end - 1 : moment.end] == "起"
    )


def _between(one: Moment, two: Moment, written: date | None = None) -> list[Quantity]:
    """How long, the last month counted or not; years where a month is not told."""
    first, last = one.year or 0, two.year or 0
    if one.month and two.month:
        months = (last - first) * 12 + two.month - one.month
        return [_months(float(n), 0.1) for n in (months, months + 1)]
    years = last - first
    if written:
        # From some day of that year to the day of writing.
        return [_months(12.0 * years - 12 * (1 - written.month / 12), 12.0), _months(12.0 * years, 1.2)]
    return [_months(12.0 * years, 1.2)]


def _day(moment: Moment) -> date | None:
    if not (moment.month and moment.day):
        return None
    try:
        return date(moment.year or 2001, moment.month, moment.day)
    except ValueError:
        return None


def _ordinal(number: Quantity, claim: Facts, facts: Facts) -> bool:
    """The fourth match comes after three; with the 17th goal it is 17 goals."""
    if number.dimension == "rank" or number.value != int(number.value) or number.value > 10_000:
        return False
    around = claim.text[max(0, number.start - 14) : number.start], claim.text[number.end : number.end + 30]
    count = number.plain or number.value
    ranks = {one.value for one in facts.quantities if one.dimension == "rank"}
    before = any(_BEFORE.search(part) or _HAN_BEFORE.search(part) for part in around)
    return (before and count + 1 in ranks) or (
        count in ranks and any(_SO_FAR.search(part) for part in around)
    )


def _counted_word(number: Quantity, claim: Facts, facts: Facts) -> bool:
    """Week five is the fifth week: the word before the number stands behind the rank."""
    before = _LAST_WORD.search(claim.low[: number.start])
    return before is not None and any(
        one.dimension == "rank"
        and one.value == number.value
        and re.match(rf"[\s-]*{before[1]}\b", facts.low[one.end :])
        for one in facts.quantities
    )


def _in_a_date(number: Quantity, facts: Facts) -> bool:
    """True of the "four years" of "four years ago"."""
    return number.dimension in ("months", "time") and any(
        number.text.strip().lower() in one.text.lower() for one in facts.moments
    )


def _in_words(number: Quantity, facts: Facts) -> bool:
    """A count up to ten that the passage writes as one Han sign, which alone is often no number."""
    value = int(number.value)
    if number.dimension not in ("", "count", "people") or number.value != value or not 2 <= value <= 10:
        return False
    if value == 2 and _TWO.search(facts.low):
        return True
    signs = "二两双" if value == 2 else _HAN[value]
    return facts.chinese and any(sign in facts.text for sign in signs)
