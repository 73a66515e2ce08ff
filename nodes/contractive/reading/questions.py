"""A question as far as telling it from others needs it: its words, amounts, formulas and names. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from nodes.contractive.reading.measures import measures
from nodes.contractive.reading.notation import written_out
from nodes.contractive.reading.wants import is_german
from nodes.contractive.reading.wording import STOP, canonical, keys_of, plain
from nodes.research.checking.folding import fold
from tools.search.tokens import language_of

Amount = tuple[float, str, float]
"""Value in the base unit, dimension as `measures` names it, value as it was written."""
LONGEST = 2000
"""Characters that are read of a question."""
WIDTH = 3
"""Content words beside an "or" that may name what it offers."""
ROOT = 4
"""Letters two forms of one word share at least."""

_MIXED = re.compile(r"(?<=[\u3400-\u9fff])(?=[A-Za-z\d])|(?<=[A-Za-z\d])(?=[\u3400-\u9fff])")
_TOKEN = re.compile(r"[\u3400-\u9fff]|[^\W_]+(?:[.'’-][^\W_]+)*|[+*/<>=^&|]+")
_FORMULA = re.compile(
    r"[\w.()\[\]]+(?:\s?(?:[+*/^=<>!&|]+|(?<=[\d)])\s?-\s?(?=[\d(a-z])|(?<=\b[a-z])\s-\s(?=[\d(]))\s?[\w.()\[\]]+)+"
)
_POSSESSIVE = re.compile(r"['’]s\b")
_OPERATIONS = re.compile(
    r"\b(?:plus|minus|times|multipl\w*|divid\w*|squared?|cubed?|geteilt|mal)\b|[加减乘除](?=[\d以])|(?<=\d)[加减乘除]"
)
_QUOTED = re.compile(r"\"([^\"]{1,200})\"|「([^」]{1,200})」")
_NAME = re.compile(r"(?<![.?!:\"]\s)(?<!^)(?<![\w-])[A-Z][\w-]*")
_ACRONYM = re.compile(r"(?<![\w-])(?=[\w-]*[A-Z0-9])[A-Z][A-Z0-9]+(?:-\w+)*(?![\w-])")
_HAN = re.compile(r"[\u3400-\u9fff]")
_LATIN = re.compile(r"[A-Za-z][\w.+#-]+")
_OR = re.compile(r"\bor\b(?! (?:more|less|fewer|not)\b)|\boder\b(?! nicht\b)|还是", re.IGNORECASE)
_LEAST = re.compile(r"\bat least\b|\bor more\b|\bmindestens\b|至少|不少于")
_MOST = re.compile(
    r"\bat most\b|\bor (?:less|fewer)\b|\bno more than\b|\bhöchstens\b|不超过|至多|最多(?=[\d一二三四五六七八九十])"
)
_SENTENCE = re.compile(r"(?<=[.?!。？！])\s*(?=\D|$)|\n+")
_CIVIL = re.compile(
    r"^(?:please(?: (?:tell me|answer|explain))?|bitte|请问|请回答|请)\s*[,，]?\s*", re.IGNORECASE
)
_THE_TWO = re.compile(
    r"\b(?:the|these|those|both|die|beiden?) (?:two|three|four|zwei|drei|vier)\b|[这那]?[两三]者",
    re.IGNORECASE,
)
_ORDINAL = re.compile(
    r"\b(?:\d+(?:st|nd|rd|th)|(?<=the )last|letzte[mnrs]?|erste[mnrs]?|zweite[mnrs]?|dritte[mnrs]?|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\b|第[一二三四五六七八九十\d]+|最后",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"^\W*(?:question|part|step|frage|teil|schritt|q|问题|第)\s*\d{1,2}", re.IGNORECASE)
_LEAD = re.compile(r"^[^:：?？]{1,80}[:：]\s*(?=\S)")
# Words that put a question, and ask nothing themselves.
_PUTTING = frozenset(
    "answer question determin find out tell pleas first solv follow need know begin start help understand identifi establish clarifi ask befor anyth els "
    "bitt zuerst zunachst beantwort frag klaren wissen mussen ermittl bestimm 请 请问 首先 回答 问题 先 确定 求 知道".split()
)


@dataclass(frozen=True, slots=True)
class Question:
    """The words of a question.

    Attributes:
        text: folded, without words around it.
        canonical: by which equal ones are told.
        words: in order; Chinese by single characters.
        keys: the words that carry content, as `wording.keys_of` gives them.
    """

    text: str
    canonical: str
    words: tuple[str, ...]
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """What decides which question it is.

    Attributes:
        amounts: with their units; a bare "one" is none.
        formulas: without spaces, texts in quotation marks among them.
        operations: plus, times, divided.
        names: of people, places, programs; empty where the language does not show them.
        ordinals: last, 2nd; not "first", which often only says when to answer.
        alternatives: the words before an "or" and those after it, without those of both; None without one.
        bounds: "min" for "at least", "max" for "at most".
    """

    amounts: frozenset[Amount]
    formulas: frozenset[str]
    operations: frozenset[str]
    names: frozenset[str]
    ordinals: frozenset[str]
    alternatives: tuple[frozenset[str], frozenset[str]] | None
    bounds: frozenset[str]


@lru_cache(maxsize=4096)
def read(question: str) -> Question:
    """The words of a question; of a long one those of its first 2000 characters."""
    text = without_lead(_MIXED.sub(" ", fold(question[:LONGEST])).strip())
    keys = tuple(word for word in keys_of(text) if word not in _PUTTING) or tuple(keys_of(text))
    return Question(text, canonical(text), tuple(_TOKEN.findall(_POSSESSIVE.sub("", plain(text)))), keys)


@lru_cache(maxsize=4096)
def facts(question: str) -> Facts:
    """The facts of a question; about a millisecond the first time."""
    text = read(question).text
    bounds = {name for name, pattern in (("min", _LEAST), ("max", _MOST)) if pattern.search(text.casefold())}
    return Facts(
        amounts=_amounts(text),
        formulas=_formulas(text),
        operations=frozenset(one[:ROOT] for one in _OPERATIONS.findall(text.casefold())),
        names=_names(text),
        ordinals=frozenset(one.casefold() for one in _ORDINAL.findall(text)) - {"first", "1st"},
        alternatives=_alternatives(asking(text)),
        bounds=frozenset(bounds),
    )


@lru_cache(maxsize=4096)
def roots(question: str) -> frozenset[str]:
    """The beginnings of its content words and its Chinese characters: questions that share none share no word."""
    words = _TOKEN.findall(plain(question[:LONGEST]))
    return frozenset(word[:ROOT] for word in words if word not in STOP)


@lru_cache(maxsize=4096)
def asking(question: str) -> str:
    """The last sentence that asks; all of a question of one sentence."""
    parts = sentences(question[:LONGEST])
    asks = [part for part in parts if part.rstrip().endswith(("?", "？"))]
    return asks[-1] if asks else parts[-1] if parts else question


def sentences(text: str) -> list[str]:
    """The sentences of a text, without those that hold no letter or digit."""
    return [part.strip() for part in _SENTENCE.split(text) if re.search(r"\w", part)]


def without_lead(text: str) -> str:
    """A question without what is put before it: "To begin with: ...", "Please answer: ..."."""
    text = _CIVIL.sub("", text)
    lead = _LEAD.match(text)
    if lead is None or not re.search(r"\w{2}|[\u3400-\u9fff]", text[lead.end() :]):
        return text
    # "With 3 apples at 2 euros each: ..." states something.
    return text if re.search(r"\d", _COUNTED.sub("", lead[0])) else text[lead.end() :]


def _amounts(text: str) -> frozenset[Amount]:
    found: set[Amount] = set()
    for one in measures(written_out(_THE_TWO.sub(" ", text))):
        # "A month", "each day" and 哪一国 count nothing.
        if one.plain == 1:
            continue
        # "3 percent a year" is the same rate as "a yearly 3 percent".
        rate = one.dimension.startswith("percent")
        found.add(
            (one.plain, "percent", one.plain) if rate else (round(one.value, 9), one.dimension, one.plain)
        )
    return frozenset(found)


def _formulas(text: str) -> frozenset[str]:
    found = {match[0] for match in _FORMULA.finditer(text) if re.search(r"\d|=", match[0])}
    found |= {one or other for one, other in _QUOTED.findall(text)}
    return frozenset(_bare(re.sub(r"\s", "", one)) for one in found)


def _bare(formula: str) -> str:
    """A formula without brackets that open or close around more than it."""
    while formula.count("(") > formula.count(")"):
        formula = formula.partition("(")[2]
    while formula.count(")") > formula.count("("):
        formula = formula.rpartition(")")[0]
    return formula.strip(".,?").casefold()


def _alternatives(text: str) -> tuple[frozenset[str], frozenset[str]] | None:
    """What tells the two sides of an "or" apart; None if it joins no two things."""
    sides = [] if _HAN.search(text) else _OR.split(text, maxsplit=1)
    if len(sides) != 2:
        return None
    left, right = keys_of(sides[0])[-WIDTH:], keys_of(sides[1])[:WIDTH]
    both = set(left) & set(right)
    one, other = frozenset(left) - both, frozenset(right) - both
    return (one, other) if one and other else None


def _names(text: str) -> frozenset[str]:
    if _HAN.search(text):
        return frozenset(plain(one) for one in _LATIN.findall(text))
    found = set(_ACRONYM.findall(text))
    if language_of(text) == "en" and not is_german(text):
        found |= set(_NAME.findall(text)) - {"I"}
    return frozenset(re.sub(r"['’]s$", "", plain(one)) for one in found)
