"""Of whom, and of when, does a sentence tell a number that has others of its kind beside it? Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from nodes.research.checking.alignment import Finding, View, distance
from nodes.research.checking.clauses import clauses
from nodes.research.checking.facts import Facts
from nodes.research.checking.matching import matches
from nodes.research.checking.moment import Moment, conflicts
from nodes.research.checking.name import Name
from nodes.research.checking.names import held
from nodes.research.checking.quantity import Quantity
from nodes.research.checking.sources import Passage

_CHANGE = r"增|减|升|降|长|涨|跌|多|少|高|低|下滑|成长|提|扩大|收窄|衰退|快|慢|早|晚|超|至|到"
_FORMER = re.compile(
    r"(?:\b(?:from|compared (?:with|to)|versus|against|instead of|previously)\b(?:(?!\b(?:to|rose|fell|grew|up|down|by|than|increased|decreased|climbed|dropped)\b)[^,;.]){0,22}"
    r"|\bthan (?:the|its|their|in|at|a year|last|[a-z]+'s)\b[^,;.]{0,20}|(?<!more )(?<!less )(?<!fewer )(?<!greater )\bthan "
    rf"|(?:较|相较|比|原本的?|原先的?|高于|低于|优于)(?:(?!{_CHANGE})[^,。;]){{0,12}})$",
    re.IGNORECASE,
)
# 由 is "by" as well as "from": only what goes on to change is a state before.
_FROM = re.compile(r"[由从自](?:[^,。;以]{0,12})$")
_CHANGES = re.compile(rf"[^,。;\d]{{0,4}}?(?:{_CHANGE}|扩|缩|调|改|变|成|为|进|滑|回|攀)")
_PAST = re.compile(
    r"\b(?:previous|prior|earlier|before|from(?= (?:the |a |about |just |some )?(?:[\d£$€]|previous|prior|last|earlier|one|two|three|four|five|six|seven|eight|nine|ten))|compared|than|last year|year ago|formerly|versus|originally|initially|at first|until|used to)\b|之前|以前|原订|原定|最初|起初|当初|去年|前一年|原本|原先|先前|此前|上年|前年|较|比|从|由",
    re.IGNORECASE,
)
_OF_NEXT = re.compile(
    r"(?: [a-z-]+){0,3}? (?:for|in|at|by|from|of|to|on) (?:the )?(?:end of )?", re.IGNORECASE
)
# Before a name: the one who is beaten by so much is not who has it.
_SET_AGAINST = re.compile(
    r"(?:\b(?:ahead of|behind|beat|beating|over|than|to|against|trailing|leading) (?:[\w'-]+ ){0,3}|(?:领先|落后|击败|超过|高于|低于|胜过)[^,。;\d]{0,10})$",
    re.IGNORECASE,
)
_IN_ORDER = re.compile(r"\brespectively\b|分别|依序|依次", re.IGNORECASE)
# What sets one thing against another.
_PARTING = re.compile(
    r"[;:、。]|,(?!\d)|\b(?:and|while|but|whereas|against|versus|with|compared)\b|(?<![原规细准法否总守])则|(?<![从反进因然])而(?!且)|和|与",
    re.IGNORECASE,
)


@dataclass
class _Told:
    """The numbers of one kind a sentence tells of one name, or of names together."""

    names: list[Name] = field(default_factory=list)
    numbers: list[Quantity] = field(default_factory=list)


def former(number: Quantity, facts: Facts) -> bool:
    """True if a sentence gives a number as what it was before, or as what another is compared with."""
    before = facts.text[max(0, number.start - 30) : number.start]
    if _FORMER.search(before):
        return True
    return _FROM.search(before) is not None and _CHANGES.match(facts.text, number.end) is not None


def owner_findings(number: Quantity, here: Sequence[Quantity], claim: Facts, view: View) -> list[Finding]:
    """A number the source has, but of another name or another year, or as what it was before.

    Args:
        number: the claim's.
        here: those of the passage that say the same.
        claim: the claim.
        view: the passage.
    """
    kind = here[0].dimension
    alike = [one for one in view.facts.quantities if one.dimension == kind and not one.label]
    if len(alike) < 2 or number.label:
        return []
    years = {one.year for one in view.facts.moments if one.prior}
    years |= {one.year - 1 for one in view.facts.moments if one.year}
    if any(one.year in years for one in claim.moments):
        return []
    found = [_was_before, _of_another_year, _of_another]
    return [finding for check in found if (finding := check(number, here, claim, view, alike))]


def of_another_document(
    number: Quantity, claim: Facts, cited: Sequence[Passage], view: View
) -> Finding | None:
    """A number only a document about another of the claim's names has: each of two reports, changed round.

    Args:
        number: the claim's.
        claim: the claim.
        cited: every passage of the cited sources.
        view: gives all sources.
    """
    part = next((one for one in clauses(claim) if one.start <= number.start < one.end), None)
    if part is None or number.soft:
        return None
    every = dict.fromkeys(one.document for one in cited)
    mine = [
        name
        for name in claim.names
        if part.start <= name.start < part.end
        and any(held(name.text, view.sources.documents[one].low) for one in every)
    ]
    others = [name for name in claim.names if not any(_same(name, one) for one in mine)]
    having = {one.document for one in cited if any(matches(number, two) for two in one.facts.quantities)}
    documents = [view.sources.documents[one] for one in having]
    if not mine or not others or not documents:
        return None
    for document in documents:
        if any(held(name.text, document.low) for name in mine):
            return None
    theirs = next((one for one in others if all(held(one.text, two.low) for two in documents)), None)
    if theirs is None:
        return None
    return Finding(
        "conflict", f"the source gives {number.text.strip()} for {theirs.text}, not for {mine[0].text}"
    )


def _was_before(
    number: Quantity, here: Sequence[Quantity], claim: Facts, view: View, alike: Sequence[Quantity]
) -> Finding | None:
    if not all(former(one, view.facts) for one in here):
        return None
    if former(number, claim) or _PAST.search(_without_shared_dates(claim, view.facts)):
        return None
    current = [
        one for one in alike if one not in here and not former(one, view.facts) and _of_one_size(one, here[0])
    ]
    if not current or any(matches(mine, one) for mine in claim.quantities for one in current):
        return None
    return Finding(
        "conflict", f"the source has {current[0].text.strip()}; {here[0].text.strip()} is what it was before"
    )


def _of_one_size(one: Quantity, other: Quantity) -> bool:
    """True if two numbers may be of one thing at two times; bare ones of quite another size are not."""
    sizes = sorted((abs(one.value), abs(other.value)))
    return one.dimension not in ("", "count", "people") or sizes[1] <= 10 * sizes[0]


def _without_shared_dates(claim: Facts, source: Facts) -> str:
    """The claim without the dates it has in common with its source: they compare nothing."""
    shared = {one.text for one in source.moments if not one.prior}
    text = claim.text
    for moment in claim.moments:
        if moment.text in shared:
            text = text[: moment.start] + " " * (moment.end - moment.start) + text[moment.end :]
    return text


def _of_another_year(
    number: Quantity, here: Sequence[Quantity], claim: Facts, view: View, alike: Sequence[Quantity]
) -> Finding | None:
    mine = nearest_moment(number, claim)
    if mine is None and (said := [one for one in claim.moments if one.relative and one.empty]):
        # "Last year" is the source's last year where it says so too.
        mine = next((one for one in view.facts.moments if one.text == said[0].text and not one.prior), None)
    theirs = [nearest_moment(one, view.facts) for one in here]
    first = theirs[0]
    if not mine or not mine.year or not first or not all(one and conflicts(mine, one) for one in theirs):
        return None
    rival = next((one for one in view.facts.moments if not conflicts(mine, one) and one.year), None)
    others = [one for one in alike if one not in here]
    if rival is None or not any(nearest_moment(one, view.facts) is rival for one in others):
        return None
    return Finding(
        "conflict", f"the source gives {here[0].text.strip()} for {first.text}, not for {mine.text}"
    )


def _of_another(
    number: Quantity, here: Sequence[Quantity], claim: Facts, view: View, alike: Sequence[Quantity]
) -> Finding | None:
    """Where a passage sets names against each other, each with its number: has the claim the right pair?"""
    told = _told(view.facts, here[0].dimension)
    own = [one for one in told if any(number in one.numbers for number in here)]
    rivals = [one for one in told if one not in own]
    if not own or not rivals:
        return None
    own_names = [name for one in own for name in one.names]
    said = next((one for one in _told(claim, number.dimension) if number in one.numbers), None)
    if said is None or len(_told(claim, number.dimension)) < 2:
        if any(held(name.text, claim.low) for name in own_names):
            return None
        said_names = list(claim.names)
    else:
        said_names = said.names
    if any(_same(one, two) for one in said_names for two in own_names):
        return None
    if any(_SET_AGAINST.search(view.facts.text[: name.start]) for name in own_names):
        return None
    for rival in rivals:
        for name in rival.names:
            if any(_same(name, one) for one in said_names):
                shown = here[0].text.strip()
                return Finding(
                    "conflict", f"the source gives {shown} for {own_names[0].text}, not for {name.text}"
                )
    return None


def _same(one: Name, other: Name) -> bool:
    return held(one.text, other.text.lower()) or held(other.text, one.text.lower())


def _told(facts: Facts, kind: str) -> list[_Told]:
    """The numbers of a kind by the names they are told of; [] unless each of two names or more has its own."""
    alike = [one for one in facts.quantities if one.dimension == kind and not one.label]
    if len(alike) < 2 or len(facts.names) < 2:
        return []
    if _IN_ORDER.search(facts.text):
        names = [name for name in facts.names if name.start < alike[0].start][-len(alike) :]
        return (
            [_Told([name], [one]) for name, one in zip(names, alike, strict=True)]
            if len(names) == len(alike)
            else []
        )
    groups: list[_Told] = []
    for start, end in _clauses(facts):
        names = [name for name in facts.names if start <= name.start < end]
        numbers = [one for one in alike if start <= one.start < end]
        if names and (not groups or groups[-1].numbers):
            groups.append(_Told(names, numbers))
        elif groups:
            groups[-1].names += names
            groups[-1].numbers += numbers
    groups = [one for one in groups if one.numbers]
    return groups if len(groups) > 1 else []


def _clauses(facts: Facts) -> list[tuple[int, int]]:
    inside = [(name.start, name.end) for name in facts.names]
    inside += [(number.start, number.end) for number in facts.quantities]
    inside += [(moment.start, moment.end) for moment in facts.moments]
    cuts = [
        match.start()
        for match in _PARTING.finditer(facts.text)
        if not any(start <= match.start() < end for start, end in inside)
    ]
    edges = [0, *cuts, len(facts.text)]
    return list(zip(edges, edges[1:], strict=False))


def nearest_moment(number: Quantity, facts: Facts) -> Moment | None:
    """The date a number is told of: "410 boats in 2020" before what merely stands nearer."""
    dated = [moment for moment in facts.moments if moment.year or moment.quarter or moment.month]
    following = next((moment for moment in dated if moment.start >= number.end), None)
    if following and _OF_NEXT.fullmatch(facts.text[number.end : following.start]):
        return following
    before = 6 if facts.chinese else 0
    return min(
        dated,
        key=lambda one: distance(facts.text, one.start, number.start) + before * (one.start > number.start),
        default=None,
    )
