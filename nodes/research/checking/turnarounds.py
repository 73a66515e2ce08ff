"""Does a newer passage tell that what a claim states has ended, was dropped, or has come about? Pure."""

from __future__ import annotations

import re

from nodes.research.checking.alignment import coverage
from nodes.research.checking.attributes import Attribute, part
from nodes.research.checking.clause_matching import holds_word
from nodes.research.checking.concepts import opposites_of
from nodes.research.checking.facts import Facts
from nodes.research.checking.sources import Passage, Sources
from nodes.research.checking.terms import Term, bigrams

DROPPED = 0.4
PART = 0.25
WHOLE = 0.75
HAPPENED = 0.55
RESOLVED = 0.4
SAME_STATE = 0.5
_DROP = re.compile(
    r"\b(?:drop(?:ped|s|ping)?(?! (?:out|to|by|from|off|in (?:value|price|number|size)|below|sharply|again|\d))|scrapp(?:ed|ing)|scraps|abandon(?:ed|s|ing)?|abolish(?:ed|es)|waiv(?:ed|es)|phas(?:ed|es) out|remov(?:ed|es)|shelv(?:ed|es|ing)|cancel(?:l?ed|s|l?ing|lation)|call(?:ed|s)? off|revers(?:ed|es|ing)|withdr(?:ew|awn|aws)|pull(?:ed|s)? out|back(?:ed|s)? out"
    r"|giv(?:en|ing|es) up|gave up|put (?:off|on (?:hold|ice))|suspend(?:ed|s)?|halt(?:ed|s)?|no longer|will not|won't|decided (?:against|not)|rul(?:ed|es) out|axed|revok(?:ed|es)|repeal(?:ed|s)?|(?<=were )lifted|(?<=was )lifted|(?<=been )lifted|lift(?:ed|s)?(?= (?:the |its |a |an )?\w*\s?(?:ban|restriction|limit|order|warning|moratorium|freeze|curfew|sanction|suspension))"
    r"|terminat(?:ed|es)|discontinu(?:ed|es)|overturn(?:ed|s)?|quash(?:ed|es)?|annul(?:led|s)?|rescind(?:ed|s)?|ditch(?:ed|es)?|walk(?:ed|s)? away|did not go ahead|fell through|struck down|does not intend|instead of|rather than)\b"
    r"|取消|放弃|撤回|撤销|搁置|喊停|作罢|不再|终止|停办|停止|中止|暂缓|暂停|叫停|废止|废除|推翻|破局|告吹|解除|收回|无限期|缓办|撤案|打消|改为不|胎死腹中|落空|不[建办盖设开推]了|解约|停摆|不会|决定不|退出|改由|换由|易主|不予|免除",
    re.IGNORECASE,
)
_PLAN = re.compile(
    r"\b(?:will|would|plans?|planned|planning|intends?|intent|to|expect\w*|preparing|due|aims?|propos\w+|scheduled|going)\b|将|计划|预计|预定|拟|要|打算|规划|可望|准备|着手",
    re.IGNORECASE,
)
_FIRMLY = re.compile(r"(?:确定|正式|决定|宣布|最终|全面|已经|终究|完全|一并)$")
_PASSIVE = re.compile(r"\b(?:been|was|were|is|are|being|got|be)\s(?:\w+ly )?$", re.IGNORECASE)
_PROJECT = re.compile(
    r"^(?:projects?|plans?|schemes?|proposals?|construction|buil\w+|works?|all|entire|whole)$|项目|计划|案|方案|工程|建设|兴建|整个|全案|规划",
    re.IGNORECASE,
)
_FREE = re.compile(
    r"\b(?:free(?: of charge)?|without charge|no (?:charge|fee)|at no cost|not (?:charge|pay))\b|免费|不收费|免收|不用付",
    re.IGNORECASE,
)
_FEE = re.compile(
    r"\b(?:charges?|fees?|lev(?:y|ies)|toll|have to pay|must pay|pay)\b|收取|收费|费用|缴|付费|改收|计费",
    re.IGNORECASE,
)
# Words with a contrary that tell of a size or a place, or change too often by themselves.
_NO_STATE = frozenset(
    "rise fall more less high low large small first last profit loss win lose before after north south east west urban rural domestic foreign best worst male female fast slow strong weak warm cold old young early delay positive negative increase buy sell export import start end majority minority improve worsen public private success failure meet miss confirm denied".split()
)
_SHUT = frozenset({"close", "ban", "suspend"})
_ALLOWED = frozenset({"open", "allow"})
_AGAIN = re.compile(
    r"\b(?:again|re-?open\w*|resum\w+|can (?:now )?(?:use|enter|visit|be)|may now|allowed|permitted|lifted)\b|重新|恢复|再度开放|(?<!不)(?<!许)可(?![能望行])|得以|准予|准许|允许|开放|解禁|解封",
    re.IGNORECASE,
)
_BANNED = re.compile(
    r"\bno \w+ (?:may|can)\b|\b(?:may|must|can) (?:not|no longer)\b|\b(?:banned|forbidden|prohibited|outlawed|closed|shut|not allowed|off limits)\b|禁止|不得|不准|封闭|关闭|禁[入止用行]|停止开放|谢绝",
    re.IGNORECASE,
)
_FROM_TO = re.compile(
    r"\bfrom (?:an? |the )?(?P<was>[a-z]+(?:[ -][a-z]+)?) to (?:an? |the )?(?P<now>[a-z]+)\b|(?:由|从)(?P<han>[\u4e00-\u9fff]{2,8}?)(?:改|转|升|降|变|调)[\u4e00-\u9fff]{0,2}(?:为|成|至)(?P<then>[\u4e00-\u9fff]{2,4})",
)
_NEWLY = re.compile(r"改(?P<verb>[列名称定采设编选派用隶评归以])[为在于用取]?(?P<state>[\u4e00-\u9fff]{2,4})")
_PENDING = re.compile(
    r"\b(?:still|not yet|yet to|pending|await(?:s|ing)|waiting|under (?:review|construction|appeal|investigation|consideration|way)|in progress|ongoing|is being|are being|continu(?:es|ing)|remains?|undecided|unfinished|unresolved|on strike|closed|shut|suspended|at large|missing|free of charge|vacant)\b"
    r"|尚未|仍未|还没|仍在|正在|尚在|还在|审理中|施工中|兴建中|待|未定|持续|仍待|仍须|停[工驶航课业]|关闭|封闭|暂停|悬缺|未完|缺席|失联|在逃",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"\b(?:approved|granted|completed|finished|opened|reopened|took effect|entered into force|came into force|ruled|rejected|decided|signed|concluded|lifted|arrested|ended|over|resumed|closed|found|settled|filled|appointed|handed (?:over|down)|inaugurated|launched|awarded|passed|dropped|won|has begun|began|started|contained|cleared|allowed|permitted|banned|refused|turned down|voted|agreed|is back|restored|back (?:to|at) work|returned to work|came to an end)\b"
    r"|已(?!经?有?知)|完成|完工|竣工|通过|核准|启用|生效|定谳|取得|决标|得标|开幕|通车|解除|结束|定案|落成|恢复|复[航驶工课业]|重新开放|落幕|判决|宣判|上任|寻获|逮捕|签约|成立|收治|破案|开工|动工|揭晓|拿到|获准|驳回|否决",
    re.IGNORECASE,
)
_NOBODY = re.compile(r"\b(?:nobody|no[- ]one|nothing|nowhere|none|no)\b", re.IGNORECASE)
_UNREAL = re.compile(
    r"\b(?:if|would|could|might|(?-i:may)|unless|should|asked for|demand\w*|call\w* for|urg\w*|propos\w*|want\w*|hop\w*|whether)\b|若|如果|要求|呼吁|建议|希望|是否|恐|可能|争取|盼",
    re.IGNORECASE,
)


def dropped(
    claim: Facts, told: Attribute, whom: frozenset[str], passage: Passage, sources: Sources, *, now: bool
) -> str:
    """The word by which a passage says that what a claim states was given up; "" if none does.

    Args:
        claim: the claim.
        told: what it says.
        whom: names its source is about: a project may be one of them.
        passage: of a newer source.
        sources: all sources.
        now: the claim says that it is so now.
    """
    facts = passage.facts
    ahead = {one.year for one in claim.moments if one.year}
    if (
        _DROP.search(claim.text)
        or claim.negations
        or (any(not one.soft for one in claim.quantities) and not now and not _PLAN.search(claim.text))
    ):
        return ""
    for hit in _DROP.finditer(facts.text):
        if any(one.end > hit.start() - 2 and one.start < hit.start() for one in facts.negations):
            continue
        for first, last in _reach(facts, hit):
            words = [
                word
                for word in facts.terms
                if first <= word.start < last
                and not hit.start() <= word.start < hit.end()
                and not _FIRMLY.match(word.key)
            ]
            # The very year in what was given up tells as much as words do.
            least = (
                PART if ahead & {one.year for one in facts.moments if first <= one.start < last} else DROPPED
            )
            if words and told.words and _same_thing(told, words, sources, least):
                return hit[0]
            if words and _PLAN.search(claim.text) and _whole(words, whom & _named(claim), facts):
                return hit[0]
    return ""


def _named(claim: Facts) -> frozenset[str]:
    """Words and pairs of signs of a claim."""
    words = frozenset(re.findall(r"[a-z0-9]+", claim.low))
    return words | claim.bigrams


def _whole(words: list[Term], whom: frozenset[str], facts: Facts) -> bool:
    """True if what is given up is the very project: its name, and words like "project"."""
    named = [word for word in words if any(one in word.key or word.key.startswith(one) for one in whom)]
    rest = [
        word for word in words if word not in named and not _PROJECT.search(facts.text[word.start : word.end])
    ]
    return bool(named) and not rest


def _reach(facts: Facts, hit: re.Match[str]) -> list[tuple[int, int]]:
    """What a word of ending governs: what follows it in its clause; what stands before it in the passive."""
    text = facts.text
    stop = re.compile(
        r"[;。；，]|, ?(?!and the )|\.(?!\d)| (?:but|while|whereas|because|after|although|so that) "
    )
    after = stop.search(text, hit.end())
    last = after.start() if after else len(text)
    before = [match.end() for match in stop.finditer(text, 0, hit.start())]
    first = before[-1] if before else 0
    found = [(hit.end(), last)] if last - hit.end() > 2 else []
    if facts.chinese or not found or _PASSIVE.search(text[: hit.start()]):
        found.append((first, hit.start()))
    return found


def _same_thing(told: Attribute, words: list[Term], sources: Sources, least: float) -> bool:
    """True if what was given up is what a claim tells of, or a part of it that the claim names."""
    reached = _covered(list(told.words), words, sources)
    return reached >= least or (reached >= PART and _covered(words, list(told.words), sources) >= WHOLE)


def _covered(wanted: list[Term], words: list[Term], sources: Sources) -> float:
    """The share of some words that others hold, rare ones weighing more."""
    keys = {word.key for word in words}
    concepts = frozenset().union(*(word.concepts for word in words))
    pairs = {pair for word in words for pair in bigrams(word.key)}
    total = reached = 0.0
    for word in wanted:
        weight = sources.weight(word.key)
        total += weight
        own = bigrams(word.key)
        if word.key in keys or word.concepts & concepts or (own and len(own & pairs) * 2 >= len(own)):
            reached += weight
    return reached / total if total else 0.0


def happened(claim: Facts, told: Attribute, passage: Passage, about: str, sources: Sources) -> str:
    """What a passage says came about where a claim says that it did not; "" if nothing did."""
    facts = passage.facts
    if _UNREAL.search(facts.text):
        return ""
    places = [(one.end, one.reach) for one in claim.negations]
    places += [(match.end(), len(claim.text)) for match in _NOBODY.finditer(claim.text)]
    for first, last in places:
        denied = [word for word in told.words if first <= word.start < last]
        if not denied:
            continue
        said = [each for each in passage.clauses if not each.negations]
        if not claim.chinese and not any(holds_word(denied[0], each) for each in said):
            continue
        texts = [part(each.text) for each in said]
        if texts and coverage(claim, texts, about, sources, denied) >= HAPPENED:
            return facts.text[:60].strip()
    return ""


def resolved(claim: Facts, told: Attribute, passage: Passage, about: str, sources: Sources) -> str:
    """The word by which a passage says that what a claim has as pending is done; "" if none does."""
    facts = passage.facts
    pending = _PENDING.search(claim.text)
    if pending is None or _UNREAL.search(facts.text):
        return ""
    rest = [word for word in told.words if not pending.start() <= word.start < pending.end()]
    every = [word for word in claim.terms if not pending.start() <= word.start < pending.end()]
    share = coverage(claim, [facts], about, sources, rest) if rest else 0.0
    if share < RESOLVED and coverage(claim, [facts], "", sources, every) < SAME_STATE:
        return ""
    for hit in _DONE.finditer(facts.text):
        if hit[0].lower() not in claim.low and not any(
            one.end <= hit.start() < one.reach for one in facts.negations
        ):
            return hit[0]
    return ""


def contrary(claim: Facts, told: Attribute, passage: Passage, about: str, sources: Sources) -> str:
    """The word of a passage that says the contrary of how a claim says things stand; "" if there is none."""
    facts = passage.facts
    if claim.negations:
        return ""
    if changed := _allowed(claim, told, facts, about, sources) or _moved(claim, facts):
        return changed
    if facts.negations or _UNREAL.search(facts.text):
        return ""
    if (
        (free := _FREE.search(claim.text))
        and (fee := _FEE.search(facts.text))
        and not _FREE.search(facts.text)
    ):
        rest = [
            word
            for word in told.words
            if not free.start() <= word.start < free.end() and "open" not in word.concepts
        ]
        if rest and coverage(claim, [facts], about, sources, rest) >= SAME_STATE:
            return fee[0]
    for word in told.words:
        opposite = frozenset().union(*(opposites_of(one) for one in word.concepts - _NO_STATE))
        if not opposite or any(word.concepts & one.concepts for one in facts.terms):
            continue
        if any(opposite & one.concepts for one in claim.terms):
            continue
        hit = next((one for one in facts.terms if opposite & one.concepts), None)
        rest = [one for one in told.words if one is not word]
        if hit and rest and coverage(claim, [facts], about, sources, rest) >= SAME_STATE:
            return facts.text[hit.start : hit.end]
    return ""


def _allowed(claim: Facts, told: Attribute, facts: Facts, about: str, sources: Sources) -> str:
    """How a passage allows what a claim has as banned or closed, or bans what it has as allowed; "" if it does not."""
    for word in told.words:
        shut, allowed = bool(word.concepts & _SHUT), bool(word.concepts & _ALLOWED)
        if shut == allowed:
            continue
        hit = (_AGAIN if shut else _BANNED).search(facts.text)
        rest = [one for one in told.words if one is not word and not one.concepts & (_SHUT | _ALLOWED)]
        if hit and rest and not word.concepts & frozenset().union(*(one.concepts for one in facts.terms)):
            if coverage(claim, [facts], about, sources, rest) >= RESOLVED:
                return hit[0]
    return ""


def _moved(claim: Facts, facts: Facts) -> str:
    """What a passage puts in the place of a state the claim names: "moved from endangered to vulnerable"; "" if nothing."""
    for match in _FROM_TO.finditer(facts.text):
        was, now = match["was"] or match["han"], match["now"] or match["then"]
        if was.lower() in claim.low and now.lower() not in claim.low and not re.search(r"\d", was):
            return match[0]
    for match in _NEWLY.finditer(facts.text):
        verb = "[采用以]" if match["verb"] in "采用以" else match["verb"]
        mine = re.search(rf"{verb}[为在于用取]?([\u4e00-\u9fff]{{2,4}})", claim.text)
        if mine and mine[1][:2] != match["state"][:2]:
            return match[0]
    return ""
