"""Do two answers to one question say the same? Decided by code where it can be sure. Pure.

What code cannot tell is `unknown`; `entailment` puts it to a model, and without one `settled_by_words` decides.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp
from typing import Literal

from nodes.contractive.answers import ShortAnswer
from nodes.contractive.asked import Asked, asked
from nodes.contractive.choices import option_of
from nodes.contractive.days import dated, days_apart, same_date
from nodes.contractive.formulas import is_formula, same_formula
from nodes.contractive.items import items_of
from nodes.contractive.localized import same_place
from nodes.contractive.measures import Measure, amounts_apart, measure, same_amount
from nodes.contractive.names import aliases, same_name
from nodes.contractive.notation import is_zero
from nodes.contractive.polarity import contrary, denials, opposites, without_lead, yes_or_no
from nodes.contractive.residue import residue, without_comparison
from nodes.contractive.snippets import code_apart, same_code
from nodes.contractive.wording import akin, canonical, content, keys_of, shared
from nodes.research.checking.folding import fold

Relation = Literal["same", "different", "unknown"]
WEIGHTS = (-5.0, 7.3, 1.5)
"""Of the lexical rule: constant, overlap coefficient, Jaccard; fitted on the sets that are not held back."""
NAME_WORDS = 5
CHANGED_PLACES = 0.3
"""Most likeness of "the cat chased the dog" and "the dog chased the cat", where neither is a passive."""
ONE_WORD_APART = 0.4
"""Most likeness of answers that differ in one word: "a storm tore the hull open", "a collision ..."."""
_FEWEST_PLACES = 3
_PASSIVE = re.compile(r"\b(?:by|and)\b|\b(?:is|are|was|were|been)\s+\w+|[被和与]")
_NEGATIONS = frozenset("not no isnt arent wasnt werent dont doesnt didnt cant cannot wont never".split())
DENIED_CONTRARY = 0.6
"""Likeness of "not guilty" and "acquitted": mostly one, but not of words with a middle, as hot and cold."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What two answers are to each other.

    Attributes:
        relation: same, different, or unknown.
        reason: why, in a few words.
        sure: follows from what both state; else a rule, a rounding or a model said so.
        likeness: probability that they say the same as their words tell it, 0 to 1; of unknown ones.
        apart: distance of the two, 0 to 1: see `distance`.
    """

    relation: Relation
    reason: str
    sure: bool = False
    likeness: float = 0.0
    apart: float = 1.0


def _same(reason: str, *, sure: bool = True) -> Verdict:
    return Verdict("same", reason, sure, 1.0, 0.0)


def _different(reason: str, *, sure: bool = True, apart: float = 1.0) -> Verdict:
    return Verdict("different", reason, sure, 0.0, apart)


def _unknown(reason: str, alike: float) -> Verdict:
    return Verdict("unknown", reason, False, alike, 1.0 - alike)


def compare(question: str, one: ShortAnswer, other: ShortAnswer) -> Verdict:
    """Hold two answers against each other; the order of the two does not matter.

    Args:
        question: both answer it.
        one: an answer.
        other: another.
    """
    if (one.kind, one.text) > (other.kind, other.text):
        one, other = other, one
    if "empty" in (one.kind, other.kind) or "refusal" in (one.kind, other.kind):
        if one.kind == other.kind:
            return _same(f"both are {one.kind}")
        return _different(f"{one.kind} and {other.kind}")
    want = asked(question)
    first, second = sorted((one.text, other.text))
    if "code" in (one.kind, other.kind):
        if same_code(first, second):
            return _same("the same code")
        return replace(_unknown("other code", 0.0), apart=code_apart(first, second))
    if canonical(first) == canonical(second) and canonical(first):
        return _same("the same words")
    for read in (
        _by_choice,
        _by_yes_or_no,
        _by_items,
        _by_date,
        _by_formula,
        _by_number,
        _by_contrary,
        _by_name,
    ):
        if (verdict := read(want, first, second)) is not None:
            return verdict
    return _unknown("code cannot tell", likeness(want, first, second))


def settled_by_words(verdict: Verdict) -> Verdict:
    """An unknown one decided by the words both share, which it says; others as they are."""
    if verdict.relation != "unknown":
        return verdict
    told: Relation = "same" if verdict.likeness >= 0.5 else "different"
    return replace(
        verdict, relation=told, reason=f"by shared words alone ({verdict.likeness:.2f}): {verdict.reason}"
    )


def likeness(want: Asked, one: str, other: str) -> float:
    """Probability that two free answers say the same, from the words they share (logistic, `WEIGHTS`)."""
    first, second = beyond(one, want), beyond(other, want)
    overlap, jaccard = shared(first, second)
    constant, of_overlap, of_jaccard = WEIGHTS
    told = 1 / (1 + exp(-(constant + of_overlap * overlap + of_jaccard * jaccard)))
    one_passive, other_passive = (_PASSIVE.search(text) is not None for text in (one, other))
    if _changed_places(first, second) and one_passive == other_passive:
        return min(told, CHANGED_PLACES)
    return min(told, ONE_WORD_APART) if _one_word_apart(first, second) else told


def beyond(answer: str, want: Asked) -> list[str]:
    """The words of an answer that its question does not have; else those the asking sentence does not have."""
    told = without_comparison(fold(answer))
    words = content(told, want.keys) if set(keys_of(told)) - want.keys else content(told, want.asking)
    return [word for word in words if word not in _NEGATIONS] or words


def _changed_places(one: Sequence[str], other: Sequence[str]) -> bool:
    """True if the same words come in another order, the first and the last in each other's place."""
    same = len(one) >= _FEWEST_PLACES and one != other and sorted(one) == sorted(other)
    return same and one[0] == other[-1] and one[-1] == other[0]


def _one_word_apart(one: Sequence[str], other: Sequence[str]) -> bool:
    """True if one word stands for another in otherwise the same words: it was put there to tell them apart."""
    if len(one) != len(other) or len(one) < _FEWEST_PLACES:
        return False
    return sum(not akin(a, b) for a, b in zip(one, other, strict=True)) == 1


def _formula_in(answer: str, want: Asked) -> str | None:
    told = fold(answer).strip(" .`")
    after = re.split(r"\b(?:is|are|be)\b|:|是|为", told)[-1].strip()
    return next((text for text in (told, after, residue(answer, want)) if is_formula(text)), None)


def _by_choice(want: Asked, one: str, other: str) -> Verdict | None:
    if want.wanted not in ("choice", "either"):
        return None
    first, second = (
        option_of(answer, want) or option_of(without_comparison(fold(answer)), want)
        for answer in (one, other)
    )
    if first is None or second is None:
        return None
    return (
        _same(f"both are option {first}") if first == second else _different(f"options {first} and {second}")
    )


def _by_yes_or_no(want: Asked, one: str, other: str) -> Verdict | None:
    first, second = yes_or_no(one, want), yes_or_no(other, want)
    if first is None or second is None or (want.wanted != "yes_no" and not _only_yes_or_no(one, other)):
        return None
    return _same("both say yes" if first else "both say no") if first == second else _different("yes and no")


def _only_yes_or_no(one: str, other: str) -> bool:
    return len(keys_of(one)) <= 1 and len(keys_of(other)) <= 1


def _by_items(want: Asked, one: str, other: str) -> Verdict | None:
    if want.wanted not in ("list", "order", "number", "open"):
        return None
    first, second = items_of(one, want), items_of(other, want)
    if want.wanted == "number" and (len(first) > 1) != (len(second) > 1) and _numbers(first, second):
        return _different("another number of solutions")
    if want.wanted in ("number", "open") and (
        min(len(first), len(second)) < 2 or max(map(len, [*first, *second])) > 24
    ):
        return None
    if not first or not second or max(len(first), len(second)) < 2:
        return None
    if _turned(one, other):
        return _different("one of them says not")
    if want.wanted == "order":
        same = len(first) == len(second) and all(_same_item(a, b) for a, b in zip(first, second, strict=True))
        moved = sum(not _same_item(a, b) for a, b in zip(first, second, strict=False)) + abs(
            len(first) - len(second)
        )
        away = moved / max(len(first), len(second))
        return (
            _same("the same items in order")
            if same
            else _different("other items, or another order", apart=away)
        )
    common = sum(any(_same_item(a, b) for b in set(second)) for a in set(first))
    away = 1 - common / max(len(set(first)) + len(set(second)) - common, 1)
    if len(set(first)) != len(set(second)):
        return _different("another number of items", apart=away or 1 / max(len(first), len(second)))
    if all(any(_same_item(a, b) for b in second) for a in first) and all(
        any(_same_item(a, b) for a in first) for b in second
    ):
        return _same("the same items")
    return _different("other items", sure=max(map(len, [*first, *second])) <= 24, apart=away)


def _numbers(*lists: Sequence[str]) -> bool:
    """True if the longest of some lists holds nothing but numbers."""
    return all(re.fullmatch(r"-? ?\d[\d .]*", item) for item in max(lists, key=len))


def _same_item(one: str, other: str) -> bool:
    return (
        one == other
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


def _by_date(want: Asked, one: str, other: str) -> Verdict | None:
    if want.wanted in ("number", "share", "choice", "yes_no"):
        return None
    first, second = dated(one, want), dated(other, want)
    if (
        first is None
        or second is None
        or (want.wanted not in ("date", "year") and not _brief(want, one, other))
    ):
        return None
    if _turned(one, other):
        return _different("one of them says not")
    same = same_date(first, second, want)
    if same is None:
        return _unknown("one date tells less than the other, or can be read in two ways", 0.3)
    return _same("the same date") if same else _different("other dates", apart=days_apart(first, second))


def _brief(want: Asked, one: str, other: str) -> bool:
    return max(len(beyond(one, want)), len(beyond(other, want))) <= NAME_WORDS


def _by_number(want: Asked, one: str, other: str) -> Verdict | None:
    if want.wanted in ("who", "list", "order", "date", "yes_no"):
        return None
    first, second = measure(without_lead(one), want), measure(without_lead(other), want)
    if first is None or second is None:
        return None
    numeric = want.wanted in ("number", "share", "year")
    if not numeric and not _brief(want, one, other):
        return None
    if _turned(one, other) and not (is_zero(one) or is_zero(other)):
        return _different("one of them says not")
    return _amounts(first, second, want, numeric=numeric or not _words_differ(want, one, other))


def _words_differ(want: Asked, one: str, other: str) -> bool:
    mine = {word for word in beyond(one, want) if not any(sign.isdigit() for sign in word)}
    theirs = {word for word in beyond(other, want) if not any(sign.isdigit() for sign in word)}
    return bool(mine and theirs) and mine != theirs


def _amounts(first: Measure, second: Measure, want: Asked, *, numeric: bool) -> Verdict | None:
    same = same_amount(first, second, want)
    if same is None:
        return _unknown("units that cannot be compared", 0.1)
    if not same:
        return _different("other numbers", apart=amounts_apart(first, second, want))
    exact = first.value == second.value or (first.step == second.step and not (first.about or second.about))
    return _same("the same amount", sure=exact) if numeric else None


def _turned(one: str, other: str) -> bool:
    """True if just one of two answers is denied."""
    first, second = without_lead(fold(one)), without_lead(fold(other))
    return len(denials(first)) % 2 != len(denials(second)) % 2


def _by_contrary(want: Asked, one: str, other: str) -> Verdict | None:
    first, second = beyond(one, want), beyond(other, want)
    left, right = without_lead(fold(one)), without_lead(fold(other))
    if why := contrary(left, right, first, second):
        return _different(why)
    if words := opposites(left, right, first, second):
        return _unknown(f"one denies {words[0]} or {words[1]}, the other says its contrary", DENIED_CONTRARY)
    return None


def _by_name(want: Asked, one: str, other: str) -> Verdict | None:
    left, right = residue(one, want), residue(other, want)
    if canonical(left) == canonical(right) and canonical(left):
        return _same("the same words beyond the question")
    if max(len(left.split()), len(right.split())) > NAME_WORDS + 2:
        return None
    told = [_name_relation(want, a, b) for a in aliases(left) for b in aliases(right)]
    if any(relation is True for relation in told):
        return _same("two forms of one name", sure=False)
    if told and all(relation is False for relation in told):
        return _different("other names", sure=False)
    return None


def _name_relation(want: Asked, one: str, other: str) -> bool | None:
    place = same_place(one, other)
    if place is not None:
        return place
    person = want.wanted == "who" or one.istitle() and other.istitle() and " name " in f" {want.text} "
    return same_name(one, other, person=person)
