"""Numbers with a half or a quarter: "two and a half years", 半年, 3½. Pure."""

from __future__ import annotations

import re
from dataclasses import replace

from nodes.research.checking.hedges import bound_of
from nodes.research.checking.number_words import HAN_COUNT, SCALES, WORDS, counted, small
from nodes.research.checking.quantity import Quantity
from nodes.research.checking.units import unit_at

_WORD = "|".join(sorted((word for word in WORDS if word != "zero"), key=len, reverse=True))
_HALVES = re.compile(
    rf"(?<![\w-])(?P<count>{_WORD}|\d+|an?)(?: | ?-)(?:and[ -]a[ -]half|½)(?=[ -])"
    r"|(?<![\w.])(?P<vulgar>\d*)(?P<sign>[½¼¾])"
    rf"|(?<![\w-])(?P<units>{_WORD}|\d+|an?) (?P<unit>years?|months?|weeks?|days?|hours?|minutes?|miles?|kilomet(?:er|re)s?|met(?:er|re)s?|decades?|centur(?:y|ies)) and a half\b"
    r"|(?<![\w-])(?P<half>half|a quarter|three[ -]quarters)(?: an? | of an? |-)(?=(?:hour|day|month|year|century|decade|mile|kilomet|met|tonne?|dozen|million|billion|thousand|hundred|degree|percentage|litre|acre|minute|second)s?)"
    rf"|(?<!\d)(?P<hancount>\d+|{HAN_COUNT})(?P<hanunit>年|周|天|倍|分钟|公里|米|吨|岁)半(?![年月天小])"
    rf"|(?<!\d)(?P<hancount2>\d+|{HAN_COUNT})个半(?=月|小时|钟头|星期|世纪|季度|百分点)"
    r"|(?<![上下前后大小头期过多学])(?P<hanhalf>半)个?(?=年(?!度?报)|小时|钟头|月|世纪|天|公里|吨)",
    re.IGNORECASE,
)
_SIGNS = {"½": 0.5, "¼": 0.25, "¾": 0.75}
_SCALE = re.compile(r"[ -]?(hundred|thousand|million|billion|trillion|dozen)\b", re.IGNORECASE)


def halves(text: str) -> list[Quantity]:
    """The numbers with a half or a quarter in a folded text, with their units."""
    found = []
    for match in _HALVES.finditer(text):
        value, end = _half_value(match), match.end()
        if match["unit"] or match["hanunit"]:
            unit = unit_at(text, match.start("unit" if match["unit"] else "hanunit"))
        else:
            scale = _SCALE.match(text, end)
            if scale:
                value, end = value * SCALES[scale[1].lower()], scale.end()
            unit = unit_at(text, end)
            if unit is None and not text[:end].isascii():
                # 个月 is a unit, 月 alone is not.
                measured = unit_at("个" + text[end : end + 4], 0)
                unit = replace(measured, length=measured.length - 1) if measured else None
            end += unit.length if unit else 0
        if unit is None and value < 1 and not match["vulgar"]:
            continue
        factor = unit.factor if unit else 1.0
        soft = bool(match["half"] or match["hanhalf"])
        found.append(
            Quantity(
                match.start(),
                end,
                text[match.start() : end],
                value * factor,
                0.25 * factor * (value if value > 1000 else 1.0),
                unit.dimension if unit else "",
                bound_of(text, match.start(), end),
                soft,
                plain=value,
            )
        )
    return found


def _half_value(match: re.Match[str]) -> float:
    count = match["count"] or match["units"]
    if count:
        return counted(count) + 0.5
    if match["sign"]:
        return float(match["vulgar"] or 0) + _SIGNS[match["sign"]]
    if match["half"]:
        said = match["half"].lower()
        return 0.5 if said == "half" else 0.25 if said == "a quarter" else 0.75
    han = match["hancount"] or match["hancount2"]
    return small(han) + 0.5 if han else 0.5
