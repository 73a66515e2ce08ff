"""Numbers in a goal: how many, how large, how recent."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from memory.recipes.ground import Ground
from memory.recipes.recency import Span, current_day, read_recency
from memory.recipes.stated_numbers import NUMBER, NUMBER_WORDS, number

UNIT_BYTES = {
    "b": 1, "byte": 1, "bytes": 1, "k": 1024, "kb": 1024, "kib": 1024, "kilobyte": 1024, "kilobytes": 1024,
    "m": 1024**2, "mb": 1024**2, "mib": 1024**2, "megabyte": 1024**2, "megabytes": 1024**2,
    "g": 1024**3, "gb": 1024**3, "gib": 1024**3, "gigabyte": 1024**3, "gigabytes": 1024**3,
}  # fmt: skip
MORE = (
    r"(?:(?:larger|bigger|greater|heavier|longer|more)(?: in size)? than|over|above|exceed(?:s|ing)?|beyond|>"
    r"|at least|>=|minimum)"
)
LESS = (
    r"(?:(?:smaller|less|lighter|shorter|fewer)(?: in size)? than|under|below|beneath|<|at most|<=|up to"
    r"|no more than)"
)
COMPARED = rf"(?:(?P<more>{MORE})|(?P<less>{LESS}))\s*{NUMBER}\s*"
BYTE_UNITS = "|".join(sorted(UNIT_BYTES, key=len, reverse=True))
SIZE = re.compile(rf"(?<!\w){COMPARED}(?P<unit>{BYTE_UNITS})\b(?: in size| large| big)?", re.IGNORECASE)
BETWEEN = re.compile(
    rf"(?<!\w)(?:between|from)\s+{NUMBER}\s*(?P<low>{BYTE_UNITS})?\s*(?:and|to)\s+{NUMBER}\s*(?P<unit>{BYTE_UNITS})\b"
    r"(?: in size| large| big| long)?",
    re.IGNORECASE,
)
EXACTLY = re.compile(
    rf"(?<!\w)(?:exactly|precisely|of|with|are|is)\s+(?P<amount>\d[\d,]*)\s*(?P<unit>{BYTE_UNITS})\b"
    r"(?: in size| large| big| long)?",
    re.IGNORECASE,
)
ORDINALS = ("second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
ORDINAL = re.compile(
    rf"(?<!\w)(?:(?P<digits>\d+)(?:st|nd|rd|th)|(?P<word>{'|'.join(ORDINALS)}))[- ]"
    r"(?=\w+est\b|most\b|least\b|last\b)",
    re.IGNORECASE,
)
COUNT_LIMIT = re.compile(
    rf"(?<!\w)(?:(?:with|having|that have|have|has|of)\s+)?{COMPARED}"
    r"(?P<unit>lines?|words?)\b(?: of code| long)?",
    re.IGNORECASE,
)
MONTHS = "january february march april may june july august september october november december".split()
MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
DAY = r"\d{1,2}(?:st|nd|rd|th)?"
DATE = (
    rf"(\d{{4}}-\d{{2}}-\d{{2}}|\d{{4}}-\d{{2}}"
    rf"|(?:{DAY}\s+)?(?:of\s+)?{MONTH}\s+(?:{DAY},?\s+)?\d{{4}}|(?:19|20)\d{{2}})"
)
RANGE = re.compile(
    rf"(?<!\w)(?:from|between)\s+{DATE}\s+(?:to|and|until|till|through)\s+{DATE}\b", re.IGNORECASE
)
SINCE = re.compile(
    rf"(?<!\w)(since|after|starting(?: from)?)\s+(?:the\s+)?{DATE}\b(?: onwards?)?", re.IGNORECASE
)
UNTIL = re.compile(rf"(?<!\w)(before|until|up to|prior to|till)\s+(?:the\s+)?{DATE}\b", re.IGNORECASE)
DURING = re.compile(
    rf"(?<!\w)(in|during|on|from|of)\s+(?:the\s+)?(?:year\s+)?{DATE}\b(?!\s*(?:lines?|words?|files?|characters?))",
    re.IGNORECASE,
)
# "in October" is the last one that has begun; only after words that no person's name follows.
YEARLESS = re.compile(
    rf"(?<!\w)(?:in|during|since|after|before|until|till|prior to)\s+({'|'.join(MONTHS)})"
    rf"(?!\s+(?:{DAY},?\s+)?\d)(?![\w/«-]|\.\w)",
    re.IGNORECASE,
)
LINE_SPAN = re.compile(r"(?<!\w)lines?\s+(\d+)\s*(?:-|–|to|through|until|and)\s*(\d+)\b", re.IGNORECASE)
LINE_AT = re.compile(r"(?<!\w)(?:line\s+(?:number\s+)?#?(\d+)|(\d+)(?:st|nd|rd|th)\s+line)\b", re.IGNORECASE)
PLAIN = re.compile(
    rf"(?<![\w.«-])(?:(\d+)(?![\w.»])|({'|'.join(list(NUMBER_WORDS)[2:])})(?!\w))", re.IGNORECASE
)


@dataclass(frozen=True)
class Quantities:
    """Limits a goal states.

    Attributes:
        n: a bare number ("top 5"), or None.
        nth: a place in an order ("second largest"), 2 or more, or None.
        min_bytes, max_bytes: file size limits, exclusive, in bytes.
        min_count, max_count: limits on a line or word count, exclusive.
        span: changed within this time before now.
        since, until: ISO instants, local time.
        recent: these are days counted from now, such as "today".
        first_line, last_line: a span of line numbers.
    """

    n: int | None = None
    nth: int | None = None
    min_bytes: int | None = None
    max_bytes: int | None = None
    min_count: int | None = None
    max_count: int | None = None
    span: Span | None = None
    since: str | None = None
    until: str | None = None
    first_line: int | None = None
    last_line: int | None = None
    recent: bool = False


def _exclusive(value: int, phrase: str, more: bool) -> int:
    inclusive = re.search(r"at least|at most|>=|<=|minimum|up to|no more", phrase, re.IGNORECASE)
    return value + (0 if not inclusive else -1 if more else 1)


def _limits(ground: Ground, pattern: re.Pattern[str]) -> tuple[int | None, int | None]:
    low = high = None
    for match in pattern.finditer(ground.text):
        amount = number(match.group(3)) * UNIT_BYTES.get(match.group("unit").lower(), 1)
        if match.group("more"):
            low = _exclusive(int(amount), match.group("more"), more=True)
        else:
            high = _exclusive(int(amount), match.group("less"), more=False)
    ground.take(pattern)
    return low, high


def _sizes(ground: Ground) -> tuple[int | None, int | None]:
    """Exclusive limits on the size of files, in bytes."""
    low, high = _limits(ground, SIZE)
    for match in BETWEEN.finditer(ground.text):
        unit = UNIT_BYTES[match.group("unit").lower()]
        lower_unit = UNIT_BYTES[match.group("low").lower()] if match.group("low") else unit
        low = int(number(match.group(1)) * lower_unit) - 1
        high = int(number(match.group(3)) * unit) + 1
    ground.take(BETWEEN)
    for match in EXACTLY.finditer(ground.text):
        size = int(number(match.group("amount"))) * UNIT_BYTES[match.group("unit").lower()]
        low, high = size - 1, size + 1
    ground.take(EXACTLY)
    return low, high


def _ordinal(ground: Ground) -> int | None:
    nth = None
    for match in ORDINAL.finditer(ground.text):
        digits = match.group("digits")
        nth = int(digits) if digits else ORDINALS.index(match.group("word").lower()) + 2
    ground.take(ORDINAL)
    return nth if nth and nth > 1 else None


def iso_dates(text: str) -> tuple[str, str]:
    """First and last day, ISO, of a written date: a day, a month or a year."""
    year_match = re.search(r"\d{4}", text)
    year = year_match.group(0) if year_match else ""
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
        return text, text
    month = next(
        (i for i, name in enumerate(MONTHS, 1) if re.search(rf"\b{name[:3]}", text, re.IGNORECASE)), None
    )
    if re.fullmatch(r"\d{4}-\d{2}", text):
        month = int(text[5:])
    if month is None:
        return f"{year}-01-01", f"{year}-12-31"
    day = re.search(r"(?<!\d)(\d{1,2})(?:st|nd|rd|th)?(?!\d)", text.replace(year, ""))
    if day and not re.fullmatch(r"\d{4}-\d{2}", text):
        exact = f"{year}-{month:02d}-{int(day.group(1)):02d}"
        return exact, exact
    last = 31 if month in (1, 3, 5, 7, 8, 10, 12) else 30 if month != 2 else 29 if int(year) % 4 == 0 else 28
    return f"{year}-{month:02d}-01", f"{year}-{month:02d}-{last:02d}"


def _with_years(text: str, today: date) -> str:
    def dated(match: re.Match[str]) -> str:
        begun = MONTHS.index(match.group(1).lower()) < today.month
        return f"{match.group(0)} {today.year if begun else today.year - 1}"

    return YEARLESS.sub(dated, text)


def _dates(ground: Ground, today: date) -> tuple[str | None, str | None]:
    since = until = None
    ground.write(_with_years(ground.text, today))
    for match in RANGE.finditer(ground.text):
        since = f"{iso_dates(match.group(1))[0]}T00:00:00"
        until = f"{iso_dates(match.group(2))[1]}T23:59:59"
    ground.take(RANGE)
    for match in SINCE.finditer(ground.text):
        first, last = iso_dates(match.group(2))
        since = f"{last}T23:59:59" if match.group(1).lower() == "after" else f"{first}T00:00:00"
    for match in UNTIL.finditer(ground.text):
        until = iso_dates(match.group(2))[0] + "T00:00:00"
    for match in DURING.finditer(ground.text):
        first, last = iso_dates(match.group(2))
        since, until = f"{first}T00:00:00", f"{last}T23:59:59"
    for pattern in (SINCE, UNTIL, DURING):
        ground.take(pattern)
    return since, until


def read_quantities(ground: Ground, today: date | None = None) -> Quantities:
    """Take limits, dates and line spans out of the text; a bare number is left for `read_number`.

    Args:
        ground: the text.
        today: "today" and a month without a year count from this day instead of the current one.
    """
    min_count, max_count = _limits(ground, COUNT_LIMIT)
    min_bytes, max_bytes = _sizes(ground)
    first = last = None
    for match in LINE_SPAN.finditer(ground.text):
        first, last = int(match.group(1)), int(match.group(2))
    ground.take(LINE_SPAN)
    for match in LINE_AT.finditer(ground.text):
        first = last = int(match.group(1) or match.group(2))
    ground.take(LINE_AT)
    day = today or current_day()
    recency = read_recency(ground, day)
    since, until = _dates(ground, day)
    recent = recency.since is not None and since is None and until is None
    return Quantities(
        nth=_ordinal(ground),
        min_bytes=min_bytes,
        max_bytes=max_bytes,
        min_count=min_count,
        max_count=max_count,
        span=recency.span,
        since=recency.since if recent else since,
        until=recency.until if recent else until,
        first_line=first,
        last_line=last,
        recent=recent,
    )


def read_number(ground: Ground) -> int | None:
    """Take one bare whole number ("top 5", "three largest") out of the text."""
    match = PLAIN.search(ground.text)
    if match is None:
        return None
    ground.write(f"{ground.text[: match.start()]} N {ground.text[match.end() :]}")
    return int(number(match.group(1) or match.group(2)))
