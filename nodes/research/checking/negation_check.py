"""Does the source say yes where the claim says yes? Clause by clause. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from nodes.research.checking.alignment import Finding
from nodes.research.checking.clause_matching import (
    Match,
    holds_word,
    matched_numbers,
)
from nodes.research.checking.clauses import Clause
from nodes.research.checking.concepts import opposites_of
from nodes.research.checking.names import held as held_name
from nodes.research.checking.negation import Negation
from nodes.research.checking.terms import Term

# Share of a clause that another must say before a "not" in one of them only is a contradiction.
SURE = 0.5
# ... before it makes the claim one for a judge.
LIKELY = 0.35
# ... where the source's whole clause, or nearly, is what the claim denies.
BESIDES = 0.25
WHOLLY = 0.65
# A clause that says nearly as much, and agrees, outweighs the one that does not.
NEARLY = 0.15
# ... before a "not" of the claim's is a contradiction whatever verb it denies.
NEARLY_ALL = 0.65
# "Not beyond 5" bounds a number and does not deny it.
_BOUND = re.compile(
    r"\b(?:beyond|exceed\w*|above|over|past|more|top|surpass\w*|reach)\b|超|高于|多于|达到|突破|逾",
    re.IGNORECASE,
)
_RELATIVE = re.compile(r"\W*(?:which|who|whose|whom)\b", re.IGNORECASE)
# Verbs that say next to nothing by themselves.
_LIGHT = frozenset("go get take make give put keep let see use bring come become 有 做 进行 让 使".split())
# Words that deny without a "not".
_ENDING = frozenset("abolish ban reject failure oppose denied exclude suspend miss".split())
_UNDONE = re.compile(
    r"\b(?:un(?!employ|it|der|til|ion|iv|ique|less|ci|e\b|veil|cover|load|lock|fold)[a-z]{3,}|non-?[a-z]{3,}|in(?:sufficient|complete|significant|valid|active)|avoid\w*|rather than|instead of)\b"
    r"|\b(?:unrelated|pending|await(?:s|ed|ing)?|remains? to|postponed|delayed|deferred|on hold|abandon\w*|(?:switched|turned|shut|cut) off|fr[eo]+z\w*|once|formerly|used to|cleared|acquitted|exonerated|wrongly|falsely|mistakenly|(?:stay|keep|kept)(?:s|ed|ing)? (?:out of|away from|off)|waiv\w+|forgo\w*|free of charge|gave up|lapsed|expired|withheld|only|except)\b"
    r"|[遭被]拒|无关|无涉|停[发办收售止用播课工产]|解除|免于|冻结|免[除收费]|豁免|例外|维持|缺乏|缺少|避免|尚待|有待|退件|暂缓|搁置|放弃|落空|作罢|婉拒|缺席|喊停|只有|仅|而是|除了|以外|之外|否则|难以"
)


def denial(clause: Clause, matches: Sequence[Match], claim: Sequence[Clause]) -> Finding | None:
    """A "not" that the claim's clause or the source's has alone.

    Args:
        clause: of the claim.
        matches: the sources' clauses that say a part of it, see `best_match`.
        claim: all clauses of the claim.
    """
    beside = [part for part in claim if part.start != clause.start and part.negations]
    for match in matches:
        if match.strength < LIKELY:
            break
        mine, theirs = _odd(_nots(clause, match.clause)), _odd(_nots(match.clause, clause))
        if mine and theirs:
            continue
        findings = [
            *(_denied_by_claim(clause, match, one, matches) for one in mine),
            *(_denied_by_source(clause, match, one, matches, beside) for one in theirs),
        ]
        if told := [one for one in findings if one]:
            return min(told, key=lambda one: one.severity)
    return None


def _odd(nots: Sequence[Negation]) -> list[Negation]:
    """The first "not" of each stretch between commas that has an odd number of them: two of one stretch say yes."""
    stretches: dict[int, list[Negation]] = {}
    for one in nots:
        stretches.setdefault(one.reach, []).append(one)
    return [here[0] for here in stretches.values() if len(here) % 2]


def _denied_by_claim(
    clause: Clause, match: Match, negation: Negation, matches: Sequence[Match]
) -> Finding | None:
    denied = _what(clause, negation)
    if not denied or _agreed(clause, True, denied, matches, match):
        return None
    told = _same_told(clause, match, negation, denied)
    if not _says(match.clause, denied) and not told:
        return None
    # What the claim denies must be most of what is told there, or all of what is told is what it denies.
    whole = match.back >= WHOLLY and _held_as_written(denied[0], match.clause)
    if match.share < (BESIDES if whole else LIKELY):
        return None
    surely = (match.share >= SURE or whole) and not _otherwise_denied(clause, match, matches)
    # What somebody proposed may have been refused further on.
    if any("recommend" in word.concepts for word in match.clause.terms):
        surely = False
    return _finding(clause, negation, denied, "the claim", surely=surely)


def _denied_by_source(
    clause: Clause, match: Match, negation: Negation, matches: Sequence[Match], beside: Sequence[Clause]
) -> Finding | None:
    denied = _what(match.clause, negation)
    if not denied or not _antecedent_held(clause, match) or _agreed(clause, False, denied, matches, match):
        return None
    # Another clause of the claim may deny it: "in the breeding season, no work at night".
    if any(holds_word(word, part) for part in beside for word in denied):
        return None
    if not _says(clause, denied) and not _exists(clause, match, denied):
        return None
    several = sum(holds_word(one, clause) for one in denied[:3]) > 1
    surely = (match.strength >= SURE or several) and match.share >= BESIDES
    return _finding(match.clause, negation, denied, "the source", surely=surely)


def _antecedent_held(clause: Clause, match: Match) -> bool:
    """False if a source's clause goes on about what a claim's clause does not name: "the right wing, which was never"."""
    facts = match.clause.facts
    if not _RELATIVE.match(facts.text, match.clause.start):
        return True
    before = [word for word in facts.terms if word.end <= match.clause.start][-2:]
    return any(holds_word(word, clause) for word in before)


def _finding(
    denier: Clause, negation: Negation, denied: Sequence[Term], whose: str, *, surely: bool
) -> Finding:
    shown = denier.facts.text[denied[0].start : denied[0].end]
    word = denier.facts.text[negation.start : negation.end].strip()
    return Finding(
        "conflict" if surely else "soft", f'{whose} says "{word}" of "{shown}", the other does not'
    )


def _held_as_written(word: Term, clause: Clause) -> bool:
    return any(word.key == one.key for one in clause.terms)


def _otherwise_denied(clause: Clause, match: Match, matches: Sequence[Match]) -> bool:
    """True if the passage beside denies something no other clause of the claim denies: perhaps this, in other words."""
    near = {id(match.passage), id(matches[0].passage)}
    other = [one for one in clause.facts.negations if not clause.start <= one.start < clause.end]
    denying = [one for one in matches if id(one.passage) in near and one.clause.negations]
    return match.strength < NEARLY_ALL and len(denying) > len(other)


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


def _exists(clause: Clause, match: Match, denied: Sequence[Term]) -> bool:
    """True if a claim tells of what a source found none of, under another verb: 未出现严重副作用, 观察到严重副作用."""
    names = match.clause.facts.names
    # Whom both are about is no thing that one has and the other has not.
    rest = [one for one in denied[1:] if not any(name.start <= one.start < name.end for name in names)]
    things = [word for word in rest if holds_word(word, clause)]
    return match.share >= NEARLY_ALL and 2 * len(things) >= len(rest) > 0 and not _contrary(clause, denied)


def _agreed(
    clause: Clause, denies: bool, denied: Sequence[Term], matches: Iterable[Match], against: Match
) -> bool:
    """True if another clause of the sources says it as the claim does."""
    for match in matches:
        if match is against or bool(len(match.clause.negations) % 2) != denies:
            continue
        shared = sum(holds_word(word, match.clause) for word in denied[:3])
        if (
            denies
            and match.passage is against.passage
            and any(holds_word(word, match.clause) for word in denied)
        ):
            return True
        if denies and (2 * shared >= len(denied[:3]) or matched_numbers(clause, match.clause)):
            return True
        held = sum(holds_word(word, clause) for word in denied[:3])
        if (
            match.share >= against.share - NEARLY
            and shared >= max(1, min(held, 2))
            and not _of_another(clause, match, against)
            and not _contrary(match.clause, denied)
        ):
            return True
    return False


def _of_another(clause: Clause, match: Match, against: Match) -> bool:
    """True if one source denies it of a name of the claim's, and another says it without that name."""
    if match.passage.document == against.passage.document:
        return False
    named = [name for name in clause.facts.names if held_name(name.text, against.clause.text.lower())]
    return bool(named) and not any(held_name(name.text, match.clause.text.lower()) for name in named)


def _telling(word: Term) -> bool:
    return word.key not in _LIGHT and not word.concepts & {"reach", "people", "say", "show"}


def _contrary(clause: Clause, denied: Sequence[Term]) -> bool:
    """True if a clause says in another way that something is not so."""
    own = frozenset().union(*(word.concepts for word in denied))
    if _UNDONE.search(clause.text.lower()):
        return True
    contrary = frozenset().union(*(opposites_of(concept) for concept in own))
    return any(
        word.concepts & (_ENDING | contrary) and not word.concepts & own and word.key != "against"
        for word in clause.terms
    )


def _only_bound(clause: Clause, end: int) -> bool:
    """True of "not more than 5", a bound on a number, no denial."""
    return any(
        0 <= number.start - end <= 14 and number.bound in ("min", "max") for number in clause.facts.quantities
    )
