"""Units as questions name them, German ones in the forms the parser of units reads. Pure."""

from __future__ import annotations

import re

from nodes.contractive.reading.asked import asked
from nodes.contractive.reading.measures import Measure, is_amount, measure, measures
from nodes.contractive.reading.notation import written_out
from nodes.research.checking.folding import fold

LONGEST = 1000
_GERMAN = {
    r"kilometern?": "km", r"quadratkilometern?": "km²", r"quadratmetern?": "m²", r"kubikmetern?": "m³", r"metern": "m", r"zentimetern?": "cm", r"millimetern?": "mm", r"meilen?": "miles",
    r"stunden?": "hours", r"minuten?": "minutes", r"sekunden?": "seconds", r"tagen?": "days", r"wochen?": "weeks", r"monaten?": "months", r"jahren?": "years",
    r"gramm": "g", r"kilogramm": "kg", r"kilo": "kg", r"tonnen?": "tonnes", r"pfund": "pounds", r"litern?": "l", r"millilitern?": "ml",
    r"prozent": "percent", r"grad celsius": "degrees Celsius", r"grad fahrenheit": "degrees Fahrenheit", r"grad": "degrees", r"stundenkilometern?": "km/h",
    r"kilometern? pro stunde": "km/h", r"metern? pro sekunde": "m/s", r"dollars?": "dollars", r"fuß": "feet", r"zoll": "inches",
}  # fmt: skip
_GERMAN_UNIT = re.compile(
    rf"(?<![^\W\d_])(?:{'|'.join(sorted(_GERMAN, key=len, reverse=True))})(?![^\W\d_])", re.IGNORECASE
)
_SCALES = re.compile(
    r"(?<=\d) ?(?P<scale>Millionen|Million|Mio\.?|Milliarden|Milliarde|Mrd\.?|Tausend)(?!\w)"
)
_SCALE_NAMES = {"mil": "million", "mio": "million", "mrd": "billion", "tau": "thousand"}
_ENGLISH_EXTRA = {"kelvin": "K", "kelvins": "K", "euro": "€", "feet": "ft"}


def in_known_units(text: str) -> str:
    """A folded text with German units and scales in English; other texts as they are."""
    text = fold(text)
    text = _SCALES.sub(lambda match: f" {_scale(match['scale'])}", text)
    return _GERMAN_UNIT.sub(lambda match: _english(match[0]), text)


def _scale(word: str) -> str:
    low = word.lower()
    return "billion" if low.startswith("milliard") else _SCALE_NAMES[low[:3]]


def _english(word: str) -> str:
    low = word.lower()
    return next(english for german, english in _GERMAN.items() if re.fullmatch(german, low))


def unit_named(words: str) -> tuple[str, float, str] | None:
    """The unit some words are: its dimension, its factor to the dimension's base unit, and its name.

    Args:
        words: such as "km/h", "degrees Celsius", "Kilometern" or "公里"; None if they are no unit.
    """
    text = in_known_units(words.strip(" .,?!。，？"))
    text = _ENGLISH_EXTRA.get(text.lower(), text)
    found = measures(written_out(f"7 {text}")) or measures(written_out(f"7{text}"))
    if (
        len(found) != 1
        or not is_amount(f"7 {text}")
        or found[0].dimension in ("", "count", "fraction", "people", "households", "rank")
    ):
        return None
    one = found[0]
    if one.dimension == "celsius":
        scale = (
            "F"
            if re.search(r"°?\s?F\b|fahrenheit|华氏", text, re.IGNORECASE)
            else "K"
            if re.search(r"^K$|kelvin|开", text)
            else "C"
        )
        return "celsius", 1.0, scale
    return one.dimension, abs(one.value / one.plain) if one.plain else 1.0, text


def amount_in(text: str) -> Measure | None:
    """The amount a text gives, German units and all; None if it gives none in its first `LONGEST` characters."""
    return measure(in_known_units(text[:LONGEST]), asked("")) if re.search(r"\w", text) else None
