"""Forms an answer may be asked to have: JSON, a number, yes or no, a list. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from nodes.contractive.reading.asked import asked
from nodes.contractive.reading.counting import count_words
from nodes.contractive.reading.markup import BULLET, FENCE, unmarked
from nodes.contractive.reading.polarity import yes_or_no
from nodes.contractive.reading.units_asked import amount_in
from nodes.research.checking.folding import fold

BRIEF_WORDS = 8
"""Words of an answer "without explanation": a name with its article and title, not a sentence with a reason."""


def _json(said: str) -> bool:
    blocks = [match["body"] for match in FENCE.finditer(said)]
    for text in (said, *blocks):
        try:
            json.loads(text)
        except (ValueError, RecursionError):
            continue
        return True
    return False


def _number_only(said: str) -> bool:
    """A number and no words; its unit, a currency or a sign beside it may stand."""
    text = fold(unmarked(said)).strip().rstrip(".。")
    words = re.findall(r"[^\W\d_]{2,}", text)
    return amount_in(text) is not None and len(words) <= 1 and "\n" not in text


def _truth(said: str) -> bool:
    text = unmarked(said).strip()
    return yes_or_no(text, asked("yes or no?")) is not None and count_words(text) <= 2


def _letter(said: str) -> bool:
    return re.fullmatch(r"\W*[A-Za-z]\W*", unmarked(said)) is not None


def _only_answer(said: str) -> bool:
    return count_words(unmarked(said)) <= BRIEF_WORDS or "```" in said


def _bulleted(said: str) -> bool:
    return sum(BULLET.match(line) is not None for line in said.splitlines()) >= 2


def _numbered(said: str) -> bool:
    return sum(re.match(r"\s*\d+[.)、]", line) is not None for line in said.splitlines()) >= 2


def _table(said: str) -> bool:
    return sum(line.count("|") >= 2 for line in said.splitlines()) >= 2


def _commas(said: str) -> bool | None:
    lines = [line for line in unmarked(said).splitlines() if line.strip()]
    return len(lines) == 1 if re.search(r"[,，、]", said) else (False if len(lines) > 1 else None)


def _upper(said: str) -> bool | None:
    letters = re.findall(r"[^\W\d_]", unmarked(said))
    return all(letter == letter.upper() for letter in letters) if letters else None


def _lower(said: str) -> bool | None:
    letters = re.findall(r"[^\W\d_]", unmarked(said))
    return all(letter == letter.lower() for letter in letters) if letters else None


def _iso_date(said: str) -> bool:
    return re.search(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)", said) is not None


def _fraction(said: str) -> bool:
    return re.search(r"\d\s?[/⁄]\s?\d|[½¼¾⅓⅔⅛]|\\d?frac", said) is not None


def _fenced(said: str) -> bool:
    return "```" in said


FORMS: dict[str, Callable[[str], bool | None]] = {
    "json": _json, "number": _number_only, "yes or no": _truth, "letter": _letter, "only the answer": _only_answer,
    "bullets": _bulleted, "numbered list": _numbered, "table": _table, "commas": _commas, "upper case": _upper,
    "lower case": _lower, "iso date": _iso_date, "fraction": _fraction, "code block": _fenced,
}  # fmt: skip
"""By name, whether what a reply says has the form; None where that cannot be told."""
