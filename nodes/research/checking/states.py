"""Does a newer passage tell that a passing state a claim has as lasting is over? Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nodes.research.checking.alignment import coverage
from nodes.research.checking.attributes import own_clause, part
from nodes.research.checking.facts import Facts
from nodes.research.checking.sources import Passage, Sources
from nodes.research.checking.terms import Term

# Share of the words for the thing in that state that a passage must hold.
SAME_THING = 0.5
# And of the whole claim, where somebody is doing something.
SAME_DOING = 0.3
_BE = r"(?:is|are|remains?|stays?|lies?|stands?|sits?|(?:has|have) been)(?: (?:now|currently|still|all|temporarily|at present|presently|\w+ly))*"
_STATE = re.compile(
    rf"\b{_BE} (?P<passive>being \w+|undergoing|under (?:repair|construction|review|restoration|investigation|consideration|quarantine|scaffolding)|closed|shut|suspended|sealed|off limits|out of (?:service|use|order|action)|in (?:dry dock|storage|quarantine|hospital|custody|exile|a |an |the )|kept|stored|housed|held|parked|moored|berthed|displayed|laid up|waiting|missing|stranded|on (?:loan|strike|display|hold)|unfinished|unsolved|grounded|detained|awaiting)"
    rf"|\b(?:is|are)(?: (?:now|currently|still|at present|presently))* (?P<active>(?!expecting|planning|hoping|including)[a-z]{{3,}}ing)\b"
    r"|(?P<han>正在|仍在|(?:存放|停放|停泊|暂放|暂存|安置|借展|保管|收容|寄放)[于在]|[维整抢]修中|(?:施工|审议|审理|兴建|调查|治疗)中|关闭|封闭|停驶|停航|停飞|休馆|闭馆|停课|停工|住院|失踪|悬缺)",
    re.IGNORECASE,
)
_OVER = re.compile(
    r"\b(?:again|back (?:at|in|on|to|from|home|with|aboard|into)|re-?open\w*|resum\w+|return(?:ed|s)|restored|gone (?:to|home)|(?:has|have|was|were|been) (?:since )?moved|moved to|transferred|taken to|brought (?:back|home|to)|handed (?:to|over|back)|no longer|turned (?:it )?down|rejected|refused|approved|granted|discharged|finished|completed|ended|released|freed|rescued|settled|sold|demolished|recovered|cleared)\b"
    r"|重新|恢复|复[航驶工课馆业飞]|重返|返回|回到|归还|运回|搬回|迁[入至到回往]|移[至到入交往]|搬[至到入进]|重启|出院|痊愈|解除|解封|不再|完成|完工|竣工|结束|驳回|否决|结案|寻获|获救",
    re.IGNORECASE,
)
_UNKNOWN = re.compile(
    r"\b(?:nobody|no[- ]one) (?:yet )?(?:knows|can say|has found|has established)|\bnot (?:yet )?(?:been )?(?:known|clear|identified|established|found|determined|explained)\b|\bunknown\b|\bunclear\b|\ba mystery\b|\bunexplained\b"
    r"|不明|(?:未|没有|没)(?:能)?查[明出清]|不清楚|未知(?!名)|不详|(?:没有人|无人|还不|尚不)知|仍是谜",
    re.IGNORECASE,
)
_KNOWN = re.compile(
    r"\b(?:traced|found (?:that|to|the)|identified|established|determined|revealed|turned out|blamed|caused by|concluded|pinpointed|came from|originated)\b|查[明出清]|找[到出]|证实|源自|源于|起因|原因(?:是|为)|确认|认定|调查(?:发现|显示)",
    re.IGNORECASE,
)
_ASKED = re.compile(r"\b(?:how|where|what|who|why|which|whether)\b", re.IGNORECASE)
_WHOSE = re.compile(r"\b(?:on|in|of|at|from|for|with|by|near|outside)\b|的", re.IGNORECASE)
_OWNS = re.compile(
    r"\b(?P<whose>belongs? to|(?:is|are) (?:\w+ )?(?:owned by|the property of|in the hands of))\b|\b(?:owns?)\b|(?P<han>属于|归[^,。;]{1,8}所有)|拥有",
    re.IGNORECASE,
)
_SOLD = re.compile(
    r"\b(?:sold|sale of|selling|taken over|took over|bought (?:by|out|back)|acquired|handed over|changed hands|parted with|disposed of|nationali[sz]ed|privati[sz]ed)\b|售予|出售|卖给|售出|卖出|转让|易手|收购|接手|转手|收归|移转",
    re.IGNORECASE,
)
_UNREAL = re.compile(
    r"\b(?:if|would|could|might|unless|should|hop\w+|whether|want\w*|plans? to|due to|expected to)\b|若|如果|要求|呼吁|希望|是否|可能|预计|计划|将",
    re.IGNORECASE,
)
_FREE = re.compile(
    r"\b(?:free(?: of charge)?|without charge|no (?:charge|fee)|at no cost|(?:not|never) (?:have to |need to |be )?(?:charged?|pay(?:ing)?))\b|免费|不收费|免收|免门票|(?:不用|不必|无需|不须|毋须)(?:付|缴|买票|购票)",
    re.IGNORECASE,
)
_PAID = re.compile(
    r"\b(?:charg\w+|fees?|lev(?:y|ies)|tolls?|pay(?:s|ing)?|paid|costs?|priced?|tickets?)\b|[收缴付]|票价|门票|费用|计费|每[人张次]",
    re.IGNORECASE,
)


def over(claim: Facts, subject: frozenset[str], passage: Passage, about: str, sources: Sources) -> str:
    """What a passage says of what came after a state a claim has as lasting; "" if nothing.

    Args:
        claim: the claim, of what is now.
        subject: names its source is about.
        passage: of a newer source on the same.
        about: title and site of that source, in lower case.
        sources: all sources.
    """
    facts = passage.facts
    return (
        _known(claim, facts, sources)
        or _charged(claim, subject, facts, about, sources)
        or _sold(claim, facts, about, sources)
        or _left(claim, subject, facts, about, sources)
    )


def _known(claim: Facts, facts: Facts, sources: Sources) -> str:
    """How a passage says that what nobody knew has been found."""
    unknown, known = _UNKNOWN.search(claim.text), _KNOWN.search(facts.text)
    if unknown is None or known is None or _UNKNOWN.search(facts.text) or _negated(facts, known.start()):
        return ""
    asked = _ASKED.search(claim.text)
    first = asked.end() if asked else 0
    thing = [
        word
        for word in claim.terms
        if word.start >= first and not unknown.start() <= word.start < unknown.end()
    ]
    if not thing:
        return ""
    held = coverage(claim, [facts], "", sources, thing) >= 0.4
    return known[0] if held or coverage(claim, [facts], "", sources, thing[:1]) >= SAME_THING else ""


def _charged(claim: Facts, subject: frozenset[str], facts: Facts, about: str, sources: Sources) -> str:
    """What a passage says has to be paid for what a claim has for free."""
    free = _FREE.search(claim.text)
    price = next((one for one in facts.quantities if one.dimension.startswith("currency")), None)
    if free is None or price is None or not _PAID.search(facts.text):
        return ""
    rest = [
        word
        for word in claim.terms
        if not free.start() <= word.start < free.end()
        and not any(one in word.key for one in subject)
        and not _PAID.match(claim.text[word.start : word.end])
    ]
    whole = coverage(claim, [facts], "", sources, rest) >= SAME_THING if rest else False
    told = re.search(r"no longer free|不再免费|改收费|开始收费", facts.low + about)
    return price.text.strip() if whole or told else ""


def _sold(claim: Facts, facts: Facts, about: str, sources: Sources) -> str:
    """How a passage says that what a claim has as somebody's own passed to another."""
    owns, sold = _OWNS.search(claim.text), _SOLD.search(facts.text)
    if owns is None or sold is None or claim.quantities or _UNREAL.search(facts.text[: sold.start()]):
        return ""
    belongs = bool(owns["whose"] or owns["han"])
    thing = [
        word for word in claim.terms if (word.end <= owns.start() if belongs else word.start >= owns.end())
    ]
    first, last = own_clause(facts.text, sold.start())
    here = part(facts.text[first:last])
    held = coverage(claim, [here], "", sources, thing) >= SAME_THING if thing else False
    return sold[0] if held and not _negated(facts, sold.start()) else ""


def _left(claim: Facts, subject: frozenset[str], facts: Facts, about: str, sources: Sources) -> str:
    """How a passage says that what a claim has in a passing state is in it no more."""
    state = _STATE.search(claim.text)
    if state is None or claim.negations or _OVER.search(claim.text) or claim.quantities:
        return ""
    thing = _thing(claim, state, subject)
    if not thing or coverage(claim, [facts], about, sources, thing) < SAME_THING:
        return ""
    if not any(word.key in facts.keys or word.key in facts.low for word in thing):
        return ""
    if state["active"] and coverage(claim, [facts], "", sources) < SAME_DOING:
        return ""
    for hit in _OVER.finditer(facts.text):
        if not _negated(facts, hit.start()) and not _UNREAL.search(facts.text[: hit.start()]):
            return hit[0]
    return ""


def _thing(claim: Facts, state: re.Match[str], subject: frozenset[str]) -> Sequence[Term]:
    """The words for what is in a state: those of the phrase before it, without where it is and whose."""
    before = [word for word in claim.terms if word.end <= state.start()]
    own = [word for word in before if not any(one in word.key for one in subject)]
    first = own[0].start if own else 0
    whose = _WHOSE.search(claim.text, first, state.start())
    if claim.chinese:
        return own
    head = [word for word in own if whose is None or word.end <= whose.start()]
    return head or own or before


def _negated(facts: Facts, at: int) -> bool:
    return any(one.end <= at < one.reach for one in facts.negations)
