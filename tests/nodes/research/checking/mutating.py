"""Turns a correct sentence into a wrong one by a single edit; None where the sentence offers no place for it."""

from __future__ import annotations

import random
import re

UNITS = [
    ("percentage points", "percent"), ("kilometres", "metres"), ("km", "miles"), ("metres", "feet"), ("kg", "tonnes"), ("tonnes", "kilograms"),
    ("million", "billion"), ("billion", "million"), ("hectares", "acres"), ("°C", "°F"), ("megawatts", "kilowatts"), ("€", "£"), ("£", "€"),
    ("percent", "percentage points"), ("days", "weeks"), ("years", "months"), ("minutes", "hours"), ("micrograms", "milligrams"),
    ("億元", "萬元"), ("萬元", "億元"), ("億美元", "億日圓"), ("公尺", "公里"), ("公里", "公尺"), ("個百分點", "%"), ("萬噸", "萬公斤"), ("毫米", "公分"), ("奈米", "微米"), ("天", "週"), ("分鐘", "小時"), ("公頃", "坪"),
]  # fmt: skip
ADDED = [(" is ", " is not "), (" was ", " was not "), (" were ", " were not "), (" has ", " has not "), (" will ", " will not "), (" did not ", " did "), ("並未", "已"), ("沒有", "有"), ("已", "並未"), ("將", "不會"), ("不會", "會")]  # fmt: skip
_NUMBER = re.compile(r"(?<![A-Za-z\d.,-])\d[\d,]*(?:\.\d+)?(?![\d年月日A-Za-z]|[-.,]\d)")
_YEAR = re.compile(r"(?<![\d,.])(?:19|20)\d\d(?![\d,])|(?<!\d)1[01]\d(?=年)")
_MONTHS = "January February March April May June July August September October November December".split()
_QUOTED = re.compile(r'["「]([^"」]{6,})["」]')


def number(text: str, chance: random.Random) -> str | None:
    """Change one digit of a number that is no year."""
    places = [
        match for match in _NUMBER.finditer(text) if not _YEAR.fullmatch(match[0]) and match[0].strip("0,.")
    ]
    if not places:
        return None
    match = chance.choice(places)
    digits = [at for at, sign in enumerate(match[0]) if sign.isdigit()]
    at = digits[0] if len(digits) < 3 else chance.choice(digits[:2])
    old = match[0][at]
    new = chance.choice([sign for sign in "123456789" if sign != old])
    changed = match[0][:at] + new + match[0][at + 1 :]
    return text[: match.start()] + changed + text[match.end() :]


def unit(text: str, chance: random.Random) -> str | None:
    """Give a number another unit or another scale."""
    pairs = [
        (old, new)
        for old, new in UNITS
        if re.search(rf"\d\s?{re.escape(old)}|{re.escape(old)}\d", text)
        and not (old == "km" and "km²" in text)
    ]
    if not pairs:
        return None
    old, new = chance.choice(pairs)
    place = re.search(rf"(?<=\d){re.escape(old)}|(?<=\d ){re.escape(old)}|{re.escape(old)}(?=\d)", text)
    return text[: place.start()] + new + text[place.end() :] if place else None


def date(text: str, chance: random.Random) -> str | None:
    """Move a year, or a month."""
    places = [
        (match.start(), match.end(), str(int(match[0]) + chance.choice([-2, -1, 1, 2])))
        for match in _YEAR.finditer(text)
    ]
    for name in _MONTHS:
        if found := re.search(rf"\b{name}\b(?! (?:will|be)\b)", text):
            places.append(
                (found.start(), found.end(), chance.choice([other for other in _MONTHS if other != name]))
            )
    if found := re.search(r"(?<=年)(\d{1,2})(?=月)", text):
        places.append((found.start(), found.end(), str(int(found[0]) % 12 + 1)))
    if not places:
        return None
    start, end, new = chance.choice(places)
    return text[:start] + new + text[end:]


def subject(text: str, names: list[str], others: list[str], chance: random.Random) -> str | None:
    """Say it of another."""
    name = next((name for name in names if name in text), None)
    return text.replace(name, chance.choice(others)) if name else None


def negation(text: str, chance: random.Random) -> str | None:
    """Deny it, or take the denial away."""
    places = [(old, new) for old, new in ADDED if text.count(old) == 1]
    if not places:
        return None
    old, new = chance.choice(places)
    return text.replace(old, new)


def quote(text: str, chance: random.Random) -> str | None:
    """Change one word inside a quotation."""
    match = _QUOTED.search(text)
    if not match:
        return None
    words = match[1].split(" ") if match[1].isascii() else list(match[1])
    at = chance.randrange(1, len(words) - 1) if len(words) > 2 else 0
    words[at] = (
        "never" if match[1].isascii() and words[at] != "never" else "絕" if words[at] != "絕" else "更"
    )
    changed = (" " if match[1].isascii() else "").join(words)
    return text[: match.start(1)] + changed + text[match.end(1) :]
