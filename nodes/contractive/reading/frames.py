"""Questions word by word: what stands for what in one that has most of another's words in their places. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache

from nodes.contractive.reading.wording import STOP, akin

LEAST_FRAME = 0.5
"""Share of words in their places from which the others may have been put there to ask something else."""
EDITS = 2
"""Runs of other words there may then be: 132 of 188 look-alikes of the tuned half of `evals.parts` have so few and
three quarters of their words in their places, 1 of 155 repeats."""
_OR_AND = frozenset("or and oder und 或 和 与".split())
_JOINING = _OR_AND | frozenset("a an the der die das 还 是".split())
# Words and signs a question may be put with or without.
_FRAME_WORDS = frozenset(
    "viel wieviel possible allowed able advisable necessary required true such case there many much number calculate "
    "compute find determine name list explain give state solve tell total kind hat haben hatte ist sind war waren man "
    "viele wie was welche welcher welches welchem welchen wird wurde wurden werden nenne berechne "
    "的 了 吗 呢 是 在 和 与 有 个 一 哪 什 么 请 问 到 底 会 要 就 那 这 必 须 需 应 该 得 能 可 以 或 及".split()
)
_TELLING_SIGNS = frozenset("不没未无非前后内外上下大小多少高低长短男女左右东西南北早晚新旧")
# "Which city is the capital?" asks what "What is the capital?" does.
_WHICH = frozenset("which what welche welcher welches welchen welchem".split())


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
    told = [(old, new) for old, new in _without_moves(edits, later, before) if not _alike(old, new)]
    if not 1 <= len(told) <= EDITS:
        return "", frame
    old, new = (" ".join(words) for words in told[0])
    return f"{new or 'nothing'} stands for {old or 'nothing'}", frame


def changed_places(one: Sequence[str], other: Sequence[str]) -> bool:
    """True if two words, and nothing else, stand in each other's place, unless they are joined by "or" or "and"."""
    off = [at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b]
    if (
        len(one) != len(other)
        or len(off) != 2
        or one[off[0]] != other[off[1]]
        or one[off[1]] != other[off[0]]
    ):
        return False
    between = set(one[off[0] + 1 : off[1]])
    return (
        carries([one[off[0]]]) and carries([one[off[1]]]) and not (between & _OR_AND and between <= _JOINING)
    )


def _without_moves(
    edits: Sequence[tuple[list[str], list[str]]], later: Sequence[str], before: Sequence[str]
) -> list[tuple[list[str], list[str]]]:
    """Runs of words without those that only stand elsewhere, or once more: "Vietnam or Brazil", "a new machine"."""
    gone = [word for old, _ in edits for word in old]
    come = [word for _, new in edits for word in new]
    found = []
    for old, new in edits:
        lost = [word for word in old if not is_in(word, come) and (new or not is_in(word, later))]
        added = [word for word in new if not is_in(word, gone) and (old or not is_in(word, before))]
        found.append((lost, added))
    return found


def carries(words: Sequence[str]) -> bool:
    """True if one of some words may tell a question from another."""
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
    return all(is_in(word, new) for word in old) and all(is_in(word, old) for word in new)


def is_in(word: str, words: Sequence[str]) -> bool:
    """True if a word, in any of its forms, is one of others."""
    return word in words or any(one_word(word, other) for other in words)


# A decomposition and its tree use the same few words over and over.
one_word = lru_cache(maxsize=65_536)(akin)
