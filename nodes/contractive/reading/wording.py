"""Words that carry an answer: folded, without articles and endings, and how far two answers share them. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

from nodes.research.checking.concepts import concepts_of
from nodes.research.checking.folding import fold
from nodes.research.checking.stems import stem
from nodes.research.checking.terms import cut

_TOKEN = re.compile(r"[\u3400-\u9fff]+|[^\W_]+(?:[.'’][^\W_]+)*(?:-[^\W_]+)*|[+*/%<>=^|&∞√π]+")
# Words without content of their own, verbs among them that only join an answer to its question.
STOP = frozenset(
    "a an the is are was were be been being am it its this that these those there they them their he she his her we you your i "
    "of in on at to for from by with into onto as and or also so then thus if than but which who whom what when where how "
    "do does did has have had will would can could may might should must shall because due since cause caused causes by "
    "main mainly primarily just only very really also most called known name named answer turn turns become becomes became "
    "one's s here there per about approximately roughly around exactly get gets use uses used using mean means please yes "
    "der die das ein eine ist sind im le la les un une est sont el los las es son de du des al en".split()
)  # fmt: skip
_HAN_STOP = frozenset("的 了 是 在 和 与 及 也 都 就 有 为 因为 由于 所以 这 那 这个 那个 它 他 她 一个 一种 可以 会 被 把 对 中 上 下 之 其 而 并 等 于 造成 使 让 使得 先生 女士".split())  # fmt: skip
_PREFIX = 5
REMEMBERED = 2048
"""Answers of which what was read is kept: ten samples are held against each other in 45 pairs."""


def plain(text: str) -> str:
    """Folded, compatibility forms resolved, no diacritics, lower case: Zürich is zurich, H₂O is h2o."""
    resolved = unicodedata.normalize("NFKD", fold(text))
    return "".join(sign for sign in resolved if not unicodedata.combining(sign)).casefold()


@lru_cache(maxsize=REMEMBERED)
def canonical(text: str) -> str:
    """A text by which equal answers are told: words in order, without articles and punctuation."""
    kept = [
        word
        for word in re.findall(r"[^\W_]+|[+*/%<>=^|&∞√π°$€£¥-]", plain(text))
        if word not in ("a", "an", "the")
    ]
    return " ".join(kept)


@lru_cache(maxsize=4096)
def words_of(text: str) -> tuple[str, ...]:
    """All words in order as stems; Chinese is cut by its dictionary."""
    found: list[str] = []
    for match in _TOKEN.finditer(plain(text)):
        word = match[0]
        if word[0] >= "\u3400":
            found += cut(word)
        else:
            found.append(_stem(re.sub(r"['’]s$", "", word).replace("'", "").replace("’", "")))
    return tuple(found)


_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth"
).split()
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}
_NUMBERED = {word: f"{at}{_ENDINGS.get(at, 'th')}" for at, word in enumerate(_ORDINALS, start=1)}
_SPELLINGS = {
    "grey": "gray",
    "colour": "color",
    "centre": "center",
    "aluminium": "aluminum",
    "sulphur": "sulfur",
}


def _stem(word: str) -> str:
    """The stem, unless it is another word by its letters: "went" answers another question than "go"."""
    word = _NUMBERED.get(word) or _SPELLINGS.get(word, word)
    found = stem(word)
    return found if found[:2] == word[:2] else word


def latin_words(text: str) -> list[str]:
    """All words of a text in letters of the Latin script, as they stand."""
    return [word for word in re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", plain(text)) if word.isascii()]


@lru_cache(maxsize=REMEMBERED)
def raw_words(text: str) -> tuple[str, ...]:
    """Those of the words that carry content."""
    return tuple(word for word in latin_words(text) if word not in STOP)


def keys_of(text: str) -> list[str]:
    """The words that carry content, in order."""
    return [word for word in words_of(text) if word not in STOP and word not in _HAN_STOP]


def content(text: str, question: Iterable[str] = ()) -> list[str]:
    """What an answer says beyond its question; all its words if it only repeats the question.

    Args:
        text: of the answer.
        question: words of the question, as `keys_of` gives them.
    """
    known = set(question)
    said = keys_of(text)
    return [word for word in said if word not in known] or said or list(words_of(text))


@lru_cache(maxsize=32_768)
def akin(one: str, other: str) -> bool:
    """True if two stems are one word in two forms, gravity and gravitational, or one concept: rose, increased."""
    if one == other or (min(len(one), len(other)) > 1 and concepts_of(stem(one)) & concepts_of(stem(other))):
        return True
    if min(len(one), len(other)) < _PREFIX or not (one.isascii() and other.isascii()):
        return False
    shared = next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    return shared >= _PREFIX and shared * 4 >= min(len(one), len(other)) * 3


def shared(one: Sequence[str], other: Sequence[str]) -> tuple[float, float]:
    """How much two lists of words share: of the shorter one (overlap coefficient), and of both (Jaccard)."""
    first, second = set(one), set(other)
    if not first or not second:
        return (1.0, 1.0) if first == second else (0.0, 0.0)
    if any(not word.isascii() for word in first | second):
        first, second = _characters(first), _characters(second)
    hit = sum(any(akin(word, held) for held in second) for word in first)
    back = sum(any(akin(word, held) for held in first) for word in second)
    common = min(hit, back)
    return common / min(len(first), len(second)), common / max(len(first) + len(second) - common, 1)


def _characters(words: Iterable[str]) -> set[str]:
    """Chinese words as pairs of characters: a dictionary cuts one phrase in more than one way."""
    found: set[str] = set()
    for word in words:
        if word.isascii() or len(word) < 2:
            found.add(word)
        else:
            found |= {word[at : at + 2] for at in range(len(word) - 1)}
    return found


def slipped(one: str, other: str) -> bool:
    """True for a slip of the keyboard that makes no other word: two neighbours changed places, or a letter doubled.

    One letter put for another is no such slip: sulfate and sulfite are two substances.
    """
    if one == other or min(len(one), len(other)) < 4 or one[0] != other[0] or not (one + other).isalpha():
        return False
    if len(one) == len(other):
        off = [at for at, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
        return (
            len(off) == 2
            and off[1] == off[0] + 1
            and one[off[0]] == other[off[1]]
            and one[off[1]] == other[off[0]]
        )
    long, short = (one, other) if len(one) > len(other) else (other, one)
    return any(long[at] == long[at - 1] and long[:at] + long[at + 1 :] == short for at in range(1, len(long)))
