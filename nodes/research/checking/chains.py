"""Who the facts of each clause of a document are told of. Pure.

A clause tells of its own subject; one without a subject goes on about that of the clause before it, a pronoun about
the last of its kind, and what names nobody about what the document is about.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from nodes.research.checking.facts import Facts
from nodes.research.checking.roster import ANY, GROUP, PERSON, PLACE, Entity, same
from nodes.research.checking.subject_clauses import HAN_PRONOUN, PRONOUN, Clause, clauses, pronoun

# A clause that turns to something else: 机电系统标则预定, 股价却下跌.
_HAN_TURN = re.compile(r"\W*[\u3400-\u9fff]{2,8}?[则却]")
RELATIVE = re.compile(
    r"\W*(?:and )?((?:most |many |some |half |all |none |one )?of )?(?:which|who|whom|whose)\b", re.IGNORECASE
)
# An apposition to what went before: ", a drama by the director Noor Haddad,".
_MADE_BY = re.compile(
    r"\W*(?:an?|the) (?:[\w'-]+ ){0,3}(?![\w'-]*(?:ed|en|wn|ght|ilt|ade|un|old|aid|one) )[\w'-]+ by "
)
# Back to what the sentence began with: 该校…；同时停招了.
_HAN_RESUMES = re.compile(r"\W*(?:同时|此外|另外|并且|另)")
# A document is about nothing it names less than this.
TOPIC = 4


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
        if best := _foremost([one for one in known if kind in one.kinds and score[one.name]], score):
            found[kind] = best
    return found


def _foremost(named: list[Entity], score: Counter[str]) -> Entity | None:
    """The one far more is told of than of any other; None if there is none."""
    joined = {
        one.name: sum(score[other.name] for other in named if same(one.name, other.name)) for one in named
    }
    named.sort(key=lambda one: (-joined[one.name], -len(one.name)))
    if not named:
        return None
    second = next((joined[one.name] for one in named if not same(one.name, named[0].name)), 0)
    return named[0] if joined[named[0].name] >= max(TOPIC, 1.5 * second) else None


def _bind(
    facts: Facts, sentence: list[Clause], last: dict[str, list[Entity]], topics: dict[str, Entity]
) -> None:
    """Give each clause of a sentence its owners, and remember them for the next sentence."""
    before: list[Entity] = []
    opening: list[Entity] = []
    reported, far = False, True
    quoted = [(one.start, one.end) for one in facts.quotations if one.speech]
    for clause in sentence:
        if facts.chinese and _HAN_TURN.match(facts.text[clause.start : clause.end]):
            before, far = [], True
        if facts.chinese and opening and _HAN_RESUMES.match(facts.text[clause.start : clause.end]):
            before, far = opening, True
        earlier = [one.entity for other in sentence for one in other.mentions if one.end <= clause.start]
        told = _Told(before, earlier, reported, far, last, topics)
        _own(facts, clause, told)
        if clause.owners and not any(start <= clause.start + 1 <= end for start, end in quoted):
            before, far = clause.owners, clause.open
            opening = opening or before
        reported = clause.speaks
    if not facts.chinese:
        _look_ahead(sentence)
    for clause in sentence:
        _remember(clause, last)


@dataclass(frozen=True, slots=True)
class _Told:
    """What went before a clause.

    Attributes:
        before: the owners of the clause before it in its sentence.
        earlier: every name before it in its sentence.
        reported: the clause before it says that somebody says this one.
        far: the owners before it do not stand in its sentence.
        last: the last subjects of earlier sentences, by kind.
        topics: what the document is about, by kind.
    """

    before: list[Entity]
    earlier: list[Entity]
    reported: bool
    far: bool
    last: dict[str, list[Entity]]
    topics: dict[str, Entity]


def _own(facts: Facts, clause: Clause, told: _Told) -> None:
    """Give a clause its owners."""
    own = [one.entity for one in (clause.subject, clause.agent) if one]
    if clause.subject is None and _MADE_BY.match(facts.text[clause.start : clause.end]) and told.before:
        own = []
    relative = RELATIVE.match(facts.text[clause.start : clause.end])
    if not own and relative and relative[1]:
        own = told.earlier[-1:]
    if own:
        clause.owners, clause.open = own, False
        return
    clause.referred = pronoun(facts, clause)
    if relative and told.earlier:
        clause.owners = [*told.earlier[-1:], *told.before]
    else:
        clause.owners = _referred(facts, clause, told)
    clause.open = bool(relative) or told.far or clause.owners is not told.before
    places = [one.entity for one in clause.mentions if one.entity.kinds == {PLACE}]
    if places and not clause.referred:
        clause.owners = places + [one for one in clause.owners if one.kinds != {PLACE}]


def _remember(clause: Clause, last: dict[str, list[Entity]]) -> None:
    named = [one.entity for one in (clause.subject, clause.agent) if one]
    for kind in (PERSON, GROUP, PLACE):
        if of_kind := [one for one in named if kind in one.kinds and len(one.kinds) < 3]:
            last[kind] = of_kind


def _look_ahead(sentence: list[Clause]) -> None:
    """What comes before the sentence's subject is told of it too: "To close the gap, the council will"."""
    first = next((clause for clause in sentence if not clause.open or clause.referred), None)
    for clause in sentence:
        if clause is first or first is None:
            break
        clause.owners, clause.open, clause.referred = first.owners, first.open, first.referred


def _referred(facts: Facts, clause: Clause, told: _Told) -> list[Entity]:
    """Those a clause without a name as its subject may tell of."""
    found = (HAN_PRONOUN if facts.chinese else PRONOUN).search(facts.text[clause.start : clause.end])
    if found and found[1]:
        return _person_meant(told)
    if found:
        mine = [
            one
            for one in told.earlier
            if len(one.kinds) < 3 and (GROUP in one.kinds or (facts.chinese and PLACE in one.kinds))
        ]
        mine = mine or [one for one in told.before if one.kinds & ANY and not told.far]
        lately = told.last.get(GROUP) or told.last.get(PLACE) or []
        return mine or lately or [*_of(told.topics, GROUP), *_of(told.topics, PLACE)]
    if told.before and not told.reported:
        return told.before
    lately = [one for kind in (GROUP, PLACE, PERSON) for one in told.last.get(kind, [])]
    return [*told.before, *lately, *told.topics.values()]


def _person_meant(told: _Told) -> list[Entity]:
    """Those "he" or "she" may be."""
    mine = [one for one in told.before if PERSON in one.kinds]
    lately = told.last.get(PERSON, [])
    if mine and told.reported:
        # "The coach said she had been hurt": the coach, or the one told of before.
        return [*mine, *lately]
    return mine or lately or _of(told.topics, PERSON)


def _of(topics: dict[str, Entity], kind: str) -> list[Entity]:
    return [topics[kind]] if kind in topics else []
