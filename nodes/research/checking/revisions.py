"""Does a newer passage have another number or date where a claim has what held before? Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from nodes.research.checking.alignment import coverage
from nodes.research.checking.attributes import (
    ANY,
    EMPTY,
    SAME_ATTRIBUTE,
    WHEN,
    Attribute,
    alike,
    among,
    around,
    clause_at,
    nouns_after,
    own_clause,
)
from nodes.research.checking.facts import Facts
from nodes.research.checking.matching import matches
from nodes.research.checking.moment import Moment, conflicts
from nodes.research.checking.quantity import Quantity
from nodes.research.checking.sources import Passage, Sources
from nodes.research.checking.terms import Term
from nodes.research.checking.units import same_dimension

# Two numbers further apart than this are not one thing at two times.
APART = 12.0
# Where a passage says that something was raised or cut to a number, fewer words tell that it is the claim's.
LEVEL = 0.3
# A number told loosely ("a fifth") may stand for any that is nearer to it than this.
LOOSE = 1.4
COUNTED = frozenset({"", "count", "people", "households", "magnitude"})
_PLANNED = "approved|planned|promised|forecast|expected|estimated|put|set|said|reported|announced|budgeted|given|predicted|agreed|intended|hoped|aimed|projected|scheduled|stated|presented|stood|been|published|proposed|pencilled in|calculated"
_FORMER_BEFORE = re.compile(
    rf"(?:\b(?:from|instead of|rather than|than|against|compared (?:with|to)|replac(?:es|ing|ed)|not|versus|exceed(?:s|ing|ed)|over|above|below) (?:the |an? |its |their |some )?(?:(?:original|previous|earlier|initial|former|old|planned)(?:ly)? )?(?:[a-z]+ (?:of |at |in ))?"
    rf"|\b(?:previous|original|initial|former|earlier|old|first|provisional|preliminary|planned)(?:ly)?\b(?:(?! to | has | have | is | are | now )[^,;.]){{0,40}}?"
    rf"|\bhad (?:\w+ly |at first |first )?(?:been )?(?:{_PLANNED})\b[^;.]{{0,70}}?|\b(?:was|were) to [a-z]+ |\b(?:was|were) (?:\w+ly |at first |first |to have )?(?:been )?(?:planned|due|expected|scheduled|budgeted|estimated|forecast|set|meant|supposed|put|promised)\b[^,;.]{{0,40}}?)"
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


_SET_TO = re.compile(
    r"\b(?:raise[ds]?|lift(?:ed|s)?|cut|increase[ds]?|risen|rose|fell|fallen|gone (?:up|down)|went (?:up|down)|grown|grew|drop(?:ped|s)|reduced|lowered|climbed|shrunk|trimmed|slipped|eased|edged (?:up|down)|swelled|dwindled|come down|scaled (?:back|down)|put up|changed)\b[^,;.]* to (?:\w+ )?$|\bnow (?:\w+ ){0,3}$"
    r"|(?:调|改|增|减|升|降|提高|缩减|追加|扩大|上修|下修|酌收)[^,。;]{0,4}(?:为|至|到|成)?约?$"
)


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
    changes = change_of(claim, number.start)
    best: tuple[float, Quantity] | None = None
    for one in rivals:
        if former(facts, one.start, one.end) or change_of(facts, one.start) != changes:
            continue
        if number.soft and not far(number, one):
            continue
        if any(matches(other, one) for other in claim.quantities) or _period_near(facts, one):
            continue
        if number.dimension in COUNTED and not _same_noun(told, facts, one):
            continue
        share = around(told, claim, facts, one.start, sources)
        if about and len(rivals) == 1:
            share = max(share, coverage(claim, [facts], about, sources, told.words))
        enough = LEVEL if len(rivals) == 1 and _set_to(facts, one) else SAME_ATTRIBUTE
        if share >= enough and (best is None or share > best[0]):
            best = (share, one)
    return best[1] if best else None


def _set_to(facts: Facts, number: Quantity) -> bool:
    """True if a passage says that something was set to a number: raised, cut, changed to it."""
    first, _ = own_clause(facts.text, number.start)
    return _SET_TO.search(facts.text[first : number.start]) is not None


def far(one: Quantity, other: Quantity) -> bool:
    """True if a number told loosely cannot stand for another."""
    low, high = sorted((abs(one.value), abs(other.value)))
    return high > LOOSE * low


def _period_near(facts: Facts, number: Quantity) -> bool:
    """True if the clause of a number compares periods."""
    first, last = own_clause(facts.text, number.start)
    return _COMPARED.search(facts.text[first:last]) is not None


def _same_noun(told: Attribute, facts: Facts, other: Quantity) -> bool:
    """True if a passage's number counts what the claim's number counts."""
    theirs = nouns_after(facts, other.start, other.end)
    if alike(theirs, told.nouns) or not (theirs or told.nouns):
        return True
    if not theirs or theirs & ANY:
        # "One instrument was taken off, leaving six"; "the lynx recovered: 187 animals were counted".
        return among(told.nouns, facts.terms)
    if told.nouns:
        return False
    first, last = clause_at(facts.text, other.start)
    here = [word for word in facts.terms if first <= word.start < last]
    return among(told.nouns, here) if told.nouns else among(theirs, told.words)


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
        first, last = clause_at(text, moment.start)
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
        named or WHEN.match(word.key) or _READY.search(text) or _SEASON.match(text) or word.concepts & EMPTY
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
            if part is facts and not one.year and (one.month or one.quarter or one.half):
                # "Planned for the first quarter of 2025, now for the third."
                one = replace(one, year=was[0].year)
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
