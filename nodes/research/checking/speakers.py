"""Is it told, or quoted, of the one who said it? Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nodes.research.checking.alignment import Finding, View
from nodes.research.checking.claim_fits import MARGIN, Fit, best_of, fits
from nodes.research.checking.facts import Facts
from nodes.research.checking.names import held
from nodes.research.checking.quotes import Quotation, bare, verbatim
from nodes.research.checking.rivals import rival
from nodes.research.checking.roster import PERSON, Entity, same
from nodes.research.checking.sources import Document, Passage, Sources
from nodes.research.checking.subject_clauses import Clause, clauses, pronoun

# A quotation of several sentences names its speaker within so many of them.
REACH = 3
# So much of what somebody is said to say must stand in a sentence that has another say it.
SAID = 0.5


def speaker_findings(
    claim: Facts, quotation: Quotation, document: Document, sources: Sources
) -> list[Finding]:
    """Whether a quotation that a source holds is given to another than its speaker there.

    Args:
        claim: that quotes it.
        quotation: one of the claim's.
        document: that holds it word for word.
        sources: all of them; the claim's speaker may be another's.
    """
    mine = claimed_speaker(claim, [one for one in sources.names if one.name in claim.text])
    if mine is None:
        return []
    told = [speakers(document, passage) for passage in document.passages if _holds(quotation, passage)]
    told = [one for one in told if one]
    if not told or any(same(mine.name, one.name) for speaking in told for one in speaking):
        return []
    rivals = told[0]
    if any(held(one.name, claim.low) for one in rivals):
        return []
    return [Finding("conflict", f"the source quotes {rivals[0].name}, not {mine.name}")]


def claimed_speaker(claim: Facts, known: Sequence[Entity]) -> Entity | None:
    """The one person outside its quotations that a claim gives them to; None if it is open."""
    inside = [(one.start, one.end) for one in claim.quotations if one.speech]
    people: dict[str, Entity] = {}
    for clause in clauses(claim, known):
        for one in clause.mentions:
            if PERSON not in one.entity.kinds or any(start <= one.start < end for start, end in inside):
                continue
            if claim.text[one.end : one.end + 2] != "'s":
                people[one.entity.name] = one.entity
    sure = {name: one for name, one in people.items() if one.kinds == {PERSON}}
    people = sure or people
    return next(iter(people.values())) if len(people) == 1 else None


def speakers(document: Document, passage: Passage) -> list[Entity]:
    """The people who may have said what a passage quotes: beside the quotation, or in the sentences around it."""
    if found := _speaking(document, passage):
        return found
    alike = [
        one
        for one in document.passages[max(0, passage.number - REACH) : passage.number + REACH]
        if one is not passage and one.sentence.paragraph == passage.sentence.paragraph
    ]
    before = [one for one in reversed(alike) if one.number < passage.number]
    after = [one for one in alike if one.number > passage.number]
    for one in [*before, *after]:
        if found := _speaking(document, one):
            return found
    return []


def _speaking(document: Document, passage: Passage) -> list[Entity]:
    quoted = [(one.start, one.end) for one in passage.facts.quotations if one.speech]
    sentence = document.chain.sentences[passage.number]
    for at, clause in enumerate(sentence):
        if not clause.speaks or any(start <= clause.start and clause.end <= end + 1 for start, end in quoted):
            continue
        if found := _people(clause, passage):
            return found
        after = sentence[at + 1] if at + 1 < len(sentence) else None
        if not clause.mentions and after and after.subject and PERSON in after.subject.entity.kinds:
            return [after.subject.entity]  # '," said the diver, Teo Marchetti'
    return []


def _people(clause: Clause, passage: Passage) -> list[Entity]:
    if clause.open and not pronoun(passage.facts, clause):
        return []
    named = [one.entity for one in clause.mentions if one.entity.kinds == {PERSON}]
    return named or [one for one in clause.owners if one.kinds == {PERSON}]


def _holds(quotation: Quotation, passage: Passage) -> bool:
    here = bare(passage.facts.text)
    words = bare(quotation.text)
    return (
        verbatim(quotation.text, here)
        or (len(words) > 20 and words[:20] in here)
        or (len(here) > 20 and here in words)
    )


def said_by_another(
    claim: Facts, named: Sequence[Clause], view: View, cited: Sequence[Passage]
) -> Finding | None:
    """What the claim has one person say and the source another.

    Args:
        claim: the claim.
        named: its clauses.
        view: the passage it may rest on.
        cited: every passage of the cited sources.
    """
    speaking = [one for one in named if one.speaks and one.subject and one.subject.entity.kinds == {PERSON}]
    if len(speaking) != 1 or claim.quotations:
        return None
    says, mine = speaking[0], speaking[0].subject
    rest = [one for one in named if one is not says]
    content = (
        replace(says, start=rest[0].start, end=rest[-1].end, mentions=[*says.mentions]) if rest else says
    )
    found = fits(claim, content, view, cited)
    if not found or mine is None:
        return None
    best = best_of(found)
    if best.share < SAID or (best.share < 1 and not rest):
        return None
    for one in found:
        if one.share >= best.share - MARGIN and _names(mine.entity, one, view):
            return None
    others = _saying(best, view)
    if not others or not all(rival(mine.entity, other, claim, False) for other in others):
        return None
    return Finding("conflict", f"the source has {others[0].name} say it, not {mine.entity.name}")


def _names(entity: Entity, fit: Fit, view: View) -> bool:
    """True if a clause is said by a person, or by somebody a pronoun stands for."""
    says = _saying(fit, view)
    if says:
        return any(same(entity.name, one.name) for one in says)
    if held(entity.name, fit.passage.facts.low):
        return True
    sentence = view.sources.documents[fit.passage.document].chain.sentences[fit.passage.number]
    return any(same(entity.name, owner.name) for clause in sentence for owner in clause.owners)


def _saying(fit: Fit, view: View) -> list[Entity]:
    """Whom the verb of saying before a clause has say it, else everybody its sentence has say something."""
    sentence = view.sources.documents[fit.passage.document].chain.sentences[fit.passage.number]
    before = [one for one in sentence if one.start <= fit.clause.start]
    return _speakers(before)[-1:] or _speakers(sentence)


def _speakers(sentence: Sequence[Clause]) -> list[Entity]:
    return [
        one.subject.entity
        for one in sentence
        if one.speaks and one.subject and one.subject.entity.kinds == {PERSON}
    ]
