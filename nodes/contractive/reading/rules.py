"""The rules that decide whether two answers say the same, each None where it has nothing to say. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from nodes.contractive.reading.amounts import amounts_apart, same_amount
from nodes.contractive.reading.asked import Asked, asked
from nodes.contractive.reading.choices import option_of
from nodes.contractive.reading.days import dated, days_apart, same_date
from nodes.contractive.reading.formulas import is_formula, same_formula
from nodes.contractive.reading.identifiers import by_identifier
from nodes.contractive.reading.items import items_of
from nodes.contractive.reading.likeness import beyond
from nodes.contractive.reading.localized import same_place
from nodes.contractive.reading.measures import (
    Measure,
    is_amount,
    measure,
    measures,
)
from nodes.contractive.reading.names import aliases, same_name
from nodes.contractive.reading.notation import is_zero
from nodes.contractive.reading.polarity import (
    contrary,
    opposites,
    turned,
    without_lead,
    without_quoted_denials,
    yes_or_no,
)
from nodes.contractive.reading.residue import residue, without_comparison
from nodes.contractive.reading.verdicts import Verdict, different, same, unknown
from nodes.contractive.reading.wording import REMEMBERED, canonical, keys_of
from nodes.research.checking.folding import fold

_UNDATED = re.compile(
    r"(?<=\w)\s+(?:in|around|on|during|circa|about)\s+(?:the\s+)?(?:\w+\s+){0,2}(?:\d{1,2},?\s+)?\d{3,4}s?$"
)
# "1 000 000" is one number.
_ROW = re.compile(
    r"(?<![\w.,:-])(?!\d{1,3}(?: \d{3})+(?![\d ]))-?\d+(?:\.\d+)?(?:[ \t]+-?\d+(?:\.\d+)?)+(?![\w%°/:]|[.,]\d)"
)
_LISTED = re.compile(r",.*\b(?:and|or)\b|、")
NAME_WORDS = 5
LONGEST_ITEM = 24
"""Characters of an item; longer ones are phrases, which may say one thing in two ways."""
READ_ALIKE = 0.7
"""Likeness of 12/09/2025 and 12 September 2025."""
DENIED_CONTRARY = 0.6
"""Likeness of "not guilty" and "acquitted": mostly one, but not of words with a middle, as hot and cold."""


def by_formula(want: Asked, one: str, other: str) -> Verdict | None:
    """Formulas by their values."""
    left, right = _formula_in(one, want), _formula_in(other, want)
    if not (left and right):
        return None
    equal = same_formula(left, right)
    if equal is None:
        return unknown("formulas that cannot be worked out", 0.0)
    return same("the same formula") if equal else different("formulas of other values")


@lru_cache(maxsize=REMEMBERED)
def _formula_in(answer: str, want: Asked) -> str | None:
    told = fold(answer).strip(" .`")
    after = re.split(r"\b(?:is|are|be)\b|:|是|为", told)[-1].strip()
    candidates = (told, after, residue(answer, want))
    return next((text for text in candidates if is_formula(text) and not _has_unit(text)), None)


def _has_unit(text: str) -> bool:
    """True for 10 m/s, which looks like a formula."""
    return any(one.dimension not in ("", "ratio", "fraction", "count") for one in measures(text))


def by_choice(want: Asked, one: str, other: str) -> Verdict | None:
    """Options of a multiple choice, or of "this or that"."""
    if want.wanted not in ("choice", "either"):
        return None
    first, second = (
        option_of(answer, want) or option_of(without_comparison(fold(answer)), want)
        for answer in (one, other)
    )
    if first is None or second is None:
        return None
    return same(f"both are option {first}") if first == second else different(f"options {first} and {second}")


def by_yes_or_no(want: Asked, one: str, other: str) -> Verdict | None:
    """Answers that come to yes or no."""
    first, second = yes_or_no(one, want), yes_or_no(other, want)
    if first is None or second is None or (want.wanted != "yes_no" and not _only_yes_or_no(one, other)):
        return None
    return same("both say yes" if first else "both say no") if first == second else different("yes and no")


def _only_yes_or_no(one: str, other: str) -> bool:
    return len(keys_of(one)) <= 1 and len(keys_of(other)) <= 1


def by_items(want: Asked, one: str, other: str) -> Verdict | None:
    """Sets of items, and lists in an order that is asked for."""
    if want.wanted not in ("list", "order", "number", "open"):
        return None
    first, second = items_of(one, want), items_of(other, want)
    if want.wanted == "number" and (len(first) > 1) != (len(second) > 1) and _numbers(first, second):
        return different("another number of solutions")
    if (
        want.wanted == "open"
        and not (first and second)
        and _enumerates(max(first, second, key=len), one, other)
    ):
        return different("one thing and a list of several", sure=False)
    if not first or not second:
        return None
    if max(len(first), len(second)) < 2:
        told = want.wanted in ("list", "order") and _same_item(first[0], second[0])
        return same("the same item") if told and not turned(want, one, other) else None
    phrases = max(map(len, [*first, *second])) > LONGEST_ITEM
    if want.wanted in ("number", "open") and (phrases or min(len(first), len(second)) < 2):
        return None
    if turned(want, one, other):
        return different("one of them says not")
    if want.wanted == "open" and any(len(keys_of(item)) > 1 for item in (*first, *second)):
        # Phrases joined by "and" are a list only where they are the same ones.
        found = _as_sets(first, second, sure=False)
        return found if found.relation == "same" else None
    return _in_order(first, second) if want.wanted == "order" else _as_sets(first, second, sure=not phrases)


def _enumerates(items: Sequence[str], one: str, other: str) -> bool:
    """True for three or more single words with an "and" before the last: no place with what it lies in."""
    single = len(items) > 2 and all(len(keys_of(item)) == 1 for item in items)
    return single and _LISTED.search(fold(max(one, other, key=len))) is not None


def _in_order(
    first: Sequence[str], second: Sequence[str], alike: Callable[[str, str], bool] | None = None
) -> Verdict:
    moved = sum(not (alike or _same_item)(a, b) for a, b in zip(first, second, strict=False))
    moved += abs(len(first) - len(second))
    if not moved:
        return same("the same items in order")
    return different("other items, or another order", apart=moved / max(len(first), len(second)))


def _as_sets(one: Sequence[str], other: Sequence[str], *, sure: bool) -> Verdict:
    first, second = set(one), set(other)
    common = sum(any(_same_item(a, b) for b in second) for a in first)
    back = sum(any(_same_item(a, b) for a in first) for b in second)
    if common == len(first) and back == len(second):
        return same("the same items")
    away = 1 - min(common, back) / (len(first) + len(second) - min(common, back))
    return different("other items", sure=sure or len(first) != len(second), apart=away)


def _numbers(*lists: Sequence[str]) -> bool:
    """True if the longest of some lists holds nothing but numbers."""
    return all(re.fullmatch(r"-? ?\d[\d .]*", item) for item in max(lists, key=len))


def _same_item(one: str, other: str) -> bool:
    return (
        one == other
        or one in (f"{other}s", f"{other}es")
        or other in (f"{one}s", f"{one}es")
        or keys_of(one) == keys_of(other) != []
        or same_place(one, other) is True
        or _equal_numbers(one, other)
    )


def _equal_numbers(one: str, other: str) -> bool:
    want = asked("")
    first, second = measure(one, want), measure(other, want)
    return (
        first is not None
        and second is not None
        and bool(same_amount(first, second, want))
        and not _words_beside(one)
        and not _words_beside(other)
    )


def _words_beside(text: str) -> bool:
    return any(word.isalpha() and len(word) > 3 for word in keys_of(text))


def by_date(want: Asked, one: str, other: str) -> Verdict | None:
    """Dates."""
    if want.wanted in ("number", "share", "choice", "yes_no"):
        return None
    first, second = dated(one, want), dated(other, want)
    if (
        first is None
        or second is None
        or (want.wanted not in ("date", "year") and not _brief(want, one, other))
    ):
        return None
    if turned(want, one, other):
        return different("one of them says not")
    equal = same_date(first, second, want)
    if equal is None:
        # That one reading of 12/09/2025 is the other's very day is hardly chance.
        alike = READ_ALIKE if any(None not in day for day in first.days & second.days) else 0.3
        return unknown("one date tells less than the other, or can be read in two ways", alike)
    return same("the same date") if equal else different("other dates", apart=days_apart(first, second))


def _brief(want: Asked, one: str, other: str) -> bool:
    return max(len(beyond(one, want)), len(beyond(other, want))) <= NAME_WORDS


def by_row(want: Asked, one: str, other: str) -> Verdict | None:
    """Rows of bare numbers, as programs print them; a row is no amount, whatever it begins with."""
    first, second = (_ROW.findall(fold(answer)) for answer in (one, other))
    if len(first) == len(second) == 1:
        return _in_order(first[0].split(), second[0].split(), lambda a, b: float(a) == float(b))
    return (
        different("a row and one number")
        if (first and is_amount(other)) or (second and is_amount(one))
        else None
    )


def by_number(want: Asked, one: str, other: str) -> Verdict | None:
    """Amounts."""
    if want.wanted in ("who", "list", "order", "date", "yes_no"):
        return None
    one, other = _worked_out(one), _worked_out(other)
    first, second = measure(without_lead(one), want), measure(without_lead(other), want)
    if first is None or second is None:
        return None
    numeric = want.wanted in ("number", "share", "year") or (is_amount(one) and is_amount(other))
    if not numeric and not _brief(want, one, other):
        return None
    if turned(want, one, other) and not (is_zero(one) or is_zero(other)):
        return different("one of them says not")
    return _amounts(first, second, want, numeric=numeric or not _words_differ(want, one, other))


@lru_cache(maxsize=REMEMBERED)
def _worked_out(answer: str) -> str:
    """What a chain of equations without words comes to: 120 of 5! = 5 × 4 × 3 × 2 × 1 = 120."""
    head, equals, tail = answer.rpartition("=")
    return (
        tail.strip() if equals and not re.search(r"[^\W\d_]{4,}", head) and re.search(r"\d", tail) else answer
    )


def _words_differ(want: Asked, one: str, other: str) -> bool:
    mine = {word for word in beyond(one, want) if not any(sign.isdigit() for sign in word)}
    theirs = {word for word in beyond(other, want) if not any(sign.isdigit() for sign in word)}
    return bool(mine and theirs) and mine != theirs


def _amounts(first: Measure, second: Measure, want: Asked, *, numeric: bool) -> Verdict | None:
    equal = same_amount(first, second, want)
    if equal is None:
        return unknown("units that cannot be compared", 0.1)
    if not equal:
        return different("other numbers", apart=amounts_apart(first, second, want))
    exact = first.value == second.value or (first.step == second.step and not (first.about or second.about))
    return same("the same amount", sure=exact) if numeric else None


def by_contrary(want: Asked, one: str, other: str) -> Verdict | None:
    """Contraries, and a "not" in just one of them."""
    first, second = beyond(one, want), beyond(other, want)
    left, right = (without_quoted_denials(without_lead(fold(answer)), want) for answer in (one, other))
    if why := contrary(left, right, first, second):
        return different(why)
    if words := opposites(left, right, first, second):
        return unknown(f"one denies {words[0]} or {words[1]}, the other says its contrary", DENIED_CONTRARY)
    return None


def by_substitution(want: Asked, one: str, other: str) -> Verdict | None:
    """One claim of two things the question itself names: "the flute is" and "the harp is"."""
    first, second = (re.findall(r"\w+", fold(answer).lower()) for answer in (one, other))
    if len(first) != len(second) or len(first) < 3:
        return None
    swapped = [(a, b) for a, b in zip(first, second, strict=True) if a != b]
    known = all(set(keys_of(word)) & want.keys for pair in swapped for word in pair)
    alike = any(set(keys_of(a)) & set(keys_of(b)) for a, b in swapped)
    return different("the same of another thing") if len(swapped) == 1 and known and not alike else None


def by_name(want: Asked, one: str, other: str) -> Verdict | None:
    """Names, once what repeats the question is taken away."""
    left, right = (_UNDATED.sub("", residue(answer, want)) for answer in (one, other))
    if canonical(left) == canonical(right) and canonical(left):
        return same("the same words beyond the question")
    if max(len(left.split()), len(right.split())) > NAME_WORDS + 2:
        return None
    told = [_name_relation(want, a, b) for a in aliases(left) for b in aliases(right)]
    if any(relation is True for relation in told):
        return same("two forms of one name", sure=False)
    if told and all(relation is False for relation in told):
        return different("other names", sure=False)
    return None


def _name_relation(want: Asked, one: str, other: str) -> bool | None:
    place = same_place(one, other)
    if place is not None:
        return place
    person = want.wanted == "who" or one.istitle() and other.istitle() and " name " in f" {want.text} "
    return same_name(one, other, person=person)


RULES = (
    by_choice,
    by_yes_or_no,
    by_items,
    by_identifier,
    by_date,
    by_row,
    by_formula,
    by_number,
    by_contrary,
    by_substitution,
    by_name,
)
"""In the order they are asked; the first that decides does."""
