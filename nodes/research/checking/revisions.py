"""Does a newer passage have another number or date where a claim has what held before? Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from nodes.research.checking.alignment import coverage
from nodes.research.checking.concepts import concepts_of
from nodes.research.checking.dates import Moment, conflicts
from nodes.research.checking.facts import Facts, facts_of
from nodes.research.checking.number_check import matches
from nodes.research.checking.quantity import Quantity
from nodes.research.checking.sources import Passage, Sources
from nodes.research.checking.stems import stem
from nodes.research.checking.terms import STOP, Term
from nodes.research.checking.units import same_dimension

# Share of the words around a number from which on another number is one of the same.
SAME_ATTRIBUTE = 0.5
# Two numbers further apart than this are not one thing at two times.
APART = 12.0
COUNTED = frozenset({"", "count", "people", "households", "magnitude"})
_PLANNED = "approved|planned|promised|forecast|expected|estimated|put|set|said|reported|announced|budgeted|given|predicted|agreed|intended|hoped|aimed|projected|scheduled|stated|presented|stood|been|published|proposed|pencilled in|calculated"
_FORMER_BEFORE = re.compile(
    rf"(?:\b(?:from|instead of|rather than|than|against|compared (?:with|to)|replac(?:es|ing|ed)|not|versus|exceed(?:s|ing|ed)|over|above|below) (?:the |an? |its |their |some )?(?:(?:original|previous|earlier|initial|former|old|planned)(?:ly)? )?(?:[a-z]+ (?:of |at |in ))?"
    rf"|\b(?:previous|original|initial|former|earlier|old|first|provisional|preliminary|planned)(?:ly)?\b[^,;.]{{0,40}}?"
    rf"|\bhad (?:\w+ly |at first |first )?(?:been )?(?:{_PLANNED})\b[^;.]{{0,70}}?|\b(?:was|were) (?:\w+ly |at first |first |to have )?(?:been )?(?:planned|due|expected|scheduled|budgeted|estimated|forecast|set|meant|supposed|put|promised)\b[^,;.]{{0,40}}?)"
    r"(?:the |an? |some |about |around |roughly |nearly |just |only |at |in |of |by |for |over |under |more than |early |late |mid-|spring |summer |autumn |winter |the end of |end of )*$",
    re.IGNORECASE,
)
_FORMER_AFTER = re.compile(
    r"^[^;.\d]{0,26}\b(?:previously|(?:earlier|before)(?=[,.;)]|$)|originally|initially|at first|first (?:announced|planned|reported|given|estimated|forecast)|as (?:originally |first |initially )?(?:planned|announced|reported|expected|budgeted|promised)|(?:planned|approved|forecast|promised|reported|announced|budgeted|quoted) (?:in|at|last|when|a year|two years|originally)|when (?:it|the|they|work|plans?)|at the time)\b",
    re.IGNORECASE,
)
_CHANGED_HAN = "调高|调降|调整|上调|下调|上修|下修|修正|更正|订正|修订|变更|增加|减少|增|减|上升|下降|升|降|跌|涨|延后|推迟|延宕|顺延|展延|延|提前|改|提高|提升|扩大|扩充|扩|缩减|缩短|缩|压缩|下滑|回升|攀升|翻|加码|追加|换|转"
_FORMER_BEFORE_HAN = re.compile(
    r"(?:(?:由|从|自)(?![^,。;；]{0,10}(?:起|开始|以来))|较|比|不再是|而非|并非|不是|取代|低于|高于|超出|原(?:本|先|来|订|定|拟|估|有|计划|规划|核定|预计|预定|预期|公布|报|列|案|设|编)?|先前|此前|之前|起初|最初|旧|前次|上次|初估|早先|当初|本来)[^,。;；，\d]{0,14}$"
)
_FORMER_AFTER_HAN = re.compile(
    rf"^[^,。;；，\d]{{0,8}}?(?:大幅|再|已|进一步)?(?:{_CHANGED_HAN})[^,。;；，\d]{{0,4}}?(?:到|至|为|成)|^[,，][^。;；，,由从\d]{{0,22}}(?:更正|修正|订正|上修|下修)(?:为|至|成|到)"
)
_ANOTHER_PERIOD = re.compile(
    r"\b(?:a year (?:earlier|ago|before)|(?:same|corresponding) (?:period|quarter|month)|(?:previous|preceding|prior|last) (?:year|quarter|month|season|half)|year-on-year|the year before|quarter-on-quarter)\b|去年|前一年|上年|同期|上季|前一季|上一季|上月|前一月|上届|上一届|前一届|第[一二三四]季",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    r"\b(?:than|from|over|against|versus|compared (?:with|to)|in|on)(?: the)? (?:same|a year|previous year|last year|year before|corresponding|preceding|prior)\b|year-on-year|quarter-on-quarter|同期|[年季月][增减]|(?:较|比)(?:去年|前年|上年|上季|上月|前一)",
    re.IGNORECASE,
)
_CHANGE_OF = re.compile(
    r"(?:\b(?:by|extra|additional|further|another|up|down|rose|fell|grew|increased|decreased|plus|gained|lost|added|adds?|save[sd]?|saving|within|after|of which|including)\s(?:an? |another |about |around |some |nearly |almost |just |only |over |more than |estimated |well )*"
    r"|(?:增加|减少|追加|多出?|少|增|减|提高|下降|上升|[增减涨跌]幅达?约?|涨|跌|成长|增长|差|补|负担|其中|另有?|节省|落后)(?:了|约|近)?)$",
    re.IGNORECASE,
)
_CORRECTED = re.compile(
    r"\b(?:restat|correct|revis|error|mistake|wrong|overstat|understat|recount|audit|adjusted|amended|reassess|recalculat|originally suspected|final count)\w*|更正|修正|订正|重编|重估|重新|误|错|上修|下修|追溯|高估|低估|复核|校正|修订",
    re.IGNORECASE,
)
_POSTPONED = re.compile(
    r"\b(?:postpon\w+|delay(?:ed|s)|deferr\w+|push(?:ed)? back|put (?:back|off)|slipp?(?:ed|s)?|held up|later than|(?:weeks?|months?|years?) late|behind schedule|overdue)\b|晚了|迟了|逾期|落后|推迟|延后|延期|延宕|顺延|展延|往后延|跳票|延至|延到",
    re.IGNORECASE,
)
# When something can be used, however it is worded; when work on it begins is another date.
_READY = re.compile(
    r"\b(?:re-?open\w*|open(?:s|ed|ing)?|used?|in use|service|passengers?|runs?|running|operat\w+|complet\w+|finish\w*|ready|inaugurat\w+|deliver\w*|move in|go live|commission\w*|launch\w*|results|publish\w*|in place|board)\b|启用|通车|完工|投产|运营|营运|开通|开幕|落成|竣工|商转|并网|开业|交付|投用|建成|完成|上线|通航|开馆|开放",
    re.IGNORECASE,
)
# A date that took the place of another.
_MOVED = re.compile(
    r"\bnow (?:to|due|expected|scheduled|planned|set|likely|not (?:before|until))\b|\b(?:postpon\w+|delay\w*|deferr\w+|put back|push(?:ed)? back|later than planned|at the earliest|slip(?:s|ped)|behind schedule|(?:weeks?|months?|years?) late|another window|rescheduled|moved to)\b|延后|推迟|延至|延到|顺延|展延|延宕|改订|改到|改为|跳票|改期|最快",
    re.IGNORECASE,
)
_SEASON = re.compile(
    r"(?:spring|summer|autumn|winter|fall|end|early|late|first|new|middle|start|年底|年初|年中|春|夏|秋|冬)$",
    re.IGNORECASE,
)
_BEGUN = re.compile(
    r"\b(?:construction|(?:ground)?work|digging|building) (?:is |are )?(?:\w+ )?(?:to )?(?:begin|start|commence)\w*|\b(?:begin|start)\w* (?:construction|building|work)|动工|开工|破土|招标|决标|施工",
    re.IGNORECASE,
)
_BREAK = re.compile(
    r"[,;:、。；：，](?!\d)|\b(?:and|but|while|whereas|although|though)\b|(?<=[\u4e00-\u9fff])(?:但|而|并且|且)"
)
# Words that say when and how, not what.
_EMPTY = frozenset("plan say reach need total month year_on_year new".split())
_COUNTERS = {"名": "人", "位": "人"}
_NO_NOUN = frozenset(
    "after before since until when while and or but than to from of in at by for per as long wide deep high tall away more less later earlier".split()
)
_ANY = frozenset("anim individu peopl person unit item piec copi bird specimen exampl".split())
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
_WHEN = re.compile(
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
    first, last = _clause(claim.text, start)
    every = [word for word in claim.terms if _tells(word, known)]
    every = [
        word for word in every if not titles or not all(_in_title(word, claim, one) for one in titles)
    ] or every
    inside = [word for word in every if first <= word.start < last]
    return Attribute(tuple(inside if len(inside) > 1 else every), nouns_after(claim, start, end))


def _in_title(word: Term, claim: Facts, title: str) -> bool:
    return word.key in title or claim.low[word.start : word.end] in title


def _tells(word: Term, subject: set[str]) -> bool:
    if word.concepts & _EMPTY or _WHEN.match(word.key):
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
        signs = re.match(r"[\s\d,.多余几十百千万亿]*([\u4e00-\u9fff])", facts.text[start:])
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


def corrected(facts: Facts) -> bool:
    """True if a passage says that what was told before was wrong."""
    return _CORRECTED.search(facts.text) is not None


def former(facts: Facts, start: int, end: int) -> bool:
    """True if a passage gives the value between two offsets as what held before."""
    before, after = facts.text[max(0, start - 110) : start], facts.text[end : end + 60]
    if facts.chinese:
        return bool(_FORMER_BEFORE_HAN.search(before) or _FORMER_AFTER_HAN.search(after))
    return bool(_FORMER_BEFORE.search(before) or _FORMER_AFTER.search(after))


def of_another_period(facts: Facts, start: int, end: int) -> bool:
    """True if the value is compared with as that of the period before."""
    return _ANOTHER_PERIOD.search(facts.text[max(0, start - 26) : end + 40]) is not None


def change_of(facts: Facts, start: int) -> bool:
    """True if a number tells by how much something changed, or a part of it."""
    return _CHANGE_OF.search(facts.text[max(0, start - 34) : start]) is not None


def comparable(one: Quantity, other: Quantity) -> bool:
    """True if two numbers may be one thing at two times."""
    if "rank" in (one.dimension, other.dimension) or "score" in (one.dimension, other.dimension):
        return False
    if one.dimension != other.dimension and not (
        one.dimension and same_dimension(one.dimension, other.dimension)
    ):
        return False
    low, high = sorted((abs(one.value), abs(other.value)))
    return high <= APART * low if low else True


def same_date(one: Moment, other: Moment) -> bool:
    """True if two dates may be one, and share a year."""
    return bool(one.year and one.year == other.year and not conflicts(one, other))


def instead_of_number(number: Quantity, claim: Facts, facts: Facts) -> tuple[Quantity, bool] | None:
    """The number a passage gives as what holds now, where a claim's number stands as what held before.

    Returns:
        That number, and whether the claim's is one of another period only; None if there is none.
    """
    mine = [one for one in facts.quantities if matches(number, one) and one.dimension != "rank"]
    was = [one for one in mine if former(facts, one.start, one.end)]
    if not was or len(was) < len(mine):
        return None
    rivals = [
        one
        for one in facts.quantities
        if one not in mine
        and (comparable(number, one) or comparable(was[0], one))
        and not former(facts, one.start, one.end)
        and not change_of(facts, one.start)
        and not any(matches(other, one) for other in claim.quantities)
    ]
    if not rivals:
        return None
    after = [one for one in rivals if one.start > was[0].start]
    chosen = after[0] if after else min(rivals, key=lambda one: abs(one.start - was[0].start))
    return chosen, of_another_period(facts, was[0].start, was[0].end)


def other_number(
    number: Quantity, told: Attribute, claim: Facts, passage: Passage, sources: Sources, about: str = ""
) -> Quantity | None:
    """The number a passage gives of the very thing a claim gives one of.

    Args:
        number: the claim's.
        told: what it is a number of.
        claim: the claim.
        passage: of a newer source.
        sources: all sources.
        about: title and site of that source, if the passage's only number of the kind may stand in another
            clause than what it is a number of.
    """
    facts = passage.facts
    if any(matches(number, one) for one in facts.quantities):
        return None
    rivals = [one for one in facts.quantities if not one.soft and comparable(number, one)]
    best: tuple[float, Quantity] | None = None
    for one in rivals:
        if former(facts, one.start, one.end) or change_of(facts, one.start):
            continue
        if any(matches(other, one) for other in claim.quantities) or _period_near(facts, one):
            continue
        if number.dimension in COUNTED and not _same_noun(told, facts, one):
            continue
        share = around(told, claim, facts, one.start, sources)
        if about and len(rivals) == 1:
            share = max(share, coverage(claim, [facts], about, sources, told.words))
        if share >= SAME_ATTRIBUTE and (best is None or share > best[0]):
            best = (share, one)
    return best[1] if best else None


def _period_near(facts: Facts, number: Quantity) -> bool:
    """True if the clause of a number compares periods."""
    first, last = _own_clause(facts.text, number.start)
    return _COMPARED.search(facts.text[first:last]) is not None


def _same_noun(told: Attribute, facts: Facts, other: Quantity) -> bool:
    """True if a passage's number counts what the claim's number counts."""
    theirs = nouns_after(facts, other.start, other.end)
    if theirs & told.nouns or not (theirs or told.nouns):
        return True
    if not theirs or theirs & _ANY:
        # "One instrument was taken off, leaving six"; "the lynx recovered: 187 animals were counted".
        return _among(told.nouns, facts.terms)
    if told.nouns:
        return False
    first, last = _clause(facts.text, other.start)
    here = [word for word in facts.terms if first <= word.start < last]
    return _among(told.nouns, here) if told.nouns else _among(theirs, told.words)


def _among(nouns: frozenset[str], words: Iterable[Term]) -> bool:
    concepts = frozenset().union(*(concepts_of(noun) for noun in nouns))
    return any(word.key in nouns or word.concepts & concepts for word in words)


def other_date(
    moment: Moment, told: Attribute, claim: Facts, passage: Passage, sources: Sources, *, near: bool
) -> Moment | None:
    """The date a passage gives of the very thing a claim gives one of.

    Args:
        moment: the claim's.
        told: what it is the date of.
        claim: the claim.
        passage: of a newer source.
        sources: all sources.
        near: enough of the claim's words stand in the passage to go by the words around the date.
    """
    facts = passage.facts
    if any(same_date(moment, one) and not former(facts, one.start, one.end) for one in facts.moments):
        return None
    for one in facts.moments:
        if one.relative or not one.year or not conflicts(moment, one) or former(facts, one.start, one.end):
            continue
        if any(same_date(other, one) for other in claim.moments):
            continue
        moved = _MOVED.search(facts.text) is not None and _later(one, moment)
        if (
            (moved and _ahead_of(claim, facts))
            or _one_event(claim, moment, facts, one)
            or (near and told.words and around(told, claim, facts, one.start, sources) >= SAME_ATTRIBUTE)
        ):
            return one
    return None


def _later(one: Moment, other: Moment) -> bool:
    return (one.year or 0, one.month or 0) > (other.year or 0, other.month or 0)


def _ahead_of(claim: Facts, facts: Facts) -> bool:
    """True if neither of two sentences tells when work on something begins, or both do."""
    return bool(_BEGUN.search(claim.text)) == bool(_BEGUN.search(facts.text))


def _one_event(claim: Facts, mine: Moment, facts: Facts, theirs: Moment) -> bool:
    """True if both dates are those from which on something can be used."""
    parts = []
    for text, moment in ((claim.text, mine), (facts.text, theirs)):
        first, last = _clause(text, moment.start)
        parts.append(text[first:last])
    if not all(_READY.search(part) and not _BEGUN.search(part) for part in parts):
        return False
    things = [word for word in claim.terms if _thing(word, claim)]
    return not things or any(word.key in facts.keys or word.concepts & _concepts(facts) for word in things)


def _thing(word: Term, claim: Facts) -> bool:
    """True if a word may be what is opened, not how, when or whose."""
    text = claim.text[word.start : word.end]
    named = any(name.start <= word.start < name.end for name in claim.names)
    return not (
        named or _WHEN.match(word.key) or _READY.search(text) or _SEASON.match(text) or word.concepts & _EMPTY
    )


def _concepts(facts: Facts) -> frozenset[str]:
    return frozenset().union(*(word.concepts for word in facts.terms))


def instead_of_date(moment: Moment, claim: Facts, facts: Facts, near: Sequence[Facts]) -> str:
    """What stands for a claim's date in a passage that gives it as the date planned before; "" if nothing does."""
    was = [one for one in facts.moments if same_date(moment, one)]
    if not was or not all(former(facts, one.start, one.end) for one in was):
        return ""
    for part in (facts, *near):
        for one in part.moments:
            if one.relative or not one.year or not conflicts(moment, one) or former(part, one.start, one.end):
                continue
            if one.year < (moment.year or 0) - 1 or any(same_date(other, one) for other in claim.moments):
                continue
            return one.text.strip()
    return "it delayed" if _POSTPONED.search(facts.text) else ""


def postponed(told: Attribute, claim: Facts, passage: Passage, sources: Sources) -> bool:
    """True if a passage says that what a claim gives a date of comes later, and not when."""
    hit = _POSTPONED.search(passage.facts.text)
    return (
        hit is not None
        and bool(told.words)
        and around(told, claim, passage.facts, hit.start(), sources) >= SAME_ATTRIBUTE
    )


def around(told: Attribute, claim: Facts, facts: Facts, at: int, sources: Sources) -> float:
    """How much of what a claim says a value of stands in the clause of a passage that holds an offset."""
    if not told.words:
        return 1.0 if told.nouns else 0.0
    first, last = _clause(facts.text, at)
    share = coverage(claim, [_part(facts.text[first:last])], "", sources, told.words)
    here = [word for word in facts.terms if first <= word.start < last]
    if _among(told.nouns - _SIZES, facts.terms if _bare_number(facts, at) else here):
        return max(share, SAME_ATTRIBUTE)
    alike = any(_only(kind, told.words) and _bare(kind, facts, at, told) for kind in _KINDS)
    return max(share, SAME_ATTRIBUTE) if alike else share


def _bare_number(facts: Facts, at: int) -> bool:
    """True if nothing that is counted, or no more than "animals", follows the number at an offset."""
    number = next((one for one in facts.quantities if one.start == at), None)
    return number is not None and nouns_after(facts, number.start, number.end) <= _ANY


def _only(kind: re.Pattern[str], words: Iterable[Term]) -> bool:
    """True if words say no more than how large, long or dear something is."""
    return all(kind.match(word.key) or word.key in _SIZES or _PROJECT.match(word.key) for word in words)


def _bare(kind: re.Pattern[str], facts: Facts, at: int, told: Attribute) -> bool:
    """True if a number stands in a clause that says no more than how large or dear its subject is."""
    first, last = _own_clause(facts.text, at)
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
    return bool(word.concepts & _CHANGE) or _WHEN.match(word.key) is not None


@lru_cache(maxsize=4096)
def _part(text: str) -> Facts:
    return facts_of(text)


def _own_clause(text: str, at: int) -> tuple[int, int]:
    """The clause of a text that holds an offset, however short."""
    ends = [match.start() for match in _BREAK.finditer(text)]
    first = max((end for end in ends if end < at), default=0)
    return first, min((end for end in ends if end >= at), default=len(text))


def _clause(text: str, at: int) -> tuple[int, int]:
    """The clause of a text that holds an offset; what stands before it too where that is short."""
    ends = [match.start() for match in _BREAK.finditer(text)]
    last = next((end for end in ends if end >= at), len(text))
    starts = [0, *(end + 1 for end in ends if end < at)]
    first = starts.pop()
    least = 30 if text.isascii() or not re.search(r"[\u4e00-\u9fff]{4}", text) else 10
    while starts and at - first < least:
        first = starts.pop()
    return first, last
