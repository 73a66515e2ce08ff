"""Does the source say it with another name where the claim has one, whatever part of the sentence that plays? Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nodes.research.checking.alignment import Finding, View, share_of
from nodes.research.checking.claim_fits import NUMBER, RANKED
from nodes.research.checking.dates import Moment, holds
from nodes.research.checking.facts import Facts
from nodes.research.checking.folding import lowered
from nodes.research.checking.name_words import TITLES
from nodes.research.checking.names import held
from nodes.research.checking.number_check import matches
from nodes.research.checking.person_words import HAN_TITLES, PEOPLE, PERSON_ENDING
from nodes.research.checking.quantity import Quantity
from nodes.research.checking.rivals import rival
from nodes.research.checking.roster import PERSON, Entity, same
from nodes.research.checking.sources import Passage
from nodes.research.checking.subject_clauses import HAN_PRONOUN, PRONOUN, Clause, Mention
from nodes.research.checking.terms import Term

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
DATE = 3.0
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
_TITLES_BEFORE = re.compile(
    rf"(?:[A-Za-z'-]+\.? ){{1,3}}$|(?:[\u3400-\u9fff]{{0,4}}(?:{'|'.join(HAN_TITLES)}))$"
)
_APPOSITION = re.compile(
    r", (?:(?:the|an?|its|their|his|her|then|now|former|chief|head|director|lead|leader|president|[\w]+'s) [^,;:]{2,70}?)(?=[,.;:]|$)",
)


@dataclass(frozen=True, slots=True)
class _Content:
    """What a part of a claim says beside a name; `named` tells which of the words are parts of other names."""

    words: list[tuple[Term, float]]
    named: list[bool]
    numbers: list[Quantity]
    dates: list[Moment]


@dataclass(frozen=True, slots=True)
class _Evidence:
    """A sentence of the cited sources and how much of the content it holds.

    Attributes:
        passage: the sentence.
        row: the weight of each thing the content says that it holds.
        weight: of what it holds.
        plain: of that, what is no name.
        found: `weight` as a share of what any sentence holds, 0 to 1.
        whole: `weight` as a share of all the content, 0 to 1.
    """

    passage: Passage
    row: list[float]
    weight: float
    plain: float
    found: float
    whole: float


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


def _content(claim: Facts, part: tuple[int, int], mine: Mention, view: View) -> _Content:
    start, end = part
    first, last = _described(claim, mine)
    words = [
        (word, _weight(word, view))
        for word in claim.terms
        if start <= word.start < end and not first <= word.start < last
    ]
    numbers = [one for one in claim.quantities if start <= one.start < end and not one.soft]
    dates = [one for one in claim.moments if start <= one.start < end and not one.empty]
    named = [any(one.start <= word.start < one.end for one in claim.names) for word, _ in words]
    return _Content(words, named, numbers, dates)


def _described(claim: Facts, mine: Mention) -> tuple[int, int]:
    """A name with its titles and what stands between commas after it: they tell who it is."""
    before = _TITLES_BEFORE.search(claim.text[: mine.start])
    after = _APPOSITION.match(claim.text[mine.end :])
    return (
        before.start() if before and _title(before[0]) else mine.start,
        mine.end + (after.end() if after else 0),
    )


def _title(words: str) -> bool:
    """True if the words before a name end in a noun of people or a title."""
    if not words.isascii():
        return True
    last = re.findall(r"[a-z]+", words.lower())[-1:]
    return bool(last) and (
        last[0] in PEOPLE or last[0] in TITLES or (len(last[0]) > 4 and bool(PERSON_ENDING.search(last[0])))
    )


def _weight(word: Term, view: View) -> float:
    # What the title says is what every sentence is about; words of saying tell little of what is said.
    light = word.key in view.document.about or "say" in word.concepts
    return view.sources.weight(word.key) * (0.3 if light else 1.0)


def _evidence(content: _Content, passages: Sequence[Passage]) -> list[_Evidence]:
    """What each sentence holds of the content, most first."""
    rows: list[list[float]] = []
    for passage in passages:
        facts = passage.facts
        row = [
            weight * share if (share := share_of(word, facts.keys, facts.bigrams, facts.low)) >= 0.5 else 0.0
            for word, weight in content.words
        ]
        row += [NUMBER * any(matches(one, other) for other in facts.quantities) for one in content.numbers]
        row += [DATE * any(holds(one, other, ()) for other in facts.moments) for one in content.dates]
        rows.append(row)
    reachable = sum(max(column) for column in zip(*rows, strict=True)) if rows else 0.0
    every = sum(weight for _, weight in content.words)
    every += NUMBER * len(content.numbers) + DATE * len(content.dates)
    names = [*content.named, *([False] * (len(content.numbers) + len(content.dates)))]
    found = [
        _Evidence(
            passage,
            row,
            sum(row),
            sum(one for one, name in zip(row, names, strict=True) if not name),
            sum(row) / (reachable or 1.0),
            sum(row) / (every or 1.0),
        )
        for passage, row in zip(passages, rows, strict=True)
    ]
    return sorted(found, key=lambda one: -one.weight)


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
    found = _evidence(_content(claim, part, mine, view), passages)
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
        clause = _evidence(_content(claim, own, mine, view), passages)
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


def _together(mine: Entity, found: Sequence[_Evidence], view: View) -> float:
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
