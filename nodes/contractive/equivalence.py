"""Do two answers to one question say the same? Decided by code where it can be sure. Pure.

What code cannot tell is `unknown`; `entailment` puts it to a model; without one `settled_by_words` decides.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from nodes.contractive.answers import ShortAnswer
from nodes.contractive.reading.asked import asked
from nodes.contractive.reading.likeness import likeness
from nodes.contractive.reading.rules import RULES
from nodes.contractive.reading.snippets import code_apart, same_code
from nodes.contractive.reading.verdicts import Relation, Verdict, different, same, unknown
from nodes.contractive.reading.wording import canonical

LONGEST = 600
"""Characters of an answer the rules read; a longer one is an essay, of which words or a model must judge."""
_REMEMBERED = 4096


def compare(question: str, one: ShortAnswer, other: ShortAnswer) -> Verdict:
    """Hold two answers against each other; the order of the two does not matter.

    Args:
        question: both answer it.
        one: an answer.
        other: another.
    """
    if (one.kind, one.text) > (other.kind, other.text):
        one, other = other, one
    return _compared(question, one, other)


@lru_cache(maxsize=_REMEMBERED)
def _compared(question: str, one: ShortAnswer, other: ShortAnswer) -> Verdict:
    if "empty" in (one.kind, other.kind) or "refusal" in (one.kind, other.kind):
        if one.kind == other.kind:
            return same(f"both are {one.kind}")
        return different(f"{one.kind} and {other.kind}")
    want = asked(question)
    first, second = sorted((one.text, other.text))
    if "code" in (one.kind, other.kind):
        if same_code(first, second):
            return same("the same code")
        return replace(unknown("other code", 0.0), apart=code_apart(first, second))
    if canonical(first) == canonical(second) and canonical(first):
        return same("the same words")
    brief = max(len(first), len(second)) <= LONGEST
    for read in RULES if brief else ():
        if (verdict := read(want, first, second)) is not None:
            return verdict
    return unknown("code cannot tell", likeness(want, first, second))


def settled_by_words(verdict: Verdict) -> Verdict:
    """An unknown one decided by the words both share, which it says; others as they are."""
    if verdict.relation != "unknown":
        return verdict
    told: Relation = "same" if verdict.likeness >= 0.5 else "different"
    return replace(
        verdict, relation=told, reason=f"by shared words alone ({verdict.likeness:.2f}): {verdict.reason}"
    )
