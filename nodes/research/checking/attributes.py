"""What a claim gives a number or a date of, and how much of that stands around another one. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from nodes.research.checking.alignment import coverage
from nodes.research.checking.concepts import concepts_of
from nodes.research.checking.facts import Facts, facts_of
from nodes.research.checking.sources import Sources
from nodes.research.checking.stems import stem
from nodes.research.checking.terms import STOP, Term

# Share of the words around a number from which on another number is one of the same.
SAME_ATTRIBUTE = 0.5
_BREAK = re.compile(
    r"[,;:、。；：，](?!\d)|(?<=[\u4e00-\u9fff]),|\b(?:and|but|while|whereas|although|though)\b|(?<=[\u4e00-\u9fff])(?:但|而|并且|且)"
)
# Words that say when and how, not what.
EMPTY = frozenset("plan say reach need total month year_on_year new".split())
_COUNTERS = {"名": "人", "位": "人"}
_NO_NOUN = frozenset(
    "after before since until when while and or but than to from of in at by for per as long wide deep high tall away more less later earlier".split()
)
ANY = frozenset("anim individu peopl person unit item piec copi bird specimen exampl".split())
_CHANGE = frozenset("rise fall keep last_year year_on_year new last make".split())
# Words for one and the same: how large something is, how long, what it costs.
_KINDS = (
    re.compile(
        r"(?:area|cover|enclos|size|boundari|span|extend|extens|park|reserv|site|habitat|land|面积|占地|栖地|园区|范围|扩大|涵盖)"
    ),
    re.compile(
        r"(?:length|long|rout|line|network|stretch|track|measur|run|全长|长度|总长|线路|路线|路网|里程|缩短|延长)"
    ),
    re.compile(
        r"(?:cost|bill|budget|price|invest|outlay|expens|sum|spend|经费|投资|预算|造价|费用|总额|成本|工程费|总经费|总投资|斥资)"
    ),
    re.compile(
        r"(?:brew|produc|output|make|capac|generat|yield|manufactur|litr|产量|年产|产能|生产|产出|发电量|出货)"
    ),
)
_PROJECT = re.compile(
    r"(?:mission|project|program|scheme|work|rebuild|build|construct|develop|项目|工程|建设|计划|方案|全案)"
)
_SIZES = frozenset(
    "extend enclos size boundari rang span network stretch 面积 占地 长度 全长 long wide deep high tall old heavi away more less larg peopl".split()
)
WHEN = re.compile(
    r"^(?:current|present|now|today|moment|expect|still|date|day|year|annual|stand|time|thing|estimat|估算|估计|粗估|continu|nobodi|maintain|own|have|schedul|due|accord|目前|现在|现行|现有|如今|现时|至今|迄今|预定|按照|依照|时程|最新|当前|预期|计划|规划|拥有|设有|共有|设$|有$)"
)


@dataclass(frozen=True, slots=True)
class Attribute:
    """What a claim says a value of.

    Attributes:
        words: the words around the value, without those of the subject and of time.
        nouns: what stands after it, if anything does: "18 new stations"; the counted sign in Chinese.
    """

    words: tuple[Term, ...]
    nouns: frozenset[str]


def attribute(
    claim: Facts, start: int, end: int, subject: Iterable[str], titles: Sequence[str] = ()
) -> Attribute:
    """What a value of a claim is a value of.

    Args:
        claim: its facts.
        start: offset of the value.
        end: offset after it.
        subject: words and pairs of signs that name whom the claim is about.
        titles: of both sources, in lower case; a word of all of them tells nothing of what is said of it.
    """
    known = set(subject)
    first, last = clause_at(claim.text, start)
    every = [word for word in claim.terms if _tells(word, known)]
    every = [
        word for word in every if not titles or not all(_in_title(word, claim, one) for one in titles)
    ] or every
    inside = [word for word in every if first <= word.start < last]
    return Attribute(tuple(inside if len(inside) > 1 else every), nouns_after(claim, start, end))


def _in_title(word: Term, claim: Facts, title: str) -> bool:
    return word.key in title or claim.low[word.start : word.end] in title


def _tells(word: Term, subject: set[str]) -> bool:
    if word.concepts & EMPTY or WHEN.match(word.key):
        return False
    if word.key.isascii():
        return word.key not in subject and not any(
            word.key.startswith(one[:5]) for one in subject if len(one) > 5
        )
    return not any(one in word.key for one in subject)


def nouns_after(facts: Facts, start: int, end: int) -> frozenset[str]:
    """What a number counts: the words after it, or the sign after it in Chinese; empty if none follows at once."""
    if facts.chinese:
        if facts.text[end : end + 1] == "的":
            return frozenset(word.key for word in facts.terms if end < word.start <= end + 3)
        signs = re.match(
            r"[\s\d,.多余几零一二三四五六七八九两十百千万亿]*([\u4e00-\u9fff])", facts.text[start:]
        )
        if signs is None:
            return frozenset()
        at = start + signs.end()
        counted = (word.key for word in facts.terms if word.start == at)
        return frozenset([_COUNTERS.get(signs[1], signs[1]), *counted])
    found = []
    following = re.sub(r"^ of (?:the |its |their )?", " ", facts.text[end : end + 48])
    for word in re.findall(r"\s*([\w'-]+|[^\w\s])", following)[:3]:
        low = word.lower()
        if not low[0].isalpha() or low in STOP or low in _NO_NOUN:
            break
        found.append(stem(low))
    return frozenset(found)


def alike(nouns: frozenset[str], others: frozenset[str]) -> bool:
    """True if two counted things are one, or words for one: passengers and travellers."""
    concepts = [frozenset().union(*(concepts_of(noun) for noun in one)) for one in (nouns, others)]
    return bool(nouns & others or concepts[0] & concepts[1])


def among(nouns: frozenset[str], words: Iterable[Term]) -> bool:
    """True if one of the nouns, or one that stands for the same, is among some words."""
    concepts = frozenset().union(*(concepts_of(noun) for noun in nouns))
    return any(word.key in nouns or word.concepts & concepts for word in words)


def around(told: Attribute, claim: Facts, facts: Facts, at: int, sources: Sources) -> float:
    """How much of what a claim says a value of stands in the clause of a passage that holds an offset."""
    if not told.words:
        return 1.0 if told.nouns else 0.0
    first, last = clause_at(facts.text, at)
    share = coverage(claim, [part(facts.text[first:last])], "", sources, told.words)
    here = [word for word in facts.terms if first <= word.start < last]
    if among(told.nouns - _SIZES, facts.terms if _bare_number(facts, at) else here):
        return max(share, SAME_ATTRIBUTE)
    alike = any(_only(kind, told.words) and _bare(kind, facts, at, told) for kind in _KINDS)
    return max(share, SAME_ATTRIBUTE) if alike else share


def _bare_number(facts: Facts, at: int) -> bool:
    """True if nothing that is counted, or no more than "animals", follows the number at an offset."""
    number = next((one for one in facts.quantities if one.start == at), None)
    return number is not None and nouns_after(facts, number.start, number.end) <= ANY


def _only(kind: re.Pattern[str], words: Iterable[Term]) -> bool:
    """True if words say no more than how large, long or dear something is."""
    return all(kind.match(word.key) or word.key in _SIZES or _PROJECT.match(word.key) for word in words)


def _bare(kind: re.Pattern[str], facts: Facts, at: int, told: Attribute) -> bool:
    """True if a number stands in a clause that says no more than how large or dear its subject is."""
    first, last = own_clause(facts.text, at)
    named = [(name.start, name.end) for name in facts.names]
    known = {one.key for one in told.words}
    left = [
        word
        for word in facts.terms
        if first <= word.start < last
        and word.key not in known
        and not _tells_change(word)
        and not any(start <= word.start < end for start, end in named)
    ]
    return all(kind.match(word.key) or word.key in _SIZES for word in left)


def _tells_change(word: Term) -> bool:
    return bool(word.concepts & _CHANGE) or WHEN.match(word.key) is not None


@lru_cache(maxsize=4096)
def part(text: str) -> Facts:
    """The facts of a part of a folded sentence."""
    return facts_of(text)


def same_kind(words: Iterable[Term], others: Iterable[Term]) -> bool:
    """True if two phrases both say what something costs, or how large or long it is, or what it yields."""
    mine, theirs = list(words), list(others)
    return any(
        any(kind.match(one.key) for one in mine) and any(kind.match(one.key) for one in theirs)
        for kind in _KINDS
    )


def strict(facts: Facts, start: int, end: int, subject: Iterable[str]) -> Attribute:
    """What the very clause of a value says of it, were it a single word: "sales" of "Sales came to 12 million"."""
    known = set(subject)
    first, last = own_clause(facts.text, start)
    inside = tuple(word for word in facts.terms if first <= word.start < last and _tells(word, known))
    return Attribute(inside, nouns_after(facts, start, end))


def own_clause(text: str, at: int) -> tuple[int, int]:
    """The clause of a text that holds an offset, however short."""
    ends = [match.start() for match in _BREAK.finditer(text)]
    first = max((end for end in ends if end < at), default=0)
    return first, min((end for end in ends if end >= at), default=len(text))


def clause_at(text: str, at: int) -> tuple[int, int]:
    """The clause of a text that holds an offset; what stands before it too where that is short."""
    ends = [match.start() for match in _BREAK.finditer(text)]
    last = next((end for end in ends if end >= at), len(text))
    starts = [0, *(end + 1 for end in ends if end < at)]
    first = starts.pop()
    least = 30 if text.isascii() or not re.search(r"[\u4e00-\u9fff]{4}", text) else 10
    while starts and at - first < least:
        first = starts.pop()
    return first, last
