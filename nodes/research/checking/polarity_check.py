"""Does the source say yes where the claim says yes, and more where it says more? Clause by clause. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from nodes.research.checking.alignment import Finding, distance
from nodes.research.checking.clause_matching import (
    Match,
    best_match,
    holds_word,
    matched_numbers,
)
from nodes.research.checking.clauses import Clause, clauses
from nodes.research.checking.concepts import opposites_of
from nodes.research.checking.facts import Facts
from nodes.research.checking.names import held
from nodes.research.checking.negation import Negation, negated
from nodes.research.checking.quantity import Quantity
from nodes.research.checking.sources import Passage, Sources
from nodes.research.checking.terms import Term

# Numbers two clauses share, as the one and the other write them.
Pairs = Sequence[tuple[Quantity, Quantity]]
# Share of a clause that another must say before a "not" in one of them only is a contradiction.
SURE = 0.5
# ... before it makes the claim one for a judge.
LIKELY = 0.35
# A clause that says nearly as much, and agrees, outweighs the one that does not.
NEARLY = 0.15
# ... before a "not" of the claim's is a contradiction whatever verb it denies.
NEARLY_ALL = 0.65
# "Not beyond 5" bounds a number and does not deny it.
_BOUND = re.compile(
    r"\b(?:beyond|exceed\w*|above|over|past|more|top|surpass\w*|reach)\b|超|高于|多于|达到|突破|逾",
    re.IGNORECASE,
)
# With these the two sides may change places: "A beat B" is "B lost to A".
_TURNS = frozenset("win lose buy sell more less before after high low".split())
# Words that deny without a "not".
_ENDING = frozenset("abolish ban reject failure oppose denied exclude suspend miss".split())
_UNDONE = re.compile(
    r"\b(?:un(?!employ|it|der|til|ion|iv|ique|less|ci|e\b|veil|cover|load|lock|fold)[a-z]{3,}|non-?[a-z]{3,}|in(?:sufficient|complete|significant|valid|active)|avoid\w*|rather than|instead of)\b"
    r"|\b(?:pending|await(?:s|ed|ing)?|remains? to|postponed|delayed|deferred|on hold|abandon\w*|gave up|lapsed|expired|withheld|only|except)\b"
    r"|解除|免于|例外|维持|缺乏|缺少|避免|尚待|有待|退件|暂缓|搁置|放弃|落空|作罢|婉拒|缺席|喊停|只有|仅|而是|除了|以外|之外|否则|难以"
)
# Poles too common as parts of other words to be judged from one appearance.
_WEAK = frozenset("open close start end first last support positive negative large small high low keep more less before after public private local domestic foreign north south east west urban rural old young fast slow strong weak join leave early delay".split())  # fmt: skip


def polarity_findings(claim: Facts, passages: Sequence[Passage], sources: Sources) -> list[Finding]:
    """Where claim and sources say the contrary of each other.

    Args:
        claim: the claim.
        passages: of the cited sources, those that may bear it out, best first.
        sources: all sources.
    """
    found = []
    for clause in clauses(claim):
        matches = best_match(clause, passages, sources)
        if finding := _denied(clause, matches) or _opposite(clause, matches):
            found.append(finding)
    return found


def _denied(clause: Clause, matches: Sequence[Match]) -> Finding | None:
    """A "not" that the claim's clause or the source's has alone."""
    for match in matches:
        if match.strength < LIKELY:
            break
        mine, theirs = _nots(clause, match.clause), _nots(match.clause, clause)
        if len(mine) % 2 == len(theirs) % 2:
            continue
        denier, other, negation = (
            (clause, match.clause, mine[0]) if mine else (match.clause, clause, theirs[0])
        )
        denied = _what(denier, negation)
        if not denied or _agreed(clause, bool(mine), denied, matches, match):
            continue
        if not _says(other, denied) and not (mine and _same_told(clause, match, negation, denied)):
            continue
        shown = denier.facts.text[denied[0].start : denied[0].end]
        word = denier.facts.text[negation.start : negation.end].strip()
        whose = "the claim" if mine else "the source"
        severity = "conflict" if match.strength >= SURE else "soft"
        return Finding(severity, f'{whose} says "{word}" of "{shown}", the other does not')
    return None


def _nots(clause: Clause, other: Clause) -> list[Negation]:
    """What a clause denies that another does not deny in the same words."""
    return [
        one
        for one in clause.negations
        if not _only_bound(clause, one.end)
        and clause.facts.text[one.start : one.end + 2].lower() not in other.text.lower()
    ]


def _what(clause: Clause, negation: Negation) -> list[Term]:
    """The words a "not" denies."""
    around = [word for word in clause.terms if negation.end <= word.start < negation.reach]
    # "Nobody died", 无人死亡: what is denied may stand before the word that denies.
    return around or [word for word in clause.terms if word.end <= negation.start][-2:]


def _says(clause: Clause, denied: Sequence[Term]) -> bool:
    """True if a clause says what another denies, and does not deny it in other words."""
    head = next((word for word in denied[:2] if _telling(word)), None)
    return head is not None and holds_word(head, clause) and not _contrary(clause, denied)


def _same_told(clause: Clause, match: Match, negation: Negation, denied: Sequence[Term]) -> bool:
    """True if a source's clause tells what the claim's denies, in other words: the same number, or nearly all of it."""
    if _contrary(match.clause, denied):
        return False
    numbers = [
        mine
        for mine, _ in matched_numbers(clause, match.clause)
        if not _BOUND.search(clause.facts.text[negation.end : mine.start])
    ]
    return bool(numbers) or match.share >= NEARLY_ALL


def _agreed(
    clause: Clause, denies: bool, denied: Sequence[Term], matches: Iterable[Match], against: Match
) -> bool:
    """True if another clause of the sources says it as the claim does."""
    for match in matches:
        if match is against or bool(len(match.clause.negations) % 2) != denies:
            continue
        shared = sum(holds_word(word, match.clause) for word in denied[:3])
        if denies and (2 * shared >= len(denied[:3]) or matched_numbers(clause, match.clause)):
            return True
        if match.share >= against.share - NEARLY and shared and not _contrary(match.clause, denied):
            return True
    return False


def _telling(word: Term) -> bool:
    return not word.concepts & {"reach", "people", "say"}


def _contrary(clause: Clause, denied: Sequence[Term]) -> bool:
    """True if a clause says in another way that something is not so."""
    own = frozenset().union(*(word.concepts for word in denied))
    if _UNDONE.search(clause.text.lower()):
        return True
    contrary = frozenset().union(*(opposites_of(concept) for concept in own))
    return any(word.concepts & (_ENDING | contrary) and not word.concepts & own for word in clause.terms)


def _only_bound(clause: Clause, end: int) -> bool:
    """True of "not more than 5", a bound on a number, no denial."""
    return any(
        0 <= number.start - end <= 14 and number.bound in ("min", "max") for number in clause.facts.quantities
    )


def _opposite(clause: Clause, matches: Sequence[Match]) -> Finding | None:
    for match in matches[:3]:
        if match.strength < max(LIKELY, matches[0].strength - NEARLY):
            break
        if _counted(clause) and _counted(match.clause) and not matched_numbers(clause, match.clause):
            # "Margins rose 1.9 points" is not contradicted by what fell 2.3.
            continue
        for word in clause.terms:
            for concept in sorted(word.concepts):
                opposite = opposites_of(concept)
                if not opposite or opposite & word.concepts:
                    continue
                if theirs := _turned(word, concept, opposite, clause, match):
                    said = clause.facts.text[word.start : word.end]
                    told = match.clause.facts.text[theirs.start : theirs.end]
                    return Finding("conflict", f'the source says "{told}" where the claim says "{said}"')
    return None


def _counted(clause: Clause) -> bool:
    return any(not number.soft for number in clause.quantities)


def _turned(word: Term, concept: str, opposite: frozenset[str], clause: Clause, match: Match) -> Term | None:
    """The source's word that says the contrary of the claim's in its place, if there is one."""
    other = match.clause
    contrary = [one for one in other.terms if opposite & one.concepts and not one.concepts & word.concepts]
    if not contrary or any(opposite & one.concepts for one in clause.terms if one is not word):
        return None
    if any(negated(one, list(other.negations), list(other.terms)) for one in contrary):
        return None
    if negated(word, list(clause.negations), list(clause.terms)):
        return None
    if concept in _TURNS and _names_turned(clause.facts, other.facts):
        return None
    numbers = sorted(
        matched_numbers(clause, other),
        key=lambda pair: distance(clause.facts.text, word.start, pair[0].start),
    )
    same = [one for one in other.terms if word.concepts & one.concepts]
    if same:
        return _nearer(word, contrary, same, numbers, clause, other)
    if concept in _WEAK:
        return contrary[0] if _same_place(word, contrary, clause, other, numbers) else None
    if numbers:
        theirs = numbers[0][1].start
        near = min(contrary, key=lambda one: distance(other.facts.text, one.start, theirs))
        limit = 60 if other.facts.text.isascii() else 24
        return near if distance(other.facts.text, near.start, theirs) < limit else None
    return contrary[0] if match.strength >= SURE else None


def _nearer(
    word: Term,
    contrary: Sequence[Term],
    same: Sequence[Term],
    numbers: Pairs,
    clause: Clause,
    other: Clause,
) -> Term | None:
    """Where a source has both words: the contrary one, if it stands at the number the claim's stands at."""
    if not numbers:
        return None
    mine, theirs = numbers[0][0].start, numbers[0][1].start
    if distance(clause.facts.text, word.start, mine) >= (40 if clause.facts.text.isascii() else 16):
        return None
    near = min(contrary, key=lambda one: distance(other.facts.text, one.start, theirs))
    to_same = min(distance(other.facts.text, one.start, theirs) for one in same)
    return near if distance(other.facts.text, near.start, theirs) + 6 < to_same else None


def _same_place(word: Term, contrary: Sequence[Term], clause: Clause, other: Clause, numbers: Pairs) -> bool:
    """True if what stands beside the word in the claim stands beside its contrary in the source."""
    reach = 24 if clause.facts.text.isascii() else 8
    if numbers:
        mine, theirs = numbers[0]
        if distance(clause.facts.text, word.start, mine.start) < reach and any(
            distance(other.facts.text, one.start, theirs.start) < reach for one in contrary
        ):
            return True
    at = clause.terms.index(word)
    beside = [one for one in clause.terms[max(0, at - 1) : at + 2] if one is not word]
    for one in contrary:
        place = other.terms.index(one)
        around = [two for two in other.terms[max(0, place - 1) : place + 2] if two is not one]
        if any(two.key == mine.key or two.concepts & mine.concepts for two in around for mine in beside):
            return True
    return False


def _names_turned(claim: Facts, source: Facts) -> bool:
    """True if two names stand in one order here and in the other there."""
    shared = [
        (name, other)
        for name in claim.names
        for other in source.names
        if held(name.text, other.text.lower()) or held(other.text, name.text.lower())
    ]
    starts = [other.start for _, other in shared]
    return len(starts) > 1 and starts != sorted(starts)
