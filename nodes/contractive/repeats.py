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
from nodes.contractive.reading.questions import Amount, Question, asking, read, sentences
from nodes.contractive.reading.wants import other_thing, wants
from nodes.contractive.reading.wording import STOP, akin, shared

_TURNED_ROUND = re.compile(r"(.)不\1|有没有|没有(?=[?？。]?$)|\bor not\b|\boder nicht\b|\bwhether or not\b")
_WITHOUT = re.compile(r"\bohne\b", re.IGNORECASE)
_JOINING = frozenset("or and oder und 或 和 与 还 是 a an the der die das".split())
# Words and signs a question may be put with or without.
_FRAME_WORDS = frozenset(
    "there many much number calculate compute find determine name list explain give state solve tell total kind "
    "viele wie was welche welcher welches welchem welchen wird wurde wurden werden man nenne berechne "
    "的 了 吗 呢 是 在 和 与 有 个 一 哪 什 么 请 问 到 底 会 要 就 那 这".split()
)
FRAME = 0.75
"""Share of words in their places from which the only run of others was put there to ask something else."""
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


def sameness(question: str, earlier: str, meanings: Meanings | None = None) -> Sameness:
    """How likely a question asks what an earlier one asks, which may say more than its last sentence does."""
    later, before = read(question), read(earlier)
    if not later.words or not before.words:
        return Sameness(0.0, "one of them says nothing")
    if later.canonical == before.canonical or before.canonical in map(canonical_of, sentences(question)):
        return Sameness(1.0)
    told = []
    for form in texts_compared(earlier):
        apart = different(question, earlier, form)
        weights = load_part_weights().same[_model(question, form, meanings)]
        told.append(
            Sameness(0.0, apart) if apart else Sameness(_likely(weights, compared(question, form, meanings)))
        )
    return max(told, key=lambda one: one.probability)


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
    later, before, whole = read(question), read(form), read(earlier)
    if new := _new_amounts(later.amounts, whole.amounts):
        return f"{_told(new)} is not in the other"
    if len(later.bounds | before.bounds) > 1 and later.bounds != before.bounds:
        return "one sets a least, the other a most"
    if later.formulas and whole.formulas and not later.formulas <= whole.formulas:
        return "the formulas differ"
    if name := _new_name(later, whole):
        return f"{name} is not in the other"
    if later.ordinals and before.ordinals and not later.ordinals & before.ordinals:
        return "one asks for the first, the other for another in order"
    if other := other_thing(asking(question), asking(form)):
        return other
    if denied := contrary(_positive(later.text), _positive(before.text), later.keys, before.keys):
        return denied
    if (_WITHOUT.search(later.text) is None) != (_WITHOUT.search(before.text) is None):
        return "one is without what the other is with"
    if changed_places(later.words, before.words):
        return "two words changed places"
    return one_edit(later.words, before.words)


def compared(question: str, earlier: str, meanings: Meanings | None = None) -> Compared:
    """What the logistic weighs of two questions."""
    later, before = read(question), read(earlier)
    near = meanings.nearness(question, earlier) if _model(question, earlier, meanings) != WORDS else None
    added = [word for word in dict.fromkeys(later.keys) if not _in(word, before.keys)]
    dropped = [word for word in dict.fromkeys(before.keys) if not _in(word, later.keys)]
    frame = SequenceMatcher(None, before.words, later.words, autojunk=False).ratio()
    asked = (wants(asking(question)) & wants(asking(earlier))) - {"open", "either"}
    return Compared(
        near=near if near is not None else 0.0,
        shared=shared(later.keys, before.keys)[1],
        frame=frame,
        added=min(len(added), _MOST) / _MOST,
        dropped=min(len(dropped), _MOST) / _MOST,
        wanted=float(bool(asked)),
    )


def one_edit(later: Sequence[str], before: Sequence[str]) -> str:
    """The one run of content words by which a question is another one with its other words in their places; "" else."""
    matcher = SequenceMatcher(None, before, later, autojunk=False)
    if matcher.ratio() < FRAME:
        return ""
    edits = [
        (before[a:b], later[c:d]) for kind, a, b, c, d in matcher.get_opcodes() if kind != "equal"
    ]
    content = [(_content(old), _content(new)) for old, new in edits]
    told = [(old, new) for old, new in content if (old or new) and not _alike(old, new)]
    if len(told) != 1:
        return ""
    old, new = (" ".join(words) for words in told[0])
    return f"{new or 'nothing'} stands for {old or 'nothing'}"


def changed_places(one: Sequence[str], other: Sequence[str]) -> bool:
    """True if two words, and nothing else, stand in each other's place, unless they are joined by "or" or "and"."""
    if len(one) != len(other) or sorted(one) != sorted(other):
        return False
    off = [at for at, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
    if len(off) < 2 or not all(_carries([one[at]]) for at in (off[0], off[-1])):
        return False
    return not set(one[off[0] + 1 : off[-1]]) <= _JOINING or off[-1] == off[0] + 1


def _likely(weights: SameWeights, of: Compared) -> float:
    told = weights.constant + weights.near * of.near + weights.shared * of.shared + weights.frame * of.frame
    told += weights.added * of.added + weights.dropped * of.dropped
    return 1 / (1 + exp(-(told + weights.wanted * of.wanted)))


def _model(question: str, earlier: str, meanings: Meanings | None) -> str:
    """Whose weights hold for two texts: those of the embedding model, if it was measured and has both."""
    return meanings.model if meanings and meanings.measured_for(question, earlier) else WORDS


def _new_amounts(later: frozenset[Amount], before: frozenset[Amount]) -> list[Amount]:
    """Amounts the later question has and the earlier one has not; without a unit one is as good as with it."""
    bare = {value for value, dimension in before if dimension in ("", "count")}
    every = {value for value, dimension in before if dimension != "percent"}
    return sorted(
        (value, dimension)
        for value, dimension in later - before
        if not (value in every if dimension in ("", "count") else value in bare and dimension != "percent")
    )


def _told(amounts: Sequence[Amount]) -> str:
    value, dimension = amounts[0]
    return f"{value:g} {dimension}".strip()


def _new_name(later: Question, before: Question) -> str:
    """A name of the later question that the earlier one does not have in any form."""
    held = {part for word in before.words for part in (word, *word.split("-"))}
    for name in sorted(later.names):
        known = any(akin(name, word) or same_name(name, word, person=False) for word in held)
        if not known and not _initials_of(name, before.words) and name not in STOP:
            return name
    return ""


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
    return [word for word in words if word not in STOP and word not in _FRAME_WORDS]


def _alike(old: Sequence[str], new: Sequence[str]) -> bool:
    return bool(old) and bool(new) and all(_in(word, new) for word in old) and all(_in(word, old) for word in new)


def _in(word: str, words: Sequence[str]) -> bool:
    return any(akin(word, other) for other in words)
