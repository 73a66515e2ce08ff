"""Reviews an answer by what code can see of it, before a peer does. Pure.

Four things count, as factors of one product: a fault must not be made up for by what is good elsewhere, and
two faults are worse than either. Each factor is 1 where nothing is wrong and is set by the verdict its fault
deserves alone, by what it takes to mend it:

    alignment     0.35  another type than asked for: written anew, a major revision (`alignment.MISFIT`)
    coverage      0.30 + 0.35 x share of the parts answered: what is there stays, a minor revision
    completeness  0.55  one constraint broken, 0.40 for two, 0.33 from three on; 0.50 cut off in mid-sentence
    confidence    0.45 + 0.55 x mean of support and 1 - entropy: doubt alone is flagged, never rejected

An answer that is empty, refuses, or repeats the question scores 0 whatever the rest.
"""

from __future__ import annotations

from nodes.contractive.answers import short_answer
from nodes.contractive.constraint_reading import END, constraints_of, ends_of
from nodes.contractive.constraints import Constraint, kept, told
from nodes.contractive.reviewing.advice import advice_for
from nodes.contractive.reviewing.alignment import MISFIT, WITHOUT_UNIT, misfit
from nodes.contractive.reviewing.coverage import uncovered
from nodes.contractive.reviewing.cut_off import cut_off
from nodes.contractive.reviewing.finding import Finding
from nodes.contractive.reviewing.hard_faults import hard_fault
from nodes.contractive.state import Answer, Measured, Question, Review
from nodes.contractive.verdicts import verdict_of

BROKEN = (1.0, 0.55, 0.40, 0.33)
"""Factor by the number of constraints that are broken; from three on the answer is a major revision."""
UNSURE = 0.45
"""Factor of confidence where samples share nothing: with it alone the answer is a minor revision."""
DOUBTFUL = 0.6
"""Confidence below this factor is told as an issue."""
_HANGS_ON_A_NUMBER = ("unit", "rounding", "range")
_MOST_ADVICE = 2


def pre_review(question: Question, answer: Answer) -> Review:
    """Review an answer by code.

    Args:
        question: it answers; its restated form is what counts.
        answer: with the samples it comes from.

    Returns:
        A review by "code" with a score, the verdict of that score, issues, and advice for two at most.
    """
    asked_for, measured = ends_of(question.question), answer.measured
    text = measured.text or measured.answer
    short = (measured.answer or short_answer(text, asked_for).text)[:END]
    if fault := hard_fault(asked_for, ends_of(text), short):
        return _review([fault], 0.0, answer)
    findings = found_in(asked_for, text, short)
    sure = confidence(measured)
    score = sure
    for finding in findings:
        score *= finding.factor
    if sure < DOUBTFUL:
        findings.append(
            Finding("the samples do not agree", "Work the answer out step by step once more.", sure)
        )
    return _review(findings, score, answer)


def found_in(question: str, text: str, short: str) -> list[Finding]:
    """What is wrong with an answer that is one: its type, its parts, its constraints, its end.

    Args:
        question: as it was put.
        text: the whole reply.
        short: the answer in it.
    """
    seen = ends_of(text)
    wrong_type = misfit(question, seen, short)
    if wrong_type is not None and wrong_type.factor == WITHOUT_UNIT and _names_unit(question):
        # The constraint says so already.
        wrong_type = None
    findings = [
        wrong_type,
        uncovered(question, seen, short),
        *_broken(question, text, short, wrong_type),
        cut_off(text),
    ]
    return [finding for finding in findings if finding is not None]


def confidence(measured: Measured) -> float:
    """The factor of confidence, `UNSURE` to 1; it grows with support and falls with entropy."""
    sure = (measured.support + 1 - measured.entropy) / 2
    return UNSURE + (1 - UNSURE) * min(1.0, max(0.0, sure))


def _broken(question: str, text: str, short: str, wrong_type: Finding | None) -> list[Finding]:
    """One finding for all constraints that are broken, so that their factor is that of their number."""
    broken = [one for one in constraints_of(question) if kept(one, text, short) is False]
    if wrong_type is not None and wrong_type.factor == MISFIT:
        # A number that is not there is no number in another unit, too.
        broken = [one for one in broken if not _hangs_on(one)]
    if not broken:
        return []
    words = "; ".join(one.words for one in broken)
    advice = " ".join(advice_for(one, told(text)) for one in broken[:_MOST_ADVICE])
    return [Finding(f"not kept: {words}", advice, BROKEN[min(len(broken), len(BROKEN) - 1)])]


def _names_unit(question: str) -> bool:
    return any(one.kind == "unit" for one in constraints_of(question))


def _hangs_on(one: Constraint) -> bool:
    return one.kind in _HANGS_ON_A_NUMBER or (one.kind in ("format", "choice") and one.what != "json")


def _review(findings: list[Finding], score: float, answer: Answer) -> Review:
    rounded = round(score, 6)
    return Review(
        by="code",
        verdict=verdict_of(rounded),
        score=rounded,
        issues=[finding.issue for finding in findings],
        advice=" ".join(
            finding.advice for finding in sorted(findings, key=lambda one: one.factor)[:_MOST_ADVICE]
        ),
        of="revision" if answer.source == "revision" else "first",
    )
