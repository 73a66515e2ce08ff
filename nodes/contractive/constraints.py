"""What a question says an answer has to keep to, and whether an answer keeps to it. Pure.

`constraint_reading.constraints_of` finds them in a question. `kept` says yes or no only where code can be
sure of it; what needs to be understood is None, and never counts against an answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from math import isclose
from typing import Literal

from nodes.contractive.reading.counting import (
    count_characters,
    count_items,
    count_paragraphs,
    count_sentences,
    count_words,
)
from nodes.contractive.reading.forms import FORMS
from nodes.contractive.reading.markers import after_marker
from nodes.contractive.reading.markup import spoken, unmarked
from nodes.contractive.reading.tongues import tongue
from nodes.contractive.reading.units_asked import amount_in
from nodes.contractive.reading.wording import canonical
from nodes.research.checking.folding import fold

ConstraintKind = Literal[
    "unit", "items", "length", "format", "language", "choice", "range", "exclusion", "rounding", "time"
]
ROUGHLY = 0.25
"""How far a length said to be "about" may be off."""


@dataclass(frozen=True, slots=True)
class Constraint:
    """One thing an answer has to keep to.

    Attributes:
        kind: what it limits.
        words: as the question has them, folded.
        what: of kind unit, the dimension; items, what is counted; length, word, sentence, character,
            paragraph or brief; format, its name; language, its ISO code; exclusion, "answer" or "anywhere";
            rounding, decimals, digits or step.
        least: smallest number allowed, in what is counted; None for none.
        most: largest number allowed; of kind unit, the factor to the dimension's base unit.
        values: options to choose from; what is excluded; years.
        bare: of kind unit, a number without its unit keeps it.
    """

    kind: ConstraintKind
    words: str
    what: str = ""
    least: float | None = None
    most: float | None = None
    values: tuple[str, ...] = ()
    bare: bool = False

    @property
    def content(self) -> tuple[object, ...]:
        """What it demands, whatever its words: equal for "in 50 words or less" and "in at most 50 words"."""
        return (
            self.kind,
            self.what,
            self.least,
            self.most,
            tuple(sorted(canonical(one) for one in self.values)),
        )


def kept(constraint: Constraint, answer_text: str, short_answer: str) -> bool | None:
    """True if an answer keeps to a constraint, False if it does not, None if code cannot tell.

    Args:
        constraint: of the question.
        answer_text: the whole reply; what it says after "Answer:" counts, if it has that.
        short_answer: the answer in it, as `answers.short_answer` finds it.
    """
    said = told(answer_text)
    if not re.search(r"\w", said):
        return None
    return _CHECKS[constraint.kind](constraint, said, short_answer or said)


def told(answer_text: str) -> str:
    """What a reply says, without thoughts, and without the reasoning before its "Answer:"."""
    text = spoken(answer_text).strip()
    after = after_marker(text)
    tail = text[text.rfind(after) :] if after and after in text else ""
    return tail or text


def _unit(one: Constraint, said: str, short: str) -> bool | None:
    found = amount_in(short) or amount_in(said)
    if found is None:
        return None
    if found.dimension in ("", "count", "fraction"):
        return one.bare
    if one.what == "celsius" and found.dimension == "degree":
        return None
    if found.dimension != one.what or not found.plain or one.most is None:
        return found.dimension == one.what
    if one.what == "celsius":
        # All temperatures are read as Celsius: the sign beside the number tells which it was.
        return one.values[0] in _scale(short) if _scale(short) else None
    return isclose(abs(found.value / found.plain), one.most, rel_tol=1e-6)


def _scale(short: str) -> str:
    text = fold(short)
    signs = (
        ("F", r"°\s?F\b|℉|fahrenheit|华氏"),
        ("C", r"°\s?C\b|℃|celsius|摄氏|centigrade"),
        ("K", r"\d\s?K\b|kelvin|开尔文"),
    )
    return "".join(sign for sign, pattern in signs if re.search(pattern, text, re.IGNORECASE))


def _items(one: Constraint, said: str, short: str) -> bool | None:
    count = count_items(said, short)
    return None if count is None else _within(count, one)


def _length(one: Constraint, said: str, short: str) -> bool | None:
    text = unmarked(said)
    if one.what == "brief":
        return None
    counts: dict[str, Callable[[str], int]] = {
        "word": count_words,
        "sentence": count_sentences,
        "character": count_characters,
        "paragraph": count_paragraphs,
    }
    return _within(counts[one.what](text), one)


def _within(count: float, one: Constraint) -> bool:
    return (one.least is None or count >= one.least) and (one.most is None or count <= one.most)


def _format(one: Constraint, said: str, short: str) -> bool | None:
    check = FORMS.get(one.what)
    return check(said) if check else None


def _language(one: Constraint, said: str, short: str) -> bool | None:
    found = tongue(unmarked(said))
    if found is None:
        return None
    # One word of another language, or two, may be a name.
    return True if found == one.what else (False if count_words(said) >= 4 else None)


def _choice(one: Constraint, said: str, short: str) -> bool | None:
    text = f" {canonical(short)} "
    return any(
        f" {canonical(option)} " in text or (not option.isascii() and option in short)
        for option in one.values
    )


def _range(one: Constraint, said: str, short: str) -> bool | None:
    found = amount_in(short)
    return None if found is None else _within(found.plain or found.value, one)


_CLEARED = re.compile(
    r"(?:\bnot|\bother than|\bunlike|\bexcept(?: for)?|\bbesides|\bapart from|\bexcluding"
    r"|\bwithout(?: using)?|\brather than|\binstead of|\bnicht|\baußer|\bohne|除了?|不是|而非|不包括"
    r"|不用|没有用)\s*(?:the |a |an |any )?$",
    re.IGNORECASE,
)


def _exclusion(one: Constraint, said: str, short: str) -> bool | None:
    text = fold(said if one.what == "anywhere" else short)
    for value in one.values:
        latin = value.isascii()
        pattern = rf"(?<!\w){re.escape(value)}(?!\w)" if latin else re.escape(value)
        for match in re.finditer(pattern, text, re.IGNORECASE):
            if not _CLEARED.search(text[: match.start()]):
                return False
    return True if one.values else None


def _rounding(one: Constraint, said: str, short: str) -> bool | None:
    digits = re.findall(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?", _points(fold(short)))
    if not digits or one.most is None:
        return None
    number = digits[-1].replace(",", "")
    decimals = len(number.partition(".")[2])
    if one.what == "decimals":
        return decimals <= one.most
    if one.what == "digits":
        return len(re.sub(r"\D", "", number).strip("0")) <= one.most
    return isclose(float(number) % one.most, 0.0, abs_tol=1e-9)


def _points(text: str) -> str:
    """German decimal commas as points, where one or two or many digits follow them but not three."""
    return re.sub(r"(?<=\d),(?=(?:\d{1,2}|\d{4,})(?!\d))", ".", text)


_STATED_AT = re.compile(r"(?:\bas of|\bas at|\bstand|截至|到)\s*(?:\w+ )?(\d{4})", re.IGNORECASE)


def _time(one: Constraint, said: str, short: str) -> bool | None:
    """Only an answer that names the day it holds for, and names another year, is known to miss it."""
    years = _STATED_AT.findall(fold(said))
    wanted = [value for value in one.values if re.fullmatch(r"\d{4}", value)]
    if not years or not wanted:
        return None
    return any(year in wanted for year in years)


_CHECKS: dict[ConstraintKind, Callable[[Constraint, str, str], bool | None]] = {
    "unit": _unit, "items": _items, "length": _length, "format": _format, "language": _language,
    "choice": _choice, "range": _range, "exclusion": _exclusion, "rounding": _rounding, "time": _time,
}  # fmt: skip
