"""Is a reply right? Decided by code, exactly: 41 is not 41.5, and "not safe" is not "safe". Pure.

The judge shares the finding of the short answer with the product, and nothing else: whether two answers are
one is what the product has to find out, so it cannot be asked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import singledispatch

from evals.contractive.amounts import in_digits, numbers, stated
from evals.contractive.checks import (
    DateCheck,
    ItemsCheck,
    LineCheck,
    NumberCheck,
    OneOfCheck,
    Task,
    YesNoCheck,
)
from evals.contractive.days import days
from evals.contractive.deciding import Reader, decided, found_in
from evals.contractive.echoing import own_words
from evals.contractive.mentions import affirmed, mentions

_RIGHT = "right"
# "There is no muzzle" and "no muzzle" say no no.
_SAID = re.compile(
    r"^\W*(?:yes|no)\b(?=\W*$|\W*[.,;:!?*–—-]|\s+(?:it|the|they|this|that|he|she|we|you|one|because|since|as|not|there|an?)\b)"
    r"|\b(?:yes|no)(?=\W*$|\s*[.,;:!?]|\s+(?:or|but)\b)",
    re.IGNORECASE,
)
_DENIED = re.compile(r"\bnot\W+(?:in\W+|on\W+)?$", re.IGNORECASE)
_LISTED = r"(?P<listed>\d+(?:\s*(?:,|and|or|-|to|&)\s*\d+)*)"
_LINES = re.compile(rf"\blines?\s*(?:number\s*|no\.?\s*|#\s*)?{_LISTED}", re.IGNORECASE)
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
_ORDINAL_LINE = re.compile(rf"\b(?P<word>{'|'.join(_ORDINALS)}|\d+(?:st|nd|rd|th)) line\b", re.IGNORECASE)
_FIRST = re.compile(rf"\W*{_LISTED}\b(?!\s*[-+*/=]|\.\d)")


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of a reply.

    Attributes:
        right: True if it settles on the right answer and on no other.
        answered: True if it says something of its own that is no refusal.
        reason: why it is not right; empty if it is.
        keywords: of the task's keywords, how many its own words have.
    """

    right: bool
    answered: bool
    reason: str
    keywords: int


def judged(task: Task, reply: str) -> Judged:
    """Hold a reply against a task.

    Args:
        task: with what counts as right.
        reply: all that was said, as it was said.
    """
    own = own_words(reply, task.question, task.context)
    if not own:
        return Judged(False, False, "says nothing of its own", 0)
    short = found_in(own, task.question)
    found = _keywords(task, own)
    if short.kind in ("empty", "refusal"):
        return Judged(False, False, "refuses" if short.kind == "refusal" else "says nothing", found)
    read, wanted = reader(task)
    settled = decided(own, task.question, read, several=isinstance(task.check, ItemsCheck))
    if settled == wanted:
        return Judged(True, True, "", found)
    told = ", ".join(sorted(settled)) if settled else "nothing that can be held against it"
    return Judged(False, True, f"settles on {told}; right is {task.answer}", found)


def _keywords(task: Task, own: str) -> int:
    """Keywords in a reply's own words; of alternatives one is enough."""

    def has(word: str) -> bool:
        return re.search(rf"(?<![\w.]){re.escape(word)}(?![\w]|[.,]\d)", own, re.IGNORECASE) is not None

    return sum(any(has(word) for word in keyword.split("|")) for keyword in task.keywords)


def reader(task: Task) -> tuple[Reader, frozenset[str]]:
    """How a text is read for a task, and what has to come of it."""
    return _reader(task.check, task)


@singledispatch
def _reader(check: object, task: Task) -> tuple[Reader, frozenset[str]]:
    raise TypeError(f"{task.id} has a check of an unknown kind.")


@_reader.register
def _number(check: NumberCheck, task: Task) -> tuple[Reader, frozenset[str]]:
    given = frozenset(one for one in numbers(f"{task.context} {task.question}") if one != check.value)

    def told(value: float) -> str:
        return _RIGHT if abs(value - check.value) <= check.tolerance + 1e-9 else f"{value:g}"

    def read(text: str) -> frozenset[str]:
        return frozenset(told(value) for value in stated(text, check.units, given))

    return read, frozenset({_RIGHT})


@_reader.register
def _one_of(check: OneOfCheck, task: Task) -> tuple[Reader, frozenset[str]]:
    names = {_RIGHT: check.right, **{decoy: (decoy,) for decoy in check.decoys}}
    return lambda text: affirmed(mentions(text, names)), frozenset({_RIGHT})


@_reader.register
def _items(check: ItemsCheck, task: Task) -> tuple[Reader, frozenset[str]]:
    names = {item[0]: item for item in check.right} | {decoy: (decoy,) for decoy in check.decoys}
    return lambda text: affirmed(mentions(text, names)), frozenset(item[0] for item in check.right)


@_reader.register
def _yes_no(check: YesNoCheck, task: Task) -> tuple[Reader, frozenset[str]]:
    names = {"yes": check.for_yes, "no": check.for_no}
    turned = {"yes": "no", "no": "yes"}

    def read(text: str) -> frozenset[str]:
        if said := _SAID.findall(text):
            return frozenset(re.sub(r"\W", "", one).lower() for one in said)
        return frozenset(turned[one.key] if one.denied else one.key for one in mentions(text, names))

    return read, frozenset({"yes" if check.right else "no"})


@_reader.register
def _date(check: DateCheck, task: Task) -> tuple[Reader, frozenset[str]]:
    given = days(f"{task.context} {task.question}", check.value.year)
    return lambda text: days(text, check.value.year) - given, frozenset({check.value.isoformat()})


@_reader.register
def _line(check: LineCheck, task: Task) -> tuple[Reader, frozenset[str]]:
    quoted = " ".join(check.text.split())

    def read(text: str) -> frozenset[str]:
        named = [match for match in _LINES.finditer(text) if not _DENIED.search(text[: match.start()])]
        listed = [number for match in named for number in re.findall(r"\d+", match["listed"])]
        for match in _ORDINAL_LINE.finditer(text):
            word = match["word"].lower()
            listed.append(str(_ORDINALS.index(word) + 1) if word in _ORDINALS else re.sub(r"\D", "", word))
        if not listed and " ".join(text.strip(" `.").split()) == quoted:
            listed = [str(check.number)]
        if not listed and (first := _FIRST.match(in_digits(text))):
            listed = re.findall(r"\d+", first["listed"])
        return frozenset(str(int(number)) for number in listed)

    return read, frozenset({str(check.number)})
