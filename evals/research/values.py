"""Figures, dates and yes-or-no facts, and the many ways English and Chinese write them."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from datetime import date
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Literal

Language = Literal["en", "zh"]
Kind = Literal["count", "money", "percent", "change", "measure", "date", "polarity", "quote"]
Notation = Literal["digits", "words", "mixed", "rounded", "converted"]

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
# The first year of the Republic of China calendar is 1912.
ROC = 1911
NEAR = Decimal("0.02")


@dataclass(frozen=True)
class Unit:
    """A unit of measure.

    Attributes:
        dimension: units of one dimension can be converted.
        size: in the dimension's smallest unit here.
        en: how English writes it.
        zh: how Chinese writes it.
    """

    dimension: str
    size: Decimal
    en: tuple[str, ...]
    zh: tuple[str, ...]


UNITS = {
    "square_metre": Unit("area", Decimal(1), ("square metres", "m²"), ("平方公尺",)),
    "hectare": Unit("area", Decimal(10_000), ("hectares", "ha"), ("公頃",)),
    "square_kilometre": Unit(
        "area", Decimal(1_000_000), ("square kilometres", "square kilometers", "km²"), ("平方公里",)
    ),
    "kilogram": Unit("mass", Decimal(1), ("kilograms", "kg"), ("公斤",)),
    "tonne": Unit("mass", Decimal(1000), ("tonnes", "metric tons"), ("公噸", "噸")),
    "metre": Unit("length", Decimal(1), ("metres", "meters"), ("公尺",)),
    "kilometre": Unit("length", Decimal(1000), ("kilometres", "kilometers", "km"), ("公里",)),
    "kilowatt": Unit("power", Decimal(1), ("kilowatts", "kW"), ("瓩",)),
    "megawatt": Unit("power", Decimal(1000), ("megawatts", "MW"), ("百萬瓦", "MW")),
    "gigawatt": Unit("power", Decimal(1_000_000), ("gigawatts", "GW"), ("GW",)),
    "kilowatt_hour": Unit("energy", Decimal(1), ("kilowatt-hours", "kWh"), ("度",)),
    "megawatt_hour": Unit("energy", Decimal(1000), ("megawatt-hours", "MWh"), ("MWh",)),
    "gigawatt_hour": Unit("energy", Decimal(1_000_000), ("gigawatt-hours", "GWh"), ("GWh",)),
}
# Before the number in English; around it in Chinese.
CURRENCIES = {
    "TWD": (("NT$", "NT$"), ("新台幣{n}元", "{n}元新台幣", "新臺幣{n}元")),
    # A bare "$" would be read as either of two currencies here.
    "USD": (("US$", "USD "), ("{n}美元",)),
    "EUR": (("€", "EUR "), ("{n}歐元",)),
}
EN_SCALES = ((Decimal(10) ** 9, "billion"), (Decimal(10) ** 6, "million"))
ZH_SCALES = ((Decimal(10) ** 8, "億"), (Decimal(10) ** 4, "萬"))


@dataclass(frozen=True)
class Value:
    """What a fact says.

    Attributes:
        kind: of the fact.
        amount: of a count, sum, percentage or measure.
        unit: key of UNITS or CURRENCIES.
        day: of a date.
        side: "yes" or "no", "up" or "down".
        words: a quotation, in the language of the document.
    """

    kind: Kind
    amount: Decimal = Decimal(0)
    unit: str = ""
    day: date | None = None
    side: str = ""
    words: str = ""

    def converted(self, unit: str) -> Value:
        """The same quantity in another unit of its dimension."""
        return replace(self, amount=self.amount * UNITS[self.unit].size / UNITS[unit].size, unit=unit)


def plain(amount: Decimal) -> str:
    """Digits with thousands separated, decimals as they are."""
    whole = amount == amount.to_integral_value()
    return f"{int(amount):,}" if whole else f"{amount.normalize():,f}"


def significant(amount: Decimal, digits: int) -> Decimal:
    """Rounded to so many significant digits."""
    if not amount:
        return amount
    step = Decimal(1).scaleb(amount.adjusted() - digits + 1)
    return (amount / step).quantize(Decimal(1), rounding=ROUND_HALF_EVEN) * step


def number(amount: Decimal, language: Language, notation: Notation, rng: random.Random) -> str:
    """A number as a language writes it; what it says is always exact but when `rounded`."""
    if notation == "rounded":
        return _rounded(amount, language, rng)
    if notation == "mixed" and language == "zh":
        return _mixed(amount)
    if notation == "words":
        scales = EN_SCALES if language == "en" else ZH_SCALES
        for size, word in scales:
            scaled = amount / size
            if scaled >= 1 and scaled == scaled.quantize(Decimal("0.01")):
                return f"{plain(scaled)} {word}" if language == "en" else f"{plain(scaled)}{word}"
    return plain(amount)


def _mixed(amount: Decimal) -> str:
    """123萬4,567: each part with its own word."""
    if amount != amount.to_integral_value() or amount < 10_000:
        return plain(amount)
    rest, text = int(amount), ""
    for size, word in ((10**8, "億"), (10**4, "萬")):
        part, rest = divmod(rest, size)
        text += f"{part:,}{word}" if part else ""
    return text + (f"{rest:,}" if rest else "")


def rounded(amount: Decimal) -> Decimal:
    """As people round: to two digits where that is near enough, else to three."""
    near = significant(amount, 2)
    return near if not amount or abs(near - amount) / amount <= NEAR else significant(amount, 3)


def _rounded(amount: Decimal, language: Language, rng: random.Random) -> str:
    near = rounded(amount)
    text = number(near, language, "words", rng)
    if near == amount:
        return text
    hedges = {"en": ["about", "roughly", "around"], "zh": ["約", "大約", "約莫"]}[language]
    if near > amount:
        hedges += {"en": ["nearly", "almost"], "zh": ["將近", "近"]}[language]
    else:
        hedges += {"en": ["more than", "over"], "zh": ["超過", "逾"]}[language]
    hedge = rng.choice(hedges)
    return f"{hedge} {text}" if language == "en" else f"{hedge}{text}"


def write(value: Value, language: Language, notation: Notation, rng: random.Random) -> str:
    """A value as it stands in a sentence, with its unit or currency; a count without what is counted."""
    if value.kind == "date" and value.day is not None:
        return write_day(value.day, language, rng)
    if value.kind in ("percent", "change"):
        text = number(value.amount, language, "rounded" if notation == "rounded" else "digits", rng)
        return _percent(text, value.unit, language, rng)
    if value.kind == "money":
        before, around = CURRENCIES[value.unit]
        text = number(value.amount, language, notation, rng)
        if language == "zh":
            return rng.choice(around).format(n=text)
        hedge, _, figure = text.rpartition(" ") if notation == "rounded" else ("", "", text)
        return _english_money(text, rng.choice(before)) if hedge else f"{rng.choice(before)}{figure}"
    if value.kind == "measure":
        return _measure(value, language, notation, rng)
    return number(value.amount, language, notation, rng)


def _english_money(text: str, sign: str) -> str:
    """The sign goes before the digits, after any hedge."""
    at = next(place for place, letter in enumerate(text) if letter.isdigit())
    return f"{text[:at]}{sign}{text[at:]}"


def _percent(text: str, unit: str, language: Language, rng: random.Random) -> str:
    if unit == "points":
        return f"{text} percentage points" if language == "en" else f"{text}個百分點"
    if language == "en":
        return rng.choice([f"{text}%", f"{text} percent", f"{text} per cent"])
    hedge = text[: next(place for place, letter in enumerate(text) if letter.isdigit())]
    return rng.choice([f"{text}%", f"{text}%", f"{hedge}百分之{text[len(hedge) :]}"])


def _measure(value: Value, language: Language, notation: Notation, rng: random.Random) -> str:
    if notation == "converted":
        value = value.converted(rng.choice(exact_units(value)))
        notation = "digits"
    if language == "zh" and value.unit in ("gigawatt_hour", "megawatt_hour"):
        value, notation = value.converted("kilowatt_hour"), "rounded" if notation == "rounded" else "words"
    unit = UNITS[value.unit]
    text = number(value.amount, language, notation, rng)
    return f"{text} {rng.choice(unit.en)}" if language == "en" else f"{text}{rng.choice(unit.zh)}"


def exact_units(value: Value) -> list[str]:
    """Other units in which a quantity has at most three decimals and seven digits; else its own."""
    dimension = UNITS[value.unit].dimension
    others = [name for name, unit in UNITS.items() if unit.dimension == dimension and name != value.unit]
    fitting = []
    for name in others:
        amount = value.converted(name).amount
        if amount == amount.quantize(Decimal("0.001")) and Decimal("0.1") <= amount < 10_000_000:
            fitting.append(name)
    return fitting or [value.unit]


def write_day(day: date, language: Language, rng: random.Random) -> str:
    """A day, as news, letters or offices write it."""
    if language == "en":
        month = MONTHS[day.month - 1]
        return rng.choice(
            [f"{day.day} {month} {day.year}", f"{month} {day.day}, {day.year}", day.isoformat()]
        )
    rest = f"{day.month}月{day.day}日"
    return rng.choice([f"{day.year}年{rest}", f"{day.year}年{rest}", f"民國{day.year - ROC}年{rest}"])


def write_year(year: int, language: Language, rng: random.Random, *, roc: bool = False) -> str:
    """A year; `roc` in the calendar of the Republic of China."""
    if language == "en":
        return str(year)
    return rng.choice([f"民國{year - ROC}年", f"{year - ROC}年度"]) if roc else f"{year}年"
