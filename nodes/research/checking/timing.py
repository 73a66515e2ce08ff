"""Of what time does a sentence speak: of now, of a day it names, of "then", or of what simply happened? Pure."""

from __future__ import annotations

import re
from datetime import date
from typing import Literal

from nodes.research.checking.facts import Facts
from nodes.research.checking.moment import Moment

Timing = Literal["now", "then", "dated", "present", "past"]

_NOW = re.compile(
    r"\b(?:now(?!here)|current(?:ly)?|at present|presently|present-day|at the (?:moment|time of writing)|at this (?:point|stage|time|moment)|to(?: this)? da(?:y|te)|today|nowadays"
    r"|these days|as of (?:today|now|writing)|as (?:things|matters|the [\w' -]{3,30}?|it|they) (?:now |currently )?(?:stands?|are|is)\b|right now|for the time being|the (?:present|existing) [a-z]+"
    r"|latest|most recent|newest|up-to-date|in force)\b"
    r"|目前|现在|现今|迄今|至今|最新|如今|现时|现有|现行|当前|眼下|现阶段|时至今日|现任|截至目前|到现在为止|当下|今天为止|按现",
    re.IGNORECASE,
)
# These also tell of a state of then: "the mill was still open".
_STILL = re.compile(
    r"\b(?:still|so far|yet|remains?|continu(?:es?|ing)|not? any ?more|ongoing|is being|are being|under way|underway)\b|仍|依然|尚未|还没|还在|正在|尚在|犹未|迟未|持续",
    re.IGNORECASE,
)
_THEN = re.compile(
    r"\b(?:at (?:the time(?! of writing)|that (?:time|point|stage)|first|launch|the (?:outset|start|beginning|groundbreaking|announcement|ceremony))|back then|then|previously|formerly|former|(?<!have )(?<!has )(?<!'ve )had(?! to\b)"
    r"|used to|original(?:ly)?|initial(?:ly)?|once|earlier|until|as (?:first |originally )?(?:announced|planned|approved|adopted|presented|drafted|published|unveiled)|in those days|that (?:day|night|week|month|year|autumn|spring|summer|winter|season)"
    r"|(?:was|were) (?:then |still |at first )?(?:to|due|expected|planned|scheduled|supposed|meant|set|budgeted|forecast|estimated|put|slated|projected)|first (?:plan|estimate|figure|version|budget|draft)s?"
    r"|in the early (?:days|weeks|stages|phase)|early (?:on|in)|at the (?:beginning|start|end) of|when (?:it|they|he|she|the|its|[A-Z]\w+)\b[^,.;]{0,60}?\b(?:\w+ed|was|were|took|began|won|gave|set|made|came|went|met|signed|broke)|old (?:plan|figure|estimate|budget|target|forecast)|as of)\b"
    r"|初期|早期|一开始|刚开始|当时|那时|原先|起初|最初|当初|过去|曾|一度|先前|原本|此前|原(?:订|定|计划|规划|拟|估|核定|预计|案|来)|截至|当年|当天|当日|之初|往年|昔日|旧(?:计划|方案|案|版)|早先|本来|时任|前任|[动开完施竣]工时(?!程|间|数)"
    r"|(?<![小同及临暂届按准随平即实不有工瓦定超计限耗历费单何此])时(?![间程刻段候薪速尚事代期常而至必任装效])(?!目前)",
    re.IGNORECASE,
)
_PRESENT = re.compile(
    r"\b(?:is|are|isn't|aren't|has|have|will|won't|would|can|cannot|can't|may|must|shall|should|'s being|to be|am|does|do|expects?|plans?|aims?|intends?|hopes?|wants?|proposes?|seeks?|stands?|remains?|costs?|holds?|employs?"
    r"|owns?|runs?|operates?|serves?|charges?|leads?|heads?|chairs?|covers?|comprises?|consists?|contains?|includes?|accounts?|lies|offers?|requires?|needs?|pays?|keeps?|makes?|produces?|supplies|faces?|awaits?|carries|uses?|allows?|bans?"
    r"|lives?|works?|plays?|coaches|manages?|governs?|represents?|forecasts?|predicts?|estimates?|puts|sees|limits?|sets|calls|supports?|opposes?|backs|recommends?|amounts?|totals?|numbers|averages|exceeds?|draws|receives?|takes|gets|sells?|buys?)\b",
    re.IGNORECASE,
)
_AHEAD = re.compile(
    r"\b(?:will|forecasts?|expects?|expected|plans?|aims?|intends?|targets?|due|projects?|projected|predicts?|scheduled|guidance|outlook)\b|预计|预期|预估|预测|目标|计划|拟|将|可望|预定|力争|展望",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:was|were|did|wasn't|weren't|didn't|(?<!is )(?<!are )(?<!be )(?<!been )(?<!has )(?<!have )(?<!being )(?:(?!(?:need|feed|seed|speed|exceed|proceed|succeed|indeed|hundred|breed|bleed|weed|shed|sacred|naked|embed)\b)[a-z]{2,}ed|rose|fell|grew|won|lost|sold|bought|made|gave|took|came|went|saw|began|held|kept|met|ran|led|paid|spent|found|told|said))\b"
)
_PAST_HAN = re.compile("了(?!解)|过(?![去程半桥路]|目前)|曾|获得|发生|造成")
_NOT_YET = re.compile(r"(?:没有|尚未|并未|未)(?:获得|发生|造成|发现)")
# What was reported, approved or forecast once stays what was reported then.
_REPORTED = re.compile(
    r"\b(?:reported|announced|presented|said|forecast|predicted|estimated|approved|adopted|promised|voted|told|counted|put|gave|published|proposed|expected|planned|agreed)\b"
    r"|公布|宣布|表示|指出|发布|通报|统计|估计|估算|预测|预估|核定|核准|通过|宣告|承诺|决议|说",
    re.IGNORECASE,
)


def timing(claim: Facts, written: date) -> Timing:
    """Of what time a claim speaks.

    Args:
        claim: its facts.
        written: the day of the older source it rests on.

    Returns:
        "now": it says so; "then": it says it was so once; "dated": it names a past day or period;
        "present": of what is or is planned, by its tense; "past": of what happened.
    """
    text = claim.text
    if _NOW.search(text):
        return "now"
    if _THEN.search(text):
        return "then"
    ahead = _AHEAD.search(text) is not None
    if any(gone(moment, written, ahead=ahead) for moment in claim.moments):
        return "dated"
    if _STILL.search(text):
        return "now"
    if claim.chinese:
        # 没有造成死亡: what has not happened may yet do so.
        return "past" if _PAST_HAN.search(_NOT_YET.sub("", text)) else "present"
    return "past" if _only_past(text) else "present"


def reported(claim: Facts) -> bool:
    """True if a sentence tells what somebody reported, approved or forecast."""
    return _REPORTED.search(claim.text) is not None


def gone(moment: Moment, written: date, *, ahead: bool = False) -> bool:
    """True if a date was over, or had begun, on the day a source was written.

    Args:
        moment: the date.
        written: that day.
        ahead: what is told of it was still to come: the year that had begun is not over then.
    """
    if moment.empty:
        return False
    if moment.prior or moment.year is None:
        return True
    if moment.year != written.year:
        return moment.year < written.year
    if ahead and not (moment.month or moment.quarter or moment.half):
        return False
    month = moment.month or (moment.quarter or 0) * 3 - 2 if moment.month or moment.quarter else 0
    if not month and moment.half:
        month = moment.half * 6 - 5
    return month <= written.month


def _only_past(text: str) -> bool:
    """True if a sentence's main verb is in the past; what is present may stand in a clause of its own beside it."""
    first = _PRESENT.search(text)
    past = _PAST.search(text)
    if first is None or past is None:
        return past is not None
    return past.start() < first.start() and not re.search(r"\b(?:is|are|has|have|will|can)\b", text)
