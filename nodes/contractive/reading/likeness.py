"""How likely two free answers are to say the same, by the words they share. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from math import exp

from nodes.contractive.reading.asked import Asked
from nodes.contractive.reading.residue import without_comparison
from nodes.contractive.reading.wording import REMEMBERED, akin, content, keys_of, raw_words, shared
from nodes.research.checking.folding import fold

WEIGHTS = (-5.0, 7.3, 1.5)
"""Of a constant, the overlap coefficient and Jaccard; fitted on the sets of `evals.entropy` that are not held back."""
CHANGED_PLACES = 0.3
"""Most likeness of "the cat chased the dog" and "the dog chased the cat", where neither is a passive."""
OTHER_NUMBERS = 0.2
"""Most likeness of answers that hold other numbers."""
ONE_WORD_APART = 0.4
"""Most likeness of answers that differ in one word: "a storm tore the hull open", "a collision ..."."""
MOST_WORDS = 300
_FEWEST_PLACES = 3
_PASSIVE = re.compile(r"\b(?:by|and)\b|\b(?:is|are|was|were|been)\s+\w+|[被和与]")
_NEGATIONS = frozenset("not no isnt arent wasnt werent dont doesnt didnt cant cannot wont never".split())


def likeness(want: Asked, one: str, other: str) -> float:
    """Probability that two free answers say the same, from the words they share (logistic, `WEIGHTS`)."""
    first, second = beyond(one, want)[:MOST_WORDS], beyond(other, want)[:MOST_WORDS]
    overlap, jaccard = shared(first, second)
    constant, of_overlap, of_jaccard = WEIGHTS
    told = 1 / (1 + exp(-(constant + of_overlap * overlap + of_jaccard * jaccard)))
    numbers = [{word for word in words if any(sign.isdigit() for sign in word)} for words in (first, second)]
    if all(numbers) and numbers[0] != numbers[1]:
        return min(told, OTHER_NUMBERS)
    one_passive, other_passive = (_PASSIVE.search(text) is not None for text in (one, other))
    if (
        _changed_places(first, second)
        and sorted(raw_words(one)) == sorted(raw_words(other))
        and one_passive == other_passive
    ):
        return min(told, CHANGED_PLACES)
    return min(told, ONE_WORD_APART) if _one_word_apart(first, second) else told


@lru_cache(maxsize=REMEMBERED)
def beyond(answer: str, want: Asked) -> tuple[str, ...]:
    """The words of an answer that its question does not have; else those the asking sentence does not have."""
    told = without_comparison(fold(answer))
    words = content(told, want.keys) if set(keys_of(told)) - want.keys else content(told, want.asking)
    return tuple(word for word in words if word not in _NEGATIONS) or tuple(words)


def _changed_places(one: Sequence[str], other: Sequence[str]) -> bool:
    """True if the same words come in another order, the first and the last in each other's place."""
    same = len(one) >= _FEWEST_PLACES and one != other and sorted(one) == sorted(other)
    return same and one[0] == other[-1] and one[-1] == other[0]


def _one_word_apart(one: Sequence[str], other: Sequence[str]) -> bool:
    """True if one word stands for another in otherwise the same words: it was put there to tell them apart."""
    if len(one) != len(other) or len(one) < _FEWEST_PLACES:
        return False
    return sum(not akin(a, b) for a, b in zip(one, other, strict=True)) == 1
