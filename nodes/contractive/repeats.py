"""Does a question ask again what was asked before? Pure.

`differences` tells two questions apart by what decides. Where it finds nothing, a logistic over the nearness
of the two and the words they share, fitted on the tuned half of `evals.parts`, says how likely they are one.
Nearness alone cannot: "the weight of steel" and "the weight of ice" embed as near to each other as two
wordings of one question do, but a paraphrase seldom keeps every other word in its place. A part of a
question, which names what the question does not, is no repeat of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import exp

from configs.relevance import WORDS, SameWeights, load_part_weights
from nodes.contractive.differences import different
from nodes.contractive.meanings import Meanings
from nodes.contractive.narrower import narrower
from nodes.contractive.reading.frames import is_in, other_words
from nodes.contractive.reading.questions import asking, read, roots, sentences
from nodes.contractive.reading.wants import wants
from nodes.contractive.reading.wording import shared

FAR = 0.2
"""Nearness below which no two questions are one."""
NEAR = 0.5
"""Nearness from which two may be one that share no word."""
_MOST = 4


@dataclass(frozen=True, slots=True)
class Sameness:
    """How likely two questions are one.

    Attributes:
        probability: 0 to 1; 0 where code tells them apart.
        apart: what tells them apart, in words; empty if nothing does.
    """

    probability: float
    apart: str = ""


@dataclass(frozen=True, slots=True)
class Compared:
    """What the logistic weighs; `configs.relevance.SameWeights` says what each is."""

    near: float
    shared: float
    frame: float
    edited: float
    added: float
    dropped: float
    wanted: float


def texts_compared(question: str) -> list[str]:
    """The texts of a question that are embedded to compare it: itself, and the sentence of it that asks."""
    return list(dict.fromkeys((question, asking(question))))


def repeated(
    question: str, earlier: Iterable[str], meanings: Meanings | None = None, *, least: float = 0.0
) -> str | None:
    """The first of some earlier questions that a question asks again; None if it asks none of them again.

    Args:
        question: the later one.
        earlier: in the order in which they are tried.
        meanings: vectors of `texts_compared` of all of them; words alone decide without.
        least: probability that is asked for in any case, where a part refused wrongly costs more than one
            asked twice.
    """
    enough = load_part_weights().same_from
    for before in earlier:
        model = _model(question, before, meanings)
        if sameness(question, before, meanings).probability >= max(least, enough[model]):
            return before
    return None


def restates(question: str, earlier: str, meanings: Meanings | None = None) -> bool:
    """True if a question may well be an earlier one in other words, by half of what `repeated` asks for."""
    enough = load_part_weights().same_from[_model(question, earlier, meanings)]
    return sameness(question, earlier, meanings).probability >= enough / 2


def in_doubt(question: str, earlier: str) -> bool:
    """True if words alone do not settle whether a question asks what an earlier one asks."""
    told = sameness(question, earlier)
    return not told.apart and told.probability < 1.0


def sameness(question: str, earlier: str, meanings: Meanings | None = None) -> Sameness:
    """How likely a question asks what an earlier one asks, which may say more than its last sentence does."""
    return _by_words(question, earlier) if meanings is None else _sameness(question, earlier, meanings)


# Every part is held against the whole tree, first to see whether words leave a doubt.
@lru_cache(maxsize=8192)
def _by_words(question: str, earlier: str) -> Sameness:
    return _sameness(question, earlier, None)


def _sameness(question: str, earlier: str, meanings: Meanings | None) -> Sameness:
    if _far(question, earlier, meanings):
        return Sameness(0.0, "they have nothing in common")
    later, before = read(question), read(earlier)
    if later.canonical == before.canonical or before.canonical in map(canonical_of, sentences(question)):
        return Sameness(1.0)
    if less := narrower(question, earlier):
        return Sameness(0.0, less)
    told = []
    for form in forms_compared(question, earlier):
        apart = different(question, earlier, form)
        weights = load_part_weights().same[_model(question, form, meanings)]
        told.append(
            Sameness(0.0, apart) if apart else Sameness(_likely(weights, compared(question, form, meanings)))
        )
    return max(told, key=lambda one: one.probability)


def forms_compared(question: str, earlier: str) -> list[str]:
    """The texts of an earlier question a later one is held against.

    One that states its own circumstances is held against the earlier one with all of its own.
    """
    return texts_compared(earlier) if len(sentences(question)) == 1 else [earlier]


def canonical_of(sentence: str) -> str:
    """A sentence by which equal ones are told."""
    return read(sentence).canonical


def compared(question: str, earlier: str, meanings: Meanings | None = None) -> Compared:
    """What the logistic weighs of two questions."""
    later, before = read(question), read(earlier)
    near = None
    if meanings is not None and meanings.measured_for(question, earlier):
        near = meanings.nearness(question, earlier)
    added = [word for word in dict.fromkeys(later.keys) if not is_in(word, before.keys)]
    dropped = [word for word in dict.fromkeys(before.keys) if not is_in(word, later.keys)]
    put, frame = other_words(later.words, before.words)
    asked = (wants(asking(question)) & wants(asking(earlier))) - {"open", "either"}
    return Compared(
        near=near if near is not None else 0.0,
        shared=shared(later.keys, before.keys)[1],
        frame=frame,
        edited=frame if put else 0.0,
        added=min(len(added), _MOST) / _MOST,
        dropped=min(len(dropped), _MOST) / _MOST,
        wanted=float(bool(asked)),
    )


def _far(question: str, earlier: str, meanings: Meanings | None) -> bool:
    """True for two questions with neither a word nor a meaning in common, which are most of a tree."""
    if roots(question) & roots(earlier):
        return meanings is not None and all(
            _near(question, form, meanings) < FAR for form in texts_compared(earlier)
        )
    return meanings is None or all(_near(question, form, meanings) < NEAR for form in texts_compared(earlier))


def _near(question: str, form: str, meanings: Meanings) -> float:
    """Nearness, or what stands for it where the model says nothing: between `FAR` and `NEAR`."""
    measured = meanings.nearness(question, form) if meanings.measured_for(question, form) else None
    return (FAR + NEAR) / 2 if measured is None else measured


def _likely(weights: SameWeights, of: Compared) -> float:
    told = weights.constant + weights.near * of.near + weights.shared * of.shared + weights.frame * of.frame
    told += weights.edited * of.edited + weights.added * of.added + weights.dropped * of.dropped
    return 1 / (1 + exp(-(told + weights.wanted * of.wanted)))


def _model(question: str, earlier: str, meanings: Meanings | None) -> str:
    """Whose weights hold for two texts: those of the embedding model, if it was measured and has both."""
    return meanings.model if meanings and meanings.measured_for(question, earlier) else WORDS
