"""What kind of answer a question wants. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from nodes.contractive.reading.wording import keys_of
from nodes.research.checking.folding import fold

Wanted = Literal[
    "choice", "either", "yes_no", "number", "share", "year", "date", "list", "order", "code", "who", "open"
]

_OPTION_LINE = re.compile(
    r"^[ \t]*[(（]?(?P<label>[A-Ja-j]|\d{1,2})[)）.．:：、][ \t]*(?P<text>\S.*)$", re.MULTILINE
)
_OPTION_INLINE = re.compile(
    r"(?:^|(?<=\s))[(（]?(?P<label>[A-Ja-j]|\d)[)）．.:](?!\d)\s*(?P<text>.+?)(?=[\s,;，；]+[(（]?[A-Ja-j\d][)）．.:]\s*\S|\s*$)",
    re.DOTALL,
)
_CODE = re.compile(
    r"\b(?:write|give|show|implement|provide|create|code)\b[^.?!]{0,60}?\b(?:function|method|class|program|script|snippet|code|quer(?:y|ies)|command|regex|regular expression|one-liner|expression that|statement that|(?:c|java|python|sql|javascript|rust|go|shell|bash) (?:statement|expression|function|program|code|command|query))\b"
    r"|\bwrite\b[^.?!]{0,20}?\b(?:python|sql|bash|shell|java|javascript|typescript|rust|html|css|perl|ruby|php|haskell|latex)\b"
    r"|\b(?:which|what)\b[^.?!]{0,30}?\b(?:command|query|regex|regular expression|one-liner)\b(?! (?:language|mode))"
    r"|(?:写|用|给出|实现|提供)[^。？]{0,24}(?:函数|函式|程序|程式|代码|指令|命令|查询|正则|脚本|运算式|表达式|语句)",
    re.IGNORECASE,
)
# "Which HTTP status code" asks for no program.
_NO_CODE = re.compile(r"\b(?:status|error|country|zip|postal|area|exit|dress|bar|morse|tax|building) codes?\b|\bclass of\b|\boutput of\b|\bpurpose of\b|\bwhat (?:does|do|is|are) (?:the|a|an|this) (?:function|method|class|program|script|command)\b", re.IGNORECASE)  # fmt: skip
_ORDER = re.compile(
    r"(?:^|[.?!:,]\s*|\bplease |\bto |\band )(?:sort|rank|order|arrange)\b|\b(?:in (?:(?:what|which|the|an?|their|correct|right) ){0,2}(?:\w+ )?order|what order|ordered|ascending|descending|arrange|in sequence|chronological\w*|steps|alphabetical\w*|(?:from|by) (?:smallest|largest|oldest|youngest|shortest|longest|highest|lowest|first))\b|排序|顺序|次序|依序|依次|由[大小高低长短多少早]|从[大小高低]到|步骤",
    re.IGNORECASE,
)
_LIST = re.compile(
    r"\b(?:list|enumerate|name (?:all|the|some|two|three|four|five|six|seven|\d+) (?:\w+ ){0,2}\w+s\b|(?:which|what) (?:\w+ ){0,4}are\b|^nenne\w*\s+(?:mir\s+)?(?:die|alle|zwei|drei|vier|fünf|einige)\b|^welche\s+(?:\w+\s+){1,4}sind\b|zähle\b.{0,40}\bauf\b|(?:which|what) (?:\w+ ){0,2}(?:files|countries|states|months|days|cities|people|colou?rs|numbers|primes|factors|ingredients|languages|elements|planets|months|members|species|animals|books|names)\b|(?<!\w )which (?:\w+ ){0,2}\w*[^\Wsui]s (?<!\bhas )(?<!\bdoes )(?!is\b|was\b|does\b|did\b|has\b|of\b|the\b|an?\b|its\b|this\b|that\b|no\b|to\b)|what are|which are|who are|roots|factors|divisors)\b"
    r"|哪些|哪[几两二三四五六七八九十\d]+|列出|列举|有哪几",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b(?:what|which) year\b|\byear\b[^.?!]{0,20}\bwas\b|哪一?年|何年|几年(?:出生|成立|建立|发生)|西元哪|in welchem jahr|en quelle année|en qué año", re.IGNORECASE)  # fmt: skip
_DATE = re.compile(r"^\W*when\b|\b(?:what|which|on what) (?:\w+ ){0,2}(?:date|day|month)\b|\bwhen (?:did|was|were|is|does|do|will|has|had)\b|什么时候|何时|哪一?天|几月|几号|哪个月|哪一?日|^wann\b|^quand\b|^cuándo\b|deadline", re.IGNORECASE)  # fmt: skip
_SHARE = re.compile(r"\b(?:percent\w*|per cent|share|fraction|proportion|probabilit(?:y|ies)|ratio|chance|odds|likelihood|portion)\b|百分|比例|比率|几分之|机率|概率|占比|几成|divided by", re.IGNORECASE)  # fmt: skip
_NUMBER = re.compile(
    r"\bhow (?:many|much|long|far|tall|high|old|fast|deep|wide|heavy|large|big|hot|cold|often|few|thick)\b|\b(?:calculate|compute|evaluate|sum|product|difference|quotient|remainder|average|mean|median|total|number|amount|population|temperature|mass|weight|length|width|height|area|volume|distance|speed|velocity|price|cost|square root|value|solve|result|duration|boiling point|melting point|perimeter|radius|diameter|age|power|energy|voltage|times|plus|minus|squared|cubed|next number|comes next|next term|interest|density|tax|tip|salary|score)\b"
    r"|\d\s*[-+*/×÷x^=]\s*\d|\d+% of|多少|几(?!何)|combien|cuánt[oa]s?|wie (?:viel|viele|hoch|lang|weit|alt|groß|schnell)|多[高长远大重深宽久快]|hauteur|下一个数",
    re.IGNORECASE,
)
_WHO = re.compile(r"\b(?:who|whom|whose|by whom)\b|谁|哪位|何人|^wer\b|^qui\b|^quién|作者", re.IGNORECASE)
_AUX = r"(?:is|are|was|were|do|does|did|can|could|may|might|must|should|will|would|has|have|had|am|isn't|aren't|doesn't|don't|can't|shall)"
_YES_NO = re.compile(
    rf"(?:^|[,;:.?!]\s+(?:then |and |so )?){_AUX}\s(?=[^?]*\?|[^?]*$)|\byes or no\b|\btrue or false\b|\bwhether\b"
    r"|[吗嘛]\s*[?？]?\s*$|是否|是不是|能不能|有没有|可不可以|会不会|对不对|对还是错|est-ce que|^(?:ist|sind|hat|kann|können|darf|wird|war)\s|¿(?:es|son|está|puede|tiene|hay)\s",
    re.IGNORECASE,
)
_EITHER_OR = re.compile(
    r"(?<![\w-])(?P<one>(?:[A-Za-z][\w-]+ )?[A-Za-z][\w-]+),? or (?:an? |the )?(?P<other>[A-Za-z][\w-]+(?: [A-Za-z][\w-]+)?)",
    re.IGNORECASE,
)
_AUXILIARY = re.compile(rf"\W*{_AUX}\s", re.IGNORECASE)
_WHICH_NUMBER = re.compile(
    r"^\W*which\b[^?]*?(?<![\w.,/])(?P<one>-?\d+(?:[.,/]\d+)*),? or (?P<other>-?\d+(?:[.,/]\d+)*)\W*$",
    re.IGNORECASE,
)
_SECOND = re.compile(
    r"\w,? and,? (?:if (?:so|not|yes|no),? )?(?:what|which|how|when|where|who|why)\b", re.IGNORECASE
)
_EITHER = re.compile(r"\b\w+ or (?:a |an |the )?\w+|还是")
_TRUTH = re.compile(
    r"\b(?:true or false|yes or no|correct or incorrect|right or wrong)\b|对还是错|是或否", re.IGNORECASE
)
_OPEN_WORD = re.compile(r"^\W*(?:what|which|who|when|where|why|how|name|list)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as far as comparing answers to it needs it.

    Attributes:
        text: folded: one form of each sign, Chinese simplified.
        wanted: what kind of answer it wants.
        options: of a multiple choice, label (upper case) to text.
        keys: its words, as `wording.keys_of` gives them.
        asking: those of the sentence that asks; what comes before it may name what is to be chosen from.
    """

    text: str
    wanted: Wanted
    options: dict[str, str] = field(default_factory=dict, hash=False)
    keys: frozenset[str] = frozenset()
    asking: frozenset[str] = frozenset()


@lru_cache(maxsize=512)
def asked(question: str) -> Asked:
    """Read a question."""
    text = fold(question).strip()
    options = _options(text)
    wanted: Wanted = "choice" if options else _wanted(text)
    offers = wanted in ("open", "who", "list", "yes_no") or (wanted == "number" and _AUXILIARY.match(text))
    offering = _asking(text) if wanted in ("who", "list") else text
    if offers and (either := _alternatives(offering)):
        options, wanted = either, "either"
    elif wanted == "number" and (numbers := _WHICH_NUMBER.search(text)):
        options, wanted = {"A": numbers["one"], "B": numbers["other"]}, "either"
    last = [part for part in re.split(r"(?<=[.?!。？！:：])\s*", text) if keys_of(part)] or [text]
    return Asked(text, wanted, options, frozenset(keys_of(text)), frozenset(keys_of(last[-1])))


def _asking(text: str) -> str:
    """The last sentence that ends with a question mark; the whole text if there is none."""
    found: list[str] = re.findall(r"[^.?!。？！\n]+[?？]", text)
    return (found or [text])[-1].strip()


def _options(text: str) -> dict[str, str]:
    """Two or more options whose labels count up from the first; {} without them."""
    for pattern in (_OPTION_LINE, _OPTION_INLINE):
        found: dict[str, str] = {}
        for match in pattern.finditer(text):
            label = match["label"].upper()
            expected = chr(ord("A") + len(found)) if not label.isdigit() else str(len(found) + 1)
            if label == expected:
                found[label] = match["text"].strip().rstrip(",;，；")
        if len(found) >= 2:
            return found
    return {}


def _alternatives(text: str) -> dict[str, str]:
    """What tells "this or that" apart, in one word each where one does; {} if the question offers no two."""
    before, joined, after = text.partition("还是")
    if joined:
        other = after.strip(" ?？。")
        one = before[-len(other) :]
        while len(one) > 1 and len(other) > 1 and one[0] == other[0]:
            one, other = one[1:], other[1:]
        while len(one) > 1 and len(other) > 1 and one[-1] == other[-1]:
            one, other = one[:-1], other[:-1]
        return {"A": one, "B": other} if one and other and one != other else {}
    match = _EITHER_OR.search(text)
    if match is None or _TRUTH.search(text):
        return {}
    left, right = match["one"].lower().split(), match["other"].lower().split()
    if set(left) & set(right):
        left, right = (
            [word for word in left if word not in right],
            [word for word in right if word not in left],
        )
    if not left or not right:
        return {}
    return {"A": left[-1], "B": right[0]} if left[-1] != "not" != right[0] else {}


def _wanted(text: str) -> Wanted:
    if _CODE.search(text) and not _NO_CODE.search(text):
        return "code"
    # What is told before the sentence that asks may be full of "are given" and "either".
    opening = any(map(_OPEN_WORD.match, (text, _asking(text))))
    plain = not opening and not _EITHER.search(text) and not _SECOND.search(text)
    if _TRUTH.search(text) or (_YES_NO.search(text) and plain):
        return "yes_no"
    for pattern, wanted in _BY_PATTERN:
        if pattern.search(text):
            return wanted
    return "open"


_BY_PATTERN: tuple[tuple[re.Pattern[str], Wanted], ...] = (
    (_ORDER, "order"),
    (_YEAR, "year"),
    (_DATE, "date"),
    (_SHARE, "share"),
    (_LIST, "list"),
    (_WHO, "who"),
    (_NUMBER, "number"),
)
