"""Numbers and dates as people write them in six languages, as digits. Pure.

A word counts only in its own language, for "once" is eleven in Spanish and "due" two in Italian; which
language a text is in, its commonest words tell.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

UNITS = "one two three four five six seven eight nine".split()
TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
# "one" and "a" are too common to be counts.
ENGLISH = {word: str(value) for value, word in enumerate([*UNITS, *TEENS], start=1) if value > 1}
ENGLISH |= {word: str(10 * value) for value, word in enumerate(TENS, start=2)}
ENGLISH |= {
    f"{ten}-{unit}": str(10 * value + number)
    for value, ten in enumerate(TENS, start=2)
    for number, unit in enumerate(UNITS, start=1)
}
ENGLISH |= {"dozen": "12", "hundred": "100", "thousand": "1000", "million": "1000000"}


def _numbered(words: str, first: int = 2) -> dict[str, str]:
    return {word: str(value) for value, word in enumerate(words.split(), start=first)}


GERMAN_UNITS = "ein zwei drei vier fünf sechs sieben acht neun".split()
GERMAN_TENS = "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig".split()
WORDS: dict[str, dict[str, str]] = {
    "en": ENGLISH,
    "de": _numbered(
        "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn "
        "siebzehn achtzehn neunzehn"
    )
    | {word: str(10 * value) for value, word in enumerate(GERMAN_TENS, start=2)}
    | {
        f"{unit}und{ten}": str(10 * value + number)
        for value, ten in enumerate(GERMAN_TENS, start=2)
        for number, unit in enumerate(GERMAN_UNITS, start=1)
    }
    | {"dutzend": "12", "hundert": "100", "tausend": "1000", "fuenf": "5", "zwoelf": "12"},
    "fr": _numbered(
        "deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept "
        "dix-huit dix-neuf vingt"
    )
    | {"trente": "30", "quarante": "40", "cinquante": "50", "soixante": "60", "cent": "100", "mille": "1000"},
    "es": _numbered(
        "dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis "
        "diecisiete dieciocho diecinueve veinte"
    )
    | {"treinta": "30", "cuarenta": "40", "cincuenta": "50", "cien": "100", "mil": "1000"},
    "it": _numbered(
        "due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici "
        "diciassette diciotto diciannove venti"
    )
    | {"trenta": "30", "quaranta": "40", "cinquanta": "50", "cento": "100", "mille": "1000"},
}
# Words that are as often something else: "new" in French, "you are" in Italian.
AMBIGUOUS = {"neuf", "sei"}
COMMON = {
    "en": "the is are of and in there it has have files file to for with was that this",
    "de": "der die das und ist sind es gibt in den dem ein eine mit nicht hat haben dateien datei im von zu",
    "fr": "le la les il y a des dans est sont et un une du de fichiers fichier pas avec ont contient au",
    "es": "el la los las hay en es son y un una de del archivos archivo no con tiene contiene que",
    "it": "il la i gli le ci sono in è e un una di del nella file non con ha contiene che della",
}
_COMMON = {language: set(words.split()) for language, words in COMMON.items()}
HAN = {
    "零": 0,
    "〇": 0,
    "一": 1,
    "二": 2,
    "两": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
}
HAN_SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10_000}
HAN_COUNT = re.compile(
    r"[零〇一二两三四五六七八九十百千万]+(?=\s*(?:个|次|行|条|种|项|处|份|页|位|天|年|月|日|字|段))"
)
MONTHS = (
    "january jan januar janvier janv enero ene gennaio gen",
    "february feb februar février févr febrero febbraio",
    "march mar märz mars marzo", "april apr avril avr abril abr aprile", "may mai mayo maggio mag",
    "june jun juni juin junio giugno giu", "july jul juli juillet juil julio luglio lug",
    "august aug août agosto ago", "september sep sept septembre septiembre settembre set",
    "october oct oktober okt octobre octubre ottobre ott", "november nov novembre noviembre",
    "december dec dezember dez décembre déc diciembre dic dicembre",
)  # fmt: skip
MONTH = {name: number for number, names in enumerate(MONTHS, start=1) for name in names.split()}
_NAMES = "|".join(sorted(MONTH, key=len, reverse=True))
DATE = re.compile(
    rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.|er|º)?\s+(?:of\s+|de\s+)?(?P<month>{_NAMES})\.?,?\s+"
    r"(?:de\s+)?(?P<year>\d{4})\b"
    rf"|\b(?P<month2>{_NAMES})\.?\s+(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year2>\d{{4}})\b"
    r"|(?<!\d)(?P<year3>\d{4})年(?P<month3>\d{1,2})月(?P<day3>\d{1,2})日"
    r"|(?<![\d.])(?P<day4>\d{1,2})\.(?P<month4>\d{1,2})\.(?P<year4>\d{4})(?![\d.])",
    re.IGNORECASE,
)


def plain_digits(text: str) -> str:
    """The text with every decimal digit of any script, full-width ones too, as 0 to 9."""
    if text.isascii():
        return text
    return "".join(
        str(unicodedata.decimal(sign)) if sign.isdecimal() and not sign.isascii() else sign for sign in text
    )


def language_of(text: str) -> str:
    """The language most of whose commonest words stand in a text; English where none stands out."""
    words = set(re.findall(r"[^\W\d_]+", text.lower()))
    scores = {language: len(words & common) for language, common in _COMMON.items()}
    best = max(scores, key=lambda language: scores[language])
    return best if scores[best] >= 2 and scores[best] > scores["en"] else "en"


def number_words(text: str) -> list[tuple[str, str]]:
    """Numbers written as words in the text's language, each as written and in digits."""
    language = language_of(text)
    known, found = WORDS[language], _any_word(language).findall(text)
    found = [word for word in found if word.lower() not in AMBIGUOUS or _counts(word, text)]
    pairs = [(word, known.get(word.lower()) or known[word.lower().removesuffix("s")]) for word in found]
    # One of something is as often an article.
    return pairs + [(word, value) for word in HAN_COUNT.findall(text) if (value := _han(word)) != "1"]


@cache
def _any_word(language: str) -> re.Pattern[str]:
    """Finds the number words of a language, the longest first."""
    known = WORDS[language]
    plural = r"s?" if known is ENGLISH else ""
    longest_first = "|".join(sorted(map(re.escape, known), key=len, reverse=True))
    return re.compile(rf"(?<![\w-])(?:{longest_first}){plural}(?![\w-])", re.IGNORECASE)


def _counts(word: str, text: str) -> bool:
    """True if a word that may be a number stands before what it could count."""
    return re.search(rf"(?<!\bde ){word}\s+[^\W\d_]{{4,}}", text) is not None


def _han(word: str) -> str:
    total, digit = 0, 0
    for sign in word:
        if sign in HAN:
            digit = HAN[sign]
        elif sign == "万":
            total, digit = (total + digit) * 10_000, 0
        else:
            total, digit = total + max(1, digit) * HAN_SCALES[sign], 0
    return str(total + digit)


def written_dates(text: str) -> list[tuple[str, str]]:
    """Dates that name their month or are written day first with dots, each as written and as YYYY-MM-DD."""
    found = []
    for match in DATE.finditer(text):
        parts = {name.rstrip("234"): value for name, value in match.groupdict().items() if value is not None}
        month = parts["month"].lower()
        number = MONTH.get(month) or (int(month) if month.isdigit() else 0)
        found.append((match[0], f"{parts['year']}-{number:02d}-{int(parts['day']):02d}"))
    return found
