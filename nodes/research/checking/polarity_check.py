"""Does the source say yes where the claim says yes, more where it says more? Pure."""

from __future__ import annotations

import re

from nodes.research.checking.alignment import Finding, View, distance
from nodes.research.checking.concepts import opposites_of
from nodes.research.checking.facts import Facts
from nodes.research.checking.names import held
from nodes.research.checking.negation import Negation, heads, negated
from nodes.research.checking.number_check import matches
from nodes.research.checking.quantity import Quantity
from nodes.research.checking.terms import Term

# With these the two sides may change places: "A beat B" is "B lost to A".
_TURNS = frozenset("win lose buy sell more less before after high low".split())
# Words that deny without a "not".
_ENDING = frozenset("abolish ban reject failure oppose".split())
_UNDONE = re.compile(
    r"\b(?:un(?!employ|it|der|til|ion|iv|ique|less|ci|e\b|veil|cover|load|lock|fold)[a-z]{3,}|non-?[a-z]{3,}|in(?:sufficient|complete|significant|valid|active)|avoid\w*)\b|解除|免于|例外|维持|缺乏|缺少|避免"
)
# Poles too common as parts of other words to be judged from one appearance.
_WEAK = frozenset("open close start end first last support positive negative large small high low keep more less before after public private local domestic foreign north south east west urban rural old young fast slow strong weak join leave early delay".split())  # fmt: skip


def polarity_findings(claim: Facts, view: View, share: float) -> list[Finding]:
    """Where claim and passage say the contrary of each other.

    Args:
        claim: the claim.
        view: the passage it may rest on.
        share: how much of the claim's wording the passage covers, 0 to 1.
    """
    if share < 0.25:
        return []
    return [
        *_negations(claim, view.facts, share),
        *_opposites(claim, view.facts, share),
    ]


def _negations(claim: Facts, source: Facts, share: float) -> list[Finding]:
    for one, other, whose in ((claim, source, "the claim"), (source, claim, "the source")):
        for negation in one.negations:
            if _only_bound(one, negation.end) or (one is source and _apart(negation, claim, source)):
                continue
            if finding := _denied_elsewhere(negation, one, other, whose, share):
                return [finding]
    return []


def _denied_elsewhere(
    negation: Negation, one: Facts, other: Facts, whose: str, share: float
) -> Finding | None:
    """What one text denies and the other says, if there is something."""
    word = one.text[negation.start : negation.end]
    denied = [
        head for head in heads(negation, list(one.terms)) if "的" not in one.text[negation.end : head.start]
    ]
    around = [head for head in one.terms if negation.end <= head.start < negation.reach]
    if any(_denied(head, other) for head in around) or _contrary(other, denied):
        return None
    if hit := next((head for head in denied if _plain(head, other)), None):
        if not other.negations or share > 0.6:
            return _denial(whose, word, one.text[hit.start : hit.end])
    following = one.text[negation.end : negation.end + 2]
    if not denied and not one.text.isascii() and following in other.bigrams and not other.negations:
        return _denial(whose, word, following)
    taken = [theirs for mine in one.quantities for theirs in other.quantities if matches(mine, theirs)]
    live = [again for again in other.negations if not taken or not _away(again, taken, other)]
    if whose == "the claim" and share >= (0.35 if taken else 0.5) and not live:
        return _denial(whose, word, one.text[negation.end : negation.end + 24])
    return None


def _apart(negation: Negation, claim: Facts, source: Facts) -> bool:
    """True if the source denies in one clause and the numbers the claim takes from it stand in others."""
    taken = [theirs for mine in claim.quantities for theirs in source.quantities if matches(mine, theirs)]
    return bool(taken) and _away(negation, taken, source)


def _away(negation: Negation, taken: list[Quantity], facts: Facts) -> bool:
    return not any(_in_clause(negation, one.start, facts.text) for one in taken)


def _in_clause(negation: Negation, at: int, text: str) -> bool:
    """True if an offset stands in the clause a negation stands in."""
    return negation.start <= at <= negation.reach or (
        at < negation.start and not re.search(r"[,;:，；]", text[at : negation.start])
    )


def _contrary(facts: Facts, denied: list[Term]) -> bool:
    """True if a text says in another way that something is not so."""
    own = frozenset().union(*(head.concepts for head in denied))
    if _UNDONE.search(facts.low) or any(
        word.concepts & _ENDING and not word.concepts & own for word in facts.terms
    ):
        return True
    return any(_contrary_held(head, facts) for head in denied[:1])


def _denial(whose: str, word: str, what: str) -> Finding:
    return Finding("conflict", f'{whose} says "{word.strip()}" of "{what}", the other does not')


def _only_bound(facts: Facts, end: int) -> bool:
    """True of "not more than 5", a bound on a number, no denial."""
    return any(
        0 <= number.start - end <= 14 and number.bound in ("min", "max") for number in facts.quantities
    )


def _plain(head: Term, facts: Facts) -> bool:
    """True if a text has the word, or one like it, and does not deny it."""
    found = [word for word in facts.terms if word.key == head.key or word.concepts & head.concepts]
    return bool(found) and not any(negated(word, list(facts.negations), list(facts.terms)) for word in found)


def _denied(head: Term, facts: Facts) -> bool:
    found = [word for word in facts.terms if word.key == head.key or word.concepts & head.concepts]
    return any(negated(word, list(facts.negations), list(facts.terms)) for word in found)


def _contrary_held(head: Term, facts: Facts) -> bool:
    contrary = frozenset().union(*(opposites_of(concept) for concept in head.concepts))
    return any(word.concepts & contrary for word in facts.terms)


def _opposites(claim: Facts, source: Facts, share: float) -> list[Finding]:
    for word in claim.terms:
        for concept in sorted(word.concepts):
            opposite = opposites_of(concept)
            if not opposite or opposite & word.concepts:
                continue
            if _turned(word, concept, opposite, claim, source, share):
                said = claim.text[word.start : word.end]
                theirs = next(
                    source.text[one.start : one.end] for one in source.terms if opposite & one.concepts
                )
                return [Finding("conflict", f'the source says "{theirs}" where the claim says "{said}"')]
    return []


def _turned(
    word: Term, concept: str, opposite: frozenset[str], claim: Facts, source: Facts, share: float
) -> bool:
    """True if the passage has the contrary in the place of the claim's word."""
    same = [one for one in source.terms if word.concepts & one.concepts]
    contrary = [one for one in source.terms if opposite & one.concepts and not one.concepts & word.concepts]
    if not contrary or any(opposite & one.concepts for one in claim.terms if one is not word and not same):
        return False
    if any(negated(one, list(source.negations), list(source.terms)) for one in contrary):
        return False
    if negated(word, list(claim.negations), list(claim.terms)):
        return False
    if concept in _TURNS and _names_turned(claim, source):
        return False
    anchors = _anchors(word, claim, source)
    if same:
        if not anchors:
            return False
        mine, theirs = anchors[0]
        to_same = min(distance(source.text, one.start, theirs) for one in same)
        to_contrary = min(distance(source.text, one.start, theirs) for one in contrary)
        close = distance(claim.text, word.start, mine) < (40 if claim.text.isascii() else 16)
        return close and to_contrary + 6 < to_same
    if concept in _WEAK:
        return share > 0.5 and _same_place(word, contrary, claim, source)
    if anchors:
        mine, theirs = anchors[0]
        limit = 60 if source.text.isascii() else 24
        return min(distance(source.text, one.start, theirs) for one in contrary) < limit
    return share > 0.4


def _anchors(word: Term, claim: Facts, source: Facts) -> list[tuple[int, int]]:
    """Numbers both have, nearest to the word first: where they stand in the claim and in the source."""
    pairs = [
        (mine.start, theirs.start)
        for mine in claim.quantities
        for theirs in source.quantities
        if matches(mine, theirs)
    ]
    return sorted(pairs, key=lambda pair: distance(claim.text, word.start, pair[0]))


def _same_place(word: Term, contrary: list[Term], claim: Facts, source: Facts) -> bool:
    """True if the word's neighbours in the claim stand beside its contrary in the source."""
    at = claim.terms.index(word)
    beside = {one.key for one in claim.terms[max(0, at - 1) : at + 2] if one is not word}
    for one in contrary:
        place = source.terms.index(one)
        around = {other.key for other in source.terms[max(0, place - 1) : place + 2] if other is not one}
        if beside & around:
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
