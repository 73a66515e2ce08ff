"""Does somebody else hold the post, contract or office a claim gives to one? Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

from nodes.research.checking.attributes import own_clause
from nodes.research.checking.facts import Facts
from nodes.research.checking.name_words import GENERIC, SURNAMES
from nodes.research.checking.sources import Passage

_INSOLVENT = r"filed for (?:bankruptcy|insolvency|administration|protection)|(?:gone|went|going|goes|fell|fallen) (?:bankrupt|bust|under|insolvent|into (?:administration|liquidation|receivership|insolvency))|(?:entered|entering|in) (?:administration|liquidation|receivership|insolvency)|collapsed|(?:was|were|been) (?:declared bankrupt|wound up|liquidated)|ceased trading|folded"
_REMOVED = r"(?:replaced|succeeded|ousted|dismissed|sacked|removed|fired|voted out|suspended|arrested|defeated|recalled|deposed|relieved|stripped|unseated|taken off|beaten|dropped|followed)"
# Who does this holds it no more.
_LEAVES = re.compile(
    rf"^(?:'s?)?(?: (?!and\b|or\b|said\b)[a-z]+)??(?:,[^,;.]{{0,60}},| \([^)]*\))?,?(?: (?:who|which|that))?(?: (?:\w+ly|has|have|had|then|since|later|herself|himself|now|to|will|and))*? ?"
    rf"(?:step(?:ped|s|ping)? (?:down|aside|back)|resign(?:ed|s|ing)?|retir(?:ed|es|ing)|left(?! (?:over|behind|open|hand|side|wing|unchanged|the (?:stage|room|pitch|field|hall|court|building|meeting|scene|podium)))|leaves|leaving|quits?|died|depart(?:ed|s|ing)|st(?:ood|ands|anding) (?:down|aside)|hand(?:ed|s|ing) over|ma[dk]es? way|(?:gave|giv(?:en|es)) up (?:the|his|her|its) (?:\w+ )?(?:job|post|role|office|contract|chair|seat|licen[cs]e|concession|command)|bow(?:ed|s) out"
    rf"|(?:was|were|been|is|being|be|got) (?:\w+ly )?{_REMOVED}|lost (?:the|its|his|her) (?:job|post|contract|seat|post|licen[cs]e|concession|election|franchise|title)|moved (?:on|to)|went on to|since become|(?:now )?(?:runs|heads|works|chairs|leads) (?:another|[A-Z])|now (?:runs|heads|works|chairs|leads) the"
    rf"|withdr(?:ew|awn|aws)|pull(?:ed|s) out|walk(?:ed|s) away|back(?:ed|s) out|{_INSOLVENT}"
    rf"|(?:departure|resignation|retirement|death|exit|dismissal|replacement|collapse|bankruptcy|insolvency|removal|successor|defeat|last day|contract (?:was|has been|had been) (?:terminated|cancelled|ended)))\b"
)
# Whoever follows these words holds it no more.
_LEFT = re.compile(
    r"(?:\b(?:succeed(?:ed|s|ing)?|replac(?:e|ed|es|ing)|t(?:ook|ak(?:es?|ing|en)) over (?:as [\w' -]{1,50}? )?from|takes? the place of|tak(?:es|ing|en|ook) the (?:job|post|reins) from|follow(?:ed|s|ing)|in place of|instead of|successor (?:to|of)|predecessor|(?i:former|ex-|outgoing|late)(?: ?[a-z-]+){0,4}|inherited [\w ]{0,20}from|unseated|beat|defeated|ousted"
    r"|(?:resignation|departure|retirement|death|dismissal|collapse|bankruptcy|insolvency|removal|failure|exit) of(?: the| its)?(?: [a-z-]+){0,4}|sacked|dismissed|fired|removed|dropped|parted (?:company|ways) with|contract with|hand(?:ed|s) over (?:to \w+ )?(?:by|from)),? (?:(?!and\b)[a-z]+ ){0,2}|\bex-)(?:[A-Z][\w.'-]+ ){0,3}$"
)
_LEAVES_HAN = re.compile(
    r"^[^,。;；，]{0,16}?(?:卸任|辞职|请辞|辞去|下台|去职|退休|离职|解职|免职|病逝|过世|逝世|辞世|去世|落选|停职|罢免|交棒|调任|转任|离任|卸下|调离|调往|被免|遭免|遭撤|被撤|被查|落马|请退|改任|转往|转赴|跳槽|另有高就|不再(?:担任|出任|负责|承)|退场|退出|撤出|破产|倒闭|停业|歇业|解约|出局|周转不灵|跳票|财务(?:出状况|危机|困难)|清算|解散|下课|不续约|未获续|遭(?:解|撤|换)|被(?:换|替换|取代))"
    r"|^[^。;；]{0,24}?(?:改由|换由|转由|交由|已由|后由|职务由|由[^,。;；，]{1,12}(?:接任|接替|接手|取代|继任|接棒|递补|代理))"
)
_GIVEN_UP_HAN = re.compile(
    r"(?:接替|取代|撤换|换下|免去|解聘|罢免|顶替|替换|击败)(?:原|前|已|因)?[^,。;；，由]{0,12}$"
)
_FORMER_HAN = re.compile(r"(?:前任?|时任|原任|卸任|已故)[\u4e00-\u9fff]{2,8}$")
_OFFICE = (
    r"chief executive|chief operating officer|chief financial officer|finance director|managing director|chairman|chairwoman|chairperson|chair|vice-president|president|vice-chancellor|chancellor|director|head coach|head warden|coach|manager|mayor|prime minister|minister|governor|commissioner|commander|captain|principal|headteacher|rector|dean|editor|secretary|spokesman|spokeswoman|leader|conductor|curator|head|ceo|cfo|superintendent|ambassador|treasurer|judge"
    r"|董事长|总经理|执行长|总裁|局长|处长|市长|县长|镇长|乡长|部长|署长|校长|院长|主席|主任|总教练|教练|队长|馆长|书记|秘书长|理事长|会长|所长|厂长|行长|财务长|发言人|总监|董座|首席执行官|州长|省长|区长|里长|台长|社长|团长|主委|指挥"
)
_TITLES = _OFFICE[_OFFICE.index("董事长") :]
_OFFICES = re.compile(rf"\b(?:{_OFFICE})\b|(?:{_TITLES})", re.IGNORECASE)
# What somebody may be for as long as nobody else is: an office, or one who does a thing for another.
_POST = re.compile(
    r"\b(?:[a-z]{3,}(?:or|er|ist|ant|man|woman)|chief|head|chair|coach|president|captain|principal|dean|editor|office|post|job|contract|\w+(?:ed|un|ilt|ade|ught) by|(?:heads|leads|runs|manages|directs|coaches|chairs|operates|supplies|builds|owns|edits|conducts|captains|commands))\b"
    r"|[\u4e00-\u9fff](?:长|商|师|监|人|主席|主任|总裁|教练|经理|书记|厂|员|主委|指挥|董座|主编|主播)",
    re.IGNORECASE,
)
_HOLDS = re.compile(
    r"\b(?:is|are|remains?|serves?|holds?|heads?|leads?|runs?|chairs?|manages?|coaches|directs?|captains|operates?|supplies|led by|headed by|run by|chaired by|managed by|under|at the (?:head|helm)|in charge|in office)\b|担任|出任|是|为|由|掌舵|领军|领导|主持|率领|现任|仍任|负责|承揽|承包|承建|营运|经营|主管|执教",
    re.IGNORECASE,
)
_DONE_BY = re.compile(
    r"由([\u4e00-\u9fff]{2,8}?)(?:负责|承[揽包建造]|担任|出任|营运|运营|经营|施工|供应|兴建|建造|设计|管理|主持|领军|执教)"
)
_HELD_BY = re.compile(
    rf"\b(?:{_OFFICE})\b,? (?P<name>[A-Z][\w'-]+(?: [A-Z][\w'-]+)+)|(?P<title>{_TITLES})(?:一职)?(?:改?由|为|是|则?由)?(?P<han>[{SURNAMES}][\u4e00-\u9fff]{{1,2}})"
    rf"|(?P<before>[A-Z][\w'-]+(?: [A-Z][\w'-]+)+),? (?:is|is the|who is|the|as|has been|became|who became|was (?:appointed|named|elected|chosen)(?: as)?|takes over as|took over as)(?: \w+){{0,3}}? (?:{_OFFICE})\b",
)
_PERSON = rf"([{SURNAMES}][\u4e00-\u9fff]{{1,2}}?)"
# Where Chinese names the one who holds an office: after it, or before "holds" and "is".
_BESIDE = (
    re.compile(rf"(?:{_TITLES})(?:是|为|由)?{_PERSON}(?=$|[,，。、是为的在目现担]|[\u4e00-\u9fff]{{2}})"),
    re.compile(rf"(?:{_TITLES})(?:是|为|由){_PERSON}(?=$|[,，。、])"),
    re.compile(rf"由{_PERSON}(?:担任|出任|领军|掌舵|主持|领导|负责)"),
    re.compile(rf"(?<![\u4e00-\u9fff]){_PERSON}(?:目前|现|仍)?(?:担任|出任|是|为)"),
)


def another_holds(
    claim: Facts, passage: Passage, known: Iterable[str], subject: frozenset[str], now: bool
) -> str:
    """Who holds the post a claim gives to one, or how that one lost it, by a passage; "" if it tells neither.

    Args:
        claim: the claim.
        passage: of a newer source.
        known: names of the source the claim rests on.
        subject: words of those it is about, whose posts are held.
        now: the claim says that it is so now.
    """
    if not (now or claim.chinese or _HOLDS.search(claim.text)):
        return ""
    if not _POST.search(claim.text) and not _by(claim):
        return ""
    holders = _holders(claim, known, subject)
    for holder in holders:
        if told := lost(holder, passage.facts):
            return told
    office = _OFFICES.search(claim.text)
    return _another_of(office, claim, passage.facts) if office else ""


def lost(holder: str, facts: Facts) -> str:
    """How a passage says that one left or was put out of a post; "" if it does not.

    Args:
        holder: a last name, a whole Chinese name, or the name of a firm, as the passage would write it.
        facts: of the passage.
    """
    for place in re.finditer(
        rf"\b{re.escape(holder)}\b" if holder.isascii() else re.escape(holder), facts.text
    ):
        before, after = facts.text[: place.start()], facts.text[place.end() :]
        if facts.chinese:
            first, _ = own_clause(facts.text, place.start())
            hit = _lost_in_chinese(before[first:].lstrip(",，;；。"), after)
        else:
            found = _LEAVES.search(after) or _LEFT.search(before)
            hit = found[0] if found else ""
        if hit:
            return f"{holder}: {hit.strip(' ,')}"
    return ""


def _lost_in_chinese(before: str, after: str) -> str:
    """What stands before or after a name in its clause and says that its bearer lost a post; "" if nothing does."""
    if _FORMER_HAN.search(before):
        return before[-8:]
    if (given := _GIVEN_UP_HAN.search(before)) is not None:
        return given[0]
    # 由和峻接手: the one after "by" is who has it now.
    has = re.search(r"(?<![原本先曾])(?:由|以)$", before)
    left = None if has else _LEAVES_HAN.search(after)
    return left[0][-12:] if left else ""


def _by(claim: Facts) -> list[str]:
    """By whom a Chinese claim says that something is done: 泰岭营造 of 由泰岭营造负责."""
    return _DONE_BY.findall(claim.text)


def _another_of(office: re.Match[str], claim: Facts, facts: Facts) -> str:
    """The one a passage gives the very office to that a claim gives to somebody it does not name."""
    people = _people(claim)
    if not people or any(one in facts.text for one in people):
        return ""
    for match in _HELD_BY.finditer(facts.text):
        name = match["name"] or match["han"] or match["before"]
        theirs = _OFFICES.search(match[0])
        if (
            theirs
            and theirs[0].lower() == office[0].lower()
            and _alone(office, claim) == _alone_in(theirs, match, facts)
            and name not in claim.text
        ):
            return f"{theirs[0]} {name}"
    return ""


def _alone(office: re.Match[str], claim: Facts) -> str:
    """What a Chinese office stands after: 工程处 of 工程处处长."""
    return claim.text[max(0, office.start() - 1) : office.start()] if claim.chinese else ""


def _alone_in(office: re.Match[str], match: re.Match[str], facts: Facts) -> str:
    at = match.start() + office.start()
    return facts.text[max(0, at - 1) : at] if facts.chinese else ""


def _holders(claim: Facts, known: Iterable[str], subject: frozenset[str]) -> list[str]:
    """Whoever a claim names that may hold a post: people by last name, firms by their names."""
    whole = [name.text for name in claim.names if len(name.text) > 3 and name.start > 0 or " " in name.text]
    firms = [name for name in known if len(name) > (3 if not name.isascii() else 4) and name in claim.text]
    others = [*(whole if not claim.chinese else _by(claim)), *firms]
    apart = [name for name in others if not any(word in name.lower() for word in subject)]
    return list(dict.fromkeys([*_people(claim), *apart]))


def _people(claim: Facts) -> list[str]:
    """Last names in English, whole names in Chinese, of those a claim names beside an office."""
    found = []
    for name in claim.names:
        if name.text.isascii() and len(name.text.split()) > 1:
            last = name.text.split()[-1]
            found += [last] if last.lower() not in GENERIC else []
    if claim.chinese:
        for pattern in _BESIDE:
            found += [match[1] for match in pattern.finditer(claim.text) if not _OFFICES.search(match[1])]
        found += [name.text for name in claim.names if 2 <= len(name.text) <= 4 and name.text[0] in SURNAMES]
    return found
