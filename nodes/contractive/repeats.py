"""Does a question ask again what was asked before? Pure.

Code tells two questions apart by what decides: another number, formula or name, a "not", the contrary of a
word, another thing that is asked for, words in each other's place. Where it finds none, a logistic over the
nearness of the two and the words they share, fitted on the tuned half of `evals.parts`, says how likely they
are one question. Nearness alone cannot: "the weight of steel" and "the weight of ice" embed as near to each
other as two wordings of one question do, but a paraphrase seldom keeps every other word in its place. A part of
a question, which names what the question does not, is no repeat of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from math import exp

from configs.relevance import WORDS, SameWeights, load_part_weights
from nodes.contractive.meanings import Meanings
from nodes.contractive.reading.names import same_name
from nodes.contractive.reading.polarity import contrary
from nodes.contractive.reading.questions import Amount, asking, facts, read, roots, sentences
from nodes.contractive.reading.wants import other_thing, wants
from nodes.contractive.reading.wording import STOP, akin, shared

_TURNED_ROUND = re.compile(r"(.)不\1|有没有|没有(?=[?？。]?$)|\bor not\b|\bnothing but\b|\boder nicht\b|\bwhether or not\b")
_WITHOUT = re.compile(r"\bohne\b", re.IGNORECASE)
_OR_AND = frozenset("or and oder und 或 和 与".split())
_JOINING = _OR_AND | frozenset("a an the der die das 还 是".split())
# Words and signs a question may be put with or without.
_FRAME_WORDS = frozenset(
    "possible allowed able advisable necessary required true such case there many much number calculate compute find determine name list explain give state solve tell total kind "
    "hat haben hatte ist sind war waren man viele wie was welche welcher welches welchem welchen wird wurde wurden werden man nenne berechne "
    "的 了 吗 呢 是 在 和 与 有 个 一 哪 什 么 请 问 到 底 会 要 就 那 这 必 须 需 应 该 得 能 可 以 或 及 与".split()
)
_TELLING_SIGNS = frozenset("不没未无非前后内外上下大小多少高低长短男女左右东西南北早晚新旧")
# "Which city is the capital?" asks what "What is the capital?" does.
_WHICH = frozenset("which what welche welcher welches welchen welchem".split())
FRAME = 0.75
"""Share of words in their places from which the others were put there to ask something else."""
FAR = 0.2
"""Nearness below which no two questions are one."""
NEAR = 0.5
"""Nearness from which two may be one that share no word."""
LEAST_FRAME = 0.5
"""The same, from which it is weighed whether they were."""
EDITS = 2
"""Runs of other words there may then be: 136 of 188 look-alikes of the tuned half have so few, 4 of 132 repeats."""
_BARE = ("", "count")
FEW = 4
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


def repeated(question: str, earlier: Iterable[str], meanings: Meanings | None = None) -> str | None:
    """The first of some earlier questions that a question asks again; None if it asks none of them again.

    Args:
        question: the later one.
        earlier: in the order in which they are tried.
        meanings: vectors of `texts_compared` of all of them; words alone decide without.
    """
    enough = load_part_weights().same_from
    for before in earlier:
        model = _model(question, before, meanings)
        if sameness(question, before, meanings).probability >= enough[model]:
            return before
    return None


def restates(question: str, earlier: str, meanings: Meanings | None = None) -> bool:
    """True if a question may well be an earlier one in other words, by half of what `repeated` asks for."""
    enough = load_part_weights().same_from[_model(question, earlier, meanings)]
    return sameness(question, earlier, meanings).probability >= enough / 2


def sameness(question: str, earlier: str, meanings: Meanings | None = None) -> Sameness:
    """How likely a question asks what an earlier one asks, which may say more than its last sentence does."""
    if _far(question, earlier, meanings):
        return Sameness(0.0, "they have nothing in common")
    later, before = read(question), read(earlier)
    if later.canonical == before.canonical or before.canonical in map(canonical_of, sentences(question)):
        return Sameness(1.0)
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


def different(question: str, earlier: str, form: str) -> str:
    """What tells a question from an earlier one, in words; "" if code finds nothing.

    Args:
        question: the later one.
        earlier: the whole of the earlier one.
        form: the part of it that is compared.
    """
    told, held, whole = facts(question), facts(form), facts(earlier)
    lost = [one for one in _new_amounts(held.amounts, told.amounts) if not _passing(one, form)]
    new = _new_amounts(told.amounts, whole.amounts)
    if new and not (len(new) == 1 and not lost and _passing(new[0], question)):
        return f"{_told(new)} is not in the earlier one"
    if lost and form == asking(form):
        return f"{_told(lost)} is in the earlier one only"
    if len(told.bounds | held.bounds) > 1 and told.bounds != held.bounds:
        return "one sets a least, the other a most"
    if told.formulas and whole.formulas and not told.formulas <= whole.formulas:
        return "the formulas differ"
    if told.operations != held.operations and told.amounts:
        return "they calculate differently"
    if told.ordinals and held.ordinals and not told.ordinals & held.ordinals:
        return "one asks for the first, the other for another in order"
    later, before = read(question), read(form)
    if _one_of_two(later.keys, held.alternatives):
        return "it asks of one of the two only"
    if (name := _new_name(told.names, read(earlier).words)) and _new_name(held.names, later.words):
        return f"{name} is not in the earlier one"
    if other := other_thing(asking(question), asking(form)):
        return other
    if denied := contrary(_positive(later.text), _positive(before.text), later.keys, before.keys):
        return denied
    if (_WITHOUT.search(later.text) is None) != (_WITHOUT.search(before.text) is None):
        return "one is without what the other is with"
    if changed_places(later.words, before.words):
        return "two words changed places"
    put, frame = other_words(later.words, before.words)
    return put if frame >= FRAME else ""


def compared(question: str, earlier: str, meanings: Meanings | None = None) -> Compared:
    """What the logistic weighs of two questions."""
    later, before = read(question), read(earlier)
    near = meanings.nearness(question, earlier) if _model(question, earlier, meanings) != WORDS else None
    added = [word for word in dict.fromkeys(later.keys) if not _in(word, before.keys)]
    dropped = [word for word in dict.fromkeys(before.keys) if not _in(word, later.keys)]
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


def other_words(later: Sequence[str], before: Sequence[str]) -> tuple[str, float]:
    """What stands for what in a question that has most of its words in the places of another one.

    Returns:
        The first of one or two runs of other words, "" if there are none or more; and the share of words in
        their places, 0 to 1.
    """
    matcher = SequenceMatcher(None, before, later, autojunk=False)
    frame = matcher.ratio()
    if frame < LEAST_FRAME:
        return "", frame
    edits = [
        (_content(before[a:b]), _content(later[c:d]))
        for kind, a, b, c, d in matcher.get_opcodes()
        if kind != "equal" and not (kind != "replace" and a and before[a - 1] in _WHICH)
    ]
    told = [(old, new) for old, new in _without_moves(edits) if not _alike(old, new)]
    if not 1 <= len(told) <= EDITS:
        return "", frame
    old, new = (" ".join(words) for words in told[0])
    return f"{new or 'nothing'} stands for {old or 'nothing'}", frame


def _without_moves(edits: Sequence[tuple[list[str], list[str]]]) -> list[tuple[list[str], list[str]]]:
    """Runs of words without those that only stand elsewhere: "Vietnam or Brazil" for "Brazil or Vietnam"."""
    gone = [word for old, _ in edits for word in old]
    come = [word for _, new in edits for word in new]
    return [
        ([word for word in old if not _in(word, come)], [word for word in new if not _in(word, gone)])
        for old, new in edits
    ]


def changed_places(one: Sequence[str], other: Sequence[str]) -> bool:
    """True if two words, and nothing else, stand in each other's place, unless they are joined by "or" or "and"."""
    off = [at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b]
    if len(one) != len(other) or len(off) != 2 or one[off[0]] != other[off[1]] or one[off[1]] != other[off[0]]:
        return False
    between = set(one[off[0] + 1 : off[1]])
    return _carries([one[off[0]]]) and _carries([one[off[1]]]) and not (between & _OR_AND and between <= _JOINING)


def _far(question: str, earlier: str, meanings: Meanings | None) -> bool:
    """True for two questions with neither a word nor a meaning in common, which are most of a tree."""
    if roots(question) & roots(earlier):
        return meanings is not None and all(
            _near(question, form, meanings) < FAR for form in texts_compared(earlier)
        )
    return meanings is None or all(
        _near(question, form, meanings) < NEAR for form in texts_compared(earlier)
    )


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


def _new_amounts(later: frozenset[Amount], before: frozenset[Amount]) -> list[Amount]:
    """Amounts the later question has and the earlier one has not; without a unit one is as good as with it."""
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
    named = [any(_in(word, keys) for word in side) for side in offered]
    return named[0] != named[1]


def _initials_of(name: str, words: Sequence[str]) -> bool:
    """True for EU beside "European Union"."""
    letters = "".join(word[0] for word in words)
    return 2 <= len(name) <= 6 and name in letters


def _positive(text: str) -> str:
    """A text without the "not" of "whether or not", which denies nothing."""
    return _TURNED_ROUND.sub(" ", text)


def _carries(words: Sequence[str]) -> bool:
    return bool(_content(words))


def _content(words: Sequence[str]) -> list[str]:
    """Words that may tell one question from another."""
    return [
        word
        for at, word in enumerate(words)
        if word not in STOP and word not in _FRAME_WORDS and not (at and words[at - 1] in _WHICH)
    ]


def _alike(old: Sequence[str], new: Sequence[str]) -> bool:
    """True for two runs of words that ask nothing different: 国 and 国家, close and closest, nothing and nothing."""
    if not old or not new:
        signs = [*old, *new]
        return not signs or (len(signs) <= 2 and all("\u3400" <= one not in _TELLING_SIGNS for one in signs))
    return all(_in(word, new) for word in old) and all(_in(word, old) for word in new)


def _in(word: str, words: Sequence[str]) -> bool:
    return any(akin(word, other) for other in words)
