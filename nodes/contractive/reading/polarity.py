"""Yes or no, "not", and words that are each other's contrary. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from nodes.contractive.reading.asked import Asked
from nodes.contractive.reading.residue import without_reason
from nodes.contractive.reading.wording import REMEMBERED, akin, keys_of, latin_words, raw_words, words_of
from nodes.research.checking.concepts import concepts_of, opposites_of
from nodes.research.checking.folding import fold
from nodes.research.checking.stems import stem

_YES = re.compile(r"^\W*(?:yes|yeah|yep|yup|true|correct|right|indeed|absolutely|definitely|certainly|affirmative|of course|oui|ja|jawohl|si|sí|claro|是的?|对的?|没错|正确|可以|能|会|有|真|当然|属实|yes,? it is|vrai|wahr|richtig|verdadero|cierto)(?=\s*(?:$|[^\w\s-])|\s+(?:it|they|he|she|this|that|the|there|we|you|i|these|those|an?|because|since)\b)", re.IGNORECASE)  # fmt: skip
_NO = re.compile(r"^\W*(?:no|nope|nah|false|incorrect|wrong|not (?:really|at all|necessarily|quite|true|correct)|never|negative|non|nein|nicht|不(?:是|对|可以|能|会|行)?|否|没有?|错误?|假|并非|并不|faux|falsch|falso)(?=\s*(?:$|[^\w\s-])|\s+(?:it|they|he|she|this|that|the|there|we|you|i|these|those|an?|not all|not every|because|since)\b)", re.IGNORECASE)  # fmt: skip
_NONE = re.compile(
    r"^\W*(?:none|nothing|nobody|no one)\s+(?:was|were|is|are|has|have|does|did)\b", re.IGNORECASE
)
_HAN_YES = re.compile(r"^\W*(?:是的?|对的?|没错|正确|可以|能|会|有|真|当然|属实|安全|适用|可行)(?=\W|$|的)")
_HAN_NO = re.compile(r"^\W*(?:不(?:是|对|可以|能|会|行|安全|适用)?|否|没有?|错误?|假|并非|并不)(?=\W|$)")
_INNER = re.compile(
    r"(?:,|;|\bbut|\bso|\bthen|\bis)\s+(?:(?P<no>no)|yes)\b(?=\s*(?:[,.:;]|$))", re.IGNORECASE
)
_LEADING = re.compile(r"^\W*(?:yes|no|oui|non|ja|nein|sí)\s*[,.!;:]\s*(?=\S)", re.IGNORECASE)
_FALSE = re.compile(r"\b(?:false|incorrect|wrong|untrue|invalid)\b|错误|不正确|不对")
NOT = re.compile(
    r"\b(?:(?<!\bor )not|never|cannot|neither|nor|none|without|no|nothing|nobody|no one|nowhere|hardly|barely|scarcely|isnt|arent|wasnt|dont|doesnt|didnt|cant|wont)\b|n't\b|\b(?:lacks?|lacking|fails? to|failed to|unable to|free of|nicht|kein\w*|nie|ne|pas|jamais|nunca|ningun\w*)\b"
    r"|不(?!同|过|仅|但|断|管|论|少|只|足|久|锈|适(?![用合当应宜])|幸|良|错|便(?!宜)|满(?!足))|没|未(?!来)|无(?!论)|非(?!常|洲)|(?<!是)(?<!与)否|勿|别(?=的)?(?!人|的)",
    re.IGNORECASE,
)
_DENIED = re.compile(rf"(?:{NOT.pattern})\s*(?:\w+|[\u3400-\u9fff])", re.IGNORECASE)
_ANY = frozenset(
    word for told in ("any", "anywhere", "ever", "anyone", "already", "still") for word in words_of(told)
)
_PREFIXES = frozenset(("un", "in", "im", "il", "ir", "non", "non-", "dis", "mis", "anti", "de"))
# Contraries that reports seldom hold, beside those of the table of concepts.
_CONTRARY = """
true false|possible impossible|open closed|open shut|on off|up down|left right|odd even|hot cold|wet dry|full empty|hard soft|long short|high low|tall short
|heavy light|thick thin|wide narrow|deep shallow|always never|everyone nobody|all none|before after|above below|inside outside|alive dead|edible poisonous|safe dangerous|safe poisonous|safe toxic
|increase decrease|rise fall|gain loss|profit loss|win lose|buy sell|accept reject|allow forbid|allow prohibit|permit forbid|legal illegal|guilty innocent|positive negative|north south|east west
|male female|man woman|first last|maximum minimum|max min|more less|more fewer|greater less|greater smaller|larger smaller|bigger smaller|better worse|best worst|faster slower|higher lower|longer shorter
|older younger|heavier lighter|warm cool|early late|push pull|enter leave|start stop|begin end|success failure|succeed fail|public private|present absent|clockwise counterclockwise|clockwise anticlockwise
|ascending descending|horizontal vertical|parallel perpendicular|convex concave|acid base|acidic basic|acidic alkaline|encrypt decrypt|lock unlock|enable disable|online offline|internal external|effective ineffective
|bestanden durchgefallen|bestanden fehlgeschlagen|erlaubt verboten|offen geschlossen|wahr falsch|richtig falsch|gültig ungültig|größer kleiner|schneller langsamer|höher niedriger|mehr weniger|immer nie|gestiegen gefallen
|高 低|大 小|多 少|上 下|左 右|开 关|打开 关闭|真 假|对 错|奇数 偶数|增加 减少|上升 下降|获利 亏损|盈利 亏损|合法 非法|有效 无效|可能 不可能|安全 危险|冷 热|快 慢|长 短|男 女|正 负|升 降|涨 跌|早 晚|前 后|有 无|生 死|赞成 反对|允许 禁止|有毒 无毒|可食用 有毒
"""
_SHORTEST_ROOT = 4
_SHORT_HAN = 4
_LOOSE = frozenset("年 月 up down will would".split())


def _pairs() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for entry in _CONTRARY.replace("\n", "").split("|"):
        one, _, other = entry.strip().partition(" ")
        first, second = words_of(one), words_of(other)
        if len(first) == len(second) == 1:
            found.setdefault(first[0], set()).add(second[0])
            found.setdefault(second[0], set()).add(first[0])
    return {word: frozenset(others) for word, others in found.items()}


_CONTRARIES: dict[str, frozenset[str]] = {}


def contraries(word: str) -> frozenset[str]:
    """The contraries of a stem."""
    if not _CONTRARIES:
        _CONTRARIES.update(_pairs())
    return _CONTRARIES.get(word, frozenset())


@lru_cache(maxsize=REMEMBERED)
def yes_or_no(answer: str, want: Asked) -> bool | None:
    """What an answer to a yes-no question comes to; None if that cannot be told.

    A statement is a yes if it says no more than the question does, and a no with a "not" in it or with the
    contrary of a word of the question.
    """
    text = fold(answer).strip()
    if _HAN_NO.match(text) or (_NO.match(text) and not _han(text)):
        return False
    if want.wanted == "yes_no" and _NONE.match(text):
        return False
    if inner := _INNER.search(text):
        return inner["no"] is None
    if (_YES.match(text) and not _han(text)) or _HAN_YES.match(text):
        return True
    return _stated(text, want) if want.wanted == "yes_no" and not denials(want.text) else None


def _han(text: str) -> bool:
    return re.search(r"[\u3400-\u9fff]", text) is not None


def _stated(text: str, want: Asked) -> bool | None:
    """A statement held against the question it answers; what it gives as a reason may deny other things."""
    text = without_reason(text)
    said = [word for word in keys_of(text) if not NOT.fullmatch(word) and not word.endswith("nt")]
    known = [word for word in said if any(akin(word, asked) for asked in want.keys)]
    new = [word for word in said if word not in known]
    contrary = [word for word in new if any(opposed(word, asked) for asked in want.keys)]
    contrary += [
        word for word in latin_words(text) if any(_prefixed(word, asked) for asked in latin_words(want.text))
    ]
    turned = len(denials(_without(text, contrary))) + len(_FALSE.findall(text))
    if contrary:
        return False if not turned else None
    if turned:
        foreign = _han(text) and want.text.isascii() and len(text) <= _SHORT_HAN
        return turned % 2 == 0 if known or not new or foreign else None
    if _han(text) and want.text.isascii() and len(text) <= _SHORT_HAN:
        # A word in another language that is short and not denied: 有毒 to "is it poisonous?"
        return True
    # Nothing but what is asked, or no more than "it will"; another word in the last place says another thing.
    missing = [word for word in want.keys - _ANY if not any(akin(word, told) for told in said)]
    if known and not missing:
        return True
    if new and said[-1] == new[-1]:
        return None
    return True if (known or not said) and len(new) <= 1 else None


@lru_cache(maxsize=REMEMBERED)
def without_lead(text: str) -> str:
    """An answer without the yes or no that only opens it."""
    return _LEADING.sub("", text)


@lru_cache(maxsize=REMEMBERED)
def denials(text: str) -> tuple[str, ...]:
    """The words of a folded text that say "not"; one with a capital amid the text is part of a name: 404 Not Found."""
    found = NOT.finditer(text)
    return tuple(
        match[0] for match in found if not match.start() or match[0].isupper() or not match[0][0].isupper()
    )


@lru_cache(maxsize=REMEMBERED)
def without_quoted_denials(text: str, want: Asked) -> str:
    """A folded answer without each "not" that stands before the same word in its question."""
    if want.wanted in ("yes_no", "choice", "either") or not denials(want.text):
        return text
    quoted = {match[0].lower() for match in _DENIED.finditer(want.text)}
    return _DENIED.sub(lambda match: " " if match[0].lower() in quoted else match[0], text)


def turned(want: Asked, one: str, other: str) -> bool:
    """True if just one of two answers is denied, a denial of the question's own aside: "a page that was not found"."""
    first, second = (without_quoted_denials(without_lead(fold(answer)), want) for answer in (one, other))
    return len(denials(first)) % 2 != len(denials(second)) % 2


@lru_cache(maxsize=32_768)
def opposed(one: str, other: str) -> bool:
    """True if two stems are each other's contrary: by a prefix (safe, unsafe), a table, or two concepts."""
    if one == other:
        return False
    if _prefixed(one, other) or _prefixed(other, one):
        return True
    long, short = (one, other) if len(one) > len(other) else (other, one)
    if not long.isascii() and long[1:] == short and long[0] in "不非无未没":
        return True
    if other in contraries(one):
        return True
    if {one, other} & _LOOSE or min(len(one), len(other)) < 2:
        return False
    return not _against(one).isdisjoint(concepts_of(stem(other)))


@lru_cache(maxsize=REMEMBERED)
def _against(word: str) -> frozenset[str]:
    """The concepts that say the contrary of a stem."""
    return frozenset().union(*(opposites_of(concept) for concept in concepts_of(stem(word))))


def _prefixed(long: str, short: str) -> bool:
    """True for unsafe and safe, inedible and edible."""
    root = len(short) >= _SHORTEST_ROOT and long.isascii() and long.endswith(short)
    return root and long[: -len(short)] in _PREFIXES


def contrary(one: str, other: str, first: Sequence[str], second: Sequence[str]) -> str:
    """Why two answers deny each other, or "" if they do not.

    Args:
        one: an answer, folded.
        other: another.
        first: the words of the one that carry content.
        second: those of the other.
    """
    words = opposites(one, other, first, second)
    turned = len(denials(_without(one, words))) % 2 != len(denials(_without(other, words))) % 2
    if words and not turned:
        return f"{words[0]} is the contrary of {words[1]}"
    return "one of them says not" if turned and not words else ""


def _without(text: str, words: Sequence[str]) -> str:
    """A text without some Chinese words, whose "not" is part of them: 非法 denies nothing."""
    for word in words:
        if not word.isascii():
            text = text.replace(word, " ")
    return text


def opposites(one: str, other: str, first: Sequence[str], second: Sequence[str]) -> tuple[str, ...]:
    """A word of one answer and its contrary in the other; () if no word has one.

    Both words in one answer set them against each other, as in "from cold to hot": they do not count.
    """
    pairs = [(set(first), set(second)), (set(raw_words(one)), set(raw_words(other)))]
    for mine, theirs in pairs:
        for word in sorted(mine - theirs):
            for opposite in sorted(theirs - mine):
                if opposed(word, opposite):
                    return word, opposite
    return ()
