"""The clauses of a sentence, the names in them, and which of those is the subject. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from nodes.research.checking.facts import Facts
from nodes.research.checking.names import places
from nodes.research.checking.person_words import (
    COMPARED,
    FIRMS,
    GOVERN,
    HAN_SPEAKS,
    HAN_TITLES,
    PEOPLE,
    PERSON_ENDING,
)
from nodes.research.checking.roster import PERSON, PLACE, Entity

_BREAK = re.compile(
    r"(?<!\d),|,(?!\d)|[;，；：。]|:(?!\d)|\s-\s|\s(?:while|whereas|although|because|and|but|(?<!of )which|who|whose|where|when)\s|\sthat\s(?=[A-Z])"
)
_DETERMINERS = frozenset(
    "the a an its their his her this that our my another each every neighbouring nearby former current then late rival new old and but while whereas although though because when where as after before since if so both only even also meanwhile however too that while's now once".split()
)
_ADJECTIVE = re.compile(r"(?:al|an|ish|ese|ic|ing|ous|ed|ary|ern|y|-old)$|^\d")
_PREPOSITION_BEFORE = re.compile(
    r"\b(?:in|at|from|of|by|for|to|near|with|on|across|into|over|outside|around|than|via|under|against|between|off|about|like|behind|before|after|past|beyond|among|through|without)(?: the| a| its| their)?(?: [\w'-]+){0,1}? $",
    re.IGNORECASE,
)
_PREPOSITIONS = frozenset(
    "in at from of by for to near with on across into over outside around than via under against between off about like behind before after past beyond among through without".split()
)
_OF_NAME = re.compile(
    r"(?:town|city|village|port|borough|county|district|municipality|island|region|state|province|kingdom|republic|parish|suburb|club|firm|company|ship|vessel) of (?:the )?$"
)
_COMPANY_AFTER = re.compile(
    r"(?:-based)? (?:company|firm|club|group|maker|team|side|outfit|manufacturer|producer|retailer|bank|insurer|operator|native|resident|politician)\b"
)
_AGENT = re.compile(r"\bby (?:the |an? |its |their )?(?:[a-z'-]+ ){0,3}$")
PRONOUN = re.compile(
    r"\b(?:(he|she|his|her|him)|(it|its|they|their|the (?:company|firm|group|team|club|university|ministry|city|county|council|town|village|agency|lab|institute|bank|island|plant|maker|utility|operator|authority|airline|museum|port|union|association|trust|manufacturer|retailer|carrier|school|hospital)))\b",
    re.IGNORECASE,
)
HAN_PRONOUN = re.compile(
    r"([他她])(?!们)|(该|其(?!中|余|他|它|次)|它|这家|公司|[乡县市镇省村区校院厂]内|全乡|全市|全县|全省|全镇|市府|县府|市政府|县政府|省政府|集团|球队|球团|学校|校方|馆方|院方|厂方|协会|学会|工会|基金会|电厂|电站|风场|银行|港区|园区)"
)
_HAN_NOT_SUBJECT = re.compile(
    r"(?:[在于从向至往经跟与和及比较距离给对替为将把]|对于|关于|根据|依据|依照|按照|落后|领先|高于|低于|超过|击败|打败|不及|优于|超越|赢过|输给|邻近的?|位于|除了|不同于|有别于|不像|不如|经过|来自)(?:[一-龥]{0,2}的)?$"
)
_HAN_AGENT = re.compile(
    rf"(?:由|被|遭|归|属于?|获)(?:[\u3400-\u9fff]{{0,6}}的|[日韩美荷德法英港陆]商|[\u3400-\u9fff]{{0,4}}(?:{'|'.join(HAN_TITLES)})|开发商|营运商|承包商|供应商|国内|当地)?$"
)
_FRONTED = re.compile(
    r"\W*(?:(?:and|but|while|whereas|although|because|that|it (?:is|was)) )*(?:(?:in|on|at|after|before|by|for|from|during|with|under|since|until|last|this|earlier|later|yesterday|today|over|despite|unlike|like|within|to)\b|$)",
    re.IGNORECASE,
)
_HAN_TITLE_END = re.compile(rf"^[\u3400-\u9fff]*(?:{'|'.join(HAN_TITLES)})$")
# What a name stands in that describes the one after it: 宋伯谦所领导的升岳创投.
_HAN_OF_WHICH = re.compile(r"(?:所|执|领|经|创|主|负|担)[\u3400-\u9fff]{1,6}的")
_SPEECH = re.compile(rf"\b(?:{GOVERN})\b", re.IGNORECASE)
_SAID_FIRST = re.compile(rf"[\W_]*(?:{GOVERN}) ")
_HAN_SPEECH = re.compile(rf"(?:{HAN_SPEAKS})")


@dataclass(frozen=True, slots=True)
class Mention:
    """A name of the roster in a sentence.

    Attributes:
        start: offset of its first character.
        end: offset after its last one.
        entity: who or what it names.
    """

    start: int
    end: int
    entity: Entity


@dataclass(slots=True)
class Clause:
    """A clause and who it tells of.

    Attributes:
        start: offset of its first character in its sentence.
        end: offset after its last one.
        mentions: the names in it.
        subject: the name that is its subject, if one is.
        agent: the name after "by" or 由, if one is.
        speaks: it says that its subject says the rest.
        referred: its owners are those a pronoun stands for.
        owners: those its facts may be told of: its own subject and agent, or those before it.
        open: the owners stand before the clause, not in it.
    """

    start: int
    end: int
    mentions: list[Mention]
    subject: Mention | None = None
    agent: Mention | None = None
    speaks: bool = False
    referred: bool = False
    owners: list[Entity] = field(default_factory=list)
    open: bool = True


def mentions(facts: Facts, known: Sequence[Entity]) -> list[Mention]:
    """The names of a roster in a sentence, the longest where they overlap, in order."""
    text = facts.text
    found = [
        Mention(at, at + len(entity.name), entity)
        for entity in known
        for at in places(entity.name, text)
        if not _runs_on(text, at, at + len(entity.name))
    ]
    found.sort(key=lambda one: (one.start, -one.end))
    kept: list[Mention] = []
    for one in found:
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept


def _runs_on(text: str, start: int, end: int) -> bool:
    """True if a name in letters is a part of a longer word."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if not text[start].isascii():
        return False
    return (before.isascii() and before.isalnum()) or (after.isascii() and after.isalnum())


def clauses(facts: Facts, known: Sequence[Entity]) -> list[Clause]:
    """The clauses of a sentence with their own subjects."""
    text, named = facts.text, mentions(facts, known)
    cuts = [0, *_cuts(facts, named), len(text)]
    return [
        _clause(start, end, [one for one in named if start <= one.start < end], facts)
        for start, end in zip(cuts, cuts[1:], strict=False)
        if text[start:end].strip(' ,;:，；：。"」')
    ]


def _cuts(facts: Facts, named: Sequence[Mention]) -> list[int]:
    """Where clauses begin: never within a name, words quoted, or "A and B"."""
    whole = [(one.start, one.end) for one in named]
    whole += [(one.start - 1, one.end) for one in facts.quotations if one.speech]
    found: list[int] = []
    for match in _BREAK.finditer(facts.text):
        at = match.start() + (match[0][0] in ",;:，；：。")
        if not any(start < at < end for start, end in whole) and not _joins(match, named):
            found.append(at)
    return sorted({at for at in found if at})


def _clause(start: int, end: int, inside: list[Mention], facts: Facts) -> Clause:
    text = facts.text
    clause = Clause(start, end, inside)
    subject = _says(clause, text) or next((one for one in inside if _is_subject(one, clause, text)), None)
    if subject and facts.chinese:
        subject = _headed(subject, inside, text)
    elif subject:
        # "The Sundmark coast guard": the coast guard.
        subject = next((one for one in inside if one.start == subject.end + 1), subject)
    clause.agent = next((one for one in inside if _is_agent(one, text)), None)
    clause.subject = None if subject is clause.agent else subject
    clause.speaks = (_HAN_SPEECH if facts.chinese else _SPEECH).search(text[start:end]) is not None
    return clause


def _says(clause: Clause, text: str) -> Mention | None:
    """Who a clause has speak by the verb before the name: '," said the warden, Callum Rintoul'."""
    verb = _SAID_FIRST.match(text[clause.start : clause.end])
    if not verb:
        return None
    first = clause.start + verb.end()
    return next(
        (
            one
            for one in clause.mentions
            if one.start >= first and re.fullmatch(r"(?:[\w'.-]+ ){0,4}", text[first : one.start])
        ),
        None,
    )


def _headed(subject: Mention, inside: Sequence[Mention], text: str) -> Mention:
    """The person a phrase ends in that begins with another's name: 海门港务公司董事长蔡敬文."""
    for one in inside:
        between = text[subject.end : one.start]
        if (
            one.start >= subject.end
            and one.entity.kinds == {PERSON}
            and len(between) <= 12
            and _HAN_TITLE_END.search(between)
        ):
            return one
        if one.start >= subject.end and _HAN_OF_WHICH.fullmatch(between):
            return one
    return subject


def _joins(match: re.Match[str], named: Sequence[Mention]) -> bool:
    """True if "and" stands between two names."""
    joining = match[0].strip() == "and"
    return (
        joining
        and any(one.end == match.start() for one in named)
        and any(one.start == match.end() for one in named)
    )


def _is_agent(one: Mention, text: str) -> bool:
    before = text[max(0, one.start - 30) : one.start]
    form = _AGENT if one.entity.name.isascii() and not _han(before) else _HAN_AGENT
    if form is _HAN_AGENT and _HAN_OF_WHICH.match(text[one.end :]):
        return False
    return form.search(before) is not None


def _han(text: str) -> bool:
    return any("\u3400" <= sign <= "\u9fff" for sign in text)


def _is_subject(one: Mention, clause: Clause, text: str) -> bool:
    before = text[clause.start : one.start]
    if _han(text):
        open_to_it = not _HAN_NOT_SUBJECT.search(before) and not _HAN_AGENT.search(before)
        return open_to_it and len(re.findall(r"[\u3400-\u9fff]", before)) <= 14
    if re.search(r"\b(?:those|that) of (?:the )?$", before):
        return True
    if one.entity.name.islower() and text[one.end : one.end + 2] == "'s":
        return False
    return not _describes(one, before, text[one.end :]) and _begins_clause(_OF_NAME.sub("", before))


def _describes(one: Mention, before: str, after: str) -> bool:
    """True if a name only describes the noun after it: "an injured Achilles tendon", "the Tilsen company"."""
    if one.entity.kinds == {PERSON}:
        return (
            re.search(r"\b[Aa]n? (?:\w+ )?$", before) is not None and re.match(r" [a-z]", after) is not None
        )
    return PLACE in one.entity.kinds and _COMPANY_AFTER.match(after) is not None


def _begins_clause(before: str) -> bool:
    """True if what stands before a name in its clause belongs to it: an article, adjectives, a noun of people or firms."""
    words = re.findall(r"[\w'-]+", before)
    if before.rstrip().endswith(("'s", "s'")):
        words = words[:-1]
    human = False
    for passed, word in enumerate(reversed(words)):
        low = word.lower()
        if low in _DETERMINERS:
            rest = re.sub(rf"{re.escape(word)}\W*$", "", before[: before.rfind(word) + len(word)])
            fronted = _FRONTED.match(rest) is not None and _PREPOSITION_BEFORE.search(rest) is None
            return fronted or not rest.strip()
        if passed > 4 or low in _PREPOSITIONS:
            return False
        human = (
            human or low in PEOPLE or low in FIRMS or bool(PERSON_ENDING.search(low) and low not in COMPARED)
        )
        if not (human or low in COMPARED or low in ("it", "was", "is") or _ADJECTIVE.search(low)):
            return False
    return True


def pronoun(facts: Facts, clause: Clause) -> bool:
    """True if a clause has a pronoun or a word like "the company", which tells of what went before."""
    found = HAN_PRONOUN if facts.chinese else PRONOUN
    return found.search(facts.text[clause.start : clause.end]) is not None
