"""Units of measure and currencies in English and Chinese, each as a dimension and a factor. Pure.

Chinese forms are written as folded text has them: simplified.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from nodes.research.checking.currencies import CURRENCIES, same_currency

# dimension -> {factor to the dimension's base unit: the forms of a unit}
_MEASURES: dict[str, dict[float, str]] = {
    "percent": {1.0: "% percent|per cent|pct|percentage|巴仙"},
    "point": {1.0: "percentage points?|percentage-points?|pp|ppts?|个百分点|百分点", 0.01: "basis points?|bps|个基点|基点|个基本点"},
    "points": {1.0: "points?|个点|点数"},
    "permille": {1.0: "‰|per mille"},
    "length": {
        1e-9: "nanomet(?:er|re)s?|nm|奈米|纳米", 1e-6: "micromet(?:er|re)s?|microns?|µm|μm|um|微米",
        1e-3: "millimet(?:er|re)s?|mm|毫米|公厘", 1e-2: "centimet(?:er|re)s?|cm|公分|厘米",
        1.0: "met(?:er|re)s?|m|公尺|米", 1e3: "kilomet(?:er|re)s?|km|kms|公里|千米",
        1609.344: "miles?|mi|英里|英哩", 0.3048: "feet|foot|ft|英尺|英呎", 0.0254: "inch|inches|英寸|英吋|吋",
        0.9144: "yards?|yd|码", 1852.0: "nautical miles?|nmi|海里|浬", 9.4607e15: "light[- ]years?|光年",
        500.0: "华里",
    },
    "mass": {
        1e-9: "micrograms?|µg|μg|mcg|微克", 1e-6: "milligrams?|mg|毫克", 1e-3: "grams?|g|公克|克",
        1.0: "kilograms?|kilos?|kg|kgs|公斤|千克", 0.5: "市斤", 0.6: "台斤", 1000.0: "metric tons?|metric tonnes?|tonnes?|tons?|t|公吨|吨",
        0.45359237: "pounds?|lbs?|磅", 0.028349523: "ounces?|oz|盎司",
    },
    "area": {
        1.0: "square met(?:er|re)s?|sq\\.? ?m|m2|m²|平方公尺|平方米", 1e6: "square kilomet(?:er|re)s?|sq\\.? ?km|km2|km²|平方公里",
        1e4: "hectares?|ha|公顷", 4046.856: "acres?|英亩", 3.305785: "坪", 0.09290304: "square feet|sq\\.? ?ft|平方英尺",
        2589988.11: "square miles?|sq\\.? ?mi|平方英里", 9699.17: "甲地",
    },
    "volume": {
        1e-3: "millilit(?:er|re)s?|ml|毫升", 1.0: "lit(?:er|re)s?|公升|升", 1e3: "cubic met(?:er|re)s?|m3|m³|立方公尺|立方米",
        1e6: "megalit(?:er|re)s?", 1e9: "gigalit(?:er|re)s?", 100.0: "hectolit(?:er|re)s?|百升", 1e-2: "centilit(?:er|re)s?|cl", 3.785411784: "gallons?|gal|加仑", 158.987: "barrels?|bbl|桶",
    },
    "time": {
        1e-3: "milliseconds?|ms|毫秒", 1.0: "seconds?|secs?|秒|秒钟", 60.0: "minutes?|mins?|分钟",
        3600.0: "hours?|hrs?|h|小时|个小时|钟头|个钟头", 86400.0: "days?|天|个日|日",
        604800.0: "weeks?|周|个星期|星期|个礼拜", 1209600.0: "fortnights?",
    },
    "months": {1.0: "months?|个月|月份", 3.0: "quarters|个季度", 12.0: "years?|yrs?|年|个年头|年度", 120.0: "decades?", 1200.0: "centur(?:y|ies)|个世纪|世纪"},
    "age": {12.0: "years?[- ]olds?|years? of age|岁"},
    "speed": {1.0: "km/h|kph|kmh|kilomet(?:er|re)s? per hour|公里/小时", 1.609344: "mph|miles per hour", 3.6: "m/s|met(?:er|re)s? per second|公尺/秒|米/秒", 1.852: "knots?|节", 3600.0: "km/s|kilomet(?:er|re)s? per second|公里/秒"},
    "power": {1e-3: "milliwatts?|mW", 1.0: "watts?|W|瓦|瓦特", 1e3: "kilowatts?|kW|千瓦|瓩", 1e6: "megawatts?|MW|百万瓦|兆瓦", 1e9: "gigawatts?|GW|十亿瓦|吉瓦|百万千瓦", 745.7: "horsepower|hp|马力"},
    "energy": {1.0: "watt[- ]hours?|Wh|瓦时", 1e3: "kilowatt[- ]hours?|kWh|度电|千瓦时|瓩时", 1e6: "megawatt[- ]hours?|MWh|百万瓦时|兆瓦时", 1e9: "gigawatt[- ]hours?|GWh|吉瓦时", 1e12: "terawatt[- ]hours?|TWh|太瓦时"},
    "joule": {1.0: "joules?|J|焦耳", 1e3: "kilojoules?|kJ|千焦", 4.184: "calories?|卡", 4184.0: "kilocalories?|kcal|大卡|千卡"},
    "celsius": {1.0: "°C|℃|degrees? Celsius|degrees? centigrade|摄氏度|度C|degrees? C"},
    "fahrenheit": {1.0: "°F|℉|degrees? Fahrenheit|华氏度|degrees? F"},
    "degree": {1.0: "degrees?|°|度"},
    "data": {1.0: "bytes?|位元组", 1e3: "KB|kilobytes?", 1e6: "MB|megabytes?", 1e9: "GB|gigabytes?", 1e12: "TB|terabytes?", 1e15: "PB|petabytes?"},
    "bit": {1e6: "Mbps|megabits? per second|Mb/s", 1e9: "Gbps|gigabits? per second|Gb/s"},
    "frequency": {1.0: "hertz|Hz|赫兹", 1e3: "kHz|千赫", 1e6: "MHz|兆赫", 1e9: "GHz"},
    "pressure": {1.0: "hPa|hectopascals?|millibars?|mbar|百帕", 10.0: "kPa", 1e4: "MPa"},
    "sound": {1.0: "decibels?|dB|分贝"},
    "share": {1.0: "ppm|parts per million", 1e-3: "ppb|parts per billion"},
    "density": {1.0: "µg/m3|µg/m³|μg/m3|μg/m³|micrograms per cubic met(?:er|re)|微克/立方公尺|微克/立方米|微克每立方米"},
    "ratio": {1.0: "times|fold|-fold|x|倍"},
    "magnitude": {1.0: "magnitude|级"},
    **CURRENCIES,
    "currency:": {1.0: "元|块钱|块|圆"},
    "people": {1.0: "people|persons?|individuals|人|人次|名|位|residents|inhabitants|citizens|居民|口人"},
    "households": {1.0: "households?|户|户数"},
}  # fmt: skip
# Letters that are a unit only in this case: "m" metres but "5M" is a number, "W" watts.
_CASED = frozenset(
    "m t g W mW MW GW kW J KB MB GB TB PB Wh kWh MWh GWh TWh Hz kHz MHz GHz dB x mm cm km kg mg ml ha".split()
)
# Chinese counters: they say that things are counted, not which.
COUNTERS = "个家座辆台件篇名位场次艘架所处间栋支批项种类起例宗份张只头匹条株颗枚套部本款幅尾棵届轮局胜败分球国州县市镇村里"
PLAIN = "count"


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit as written after a number.

    Attributes:
        dimension: what it measures: "length", "currency:TWD", "percent" ...; "count" for a counter.
        factor: what one of it is in the dimension's base unit.
        length: characters it takes up.
    """

    dimension: str
    factor: float
    length: int


def _forms() -> tuple[list[tuple[str, str, float]], list[tuple[str, str, float]]]:
    latin: list[tuple[str, str, float]] = []
    han: list[tuple[str, str, float]] = []
    for dimension, units in _MEASURES.items():
        for factor, forms in units.items():
            for form in (
                forms.replace("% ", "%|").split("|")
                if "(" not in forms
                else _alternatives(forms.replace("% ", "%|"))
            ):
                (latin if form.isascii() or not re.search(r"[\u3400-\u9fff]", form) else han).append(
                    (form, dimension, factor)
                )
    return latin, han


def _alternatives(forms: str) -> list[str]:
    """Splits at bars outside brackets."""
    return re.split(r"\|(?![^(]*\))", forms)


_LATIN, _HANZI = _forms()
_HAN_UNITS = {form: (dimension, factor) for form, dimension, factor in _HANZI}
_HAN_PATTERN = re.compile("|".join(sorted(map(re.escape, _HAN_UNITS), key=len, reverse=True)))
_LOOSE = sorted((entry for entry in _LATIN if entry[0] not in _CASED), key=lambda entry: -len(entry[0]))
_CASED_FORMS = sorted((entry for entry in _LATIN if entry[0] in _CASED), key=lambda entry: -len(entry[0]))
_SIGN_END = r"(?![A-Za-z0-9]|/[A-Za-z])"
_LOOSE_PATTERN = re.compile(
    "|".join(f"(?:{form}){_SIGN_END}" if form[-1] not in "%‰℃℉°" else form for form, _, _ in _LOOSE),
    re.IGNORECASE,
)
_CASED_PATTERN = re.compile("|".join(f"(?:{form}){_SIGN_END}" for form, _, _ in _CASED_FORMS))
_CASED_EACH = {form: (dimension, factor) for form, dimension, factor in _CASED_FORMS}
_COUNTER = re.compile(f"[{COUNTERS}]")


# No unit begins with another sign.
_LOOSE_STARTS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ%‰℃℉°µμ-")


@cache
def _each_loose() -> list[tuple[re.Pattern[str], str, float]]:
    """A pattern for each of 300 forms, which take a tenth of a second: made when the first of them is met."""
    return [(re.compile(form, re.IGNORECASE), dimension, factor) for form, dimension, factor in _LOOSE]


@cache
def _loosely(form: str) -> tuple[str, float]:
    """Dimension and factor of a unit in letters, whatever its case."""
    return next(
        (dimension, factor) for pattern, dimension, factor in _each_loose() if pattern.fullmatch(form)
    )


def unit_at(text: str, at: int) -> Unit | None:
    """The unit that stands in a folded text at an offset, spaces and a hyphen before it allowed."""
    start = at
    while start < len(text) and start - at < 2 and text[start] in " -":
        start += 1
    if han := _HAN_PATTERN.match(text, start):
        dimension, factor = _HAN_UNITS[han[0]]
        return Unit(dimension, factor, han.end() - at)
    if cased := _CASED_PATTERN.match(text, start):
        dimension, factor = _CASED_EACH[cased[0]]
        return Unit(dimension, factor, cased.end() - at)
    if text[start : start + 1] in _LOOSE_STARTS and (loose := _LOOSE_PATTERN.match(text, start)):
        dimension, factor = _loosely(loose[0].lower())
        return Unit(dimension, factor, loose.end() - at)
    if start == at or text[at] == " ":
        counter = _COUNTER.match(text, start)
        return Unit(PLAIN, 1.0, counter.end() - at) if counter else None
    return None


def same_dimension(one: str, other: str) -> bool:
    """True if amounts in both can be compared; "元" may be dollars of Taiwan, "$" those of many, "度" Celsius too."""
    if one == other:
        return True
    both = {one, other}
    if one.startswith("currency") and other.startswith("currency"):
        return same_currency(one, other)
    # "A point" may be one of a hundred, or one of a game.
    if both <= {"point", "points"} or both <= {"points", PLAIN, ""}:
        return True
    if both <= {"degree", "celsius"} or both <= {"degree", "fahrenheit"}:
        return True
    if both <= {"age", "months"}:
        return True
    return both <= {PLAIN, "people", "households", "magnitude", ""}
