"""The forms an answer takes: a count, a list, yes or no, a ranking, a figure, a sum."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean, median

from nodes.specialists.answered import MOST_CLAIMS, Answered, Case, answered
from nodes.specialists.claims import Row, figure
from nodes.specialists.phrases import gaps, read_words, subject
from nodes.specialists.reading.operation import RANKED_BY_DEFAULT
from nodes.specialists.reading.question import Question

WHOLE = 100.0
MOST_IN_OVERVIEW = 10
"""Claims about each topic that an answer to a broad question holds."""


def of_named(case: Case, rows: Sequence[Row]) -> Answered:
    """Whether what a question names has a docstring."""
    wanted = next(one for one in case.asked.narrowings if one.tags <= {"documented", "undocumented"})
    fitting = [one for one in rows if one.tags & wanted.tags]
    if not rows:
        return told(replace(case, rows=[]))
    verdict = "Yes" if len(fitting) == len(rows) else "No" if not fitting else "Partly"
    sentence = " ".join(f"{one.claim.claim[:-1]} ({one.claim.place})." for one in rows[:MOST_CLAIMS])
    lead = f"{verdict}: " if case.asked.operation.kind == "exists" else ""
    return answered(case, f"{lead}{sentence}", list(rows), float(len(fitting)))


def values(case: Case) -> Answered:
    """The figure of each thing that is named."""
    rows = case.universe
    sentence = " ".join(f"{_value(one)}" for one in rows[:MOST_CLAIMS])
    return answered(case, sentence, list(rows), rows[0].measure if len(rows) == 1 else None)


def _value(row: Row) -> str:
    return f"{row.claim.claim[:-1]} ({row.claim.place})."


def aggregate(case: Case) -> Answered:
    """A mean, a median or a sum over all rows."""
    kind, topic = case.asked.operation.kind, case.asked.topic
    if not case.universe:
        return told(case)
    if kind in ("total", "count") and not topic.total:
        return ranked(case)
    figures = [one.measure for one in case.universe]
    made = fmean(figures) if kind == "mean" else median(figures) if kind == "median" else sum(figures)
    value = round(float(made), 4)
    word = kind if kind in ("mean", "median") else "total"
    of = case.words.looked(len(figures))
    sentence = f"The {word} {topic.measure} of {of}{case.words.where} is {figure(value)}{topic.unit}."
    return answered(case, sentence, _highest_first(case.universe)[:RANKED_BY_DEFAULT], value)


def ranked(case: Case) -> Answered:
    """The first rows by their figure; all that share the last place are told of."""
    operation, topic = case.asked.operation, case.asked.topic
    lowest = operation.lowest is True
    if topic.good and operation.lowest is not None:
        lowest = _worst_is_wanted(case.asked) or lowest
    ranked = _highest_first(case.rows)
    if lowest:
        ranked = sorted(case.rows, key=lambda one: one.measure)
    one = operation.one and operation.top is None and operation.kind == "rank"
    wanted = operation.top or (1 if one else RANKED_BY_DEFAULT)
    shown = ranked[:wanted]
    if one:
        shown = [row for row in ranked if row.measure == ranked[0].measure]
    end = "lowest" if lowest else "highest"
    sentence = _rank_sentence(case, shown, end, one)
    tied = sum(row.measure == shown[-1].measure for row in ranked[len(shown) :])
    notes = (
        [f"{tied} more {'has' if tied == 1 else 'have'} the same figure as the last one listed."]
        if tied
        else []
    )
    given = answered(case, sentence, shown, shown[0].measure if one else None)
    return given.model_copy(update={"notes": [*given.notes, *notes]})


def _rank_sentence(case: Case, shown: Sequence[Row], end: str, one: bool) -> str:
    topic, where = case.asked.topic, case.words.where
    best = f"{figure(shown[0].measure)}{topic.unit}"
    if one and len(shown) == 1:
        singular = case.words.looked(1).removeprefix("1 ")
        return f"The {singular} with the {end} {topic.measure}{where} is {subject(shown[0])}, with {best}."
    noun = case.words.looked(len(shown))
    if one:
        return f"{noun} share the {end} {topic.measure}{where}, {best}: {_subjects(shown)}."
    last = f"{figure(shown[-1].measure)}{topic.unit}"
    which = noun if len(shown) > 1 else noun.removeprefix("1 ")
    of = f", of {case.words.looked(len(case.universe))}"
    span = f"from {best} to {last}" if best != last else best
    return f"The {which} with the {end} {topic.measure}{where}{of}: {span}."


def _worst_is_wanted(asked: Question) -> bool:
    return any(word in asked.folded for word in ("worst", "poorest"))


def _subjects(rows: Sequence[Row], most: int = 5) -> str:
    named = [subject(one) for one in rows[:most]]
    more = len(rows) - len(named)
    return ", ".join([*named, *([f"and {more} more"] if more > 0 else [])])


def told(case: Case) -> Answered:
    """How many there are, whether there is any, or a list of them."""
    asked, number = case.asked, len(case.rows)
    yes, no = _leads(asked)
    looked = _looked(case)
    if not number:
        lead = no
        left = gaps(case.coverage)
        sentence = f"{lead} is no {case.words.rows(1)} ({looked}).{f' {left}' if left else ''}"
        return answered(case, sentence, [], 0.0).model_copy(update={"outcome": "nothing"})
    lead = yes
    verb = "is" if number == 1 else "are"
    sentence = f"{lead} {verb} {number} {case.words.rows(number)} ({looked})."
    rows = _highest_first(case.rows) if asked.topic.measure else list(case.rows)
    if asked.read_by == "overview":
        rows = [row for row in rows if row.claim.severity != "info"][:MOST_IN_OVERVIEW]
    elif asked.operation.top is not None and asked.operation.kind != "count":
        rows = rows[: asked.operation.top]
    return answered(case, sentence, rows, float(number)).model_copy(update={"matches": number})


def _leads(asked: Question) -> tuple[str, str]:
    """How a sentence begins if there is something, and if there is nothing."""
    if asked.operation.kind != "exists" or not asked.verdict:
        return "There", "There"
    return ("No: there", "Yes: there") if asked.all else ("Yes: there", "No: there")


def all_or_not(case: Case) -> Answered:
    """Whether all rows lie within the bound; those that do not are listed."""
    within = {id(one) for one in case.rows}
    rest = [one for one in case.universe if id(one) not in within]
    of = case.words.looked(len(case.universe))
    sentence = f"{'No' if rest else 'Yes'}: {len(case.rows)} of {of}{case.words.where} {case.words.have}."
    return answered(case, sentence, _highest_first(rest), float(len(case.rows)))


def _looked(case: Case) -> str:
    """What was looked at, behind a count."""
    if case.asked.topic.id == "texts":
        return "at the top of the tree"
    if case.bound is not None:
        return f"of {case.words.looked(len(case.universe))} in {read_words(case.coverage)}"
    return f"{read_words(case.coverage)} looked at"


def _highest_first(rows: Sequence[Row]) -> list[Row]:
    return sorted(rows, key=lambda one: -one.measure)


def poorest_first(case: Case) -> list[Row]:
    """Rows that explain a share: the poorest first."""
    poor = [one for one in case.universe if one.measure < WHOLE]
    return sorted(poor, key=lambda one: one.measure)[:RANKED_BY_DEFAULT]
