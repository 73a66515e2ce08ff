"""Does the source tell the fact of the one the claim tells it of? Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from nodes.research.checking.alignment import Finding, View
from nodes.research.checking.chains import Clause, Mention, clauses, pronoun
from nodes.research.checking.facts import Facts
from nodes.research.checking.names import held, tokens
from nodes.research.checking.number_check import matches
from nodes.research.checking.quantity import Quantity
from nodes.research.checking.roster import GROUP, PERSON, PLACE, Entity, same
from nodes.research.checking.sources import Passage
from nodes.research.checking.terms import Term

# A clause must hold this share of what the claim's clause says before its subject counts against the claim's.
FITS = 0.34
FITS_INHERITED = 0.45
# A clause of the claim's own subject that fits nearly as well clears it.
MARGIN = 0.15
# So much of what somebody is said to say must stand in a sentence that has another say it.
SAID = 0.5
NUMBER = 3.0
# How many passages a claim's judgement ranks, and how many of them are looked at.
RANKED, LIKELY = 24, 5
_ACCORDING = re.compile(
    r"\s*(according to|by|in) (?=.{0,60}(?:reckoning|account|estimates?|view|opinion|eyes|words|figures|version|judgement|calculations?|,\s*$))",
    re.IGNORECASE,
)
_THING = re.compile(r"\W*(?:[Tt]he|[Tt]his|[Ii]ts) ([a-z]+)")
_ASIDE = re.compile(
    r"\b(to|from|by|through|via|against|over|in|at|of|for|near) (?:the |its |their )?(?:[a-z-]+ ){0,2}$"
)
_TIME = re.compile(r"(?<![\d.])\d+:\d\d(?:[:.]\d+)*")


@dataclass(frozen=True, slots=True)
class _Fit:
    clause: Clause
    passage: Passage
    share: float
    numbers: frozenset[str]


def subject_findings(claim: Facts, view: View, cited: Sequence[Passage]) -> list[Finding]:
    """What the source tells of another than the claim does.

    Args:
        claim: the claim.
        view: the passage it may rest on.
        cited: every passage of the cited sources; those that hold its numbers are looked at too.
    """
    if claim.chinese != view.facts.chinese:
        return []
    known = _known(claim, view, cited)
    if not known:
        return []
    named = clauses(claim, known)
    before: Mention | None = None
    attributed = False
    quoted = [(one.start, one.end) for one in claim.quotations if one.speech]
    for part in named:
        if any(start <= part.start < end or part.start < start and end <= part.end for start, end in quoted):
            continue
        if part.agent or part.subject:
            before, attributed = part.agent or part.subject, part.speaks
        owner = part.agent or part.subject or _attached(part, claim)
        if (says := _according_to(part, claim)) is not None:
            before, attributed = says, True
            continue
        if owner is None and not pronoun(claim, part):
            owner = before
        if (owner is None or owner not in (part.agent, part.subject, before)) and (
            finding := _given_to_another(claim, part, view, cited)
        ):
            return [finding]
        if owner is None or PERSON not in owner.entity.kinds and part.speaks:
            continue
        reported = attributed and owner is before and not part.subject
        if finding := _told_of_another(claim, part, owner, view, cited, reported):
            return [finding]
    finding = _said_by_another(claim, named, view, cited)
    return [finding] if finding else []


def _given_to_another(claim: Facts, part: Clause, view: View, cited: Sequence[Passage]) -> Finding | None:
    """A name after "to", "from" and the like where the source has another after the same word."""
    asides = [
        (one, found[1])
        for one in part.mentions
        if (found := _ASIDE.search(claim.text[part.start : one.start]))
    ]
    if len(asides) != 1 or not (fits := _fits(claim, part, view, cited)):
        return None
    mine, word = asides[0]
    best = max(fits, key=lambda one: (len(one.numbers), one.share))
    if best.share < SAID or any(
        one.share >= best.share - MARGIN for one in fits if held(mine.entity.name, _text(one).lower())
    ):
        return None
    text = _text(best)
    for one in best.clause.mentions:
        found = _ASIDE.search(text[: one.start - best.clause.start])
        if found and found[1] == word and _rival(mine.entity, one.entity, claim, True):
            return Finding(
                "conflict", f'the source has "{word} {one.entity.name}", not "{word} {mine.entity.name}"'
            )
    return None


def _said_by_another(
    claim: Facts, named: Sequence[Clause], view: View, cited: Sequence[Passage]
) -> Finding | None:
    """What the claim has one person say and the source another."""
    speaking = [one for one in named if one.speaks and one.subject and one.subject.entity.kinds == {PERSON}]
    if len(speaking) != 1 or claim.quotations:
        return None
    says, mine = speaking[0], speaking[0].subject
    rest = [one for one in named if one is not says]
    content = (
        replace(says, start=rest[0].start, end=rest[-1].end, mentions=[*says.mentions]) if rest else says
    )
    fits = _fits(claim, content, view, cited)
    if not fits or mine is None:
        return None
    best = max(fits, key=lambda one: (len(one.numbers), one.share))
    if best.share < SAID or (best.share < 1 and not rest):
        return None
    for one in fits:
        if one.share >= best.share - MARGIN and _names(mine.entity, one.passage, view):
            return None
    sentence = view.sources.documents[best.passage.document].chain.sentences[best.passage.number]
    others = _speakers(sentence)
    if not others or not all(_rival(mine.entity, other, claim, False) for other in others):
        return None
    return Finding("conflict", f"the source has {others[0].name} say it, not {mine.entity.name}")


def _names(entity: Entity, passage: Passage, view: View) -> bool:
    """True if a sentence names a person, or has somebody say it that a pronoun stands for."""
    if held(entity.name, passage.facts.low):
        return True
    sentence = view.sources.documents[passage.document].chain.sentences[passage.number]
    if _speakers(sentence):
        return False
    return any(same(entity.name, owner.name) for clause in sentence for owner in clause.owners)


def _speakers(sentence: Sequence[Clause]) -> list[Entity]:
    return [
        one.subject.entity
        for one in sentence
        if one.speaks and one.subject and one.subject.entity.kinds == {PERSON}
    ]


def _known(claim: Facts, view: View, cited: Sequence[Passage]) -> list[Entity]:
    """The names of the run's sources that the claim has; those of the cited ones first."""
    numbers = dict.fromkeys([view.document.number, *(one.document for one in cited)])
    found: dict[str, Entity] = {}
    for number in [*numbers, *(one.number for one in view.sources.documents if one.number not in numbers)]:
        for entity in view.sources.documents[number].roster:
            known = found.get(entity.name)
            if entity.name in claim.text and (known is None or len(entity.kinds) < len(known.kinds)):
                found[entity.name] = entity
    return list(found.values())


def _according_to(part: Clause, claim: Facts) -> Mention | None:
    """Whom a clause names as the one who says the rest: "By the coast guard's reckoning, "."""
    said = _ACCORDING.match(claim.text[part.start : part.end])
    return next((one for one in part.mentions if said and one.start >= part.start + said.end(1)), None)


def _attached(part: Clause, claim: Facts) -> Mention | None:
    """The place or thing a clause's subject belongs to: "container traffic at Galvane", "most coins from Upper Stowe"."""
    if claim.chinese or not part.mentions:
        return None
    first = part.mentions[0]
    before = claim.text[part.start : first.start].rstrip()
    attached = before.endswith((" at", " of", " from", " in", " of the", " at the"))
    return first if attached and len(before) < 50 and "person" not in first.entity.kinds else None


def _told_of_another(
    claim: Facts, part: Clause, owner: Mention, view: View, cited: Sequence[Passage], reported: bool
) -> Finding | None:
    fits = _fits(claim, part, view, cited)
    if not fits:
        return None
    best = max(fits, key=lambda one: (len(one.numbers), one.share))
    mine = [one for one in fits if _speaks_of(owner.entity, one)]
    if any(
        one.numbers - best.numbers
        or (one.share >= best.share - (0 if one.clause.open else MARGIN) and one.numbers >= best.numbers)
        for one in mine
    ):
        return None
    if reported and not _reports(owner.entity, best.passage, view):
        return None
    bodies = [one for one in best.clause.owners if GROUP in one.kinds]
    # 雾岭乡农会 speaks of 雾岭乡.
    towns = [
        one
        for one in view.sources.documents[best.passage.document].roster
        if one.kinds == {PLACE}
        and any(body.name.startswith(one.name) and body.name != one.name for body in bodies)
    ]
    owners = [one for one in [*best.clause.owners, *towns] if one.kinds & owner.entity.kinds]
    enough = FITS_INHERITED if best.clause.open and not best.clause.referred else FITS
    if best.share < enough and not (best.numbers and best.share > 0.2):
        return None
    if not owners or not all(_rival(owner.entity, one, claim, best.clause.open) for one in owners):
        return None
    if (
        _goes_on(owner.entity, best, view)
        or best.clause.open
        and not best.clause.referred
        and _lately(owner.entity, best.passage, view)
    ):
        return None
    return Finding("conflict", f"the source tells it of {owners[0].name}, not of {owner.entity.name}")


def _reports(entity: Entity, passage: Passage, view: View) -> bool:
    """True if a sentence has somebody say something, and does not name an entity."""
    sentence = view.sources.documents[passage.document].chain.sentences[passage.number]
    return any(clause.speaks for clause in sentence) and not held(entity.name, passage.facts.low)


def _goes_on(entity: Entity, fit: _Fit, view: View) -> bool:
    """True if the next sentence names an entity with what the clause speaks of: "the chart of 1862. The chart was by Penn"."""
    document = view.sources.documents[fit.passage.document]
    for after in document.passages[fit.passage.number + 1 : fit.passage.number + 2]:
        thing = _THING.match(after.facts.text)
        clause = fit.passage.facts.low[fit.clause.start : fit.clause.end]
        if thing and thing[1] in clause and held(entity.name, after.facts.low):
            return True
    return False


def _lately(entity: Entity, passage: Passage, view: View) -> bool:
    """True if the sentence or one of the two before it tells of an entity: what names nobody may go on about it."""
    document = view.sources.documents[passage.document]
    for number in range(max(0, passage.number - 2), passage.number + 1):
        if any(
            same(entity.name, one.name) for part in document.chain.sentences[number] for one in part.owners
        ):
            return True
    # "The Norham board mill ... The mill": the thing that bears the name.
    thing = _THING.match(passage.facts.text)
    return (
        bool(thing)
        and re.search(rf"{re.escape(entity.name)} (?:[a-z-]+ )?{thing[1]}", document.text) is not None
    )


def _text(fit: _Fit) -> str:
    return fit.passage.facts.text[fit.clause.start : fit.clause.end]


def _speaks_of(entity: Entity, fit: _Fit) -> bool:
    text = _text(fit).lower()
    return held(entity.name, text) or any(same(entity.name, one.name) for one in fit.clause.owners)


def _rival(mine: Entity, other: Entity, claim: Facts, unnamed: bool) -> bool:
    """True if another of the same kind, that the claim does not name."""
    if same(mine.name, other.name) or held(other.name, claim.low):
        return False
    if any(_shortens(name.text, other) for name in claim.names):
        return False
    if len(other.kinds) == 3 and unnamed:
        return False
    return bool(mine.kinds & other.kinds)


def _shortens(name: str, entity: Entity) -> bool:
    """True if a name is a shorter form: a person's last word, another's first."""
    if not entity.name.isascii() or not name.isascii():
        return same(name, entity.name)
    mine, full = tokens(name), tokens(entity.name)
    return bool(mine and full) and (mine[-1] == full[-1] if PERSON in entity.kinds else mine[0] == full[0])


def _fits(claim: Facts, part: Clause, view: View, cited: Sequence[Passage]) -> list[_Fit]:
    """The clauses of the passage and its like, with how much each holds of what a clause of the claim says."""
    words = [
        word
        for word in claim.terms
        if part.start <= word.start < part.end
        and not any(one.start <= word.start < one.end for one in part.mentions)
    ]
    title = view.document.about
    numbers = [
        one
        for one in claim.quantities
        if part.start <= one.start < part.end
        and not one.soft
        and one.text.strip().lower() not in title
        and not any(term.start <= one.start < term.end for term in claim.quotations)
    ]
    times = _TIME.findall(claim.text[part.start : part.end])
    total = sum(_weight(word, title, view) for word in words) + NUMBER * (len(numbers) + len(times))
    telling = (
        sum(0.5 if "say" in word.concepts else 1 for word in words)
        + len(numbers)
        + len(times)
        + sum(len(re.sub(r"\D", "", one.text)) > 2 for one in numbers)
    )
    if telling < (1 if part.speaks else 2) or not total:
        return []
    found = []
    for passage in _passages(claim, view, numbers, cited):
        sentence = view.sources.documents[passage.document].chain.sentences[passage.number]
        for clause in [*sentence, *_joined(sentence)]:
            reached = sum(_share(word, passage.facts, clause) * _weight(word, title, view) for word in words)
            text = passage.facts.text[clause.start : clause.end]
            here = [one for one in passage.facts.quantities if clause.start <= one.start < clause.end]
            same_numbers = frozenset(
                [one.text for one in numbers if any(matches(one, other) for other in here)]
                + [time for time in times if time in text]
            )
            if reached or same_numbers:
                share = (reached + NUMBER * len(same_numbers)) / total
                found.append(_Fit(clause, passage, share, same_numbers))
    return found


def _weight(word: Term, title: str, view: View) -> float:
    # What the title says is what every sentence is about; words of saying tell little of what is said.
    return view.sources.weight(word.key) * (0.3 if word.key in title or "say" in word.concepts else 1.0)


def _joined(sentence: Sequence[Clause]) -> list[Clause]:
    """Neighbouring clauses that tell of the same, as one."""
    found = []
    for at, clause in enumerate(sentence):
        last = clause
        for other in sentence[at + 1 :]:
            if not clause.owners or [one.name for one in other.owners] != [one.name for one in clause.owners]:
                break
            last = other
        if last is not clause:
            found.append(replace(clause, end=last.end, open=last.open))
    return found


def _passages(
    claim: Facts, view: View, numbers: Sequence[Quantity], cited: Sequence[Passage]
) -> list[Passage]:
    """The passage, those that fit the claim best, and those with its numbers."""
    found = {id(view.core): view.core}
    ranked = view.sources.best(claim, {one.document for one in cited}, limit=RANKED) if cited else []
    found |= {id(one): one for _, one in ranked[:LIKELY]}
    for passage in cited:
        if any(matches(number, one) for number in numbers for one in passage.facts.quantities):
            found[id(passage)] = passage
    return list(found.values())


def _share(word: Term, facts: Facts, clause: Clause) -> float:
    """How far a clause says a word."""
    for one in facts.terms:
        if clause.start <= one.start < clause.end and (one.key == word.key or one.concepts & word.concepts):
            return 1.0
    if word.key.isascii():
        return 0.0
    text = facts.low[clause.start : clause.end]
    if word.key in text:
        return 1.0
    parts = [word.key[at : at + 2] for at in range(len(word.key) - 1)]
    return sum(part in text for part in parts) / len(parts) if parts else 0.0
