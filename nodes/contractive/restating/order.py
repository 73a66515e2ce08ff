"""Whether two things of a question changed places: who beat whom, what is converted into what. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nodes.contractive.reading.synonyms import empty_words
from nodes.contractive.restating.words import Word, same_word

_PASSIVE = re.compile(r"\bby\b|\bvon\b|\bdurch\b|[被由让]", re.IGNORECASE)
_JOINED = re.compile(
    r"(?:,|\band\b|\bor\b|\bund\b|\boder\b|、|和|与|或|还是|跟|\bbetween\b|\bzwischen\b)", re.IGNORECASE
)
_TOWARDS = re.compile(
    r"\b(?:to|into|than|from|minus|per|before|after|over|against|onto|als|nach|zu|gegen|vor)\b|到|比|给|对|向|除以|减",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.?!]\s|[。？！；;]")
_ARTICLE = re.compile(r"\b(?:an?|the|one|ein|eine|einen|einem|einer|der|die|das|den|dem)\s+$", re.IGNORECASE)


def exchanged(
    question: str, restated: str, before: Sequence[Word], after: Sequence[Word], language: str
) -> tuple[str, str] | None:
    """Two words of a question that stand in each other's place in its restatement; None if none do.

    Words that are only listed may stand in any order, and those of a sentence turned into the passive do.

    Args:
        question: folded.
        restated: folded.
        before: words of the question.
        after: words of the restatement.
        language: of both.
    """
    if bool(_PASSIVE.search(question)) != bool(_PASSIVE.search(restated)):
        return None
    empty = empty_words(language)
    mine, theirs = ([word for word in words if word.raw not in empty] for words in (before, after))
    first, then = _common(mine, theirs, language)
    off = [
        at
        for at, (one, other) in enumerate(zip(first, then, strict=True))
        if one.raw != other.raw and one.stem != other.stem
    ]
    if len(off) != 2 or not _crossed(first, then, off, language):
        return None
    low, high = off
    one, other = first[low], first[high]
    if _listed(question, one, other) and _listed(restated, one, other):
        return None
    led = _led(question, one, other) and _led(restated, one, other)
    related = _relation(question, one, other) == _relation(restated, one, other) != ""
    apart = any(_SENTENCE_END.search(_between(text, one, other)) for text in (question, restated))
    named = (one.name and other.name) or (
        language == "de" and all(_capital(question, word) for word in (one, other))
    )
    swapped = named or (not apart and (high > low + 1 or led or related))
    return (one.raw, other.raw) if swapped else None


def _common(before: Sequence[Word], after: Sequence[Word], language: str) -> tuple[list[Word], list[Word]]:
    """The words both have, each once, in the order of each."""
    mine = [
        word for word in dict.fromkeys(before) if any(same_word(word, other, language) for other in after)
    ]
    theirs: list[Word] = []
    left = list(mine)
    for word in dict.fromkeys(after):
        match = next((one for one in left if same_word(one, word, language)), None)
        if match is not None:
            theirs.append(match)
            left.remove(match)
    return [word for word in mine if word in theirs], theirs


def _crossed(first: Sequence[Word], then: Sequence[Word], off: Sequence[int], language: str) -> bool:
    low, high = off
    return first[low] == then[high] and first[high] == then[low]


def _between(text: str, one: Word, other: Word) -> str:
    low = text.lower()
    starts = sorted((low.find(word.raw), word.raw) for word in (one, other))
    return low[starts[0][0] + len(starts[0][1]) : starts[1][0]] if starts[0][0] >= 0 else ""


def _listed(text: str, one: Word, other: Word) -> bool:
    """True if nothing but "and", "or" or a comma, and words that go with the two, stands between them."""
    inner = _between(text, one, other)
    return _JOINED.search(inner) is not None and _TOWARDS.search(inner) is None and len(inner.split()) <= 6


def _capital(text: str, word: Word) -> bool:
    return re.search(rf"(?<!^)\b{re.escape(word.raw.capitalize())}\b", text) is not None


def _relation(text: str, one: Word, other: Word) -> str:
    """What stands between two words, articles aside: "cause" in "does smoking cause stress"."""
    told = re.sub(r"\b(?:the|an?|of|my|your|its|der|die|das|ein|eine)\b|的", " ", _between(text, one, other))
    return " ".join(told.split())


def _led(text: str, one: Word, other: Word) -> bool:
    """True if a direction, or an article, stands before the second of two words."""
    inner = _between(text, one, other)
    return _TOWARDS.search(inner) is not None or _ARTICLE.search(inner) is not None


_CLAUSE = re.compile(r"[.;!?]\s|,\s|\b(?:and|und|while|während)\b", re.IGNORECASE)
_NAMED = re.compile(r"\b[A-ZÄÖÜ][\w'-]+")
_DIGITS = re.compile(r"\d[\d.,]*(?<![.,])")


def other_number(question: str, restated: str) -> str:
    """A name whose number is another's in a restatement: Mary has 5 and gives Bob 2, Bob has 5 and gives Mary 2; or ""."""
    before, after = _numbers_of(question), _numbers_of(restated)
    return next((name for name in before if name in after and not before[name] & after[name]), "")


def _numbers_of(text: str) -> dict[str, frozenset[str]]:
    """The numbers of the clause each name leads for the first time, among the clauses that have any."""
    found: dict[str, frozenset[str]] = {}
    for clause in _CLAUSE.split(text):
        name, numbers = _NAMED.search(clause), frozenset(_DIGITS.findall(clause))
        if name and numbers:
            found.setdefault(name[0], numbers)
    return found


_DID = r"\b(?:did|does|do|has|have|had|will|can|could|would|hat|haben|hatte|wird|kann)\s+(?:the |der |die |das )?"
_BE = r"\b(?:was|were|is|are|been|be|wurde|wurden|wird|werden)\s+(?:the |der |die |das )?"


def other_role(question: str, restated: str, names: Sequence[Word]) -> str:
    """A name that does in the one what it suffers in the other: who killed Brutus, and who was killed by him; or ""."""
    for word in names:
        one, other = _role(question, word.raw), _role(restated, word.raw)
        if one and other and one != other:
            return word.raw
    return ""


def _role(text: str, name: str) -> str:
    told = text.lower()
    if name not in told:
        return ""
    name = re.escape(name)
    if re.search(rf"\bby (?:the )?{name}\b|\bvon {name}\b|被{name}|由{name}", told):
        return "agent"
    if re.search(rf"{_DID}{name}\b", told):
        return "agent"
    if re.search(rf"{_BE}{name} (?:\w+ )?\w+(?:ed|en|t)\b", told) or re.search(rf"{name}(?:是|)被", told):
        return "patient"
    if re.match(
        rf"\W*(?:who|what|which \w+|wer)\s+(?!(?:is|are|was|were|did|does|do|has|have|had|will|can|ist|sind|war|wurde|hat)\b)\w+ (?:the )?{name}\b",
        told,
    ):
        return "patient"
    return ""
