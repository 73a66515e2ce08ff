"""Does somebody else hold the office a claim gives to one? Pure."""

from __future__ import annotations

import re

from nodes.research.checking.facts import Facts
from nodes.research.checking.name_words import SURNAMES
from nodes.research.checking.sources import Passage

_LEFT = re.compile(
    r"\b(?:step(?:ped|s)? (?:down|aside)|resign(?:ed|s|ation)?|retir(?:ed|es|ement)|left(?! (?:over|behind|open|hand|side|wing|out|with|unchanged))|(?:her|his) successor|(?:was|were|been|is) (?:replaced|succeeded|ousted|dismissed|sacked|removed|fired|voted out|suspended|arrested|defeated|recalled)"
    r"|quit|ousted|dismissed|sacked|fired|died|former|ex-|depart(?:ed|s|ure)|succeed(?:ed|s|ing)|replac(?:ed|es|ing)|took over from|takes over from|taking over from|handed over|stood down|outgoing|predecessor|late)\b"
    r"|卸任|辞职|请辞|辞去|下台|去职|退休|离职|解职|免职|撤换|病逝|过世|逝世|辞世|落选|停职|罢免|接替|取代|继任|前任|交棒|调任|转任|离任|卸下|免去|撤职|革职|落马|调离|被查|遭撤|被撤|请退|改由|换人",
    re.IGNORECASE,
)
_OFFICE = (
    r"chief executive|chief operating officer|chief financial officer|finance director|managing director|chairman|chairwoman|chairperson|chair|president|vice-president|director|head coach|coach|manager|mayor|minister|prime minister|governor|commissioner|commander|captain|principal|headteacher|rector|dean|editor|secretary|spokesman|spokeswoman|leader|conductor|curator|head|ceo|cfo|superintendent|ambassador|treasurer|judge"
    r"|董事长|总经理|执行长|总裁|局长|处长|市长|县长|镇长|乡长|部长|署长|校长|院长|主席|主任|总教练|教练|队长|馆长|书记|秘书长|理事长|会长|所长|厂长|行长|财务长|发言人|总监|董座|首席执行官|州长|省长|区长|里长|台长|社长|团长|主委"
)
_HOLDS = re.compile(
    r"\b(?:is|are|remains?|serves? as|holds?|heads?|leads?|runs?|chairs?|led by|headed by|run by|chaired by|under|at the (?:head|helm)|in charge|in office)\b|担任|出任|是|为|由|掌舵|领军|领导|主持|率领|现任|仍任",
    re.IGNORECASE,
)
_OFFICES = re.compile(rf"\b(?:{_OFFICE})\b|(?:{_OFFICE[_OFFICE.index('董事长') :]})", re.IGNORECASE)
_HELD_BY = re.compile(
    rf"\b(?:{_OFFICE})\b,? (?P<name>[A-Z][\w'-]+(?: [A-Z][\w'-]+)+)|(?P<title>{_OFFICE[_OFFICE.index('董事长') :]})(?:一职)?(?:改?由|为|是|则?由)?(?P<han>[{SURNAMES}][\u4e00-\u9fff]{{1,2}})"
    rf"|(?P<before>[A-Z][\w'-]+(?: [A-Z][\w'-]+)+),? (?:is|is the|who is|the|as|has been|became|was (?:appointed|named|elected|chosen)(?: as)?|takes over as|took over as)(?: \w+){{0,3}}? (?:{_OFFICE})\b",
)
_TITLES = _OFFICE[_OFFICE.index("董事长") :]
_PERSON = rf"([{SURNAMES}][\u4e00-\u9fff]{{1,2}}?)"
# Where Chinese names the one who holds an office: after it, or before "holds" and "is".
_BESIDE = (
    re.compile(rf"(?:{_TITLES})(?:是|为|由)?{_PERSON}(?=$|[,，。、是为的在目现担]|[\u4e00-\u9fff]{{2}})"),
    re.compile(rf"(?:{_TITLES})(?:是|为|由){_PERSON}(?=$|[,，。、])"),
    re.compile(rf"由{_PERSON}(?:担任|出任|领军|掌舵|主持|领导)"),
    re.compile(rf"(?<![\u4e00-\u9fff]){_PERSON}(?:目前|现|仍)?(?:担任|出任|是|为)"),
)


def another_holds(claim: Facts, passage: Passage, now: bool) -> str:
    """Who holds the office a claim gives to somebody, or how that one left it, by a passage; "" if it tells neither."""
    office = _OFFICES.search(claim.text)
    if office is None or not (now or _HOLDS.search(claim.text)):
        return ""
    facts = passage.facts
    for person in _people(claim):
        place = facts.text.find(person)
        if place < 0:
            continue
        left = _LEFT.search(facts.text)
        if left and abs(left.start() - place) < (70 if facts.text.isascii() else 24):
            return f"{person}: {left[0]}"
    for match in _HELD_BY.finditer(facts.text):
        name = match["name"] or match["han"] or match["before"]
        theirs = _OFFICES.search(match[0])
        if (
            theirs
            and theirs[0].lower() == office[0].lower()
            and _alone(office, claim) == _alone_in(theirs, match, facts)
        ):
            if (
                name not in claim.text
                and _people(claim)
                and not any(one in facts.text for one in _people(claim))
            ):
                return f"{theirs[0]} {name}"
    return ""


def _alone(office: re.Match[str], claim: Facts) -> str:
    """What a Chinese office stands after: 工程处 of 工程处处长."""
    return claim.text[max(0, office.start() - 1) : office.start()] if claim.chinese else ""


def _alone_in(office: re.Match[str], match: re.Match[str], facts: Facts) -> str:
    at = match.start() + office.start()
    return facts.text[max(0, at - 1) : at] if facts.chinese else ""


def _people(claim: Facts) -> list[str]:
    """Last names in English, whole names in Chinese, of those a claim names beside an office."""
    found = []
    for name in claim.names:
        if name.text.isascii() and len(name.text.split()) > 1:
            found.append(name.text.split()[-1])
    if claim.chinese:
        for pattern in _BESIDE:
            found += [match[1] for match in pattern.finditer(claim.text) if not _OFFICES.search(match[1])]
        found += [name.text for name in claim.names if 2 <= len(name.text) <= 4 and name.text[0] in SURNAMES]
    return found
