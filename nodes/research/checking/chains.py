"""Who the facts of each clause of a document are told of. Pure.

A clause tells of its own subject; one without a subject goes on about that of the clause before it, a pronoun about
the last of its kind, and what names nobody about what the document is about.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from nodes.research.checking.facts import Facts
from nodes.research.checking.person_words import (
    COMPARED,
    FIRMS,
    GOVERN,
    HAN_SPEAKS,
    HAN_TITLES,
    PEOPLE,
    PERSON_ENDING,
)
from nodes.research.checking.roster import ANY, GROUP, PERSON, PLACE, Entity, same

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
_PRONOUN = re.compile(
    r"\b(?:(he|she|his|her|him)|(it|its|they|their|the (?:company|firm|group|team|club|university|ministry|city|county|council|town|village|agency|lab|institute|bank|island|plant|maker|utility|operator|authority|airline|museum|port|union|association|trust|manufacturer|retailer|carrier|school|hospital)))\b",
    re.IGNORECASE,
)
_HAN_PRONOUN = re.compile(
    r"([他她])(?!们)|(该|其(?!中|余|他|它|次)|它|这家|公司|[乡县市镇省村区校院厂]内|全乡|全市|全县|全省|全镇|市府|县府|市政府|县政府|省政府|集团|球队|球团|学校|校方|馆方|院方|厂方|协会|学会|工会|基金会|电厂|电站|风场|银行|港区|园区)"
)
_HAN_NOT_SUBJECT = re.compile(
    r"(?:[在于从向至往经跟与和及比较距离给对替为将把]|对于|关于|根据|依据|依照|按照|由于|落后|领先|高于|低于|超过|击败|打败|不及|优于|超越|赢过|输给|邻近的?|位于|除了|不同于|有别于|不像|不如|经过|来自)(?:[一-龥]{0,2}的)?$"
)
_HAN_AGENT = re.compile(
    rf"(?:由|被|遭|归|属于?|获)(?:[\u3400-\u9fff]{{0,6}}的|[日韩美荷德法英港陆]商|[\u3400-\u9fff]{{0,4}}(?:{'|'.join(HAN_TITLES)})|开发商|营运商|承包商|供应商|国内|当地)?$"
)
_FRONTED = re.compile(
    r"\W*(?:(?:and|but|while|whereas|although|because|that|it (?:is|was)) )*(?:(?:in|on|at|after|before|by|for|from|during|with|under|since|until|last|this|earlier|later|yesterday|today|over|despite|unlike|like|within|to)\b|$)",
    re.IGNORECASE,
)
# A clause that turns to something else: 机电系统标则预定, 股价却下跌.
_HAN_TURN = re.compile(r"\W*[\u3400-\u9fff]{2,8}?[则却]")
_RELATIVE = re.compile(
    r"\W*(?:and )?((?:most |many |some |half |all |none |one )?of )?(?:which|who|whom|whose)\b", re.IGNORECASE
)
_HAN_TITLE_END = re.compile(rf"^[\u3400-\u9fff]*(?:{'|'.join(HAN_TITLES)})$")
_SPEECH = re.compile(rf"\b(?:{GOVERN})\b", re.IGNORECASE)
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
    found: list[Mention] = []
    for entity in known:
        name = entity.name
        if name not in facts.text:
            continue
        for match in re.finditer(
            rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])" if name.isascii() else re.escape(name),
            facts.text,
        ):
            found.append(Mention(match.start(), match.end(), entity))
    found.sort(key=lambda one: (one.start, -one.end))
    kept: list[Mention] = []
    for one in found:
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept


def clauses(facts: Facts, known: Sequence[Entity]) -> list[Clause]:
    """The clauses of a sentence with their own subjects."""
    text, named = facts.text, mentions(facts, known)
    shut = [(one.start, one.end) for one in facts.quotations if one.speech]
    cuts = [0]
    for match in _BREAK.finditer(text):
        at = match.start() + (1 if match[0][0] in ",;:，；：。" else 0)
        inside = (
            _joins(match, named)
            or any(one.start < at < one.end for one in named)
            or any(start <= at < end for start, end in shut)
        )
        if (
            not inside
            and at > cuts[-1]
            and not (
                text[match.start()] == ","
                and text[match.start() - 1 : match.start()].isdigit()
                and text[at : at + 1].isdigit()
            )
        ):
            cuts.append(at)
    cuts.append(len(text))
    found = []
    for start, end in zip(cuts, cuts[1:], strict=False):
        if not text[start:end].strip(' ,;:，；：。"」'):
            continue
        inside = [one for one in named if start <= one.start < end]
        clause = Clause(start, end, inside)
        clause.subject = next((one for one in inside if _is_subject(one, clause, text)), None)
        if clause.subject and facts.chinese:
            clause.subject = _headed(clause.subject, inside, text)
        elif clause.subject and (
            head := next((one for one in inside if one.start == clause.subject.end + 1), None)
        ):
            # "The Sundmark coast guard": the coast guard.
            clause.subject = head
        clause.agent = next((one for one in inside if _is_agent(one, text)), None)
        if clause.subject is clause.agent:
            clause.subject = None
        clause.speaks = bool((_HAN_SPEECH if facts.chinese else _SPEECH).search(text[start:end]))
        found.append(clause)
    return found


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
    return (_AGENT if one.entity.name.isascii() and not _han(before) else _HAN_AGENT).search(
        before
    ) is not None


def _han(text: str) -> bool:
    return any("\u3400" <= sign <= "\u9fff" for sign in text)


def _is_subject(one: Mention, clause: Clause, text: str) -> bool:
    before = text[clause.start : one.start]
    if _han(text):
        if _HAN_NOT_SUBJECT.search(before) or _HAN_AGENT.search(before):
            return False
        return len(re.findall(r"[\u3400-\u9fff]", before)) <= 14
    if re.search(r"\b(?:those|that) of (?:the )?$", before):
        return True
    before = _OF_NAME.sub("", before)
    if (
        one.entity.kinds == {PERSON}
        and re.search(r"\b[Aa]n? (?:\w+ )?$", before)
        and re.match(r" [a-z]", text[one.end :])
    ):
        return False  # "an injured Achilles tendon"
    if PLACE in one.entity.kinds and _COMPANY_AFTER.match(text[one.end :]):
        return False
    words = re.findall(r"[\w'-]+", before)
    if before.rstrip().endswith(("'s", "s'")):
        words = words[:-1]
    human = False
    for passed, word in enumerate(reversed(words)):
        low = word.lower()
        if low in _DETERMINERS:
            rest = re.sub(rf"{re.escape(word)}\W*$", "", before[: before.rfind(word) + len(word)])
            return not rest.strip() or (
                _FRONTED.match(rest) is not None and _PREPOSITION_BEFORE.search(rest) is None
            )
        if passed > 4 or low in _PREPOSITIONS:
            return False
        human = (
            human or low in PEOPLE or low in FIRMS or bool(PERSON_ENDING.search(low) and low not in COMPARED)
        )
        if (
            not human
            and not _ADJECTIVE.search(low)
            and low not in COMPARED
            and low not in ("it", "was", "is")
        ):
            return False
    return True


def pronoun(facts: Facts, clause: Clause) -> bool:
    """True if a clause has a pronoun or a word like "the company", which tells of what went before."""
    found = _HAN_PRONOUN if facts.chinese else _PRONOUN
    return found.search(facts.text[clause.start : clause.end]) is not None


@dataclass
class Chain:
    """The clauses of a document, each with those its facts may be told of.

    Attributes:
        topics: what the document is about, by kind.
        sentences: the clauses of each passage, in order.
    """

    topics: dict[str, Entity]
    sentences: list[list[Clause]]


def chain(title: str, texts: Sequence[Facts], paragraphs: Sequence[int], known: Sequence[Entity]) -> Chain:
    """Work out who each clause of a document is told of.

    Args:
        title: of the document, folded.
        texts: the facts of its sentences, in order.
        paragraphs: where the paragraph of each begins.
        known: the document's roster.
    """
    parted = [clauses(facts, known) for facts in texts]
    topics = _topics(title, parted, known)
    last: dict[str, list[Entity]] = {}
    paragraph = -1
    for facts, sentence, begun in zip(texts, parted, paragraphs, strict=True):
        if begun != paragraph:
            paragraph = begun
            last = {kind: last[kind] for kind in (PERSON,) if kind in last}
        _bind(facts, sentence, last, topics)
    return Chain(topics, parted)


def _topics(title: str, parted: Sequence[Sequence[Clause]], known: Sequence[Entity]) -> dict[str, Entity]:
    score: Counter[str] = Counter()
    for number, sentence in enumerate(parted):
        for clause in sentence:
            for one in clause.mentions:
                score[one.entity.name] += 2 if one is clause.subject else 1
            if number == 0 and clause is sentence[0] and clause.subject:
                score[clause.subject.entity.name] += 4
    for entity in known:
        if entity.name in title:
            score[entity.name] += 4
    found: dict[str, Entity] = {}
    for kind in (PERSON, GROUP, PLACE):
        ranked = [one for one in known if kind in one.kinds and score[one.name]]
        joined = {
            one.name: sum(score[other.name] for other in ranked if same(one.name, other.name))
            for one in ranked
        }
        ranked.sort(key=lambda one: (-joined[one.name], -len(one.name)))
        if ranked:
            best = ranked[0]
            second = next((joined[one.name] for one in ranked if not same(one.name, best.name)), 0)
            if joined[best.name] >= 4 and joined[best.name] >= 1.5 * second:
                found[kind] = best
    return found


def _bind(
    facts: Facts, sentence: list[Clause], last: dict[str, list[Entity]], topics: dict[str, Entity]
) -> None:
    """Give each clause of a sentence its owners, and remember them for the next sentence."""
    before: list[Entity] = []
    reported, far = False, True
    for clause in sentence:
        own = [one.entity for one in (clause.subject, clause.agent) if one]
        relative = _RELATIVE.match(facts.text[clause.start : clause.end])
        earlier = [one.entity for other in sentence for one in other.mentions if one.end <= clause.start]
        if not own and relative and relative[1] and earlier:
            own = earlier[-1:]
        if own:
            clause.owners, clause.open = own, False
        else:
            if facts.chinese and _HAN_TURN.match(facts.text[clause.start : clause.end]):
                before, far = [], True
            clause.owners = _referred(facts, clause, before, earlier, reported, last, topics)
            if relative and earlier:
                clause.owners = [*earlier[-1:], *before]
            clause.referred = pronoun(facts, clause)
            clause.open = bool(relative) or far or clause.owners is not before
            places = [one.entity for one in clause.mentions if one.entity.kinds == {PLACE}]
            if places and not pronoun(facts, clause):
                clause.owners = places + [one for one in clause.owners if one.kinds != {PLACE}]
        if clause.owners:
            before, far = clause.owners, clause.open
        reported = clause.speaks
    if not facts.chinese:
        _look_ahead(sentence)
    for clause in sentence:
        told = [one.entity for one in (clause.subject, clause.agent) if one]
        for kind in (PERSON, GROUP, PLACE):
            of_kind = [one for one in told if kind in one.kinds and len(one.kinds) < 3 or one.kinds == {kind}]
            if of_kind:
                last[kind] = of_kind


def _look_ahead(sentence: list[Clause]) -> None:
    """What comes before the sentence's subject is told of it too: "To close the gap, the council will"."""
    first = next((clause for clause in sentence if not clause.open or clause.referred), None)
    for clause in sentence:
        if clause is first or first is None:
            break
        clause.owners, clause.open, clause.referred = first.owners, first.open, first.referred


def _referred(
    facts: Facts,
    clause: Clause,
    before: list[Entity],
    earlier: list[Entity],
    reported: bool,
    last: dict[str, list[Entity]],
    topics: dict[str, Entity],
) -> list[Entity]:
    """Those a clause without a name as its subject may tell of."""
    text = facts.text[clause.start : clause.end]
    pronoun = (_HAN_PRONOUN if facts.chinese else _PRONOUN).search(text)
    if pronoun and pronoun[1]:
        mine = [one for one in before if PERSON in one.kinds]
        told = last.get(PERSON, [])
        if mine and reported:
            # "The coach said she had been hurt": the coach, or the one told of before.
            return [*mine, *told]
        return mine or told or _of(topics, PERSON)
    if pronoun:
        mine = [one for one in earlier if GROUP in one.kinds or facts.chinese and PLACE in one.kinds] or [
            one for one in before if one.kinds & ANY
        ]
        told = [*last.get(GROUP, []), *last.get(PLACE, [])]
        return mine or told or [*_of(topics, GROUP), *_of(topics, PLACE)]
    if before and not reported:
        return before
    return [*before, *last.get(GROUP, []), *last.get(PLACE, []), *last.get(PERSON, []), *topics.values()]


def _of(topics: dict[str, Entity], kind: str) -> list[Entity]:
    return [topics[kind]] if kind in topics else []
