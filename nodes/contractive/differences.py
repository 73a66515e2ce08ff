"""What tells a question from an earlier one: numbers, formulas, names, a "not", what is asked for. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nodes.contractive.reading.frames import changed_places, is_in, other_words
from nodes.contractive.reading.names import same_name
from nodes.contractive.reading.polarity import contrary, denials, opposed
from nodes.contractive.reading.questions import Amount, Question, asking, facts, read
from nodes.contractive.reading.wants import other_thing
from nodes.contractive.reading.wording import STOP, akin

FRAME = 0.75
"""Share of words in their places from which one or two runs of others were put there on purpose."""
_TURNED_ROUND = re.compile(
    r"(.)不\1|有没有|没有(?=[?？。]?$)|\bor not\b|\bnothing but\b|\boder nicht\b|\bwhether or not\b"
)
_NEGATIVE_WORD = re.compile(
    r"\b(?:un(?!i|der|til)\w{4,}|non\w{4,}|dis\w{4,}|\w{3,}less|\w{3,}(?:los|frei)\w{0,2}|only|alone|fail\w*|prevent\w*)\b",
    re.IGNORECASE,
)
_WITHOUT = re.compile(r"\bohne\b", re.IGNORECASE)
_BARE = ("", "count")
FEW = 4
"""The largest number in words that may only count what is there."""


def different(question: str, earlier: str, form: str) -> str:
    """What tells a question from an earlier one, in words; "" if code finds nothing.

    Args:
        question: the later one.
        earlier: the whole of the earlier one.
        form: the part of it that is compared.
    """
    return (
        _other_amounts(question, earlier, form)
        or _other_facts(question, earlier, form)
        or other_thing(asking(question), asking(form))
        or _other_words(read(question), read(form))
    )


def _other_amounts(question: str, earlier: str, form: str) -> str:
    told, held, whole = facts(question), facts(form), facts(earlier)
    lost = [one for one in _new_amounts(held.amounts, told.amounts) if not _passing(one, form)]
    new = _new_amounts(told.amounts, whole.amounts)
    if new and not (len(new) == 1 and not lost and _passing(new[0], question)):
        return f"{_told(new)} is not in the earlier one"
    # Circumstances may be left out, but not a number of the sentence that asks.
    return f"{_told(lost)} is in the earlier one only" if lost and form == asking(form) else ""


def _other_facts(question: str, earlier: str, form: str) -> str:
    told, held, whole = facts(question), facts(form), facts(earlier)
    if len(told.bounds | held.bounds) > 1 and told.bounds != held.bounds:
        return "one sets a least, the other a most"
    if told.formulas and whole.formulas and not told.formulas <= whole.formulas:
        return "the formulas differ"
    if told.operations != held.operations and told.amounts:
        return "they calculate differently"
    if told.ordinals and held.ordinals and not told.ordinals & held.ordinals:
        return "they ask for different places in an order"
    later = read(question)
    if _one_of_two(later.keys, held.alternatives):
        return "it asks of one of the two only"
    name = _new_name(told.names, read(earlier).words)
    # A name more is a circumstance; a name for a name is another question.
    return f"{name} is not in the earlier one" if name and _new_name(held.names, later.words) else ""


def _other_words(later: Question, before: Question) -> str:
    if denied := _denied(later, before):
        return denied
    if changed_places(later.words, before.words):
        return "two words changed places"
    put, frame = other_words(later.words, before.words)
    return put if frame >= FRAME else ""


def _new_amounts(later: frozenset[Amount], before: frozenset[Amount]) -> list[Amount]:
    """Amounts the later question has and the earlier one has not; the same number without a unit counts."""
    bare = {plain for _, dimension, plain in before if dimension in _BARE}
    every = {plain for _, dimension, plain in before if dimension != "percent"}
    known = {(value, dimension) for value, dimension, _ in before}
    return sorted(
        one
        for one in later
        if one[:2] not in known
        and not (one[2] in every if one[1] in _BARE else one[2] in bare and one[1] != "percent")
    )


def _passing(amount: Amount, question: str) -> bool:
    """True for a small number in words that only counts what is there: "of the three", 三个内角."""
    value, dimension, _ = amount
    return dimension in _BARE and value <= FEW and f"{value:g}" not in question


def _told(amounts: Sequence[Amount]) -> str:
    value, dimension, _ = amounts[0]
    return f"{value:g} {dimension}".strip()


def _new_name(names: frozenset[str], words: Sequence[str]) -> str:
    """A name that none of the words of the earlier question is in any form."""
    held = {part for word in words for part in (word, *word.split("-"))}
    for name in sorted(names):
        known = any(akin(name, word) or same_name(name, word, person=False) for word in held)
        if not known and not _initials_of(name, words) and name not in STOP:
            return name
    return ""


def _one_of_two(keys: Sequence[str], offered: tuple[frozenset[str], frozenset[str]] | None) -> bool:
    """True if a question names one side of the alternatives of another one and nothing of the other side."""
    if offered is None:
        return False
    named = [any(is_in(word, keys) for word in side) for side in offered]
    return named[0] != named[1]


def _initials_of(name: str, words: Sequence[str]) -> bool:
    """True for EU beside "European Union"."""
    letters = "".join(word[0] for word in words)
    return 2 <= len(name) <= 6 and name in letters


def _denied(later: Question, before: Question) -> str:
    """Why one question denies what the other says, or ""."""
    one, other = (_positive(text) for text in (later.text, before.text))
    # "Fast here, slow there" has a contrary for every word of "quick here, slow there".
    both_sides = _two_sided(later.keys) and _two_sided(before.keys)
    denied = "" if both_sides else contrary(one, other, later.keys, before.keys)
    if denied == "one of them says not":
        # "Unknown" says what "did not know" does.
        silent = other if denials(one) else one
        denied = "" if _NEGATIVE_WORD.search(silent) else denied
    if not denied and (_WITHOUT.search(one) is None) != (_WITHOUT.search(other) is None):
        return "one is without what the other is with"
    return denied


def _two_sided(keys: Sequence[str]) -> bool:
    """True for a question that sets a word against its contrary."""
    return any(opposed(one, other) for one in keys for other in keys)


def _positive(text: str) -> str:
    """A text without the "not" of "whether or not", which denies nothing."""
    return _TURNED_ROUND.sub(" ", text)
