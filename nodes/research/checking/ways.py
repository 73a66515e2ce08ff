"""Which way a clause says something goes: up or down, sooner or later, wider or narrower. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from nodes.research.checking.clauses import Clause
from nodes.research.checking.negation import negated
from nodes.research.checking.terms import Term

# Scales that cannot be set against each other, each with the signs and words of its two ends. Words of the first
# are of how much there is of something; English ones match at the beginning of a word.
_SCALES: dict[str, tuple[str, str]] = {
    "much": (
        r"\b(?:ris(?:e|es|ing|en)|rose|increas\w*|gr[eo]w(?:s|n|ing)?|growth|climb\w*|gain(?:s|ed|ing)?|surg\w+|soar\w*|expan\w+|swell\w*|swollen|swelled|higher|more|exceed\w*|surpass\w*|outnumber\w*|outstrip\w*|outpac\w*|outsell\w*|outsold|doubl(?:ed|ing)|tripl(?:ed|ing)|trebl(?:ed|ing)|up from(?= [£$€]?\d)|up by|went up|gone up|goes up|go up|larger|bigger|greater|highest|most|longer|lengthen\w*|heavier|dearer|pricier|above|jump\w*|raised|raising)\b"
        r"|增(?!值税)|升(?![级旗学])|涨|攀|飙|多于|多[了出]|更多|较多|变多|高于|更高|较高|偏高|高出|走高|最高|新高|扩[大增张充]|倍增|翻[倍番]|加长|变长|延长|拉高|调高|提[高升]|超过|大于|上扬|上修|加[重剧]",
        r"\b(?:fall(?:s|en|ing)?|fell|decreas\w*|declin\w*|dropp?(?:s|ed|ing)?|shr[aiu]n\w*|slump\w*|plung\w*|plummet\w*|dwindl\w*|thinned|thinning|lower(?:ed|ing|s)?|fewer|less|reduc\w*|halv(?:ed|ing)|cut|cuts|slipp?(?:s|ed|ing)?|slid|sank|sunk|sink(?:s|ing)?|tumbl\w*|contracted|contraction|down from(?= [£$€]?\d)|down by|went down|gone down|goes down|go down|smaller|lowest|fewest|least|shorter|shorten\w*|lighter|cheaper|below|trail(?:s|ed|ing)?)\b"
        r"|减(?![轻免])|降(?![落雨水])|跌|缩(?!影)|下[滑挫修]|少于|少了|更少|较少|变少|低于|更低|较低|偏低|走低|最低|新低|变短|小于|不及|回落|萎|锐减|腰斩|衰退|调低",
    ),
    "soon": (
        r"\b(?:brought forward|bring(?:s|ing)? forward|ahead of schedule|earlier than|sooner|faster|quicker|accelerat\w*|speed(?:s|ed|ing)? up|sped up)\b|提前|提早|早于|更早|较早|加快|加速|更快|较快",
        r"\b(?:(?:put|push|pushed|set|held|moved?) back|put off|postpon\w*|delay\w*|later than|deferr\w*|slower|slow(?:s|ed|ing)? down|slower than)\b|延[后迟期宕至]|推迟|延到|晚于|更晚|较晚|放缓|减慢|更慢|较慢",
    ),
    "wide": (
        r"\b(?:widen\w*|wider|broaden\w*)\b|拉[大开]|扩大|变宽|加宽",
        r"\b(?:narrow\w*)\b|收窄|缩小|缩窄|变窄|收敛",
    ),
    "firm": (
        r"\b(?:strengthen\w*|stronger|tighten\w*)\b|增强|加强|走强|收紧",
        r"\b(?:weaken\w*|weaker|loosen\w*|relax\w*|eas(?:ed|ing))\b|减弱|削弱|走弱|放宽|放松",
    ),
}
# What comes before a word that only bounds a number, or grades an adjective that is of no scale.
_GRADED = re.compile(
    r"\s+(?!frequent|common|numerous|expensive|likely|often|costly)[a-z]+(?:ous|ful|ive|ble|ent|ant|ed|ing|al|ic|ish|some|ate)\b(?!\s+of\b)"
)
# Characters between such a word and its number.
REACH = 8
_BOUNDING = frozenset(
    "more less fewer above below exceed exceeds exceeding exceeded lower higher most least".split()
)
_HAN_BOUNDING = frozenset("超过 多于 少于 高于 低于 大于 小于 不及".split())
_THAN = re.compile(r"\bthan\b|\bcompared (?:with|to)\b|[比较](?!例|赛|重|如|为)", re.IGNORECASE)
# Opposed scales that share a sign word: 扩大 is more, or wider.
_PATTERNS = {
    name: (re.compile(more, re.IGNORECASE), re.compile(less, re.IGNORECASE))
    for name, (more, less) in _SCALES.items()
}


@dataclass(frozen=True, slots=True)
class Way:
    """A word that says which way something goes.

    Attributes:
        scale: of what: "much", "soon", "wide", "firm".
        sign: 1 or -1.
        start: offset of its first character in the sentence.
        end: offset after its last one.
    """

    scale: str
    sign: int
    start: int
    end: int


def ways(clause: Clause) -> list[Way]:
    """The words of a clause that say a way, in order; denied ones left out."""
    text = clause.facts.text
    found = []
    for scale, both in _PATTERNS.items():
        for sign, pattern in zip((1, -1), both, strict=True):
            for match in pattern.finditer(text, clause.start, clause.end):
                if not _bounds(match, clause) and not _denied(match, clause):
                    found.append(Way(scale, sign, match.start(), match.end()))
    return sorted(found, key=lambda one: one.start)


def only_way(clause: Clause) -> dict[str, int]:
    """The sign of each scale a clause goes along one way only."""
    signs: dict[str, set[int]] = {}
    for one in ways(clause):
        signs.setdefault(one.scale, set()).add(one.sign)
    return {scale: next(iter(both)) for scale, both in signs.items() if len(both) == 1}


def _bounds(match: re.Match[str], clause: Clause) -> bool:
    """True of "more than 5", which bounds a number, and of "more cautious"."""
    word = match[0].lower()
    if word in ("more", "less", "most", "least") and graded(clause.facts.text, match.end()):
        return True
    return (word in _BOUNDING or word in _HAN_BOUNDING) and any(
        number.bound in ("min", "max", "over", "nearly") and 0 <= number.start - match.end() <= REACH
        for number in clause.facts.quantities
    )


def graded(text: str, end: int) -> bool:
    """True if what follows a "more" is an adjective of no amount: "more cautious"."""
    return _GRADED.match(text, end) is not None


def _denied(match: re.Match[str], clause: Clause) -> bool:
    word = Term("", match.start(), match.end(), frozenset())
    return any(one.end <= match.start() < one.reach for one in clause.negations) or negated(
        word, list(clause.negations), list(clause.terms)
    )


def turned(one: Clause, other: Clause) -> bool:
    """True if two clauses set the same two things against each other the other way round: A above B, B below A."""
    if not any(_THAN.search(part.facts.text, part.start, part.end) for part in (one, other)):
        return False
    (first, second), (front, behind) = _sides(one), _sides(other)
    # What is compared, the rents of two places, stands first in both.
    return bool(first & behind and second & front) and not second & behind


def _sides(clause: Clause) -> tuple[frozenset[str], frozenset[str]]:
    """What a clause compares, and with what: the words that stand on one side only."""
    text = clause.facts.text
    parting = _THAN.search(text, clause.start, clause.end)
    found = ways(clause)
    if parting:
        end, start = parting.span()
    elif found:
        end, start = found[0].start, found[0].end
    else:
        return frozenset(), frozenset()
    told = [word for word in clause.terms if not says_way(word, found)]
    before = frozenset(word.key for word in told if word.end <= end)
    after = frozenset(word.key for word in told if word.start >= start)
    return before - after, after - before


def says_way(word: Term, found: list[Way]) -> bool:
    """True if a word is one of those that say the way."""
    return any(one.start < word.end and word.start < one.end for one in found)
