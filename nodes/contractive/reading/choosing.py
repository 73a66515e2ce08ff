"""Which sentence or clause of a sample is its answer. Pure."""

from __future__ import annotations

import re

from nodes.contractive.reading.asked import Asked
from nodes.contractive.reading.markers import BECAUSE, REASONING
from nodes.contractive.reading.refusals import is_refusal
from nodes.contractive.reading.wording import keys_of
from nodes.research.checking.folding import fold

BRIEF = 5
"""Words of an answer that stands for itself."""
_FEWEST_KEYS = 2
_RESTATED = 0.8
_SUM = re.compile(r"\d\s*=\s*[$€£]?-?\d[\d.,]*\W*$")
_CLAUSES = re.compile(r",\s*(?:(?:and|so|then|but)\s+)?", re.IGNORECASE)


def chosen_of(said: list[str], want: Asked) -> str:
    """The sentence that answers: the last one of an argument, else the first."""
    if len(said) == 1:
        return said[0]
    if is_refusal(said[0]):
        return f"{said[0]} {said[1]}"
    argues = REASONING.match(fold(said[0])) is not None
    if want.wanted in ("number", "share") and any("=" in sentence for sentence in said):
        return next((s for s in reversed(said) if "=" in s or re.search(r"\d", s)), said[-1])
    if want.wanted in ("number", "share"):
        return _with_number(said, want, argues=argues)
    if sums := [one for one in said if _SUM.search(one)]:
        return sums[-1]
    return said[-1] if argues else _restating(said, want)


def _restating(said: list[str], want: Asked) -> str:
    """The sentence that says the question again with its answer; the first one if none does, or it does."""
    if len(said[0].split()) <= BRIEF or len(want.asking) < _FEWEST_KEYS:
        return said[0]
    shares = [len(want.asking & set(keys_of(one))) / len(want.asking) for one in said]
    best = max(shares)
    return said[shares.index(best)] if best >= _RESTATED > shares[0] else said[0]


def _with_number(said: list[str], want: Asked, *, argues: bool) -> str:
    """Of sentences with a number the one that has most words of the question, the last of several.

    One that is only a number with its unit, and comes first, is the answer; what follows explains it.
    """
    numbered = [one for one in said if re.search(r"\d", one) and not BECAUSE.match(fold(one))]
    if not numbered:
        return said[-1] if argues else said[0]
    if numbered[0] is said[0] and re.match(r"[^\w]*\d", said[0]) and len(said[0].split()) <= BRIEF:
        return said[0]
    # The numbers of the question stand in every step that works with them.
    asking = {word for word in want.asking if not word.isdecimal()}
    return max(reversed(numbered), key=lambda one: len(asking & set(keys_of(one))))


def clause_of(sentence: str, want: Asked) -> str:
    """The last clause that says again what is asked: "Bob is the shortest" after "Ann > Bob, and"."""
    clauses = [one for one in _CLAUSES.split(sentence) if want.asking and want.asking <= set(keys_of(one))]
    return clauses[-1] if clauses else sentence
