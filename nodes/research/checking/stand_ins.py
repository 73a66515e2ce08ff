"""Does the source say it with another name where the claim has one, whatever part of the sentence that plays? Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from nodes.research.checking.alignment import Finding, View
from nodes.research.checking.claim_fits import RANKED
from nodes.research.checking.evidence import Evidence, content_of, evidence
from nodes.research.checking.facts import Facts
from nodes.research.checking.folding import lowered
from nodes.research.checking.names import held
from nodes.research.checking.rivals import rival
from nodes.research.checking.roster import PERSON, Entity, same
from nodes.research.checking.sources import Passage
from nodes.research.checking.subject_clauses import HAN_PRONOUN, PRONOUN, Clause, Mention

# A sentence must hold so much of what can be found at all in the cited sources, and of the claim's whole wording.
FOUND, WHOLE = 0.6, 0.34
# Two rare words, or a rare word and a number.
TELLING = 8.0
# A clause that says less than a rare word beside its name says what the clauses around it say.
ALONE = 4.5
# A sentence that names the claim's own name and fits worse than this by no more clears it.
CLEARS = 0.3
# Before "he" or "the company" the one meant was named so many sentences ago at most.
BACK, FAR = 2, 4
# Names alone show that a sentence is of the same people, not that it says the same.
PLAIN = 4.0
# Sentences about the claim's own name that together hold so much of what the best one holds clear it.
TOGETHER = 0.7
# A name after these is one the rest is set beside, not told of: "after Callender's refusal", "unlike Orrin".
_BESIDE = re.compile(
    r"\b(?:after|before|since|until|than|unlike|besides|despite|compared with|compared to|like|as|following|amid|given)(?: (?:the|its|their|his|her|mr|mrs|ms|dr))?\.? $|(?:比|较|不同于|有别于|不像|继|除了|相比|对比|较之)$",
    re.IGNORECASE,
)
_HELD_BY = re.compile(
    r"\b(?:in|at|of|from|for|to|with|by|near|on|than|over|against|into)(?: the| an?| its| their)?(?: [a-z-]+)?[ ]$|[在于从向与和及对给比的]$"
)


def stand_in(
    claim: Facts, told: Sequence[tuple[Clause, Mention | None]], view: View, cited: Sequence[Passage]
) -> Finding | None:
    """A name of a claim in whose place the sentence that says the rest has another.

    Args:
        claim: the claim.
        told: its clauses, with whom each tells of.
        view: the passage that fits it best.
        cited: every passage of the cited sources.
    """
    ranked = view.sources.best(claim, {one.document for one in cited}, limit=RANKED)
    passages = [passage for _, passage in ranked]
    seen: set[tuple[str, tuple[int, int]]] = set()
    for clause, mine, told_of in _parts(claim, told):
        own = (clause.start, clause.end)
        for part in ((0, len(claim.text)), own):
            if (mine.entity.name, part) in seen:
                continue
            seen.add((mine.entity.name, part))
            finding = _replaced(claim, mine, part, own, told_of, passages, view)
            if finding:
                return finding
    return None


def _parts(
    claim: Facts, told: Sequence[tuple[Clause, Mention | None]]
) -> Iterator[tuple[Clause, Mention, bool]]:
    """Each name with its clause, each clause with whom it tells of, and whether it is that one who does it or is it."""
    quoted = [(one.start, one.end) for one in claim.quotations if one.speech]
    for clause, owner in told:
        named = clause.mentions if owner is None or owner in clause.mentions else [owner, *clause.mentions]
        for one in named:
            beside = _BESIDE.search(claim.text[clause.start : one.start])
            if not beside and not any(start <= one.start < end for start, end in quoted):
                yield clause, one, one is owner and not clause.speaks


def _replaced(
    claim: Facts,
    mine: Mention,
    part: tuple[int, int],
    own: tuple[int, int],
    told_of: bool,
    passages: Sequence[Passage],
    view: View,
) -> Finding | None:
    """The name that stands in place of one in the sentence which says the rest of a part of the claim."""
    found = evidence(content_of(claim, part, mine, view), passages)
    best = found[0] if found else None
    if best is None or best.found < FOUND or best.whole < WHOLE or best.weight < TELLING:
        return None
    entity = mine.entity
    if best.plain < PLAIN or _together(entity, found, view) >= TOGETHER * best.weight:
        return None
    if any(_tells_of(entity, one.passage, view) and one.found >= best.found - CLEARS for one in found):
        return None
    if part != own:
        # The sentence must say what the name's own clause says, not just the clauses beside it.
        clause = evidence(content_of(claim, own, mine, view), passages)
        here = next(one for one in clause if one.passage is best.passage)
        if clause[0].weight > ALONE and here.found < FOUND:
            return None
    others = _others(claim, entity, best.passage, view, told_of)
    if _may_mean(entity, best.passage, view):
        return None
    others = others or _meant(claim, entity, best.passage, view)
    if not others:
        return None
    return Finding("conflict", f"the source says it of {others[0].name}, not of {entity.name}")


def _tells_of(mine: Entity, passage: Passage, view: View) -> bool:
    """True if a sentence names one, or has clauses that go on about it."""
    if held(mine.name, passage.facts.low):
        return True
    sentence = view.sources.documents[passage.document].chain.sentences[passage.number]
    return any(
        same(mine.name, owner.name)
        for clause in sentence
        if clause.owners and (clause.referred or not clause.open)
        for owner in clause.owners[:1]
    )


def _others(claim: Facts, mine: Entity, passage: Passage, view: View, told_of: bool) -> list[Entity]:
    """Those of the same kind a sentence names that the claim does not.

    One whom the claim tells of has rivals among those the sentence tells of only, not among those who say it.
    """
    sentence = view.sources.documents[passage.document].chain.sentences[passage.number]
    quoted = [(one.start, one.end) for one in passage.facts.quotations if one.speech]
    return [
        one.entity
        for clause in sentence
        for one in clause.mentions
        if rival(mine, one.entity, claim, False)
        and (PERSON in one.entity.kinds) == (PERSON in mine.kinds)
        and passage.facts.text[one.end : one.end + 2] != "'s"
        and (not told_of or _acts(one, clause, passage.facts.text))
        and not any(start <= one.start < end for start, end in quoted)
    ]


def _acts(one: Mention, clause: Clause, text: str) -> bool:
    """True if a name may be the one its clause tells of, and does not only say the rest."""
    if one is clause.subject:
        return not clause.speaks
    return one is clause.agent or not _HELD_BY.search(text[max(0, one.start - 40) : one.start])


def _meant(claim: Facts, mine: Entity, passage: Passage, view: View) -> list[Entity]:
    """Those "he" or "it" of a sentence stands for, where the claim's own name stands nowhere near."""
    document = view.sources.documents[passage.document]
    before = document.passages[max(0, passage.number - FAR) : passage.number]
    if any(held(mine.name, one.facts.low) for one in before):
        return []
    late = "\n".join(one.facts.low for one in before[-BACK:])
    return [
        owner
        for clause in document.chain.sentences[passage.number]
        if clause.referred
        for owner in clause.owners[:1]
        if rival(mine, owner, claim, True)
        and (PERSON in owner.kinds) == (PERSON in mine.kinds)
        and held(owner.name, late)
    ]


def _together(mine: Entity, found: Sequence[Evidence], view: View) -> float:
    """The weight of what the sentences that may tell of one hold together."""
    rows = [
        one.row for one in found if _tells_of(mine, one.passage, view) or _may_mean(mine, one.passage, view)
    ]
    return sum(max(column) for column in zip(*rows, strict=True)) if rows else 0.0


def _may_mean(mine: Entity, passage: Passage, view: View) -> bool:
    """True if a sentence may speak of one without the name: by a pronoun, or because the text is about it."""
    document = view.sources.documents[passage.document]
    before = document.passages[max(0, passage.number - BACK) : passage.number]
    near = any(held(mine.name, one.facts.low) for one in before)
    topic = any(
        held(mine.name, lowered(one.name)) or held(one.name, lowered(mine.name))
        for one in document.chain.topics.values()
    )
    if mine.kinds != {PERSON}:
        return near or topic or held(mine.name, document.about)
    found = (HAN_PRONOUN if passage.facts.chinese else PRONOUN).finditer(passage.facts.text)
    return (near or topic) and any(one[1] for one in found)
