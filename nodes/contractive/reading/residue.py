"""What is left of an answer when its question's own words around it are taken away. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

from nodes.contractive.reading.asked import Asked
from nodes.contractive.reading.wording import REMEMBERED, STOP, words_of
from nodes.research.checking.folding import fold

_CLAUSE = re.compile(
    r"(?:,|;|，|；)\s*|\s+(?=(?:because|since|which|who|whose|as it|as they|with)\b)", re.IGNORECASE
)
_COMPARISON = re.compile(r"\s+(?:rather than|than|instead of|as opposed to|and not|, not)\s", re.IGNORECASE)
_REASON = re.compile(
    r"(?<=\w),?\s+(?:because|since|as (?:it|they|this|that|there)|weil|da (?:es|er|sie)|parce que|porque)\s|(?<=\w)[，,]?(?:因为|由于)",
    re.IGNORECASE,
)
_HAN = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[\u3400-\u9fff]+|[^\s\u3400-\u9fff]+")


@lru_cache(maxsize=REMEMBERED)
def residue(answer: str, want: Asked) -> str:
    """The words of an answer that are new, as it writes them: "William Shakespeare" of a whole sentence.

    Words at both ends that the question has, or that carry no content, are left out; an answer of such words
    alone comes back whole.
    """
    text = _han_trimmed(without_comparison(fold(answer).strip()), want)
    clause = _CLAUSE.split(text)[0]
    # A first clause that repeats the question is a sentence of its own; else the comma is part of the answer.
    for known in (want.keys, want.asking):
        if clause != text and set(words_of(clause)) & known and (found := _trimmed(clause, known)):
            return found
        if found := _trimmed(text, known):
            return found
    return text


def without_comparison(text: str) -> str:
    """A folded answer up to "than" or "instead of": what it is held against is not what it says."""
    return _COMPARISON.split(text)[0] or text


def without_reason(text: str) -> str:
    """A folded answer up to its "because"."""
    return _REASON.split(text)[0] or text


def _trimmed(text: str, known_keys: frozenset[str]) -> str:
    spans = [(match.start(), match.end(), _known(match[0], known_keys)) for match in _WORD.finditer(text)]
    new = [(start, end) for start, end, known in spans if not known]
    if not new:
        return ""
    return text[new[0][0] : new[-1][1]].strip(" .,;:!?。，；：！？\"'`")


def _known(word: str, known_keys: frozenset[str]) -> bool:
    words = words_of(word)
    return not words or all(part in known_keys or (part in STOP and not part.isdecimal()) for part in words)


def _han_trimmed(text: str, want: Asked) -> str:
    """Chinese has no spaces: what stands before the last "is" goes if most of it is the question's."""
    if text.isascii():
        return text
    before, verb, after = _last_verb(text)
    if verb and after.strip("的了 ，。") and _overlap(before, want.text) >= 0.5:
        text = after.strip(" ，。的了")
    return _without_echo(text, want.text)


def _without_echo(text: str, question: str) -> str:
    """A Chinese answer without what it begins and ends with in the words of the question: 贝尔发明了电话."""
    for size in range(len(text) - 1, 1, -1):
        if text[-size:] in question and _HAN.search(text[-size:]):
            text = text[:-size].rstrip("是为由被所的了") or text
            break
    for size in range(len(text) - 1, 1, -1):
        if text[:size] in question and _HAN.search(text[:size]):
            text = text[size:] or text
            break
    return text.lstrip("是为由被叫") or text


def _last_verb(text: str) -> tuple[str, str, str]:
    for verb in ("分别是", "就是", "是", "为", "叫", "在", "于"):
        before, found, after = text.rpartition(verb)
        if found and before and after:
            return before, found, after
    return "", "", text


def _overlap(part: str, question: str) -> float:
    signs = [sign for sign in part if "\u3400" <= sign <= "\u9fff"]
    return sum(sign in question for sign in signs) / len(signs) if signs else 0.0
