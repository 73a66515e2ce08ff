"""Finds in a question what an answer has to keep to: English, Chinese and German wordings. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from nodes.contractive.constraints import ROUGHLY, Constraint
from nodes.contractive.reading import demands as wording
from nodes.contractive.reading.number_named import number_named
from nodes.contractive.reading.units_asked import unit_named
from nodes.research.checking.folding import fold

END = 1000
"""Characters read at either end of a long question: before or after the material it says what is wanted."""
FEW = 20
"""Words from which on nobody counts: a text of 100 words is one of about 100."""
_QUOTED = re.compile(r'"[^"\n]*"|`[^`\n]*`|```.*?```|「[^」]*」|“[^”]*”', re.DOTALL)


def ends_of(text: str) -> str:
    """A text, or the two ends of a long one: its point stands first or last, and numbers are slow to read."""
    return text if len(text) <= 2 * END else f"{text[:END]}\n{text[-END:]}"


@lru_cache(maxsize=512)
def constraints_of(question: str) -> tuple[Constraint, ...]:
    """The constraints a question names, in the order they stand in it; what is in quotes names none.

    Args:
        question: as written.
    """
    whole = ends_of(question)
    text = _QUOTED.sub(lambda match: match[0][0] + " " * (len(match[0]) - 2) + match[0][-1], fold(whole))
    found: list[tuple[int, Constraint]] = []
    for read in _READERS:
        for at, one in read(text):
            if all(one.content != known.content for _, known in found):
                found.append((at, one))
    ordered = [one for _, one in sorted(found, key=lambda entry: entry[0])]
    return tuple(_together(ordered))


def _together(found: list[Constraint]) -> list[Constraint]:
    """Where only a number is wanted, one without its unit will do."""
    only_number = any(one.kind == "format" and one.what == "number" for one in found)
    return [
        Constraint(one.kind, one.words, one.what, one.least, one.most, one.values, bare=True)
        if only_number and one.kind == "unit"
        else one
        for one in found
    ]


Found = Iterator[tuple[int, Constraint]]


def _bounds(match: re.Match[str]) -> tuple[float | None, float | None] | None:
    """The least and the most a match allows; None if its number cannot be read."""
    groups = match.groupdict()
    number = number_named(groups["n"])
    if number is None:
        return None
    before, after = (groups.get("before") or "").lower(), (groups.get("after") or "").lower()
    if groups.get("upper") and (upper := number_named(groups["upper"])) is not None:
        return number, upper
    if wording.STRICTLY_UNDER.search(before):
        return None, number - 1
    if wording.STRICTLY_OVER.search(before):
        return number + 1, None
    if wording.AT_MOST.search(f"{before} {after}"):
        return None, number
    if wording.AT_LEAST.search(f"{before} {after}"):
        return number, None
    if wording.ABOUT.search(before):
        return number * (1 - ROUGHLY), number * (1 + ROUGHLY)
    return number, number


def _lengths(text: str) -> Found:
    for what, pattern in wording.LENGTHS:
        for match in pattern.finditer(text):
            if (bounds := _bounds(match)) is not None:
                if bounds[0] == bounds[1] and what in ("word", "character") and (bounds[0] or 0) >= FEW:
                    bounds = (bounds[0] or 0) * (1 - ROUGHLY), (bounds[0] or 0) * (1 + ROUGHLY)
                yield match.start(), Constraint("length", match[0].strip(" ,;"), what, *bounds)
    for match in wording.BRIEFLY.finditer(text):
        yield match.start(), Constraint("length", match[0].strip(" ,;"), "brief")


def _items(text: str) -> Found:
    for match in wording.ITEMS.finditer(text):
        noun = match["noun"] or match["han_noun"] or match["german_noun"] or ""
        named = match["n"] or match["han_n"] or match["german_n"]
        number = number_named(named)
        if number is None or wording.NO_ITEM.match(noun) or unit_named(noun.split(" ")[0]) is not None:
            continue
        before = (match["before"] or match["han_before"] or match["german_before"] or "").lower()
        least: float | None = number
        most: float | None = (number_named(match["upper"]) if match["upper"] else None) or number
        if wording.AT_MOST.search(before):
            least = None
        elif wording.AT_LEAST.search(before):
            most = None
        words = text[match.start("said") : match.end()].strip(" ,;") if match["said"] else match[0]
        yield match.start(), Constraint("items", words, "", least, most)


def _formats(text: str) -> Found:
    for what, pattern in wording.FORMATS:
        if match := pattern.search(text):
            groups = match.groupdict()
            words = groups.get("words") or groups.get("han") or match[0].strip(" ,;.:")
            yield match.start(), Constraint("format", words, what)


def _languages(text: str) -> Found:
    for pattern in wording.LANGUAGES:
        for match in pattern.finditer(text):
            name = next(group for group in match.groups() if group)
            yield (
                match.start(),
                Constraint("language", match[0].strip(" ,;:"), wording.LANGUAGE_CODES[name.lower()]),
            )


def _longest_unit(words: str) -> tuple[str, tuple[str, float, str] | None]:
    """The unit some words begin with, in as few of them as name it; None if they begin with none."""
    parts = words.split(" ")
    heads = [" ".join(parts[: at + 1]) for at in range(len(parts))]
    units = {head: unit_named(head) for head in heads}
    longest = next((unit for head in reversed(heads) if (unit := units[head]) is not None), None)
    if longest is None:
        return "", None
    shortest = next(head for head in heads if (unit := units[head]) and unit[:2] == longest[:2])
    return shortest, units[shortest]


def _units(text: str) -> Found:
    for pattern, bare in wording.UNITS:
        for match in pattern.finditer(text):
            words = match["unit"]
            # "in metres per second squared" before "in metres": the longest run of words that is a unit.
            words, unit = _longest_unit(match["unit"])
            if unit is None:
                continue
            dimension, factor, name = unit
            whole = text[match.start() : match.start("unit") + len(words)].strip(" ,;:")
            values = (name,) if dimension == "celsius" else ()
            yield match.start(), Constraint("unit", whole, dimension, None, factor, values, bare)
            if not bare:
                return


def _ranges(text: str) -> Found:
    for pattern in wording.RANGES:
        for match in pattern.finditer(text):
            low, high = number_named(match["low"]), number_named(match["high"])
            if low is not None and high is not None and low < high:
                yield match.start(), Constraint("range", match[0].strip(" ,;"), "", low, high)


def _choices(text: str) -> Found:
    for match in wording.CHOICES.finditer(text):
        options = [part.strip(" .?!\"'") for part in wording.BETWEEN_OPTIONS.split(match["options"])]
        if len(options := [one for one in options if one]) > 1 and all(len(one) <= 40 for one in options):
            yield match.start(), Constraint("choice", match[0].strip(" ,;"), values=tuple(options))


def _exclusions(text: str) -> Found:
    for what, pattern in wording.EXCLUSIONS:
        for match in pattern.finditer(text):
            named = next(group for name, group in match.groupdict().items() if name.startswith("x") and group)
            parts = [
                wording.ARTICLE.sub("", part.strip(" .?!\"'"))
                for part in wording.BETWEEN_OPTIONS.split(named)
            ]
            values = tuple(part for part in parts if part and len(part) <= 40)
            if values:
                yield match.start(), Constraint("exclusion", match[0].strip(" ,;"), what, values=values)


def _roundings(text: str) -> Found:
    for what, pattern in wording.ROUNDINGS:
        if match := pattern.search(text):
            number = number_named(match["n"])
            if number is not None:
                yield match.start(), Constraint("rounding", match[0].strip(" ,;"), what, None, number)
            return
    if match := wording.WHOLE.search(text):
        yield match.start(), Constraint("rounding", match[0].strip(" ,;"), "decimals", None, 0)


def _times(text: str) -> Found:
    for match in wording.TIMES.finditer(text):
        years = tuple(re.findall(r"(?<!\d)(?:1\d|20|21)\d\d(?!\d)", match[0]))
        yield match.start(), Constraint("time", match[0].strip(" ,;"), values=years)


_READERS: tuple[Callable[[str], Found], ...] = (
    _lengths, _items, _formats, _languages, _units, _ranges, _choices, _exclusions, _roundings, _times,
)  # fmt: skip
