"""Does the source tell the fact of the one the claim tells it of? Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from nodes.research.checking.alignment import Finding, View
from nodes.research.checking.chains import RELATIVE
from nodes.research.checking.claim_fits import MARGIN, Fit, best_of, fits
from nodes.research.checking.facts import Facts
from nodes.research.checking.names import held, places
from nodes.research.checking.rivals import rival
from nodes.research.checking.roster import GROUP, PERSON, PLACE, Entity, same
from nodes.research.checking.sources import Passage
from nodes.research.checking.speakers import SAID, said_by_another
from nodes.research.checking.stand_ins import stand_in
from nodes.research.checking.subject_clauses import Clause, Mention, clauses, pronoun

# A clause must hold this share of what the claim's clause says before its subject counts against the claim's.
FITS = 0.34
FITS_INHERITED = 0.45
FITS_WITH_NUMBER = 0.2
# Of the weight of rare words, about 5 each: two common words in common say nothing.
FITS_WEIGHING = 5.0
_ACCORDING = re.compile(
    r"\s*(according to|by|in) (?=.{0,60}(?:reckoning|account|estimates?|view|opinion|eyes|words|figures|version|judgement|calculations?|,\s*$))",
    re.IGNORECASE,
)
_THING = re.compile(r"\W*(?:[Tt]he|[Tt]his|[Ii]ts) ([a-z]+)")
# A clause with a subject of its own that is no name: ", and the group's work points".
_ANOTHER = re.compile(
    r"\W*(?:and|but|while|whereas|although|though|because|as|when) (?:the|an?|this|these|those|both|some|most|many)\b",
    re.IGNORECASE,
)
_ANSWERS = re.compile(
    r"\b(?:reject|accept|den(?:y|ie)|dismiss|oppos|agree|back|resist|turn(?:ed)? down)|接受|拒绝|采纳|反对|否认|反驳|同意|驳回|支持|回应"
)
_ASIDE = re.compile(
    r"\b(to|from|by|through|via|against|over|in|at|of|for|near) (?:the |its |their )?(?:[a-z-]+ ){0,2}$"
)


@dataclass(frozen=True, slots=True)
class _Told:
    """A clause of a claim and the one it tells of.

    Attributes:
        part: the clause.
        owner: the one it tells of; None if that is open.
        own: the clause itself names it as its subject or agent, or the clause before it does.
        reported: the claim has the owner say the clause.
    """

    part: Clause
    owner: Mention | None
    own: bool
    reported: bool


def subject_findings(claim: Facts, view: View, cited: Sequence[Passage]) -> list[Finding]:
    """What the source tells of another than the claim does.

    Args:
        claim: the claim.
        view: the passage that fits it best.
        cited: every passage of the cited sources.

    Returns:
        One conflict at most.
    """
    alike = claim.chinese == view.facts.chinese
    known = [one for one in view.sources.names if one.name in claim.text] if alike else []
    named = clauses(claim, known) if known else []
    parts = _told(claim, named)
    for told in parts:
        finding = None if told.own else _given_to_another(claim, told.part, view, cited)
        finding = finding or _told_of_another(claim, told, view, cited)
        if finding:
            return [finding]
    finding = said_by_another(claim, named, view, cited) or stand_in(
        claim, [(one.part, one.owner) for one in parts], view, cited
    )
    return [finding] if finding else []


def _told(claim: Facts, named: Sequence[Clause]) -> list[_Told]:
    """The clauses of a claim outside its quotations, with whom each tells of."""
    quoted = [(one.start, one.end) for one in claim.quotations if one.speech]
    before: Mention | None = None
    reported = False
    found = []
    for part in named:
        if any(
            start <= part.start < end or (part.start < start and end <= part.end) for start, end in quoted
        ):
            continue
        own = part.agent or part.subject
        if own is None and not claim.chinese and RELATIVE.match(claim.text[part.start : part.end]):
            earlier = [one for other in named for one in other.mentions if one.end <= part.start]
            found.append(_Told(part, earlier[-1] if earlier else None, bool(earlier), False))
            continue
        if own:
            before, reported = own, part.speaks
        if says := _according_to(part, claim):
            before, reported = says, True
            continue
        owner = own or _attached(part, claim)
        if owner is None and not pronoun(claim, part) and not _ANOTHER.match(claim.text[part.start :]):
            owner = before
        mine = owner is not None and owner in (part.agent, part.subject, before)
        found.append(_Told(part, owner, mine, reported and owner is before and not part.subject))
    cleft = _cleft(claim, named)
    return [*found, cleft] if cleft else found


def _cleft(claim: Facts, named: Sequence[Clause]) -> _Told | None:
    """The whole of a Chinese sentence that ends in the one it tells of: 拿下亚军的是…诺瓦克."""
    last = named[-1].mentions[-1] if named and named[-1].mentions else None
    if not claim.chinese or last is None or claim.text[last.end :].strip(" 。"):
        return None
    before = claim.text[: last.start]
    if not re.search(r"的[\u3400-\u9fff]{0,6}[,，]?(?:就|正|则)?[是为][\u3400-\u9fff]{0,14}$", before):
        return None
    part = Clause(0, len(claim.text), [last], subject=last)
    return _Told(part, last, True, False)


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
    return first if attached and len(before) < 50 and PERSON not in first.entity.kinds else None


def _given_to_another(claim: Facts, part: Clause, view: View, cited: Sequence[Passage]) -> Finding | None:
    """A name after "to", "from" and the like where the source has another after the same word."""
    asides = [
        (one, said[1]) for one in part.mentions if (said := _ASIDE.search(claim.text[part.start : one.start]))
    ]
    found = fits(claim, part, view, cited) if len(asides) == 1 else []
    if not found:
        return None
    mine, word = asides[0]
    best = best_of(found)
    near = [one for one in found if one.share >= best.share - MARGIN]
    if best.share < SAID or any(held(mine.entity.name, one.text.lower()) for one in near):
        return None
    for one in best.clause.mentions:
        said = _ASIDE.search(best.text[: one.start - best.clause.start])
        if said and said[1] == word and rival(mine.entity, one.entity, claim, True):
            told = f'the source has "{word} {one.entity.name}", not "{word} {mine.entity.name}"'
            return Finding("conflict", told)
    return None


def _told_of_another(claim: Facts, told: _Told, view: View, cited: Sequence[Passage]) -> Finding | None:
    """The clause of the sources that fits best, if it is told of others of the same kind only."""
    if told.owner is None or (told.part.speaks and PERSON not in told.owner.entity.kinds):
        return None
    mine = told.owner.entity
    found = fits(claim, told.part, view, cited)
    best = best_of(found) if found else None
    if best is None or not _enough(best) or any(_clears(mine, one, best) for one in found):
        return None
    answers = _ANSWERS.search(claim.low[told.part.start : told.part.end])
    # An answer is told of another than what it answers: "turned down the proposal" beside "she proposed".
    if answers and not _ANSWERS.search(best.text.lower()) and _beside(mine, best.passage, view):
        return None
    if told.reported and not _reports(mine, best, view):
        return None
    document = view.sources.documents[best.passage.document]
    unnamed = best.clause.open and not best.clause.referred
    if unnamed and held(mine.name, document.about):
        return None
    owners = [one for one in _owners(best, view) if one.kinds & mine.kinds]
    if unnamed and mine.kinds == {PERSON}:
        # Nobody goes on about a person without a word for them, but in the sentence that names them or the next.
        late = document.passages[max(0, best.passage.number - 1) : best.passage.number + 1]
        owners = [one for one in owners if any(held(one.name, passage.facts.low) for passage in late)]
    if not owners or not all(rival(mine, one, claim, best.clause.open) for one in owners):
        return None
    if _goes_on(mine, best, view) or (unnamed and _lately(mine, best.passage, view)):
        return None
    return Finding("conflict", f"the source tells it of {owners[0].name}, not of {mine.name}")


def _beside(mine: Entity, passage: Passage, view: View) -> bool:
    """True if the sentence before or after one names an entity: what it answers stands there."""
    document = view.sources.documents[passage.document]
    around = document.passages[max(0, passage.number - 1) : passage.number + 2]
    return any(held(mine.name, one.facts.low) for one in around)


def _enough(best: Fit) -> bool:
    unnamed = best.clause.open and not best.clause.referred
    said = best.share >= (FITS_INHERITED if unnamed else FITS) and best.weight >= FITS_WEIGHING
    return said or (bool(best.numbers) and best.share > FITS_WITH_NUMBER)


def _clears(mine: Entity, one: Fit, best: Fit) -> bool:
    """True if a clause tells of the claim's own name and says what the best one says, or what that does not."""
    named = held(mine.name, one.text.lower())
    if (
        one.passage is best.passage
        and one.clause.start <= best.clause.start
        and best.clause.end <= one.clause.end
    ):
        # Of two clauses the name may stand in the other one.
        named = held(mine.name, best.text.lower())
    if not named and not any(same(mine.name, owner.name) for owner in one.clause.owners):
        return False
    margin = MARGIN if named or not one.clause.open else 0.0
    return bool(one.numbers - best.numbers) or (
        one.share >= best.share - margin and one.numbers >= best.numbers
    )


def _owners(fit: Fit, view: View) -> list[Entity]:
    """Those a clause may tell of; 雾岭乡农会 speaks of 雾岭乡 too."""
    bodies = [one.name for one in fit.clause.owners if GROUP in one.kinds]
    towns = [
        one
        for one in view.sources.documents[fit.passage.document].roster
        if one.kinds == {PLACE} and any(body.startswith(one.name) and body != one.name for body in bodies)
    ]
    return [*fit.clause.owners, *towns]


def _reports(entity: Entity, fit: Fit, view: View) -> bool:
    """True if a clause is what somebody else says: by the last verb of saying before it, or in its sentence."""
    sentence = view.sources.documents[fit.passage.document].chain.sentences[fit.passage.number]
    says = [one for one in sentence if one.speaks and one.start <= fit.clause.start]
    if says and says[-1].subject and says[-1].subject.entity.kinds == {PERSON}:
        return not same(entity.name, says[-1].subject.entity.name)
    return any(clause.speaks for clause in sentence) and not held(entity.name, fit.passage.facts.low)


def _goes_on(entity: Entity, fit: Fit, view: View) -> bool:
    """True if the next sentence names an entity with what the clause speaks of: "the chart of 1862. The chart was Penn's"."""
    document = view.sources.documents[fit.passage.document]
    for after in document.passages[fit.passage.number + 1 : fit.passage.number + 2]:
        thing = _THING.match(after.facts.text)
        if thing and thing[1] in fit.text.lower() and held(entity.name, after.facts.low):
            return True
    return False


def _lately(entity: Entity, passage: Passage, view: View) -> bool:
    """True if the sentence or one of the two before it tells of an entity: what names nobody may go on about it."""
    document = view.sources.documents[passage.document]
    recent = document.chain.sentences[max(0, passage.number - 2) : passage.number + 1]
    if any(same(entity.name, one.name) for sentence in recent for part in sentence for one in part.owners):
        return True
    # "The Norham board mill ... The mill": the thing that bears the name.
    thing = _THING.match(passage.facts.text)
    return thing is not None and any(
        thing[1] in document.text[at + len(entity.name) :][:40].split()[:2]
        for at in places(entity.name, document.text)
    )
