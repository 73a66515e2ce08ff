"""Samples that say the same, put together; their order does not matter. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from nodes.contractive.answers import AnswerKind, ShortAnswer
from nodes.contractive.equivalence import compare, settled_by_words
from nodes.contractive.reading.verdicts import Verdict

Pair = tuple[ShortAnswer, ShortAnswer]


@dataclass(frozen=True, slots=True)
class Cluster:
    """Samples with one answer.

    Attributes:
        kind: of all of them.
        answer: the form most of them use, the shortest of several; "" if empty.
        members: places of the samples, rising.
    """

    kind: AnswerKind
    answer: str
    members: tuple[int, ...]


def pair(one: ShortAnswer, other: ShortAnswer) -> Pair:
    """Two answers in the order that stands for both orders."""
    return (one, other) if (one.kind, one.text) <= (other.kind, other.text) else (other, one)


def compared(question: str, answers: Sequence[ShortAnswer]) -> dict[Pair, Verdict]:
    """What every two different answers are to each other, as far as code can tell.

    Returns:
        Verdicts by `pair`; some may be unknown.
    """
    different = sorted(set(answers), key=lambda one: (one.kind, one.text))
    return {pair(one, other): compare(question, one, other) for one, other in combinations(different, 2)}


def clusters(answers: Sequence[ShortAnswer], verdicts: Mapping[Pair, Verdict]) -> list[Cluster]:
    """Put answers together, the largest cluster first.

    What is surely the same is transitive. What is the same by a rule, a rounding or a model joins two groups
    only if no two of their members surely differ and most of their pairs agree, the most alike first.

    Args:
        answers: of the samples.
        verdicts: of every two different ones; the shared words decide those that are unknown.
    """
    settled = {two: settled_by_words(verdict) for two, verdict in verdicts.items()}
    groups = [{one} for one in sorted(set(answers), key=lambda one: (one.kind, one.text))]
    for two, verdict in sorted(settled.items(), key=lambda entry: _rank(*entry)):
        if verdict.relation != "same":
            continue
        first, second = (next(group for group in groups if one in group) for one in two)
        if first is not second and (verdict.sure or _agree(first, second, settled)):
            first |= second
            groups.remove(second)
    return _ordered(answers, groups)


def surely_same(answers: Sequence[ShortAnswer], verdicts: Mapping[Pair, Verdict]) -> list[list[ShortAnswer]]:
    """Different answers in groups of what is surely the same, each sorted, in order of their first."""
    groups = [[one] for one in sorted(set(answers), key=lambda one: (one.kind, one.text))]
    for two, verdict in verdicts.items():
        if verdict.relation == "same" and verdict.sure:
            first, second = (next(group for group in groups if one in group) for one in two)
            if first is not second:
                first += second
                groups.remove(second)
    return sorted(
        (sorted(group, key=lambda one: (one.kind, one.text)) for group in groups),
        key=lambda g: (g[0].kind, g[0].text),
    )


def _rank(two: Pair, verdict: Verdict) -> tuple[bool, float, str, str]:
    """Sure ones first, then the most alike; the texts themselves break ties, never the order of samples."""
    return not verdict.sure, -verdict.likeness, two[0].text, two[1].text


def _agree(first: set[ShortAnswer], second: set[ShortAnswer], settled: Mapping[Pair, Verdict]) -> bool:
    across = [settled[pair(one, other)] for one in first for other in second]
    if any(verdict.relation == "different" and verdict.sure for verdict in across):
        return False
    return 2 * sum(verdict.relation == "same" for verdict in across) >= len(across)


def _ordered(answers: Sequence[ShortAnswer], groups: list[set[ShortAnswer]]) -> list[Cluster]:
    found = []
    for group in groups:
        members = tuple(place for place, one in enumerate(answers) if one in group)
        texts = [answers[place].text for place in members]
        form = min(set(texts), key=lambda text: (-texts.count(text), len(text), text))
        found.append(Cluster(answers[members[0]].kind, form, members))
    return sorted(found, key=lambda one: (-len(one.members), one.kind, one.answer))
