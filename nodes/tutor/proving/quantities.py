"""Units of configured values, told by the suffix of their key, and exact conversion. Pure."""

from __future__ import annotations

import re
from fractions import Fraction

Factor = tuple[str, Fraction]

_TIMES = {
    ("ns", "nanos", "nanoseconds"): Fraction(1, 10**9),
    ("us", "micros", "microseconds"): Fraction(1, 10**6),
    ("ms", "msec", "msecs", "millis", "milliseconds"): Fraction(1, 1000),
    ("s", "sec", "secs", "second", "seconds"): Fraction(1),
    ("min", "mins", "minute", "minutes"): Fraction(60),
    ("h", "hr", "hrs", "hour", "hours"): Fraction(3600),
    ("d", "day", "days"): Fraction(86400),
}
_SIZES = {
    ("b", "byte", "bytes"): Fraction(1),
    ("kb",): Fraction(10**3),
    ("mb",): Fraction(10**6),
    ("gb",): Fraction(10**9),
    ("tb",): Fraction(10**12),
    ("kib",): Fraction(2**10),
    ("mib",): Fraction(2**20),
    ("gib",): Fraction(2**30),
    ("tib",): Fraction(2**40),
}
_SHARES = {("percent", "pct"): Fraction(1, 100)}
UNITS: dict[str, Factor] = {
    name: (dimension, factor)
    for dimension, table in (("time", _TIMES), ("size", _SIZES), ("share", _SHARES))
    for names, factor in table.items()
    for name in names
}
# As they are written with capital letters; "Mb" is left out, since it may be bits.
WRITTEN = {"B": "b", "KB": "kb", "kB": "kb", "MB": "mb", "GB": "gb", "TB": "tb", "%": "percent"}
WRITTEN |= {"KiB": "kib", "MiB": "mib", "GiB": "gib", "TiB": "tib"}
_DECIMAL = re.compile(r"[+-]?[0-9]{1,100}(\.[0-9]{1,100})?")


def factor(unit: str) -> Factor | None:
    """The dimension of a unit, and how many of the dimension's base it is."""
    return UNITS.get(WRITTEN.get(unit, unit))


def suffix(key: str) -> Factor | None:
    """The unit a key's last part after `_` tells."""
    return UNITS.get(key.rpartition("_")[2].lower()) if "_" in key else None


def number(value: object) -> Fraction | None:
    """A number as it is written; text counts if it is a plain decimal number, true and false never do."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return Fraction(value)
    if isinstance(value, float):
        written = repr(value)
        return Fraction(written) if written[-1].isdigit() else None
    if isinstance(value, str) and _DECIMAL.fullmatch(value):
        return Fraction(value)
    return None
