"""Does the source have the claim's numbers, with their units, of the same thing? Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from nodes.research.checking.alignment import Finding, View, clause, coverage
from nodes.research.checking.facts import Facts
from nodes.research.checking.hedges import written
from nodes.research.checking.implied import implied, shares
from nodes.research.checking.labels import LABEL
from nodes.research.checking.matching import matches
from nodes.research.checking.names import held
from nodes.research.checking.ownership import of_another_document, owner_findings
from nodes.research.checking.quantity import Quantity
from nodes.research.checking.sources import Passage
from nodes.research.checking.unborne import ranked, unborne
from nodes.research.checking.units import same_dimension

NEAR_SHARE = 0.2
FAR_SHARE = 0.4
# A number with this many digits is found by itself.
TELLING = 3
TELLING_SHARE = 0.25
_BESIDE = re.compile(
    r"(?:\b(?:by|at|in|from|with|of|to|near|for|on|outside|off)(?: the)? |[由在自与和被向对于经]|依据|根据|通过)$",
    re.IGNORECASE,
)
# "9.2 million thalers": a plural that nothing parts from its number.
_PER = re.compile(r"(?: [a-z-]+){0,2}? (?:an?|per|each|every) (second|minute|hour|day|week|month|year)\b")
_EACH = re.compile(r"每(秒|分钟|小时|[日天周月年])[^,。;\d每]{0,4}$")
_EACH_NAMED = {
    "秒": "second",
    "分钟": "minute",
    "小时": "hour",
    "日": "day",
    "天": "day",
    "周": "week",
    "月": "month",
    "年": "year",
}
_COUNTS = ("", "count", "people")
_BEHIND = re.compile(
    r" (?!(?:in|on|at|of|for|from|to|by|with|and|or|as|who|which|that|were|was|are|is|had|have|has|will|would|more|less|fewer|per|the|a|an|its|their|other|others|out|up|down|this|last|next|during|after|before|since|people|persons|new|further|against)\b)([a-z]{3,})"
    r"|((?:死|伤|亡|胜|败|负|和|女|男)|(?:死亡|受伤|轻伤|重伤|失踪|获救|轻症|重症|住院|出席|缺席|赞成|反对|弃权|男性|女性))"
)
_COINED = re.compile(
    r" (?!years|months|weeks|days|hours|minutes|times|people|others|in |of |for )([a-z]{3,}s)\b(?! of\b)"
)


def number_findings(
    claim: Facts, view: View, cited: Sequence[Passage]
) -> tuple[list[Finding], list[Passage]]:
    """The claim's numbers the source does not bear out, and the further passages that bear out others.

    Args:
        claim: the claim.
        view: the passage it may rest on.
        cited: every passage of the cited sources.
    """
    found: list[Finding] = []
    further: list[Passage] = []
    for number in claim.quantities:
        here = [one for one in view.facts.quantities if matches(number, one)]
        own: list[Finding] = []
        if here:
            own += owner_findings(number, here, claim, view)
            own += _other_money(number, here, claim, view)
            own += _swapped(number, here, claim, view.facts)
            own += _other_rate(number, here, claim, view.facts)
        elif not _otherwise(number, claim, view, cited):
            other = _elsewhere(number, claim, view, cited)
            if other is not None:
                further.append(other)
                there = View(other, view.sources.documents[other.document], view.sources)
                same = [one for one in other.facts.quantities if matches(number, one)]
                own += owner_findings(number, same, claim, there)
            else:
                own += _not_borne(number, claim, view)
        if not own and (other_one := of_another_document(number, claim, cited, view)):
            own.append(other_one)
        found += [replace(one, at=number.start) for one in own]
    return found, further


def _not_borne(number: Quantity, claim: Facts, view: View) -> list[Finding]:
    if _loosely(number, claim, view):
        return [Finding("soft", f"{number.text.strip()} stands elsewhere in the source, perhaps of it")]
    if finding := unborne(number, claim, view):
        return [finding]
    if number.dimension == "percent":
        return [Finding("missing", f"{number.text.strip()} does not stand in the source")]
    return []


def _otherwise(number: Quantity, claim: Facts, view: View, cited: Sequence[Passage]) -> bool:
    """True if the passage gives a number in another form, or if nothing hangs on it."""
    if (number.label and _named(number, view, cited)) or implied(number, claim, view):
        return True
    if number.dimension == "rank" and ranked(number, claim, view.facts):
        return True
    if not number.soft:
        return False
    if number.dimension != "percent":
        return not any(one.dimension == number.dimension for one in view.facts.quantities)
    return not any(
        one.dimension == "percent"
        for facts in _speaking(number, claim, view, cited)
        for one in (*facts.quantities, *shares(facts))
    )


def _speaking(number: Quantity, claim: Facts, view: View, cited: Sequence[Passage]) -> list[Facts]:
    """The passage and those others that speak of the thing a claim's number is about."""
    words = clause(claim, number.start)
    about = view.document.about
    others = [
        one.facts
        for one in cited
        if one is not view.core and coverage(claim, [one.facts], about, view.sources, words) >= FAR_SHARE
    ]
    return [view.facts, *others]


def _named(number: Quantity, view: View, cited: Sequence[Passage]) -> bool:
    """True if the cited sources call something by a number: "line 4", "the 1,500 metres"."""
    if any(matches(number, one) for passage in cited for one in passage.facts.quantities if one.label):
        return True
    if number.dimension != LABEL:
        return any(
            number.dimension == one.dimension and matches(number, one)
            for passage in cited
            for one in passage.facts.quantities
        )
    return re.search(rf"(?<!\d){re.escape(number.text.strip())}(?!\d)", view.document.about) is not None


def _other_money(number: Quantity, here: Sequence[Quantity], claim: Facts, view: View) -> list[Finding]:
    """A sum in euros where the source has as many thalers: names of money that no table knows."""
    one = here[0]
    if {number.dimension, one.dimension} & {"", "count"} == set():
        return []
    money, bare, facts = (number, one, view.facts) if one.dimension in ("", "count") else (one, number, claim)
    if not money.dimension.startswith("currency:") or len(here) > 1:
        return []
    told = _COINED.match(facts.text, bare.end)
    if told is None or told[1].lower() in view.document.low and facts is claim:
        return []
    if facts is view.facts and any(
        other.dimension == money.dimension and matches(money, other)
        for passage in view.document.passages
        for other in passage.facts.quantities
    ):
        return []
    told_of = f"the source has {one.text.strip()}, not {number.text.strip()}: another currency"
    return [Finding("conflict", told_of)]


def _swapped(number: Quantity, here: Sequence[Quantity], claim: Facts, source: Facts) -> list[Finding]:
    """Six passengers and 156 crew where the source has 156 passengers and six crew."""
    word = _counted(number, claim)
    if not word or any(_counted(one, source) in (word, "") for one in here):
        return []
    for other in source.quantities:
        if other not in here and other.dimension in _COUNTS and _counted(other, source) == word:
            return [
                Finding("conflict", f"the source has {other.text.strip()} {word}, not {number.text.strip()}")
            ]
    return []


def _other_rate(number: Quantity, here: Sequence[Quantity], claim: Facts, source: Facts) -> list[Finding]:
    """So many a month where the source has as many a year."""
    told = _rate(number, claim)
    held_rates = {_rate(one, source) for one in here}
    if not told or "" in held_rates or told in held_rates:
        return []
    return [Finding("conflict", f"the source has {here[0].text.strip()} a {min(held_rates)}, not a {told}")]


def _rate(number: Quantity, facts: Facts) -> str:
    """The time a number is told for: "a year", 每年; "" if for none."""
    if after := _PER.match(facts.low, number.end):
        return after[1]
    before = _EACH.search(facts.low[max(0, number.start - 8) : number.start])
    return _EACH_NAMED[before[1]] if before else ""


def _counted(number: Quantity, facts: Facts) -> str:
    """The word behind a number, which says what is counted; "" if none does."""
    if number.dimension not in _COUNTS or number.label:
        return ""
    match = _BEHIND.match(facts.low, number.end)
    return "" if match is None else match[1] or match[2]


def _elsewhere(number: Quantity, claim: Facts, view: View, cited: Sequence[Passage]) -> Passage | None:
    """Another passage of the cited sources that holds the number and speaks of the same."""
    words = clause(claim, number.start)
    near = {id(one) for one in view.near}
    best: tuple[float, Passage] | None = None
    for passage in cited:
        same = [one for one in passage.facts.quantities if matches(number, one) and _same_unit(number, one)]
        if passage is view.core or not same:
            continue
        document = view.sources.documents[passage.document]
        share = coverage(claim, [passage.facts], document.about, view.sources, words)
        wanted = NEAR_SHARE if id(passage) in near else FAR_SHARE
        if passage.document == view.core.document and _telling(number, same):
            wanted = min(wanted, TELLING_SHARE)
        if share >= wanted and not _of_another(claim, passage, same) and (best is None or share > best[0]):
            best = (share, passage)
    return best[1] if best else None


def _telling(number: Quantity, same: Sequence[Quantity]) -> bool:
    """True if a number is told with so many digits that no other thing is likely to have it."""
    if any(one.soft for one in (number, *same)):
        return False
    if number.dimension == "clock":
        return True
    return max(written(abs(one.plain or one.value)).figures for one in (number, *same)) >= TELLING


def _loosely(number: Quantity, claim: Facts, view: View) -> bool:
    """True if another part of the source has the number, told with many digits, in words the claim does not use."""
    return any(
        not one.label
        and matches(number, one)
        and _same_unit(number, one)
        and _telling(number, [one])
        and not _of_another(claim, passage, [one])
        for passage in view.document.passages
        if passage is not view.core
        for one in passage.facts.quantities
    )


def _same_unit(number: Quantity, other: Quantity) -> bool:
    return (
        number.dimension == other.dimension
        or same_dimension(number.dimension, other.dimension)
        or "" in (number.dimension, other.dimension)
    )


def _of_another(claim: Facts, passage: Passage, numbers: Sequence[Quantity]) -> bool:
    """True if a passage tells the numbers of others than the claim names."""
    if not claim.names or claim.chinese != passage.facts.chinese:
        return False
    if any(held(name.text, passage.facts.low) for name in claim.names):
        return False
    first = min((one.start for one in numbers), default=0)
    # Who stands behind the number, or did it, or where, is not whose it is.
    whose = [
        name
        for name in passage.facts.names
        if name.sure
        and name.start < first
        and not _BESIDE.search(passage.facts.text[: name.start + (not name.text.isascii())])
    ]
    return bool(whose) and not any(held(name.text, claim.low) for name in whose)
