"""An answer by code: the rows a question is about, counted, ranked and compared, and one sentence of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean, median
from typing import Literal, TypeAlias

from pydantic import BaseModel, Field

from configs.audit import AuditSettings
from nodes.specialists.claims import Claim, Coverage, Row, figure
from nodes.specialists.phrases import Wording, gaps, read_words, subject
from nodes.specialists.reading.operation import RANKED_BY_DEFAULT, Bound
from nodes.specialists.reading.question import Question
from tools.audit.report import Audit, Skipped

Outcome: TypeAlias = Literal["found", "nothing", "could_not"]
WHOLE = 100.0
MOST_IN_OVERVIEW = 10
"""Claims about each topic that an answer to a broad question holds."""
MOST_CLAIMS = 100
"""Claims one answer holds; how many there are is always told."""


class Answered(BaseModel):
    """What one specialist says to one question.

    Attributes:
        question: the part of the goal.
        topic: id.
        outcome: found; nothing: the kernel looked, and there is none; could_not: it did not look.
        sentence: the answer itself.
        claims: what it rests on, at most MOST_CLAIMS.
        matches: how many rows there are in all.
        figure: a number that was asked for, such as a count or a mean; None without one.
        skipped: what the kernel had to leave out within the scope.
        notes: for people.
    """

    question: str
    topic: str
    outcome: Outcome
    sentence: str
    claims: list[Claim] = Field(default_factory=list)
    matches: int = 0
    figure: float | None = None
    skipped: list[Skipped] = Field(default_factory=list)
    notes: list[str] = Field(default_factory=list)


@dataclass(frozen=True)
class _Case:
    """A question with all it is answered from.

    Attributes:
        asked: the question.
        universe: rows in scope that have the properties, before any bound.
        rows: those within the bound, too.
        bound: None without one.
        coverage: of the kernel, within the scope.
        words: how the rows are spoken of.
        most: claims the answer may hold.
    """

    asked: Question
    universe: Sequence[Row]
    rows: Sequence[Row]
    bound: Bound | None
    coverage: Coverage
    words: Wording
    most: int


def answer(asked: Question, audit: Audit, settings: AuditSettings, *, most: int = MOST_CLAIMS) -> Answered:
    """Answer one question from an audit.

    Args:
        asked: the question.
        audit: the kernels' report.
        settings: limits of the kernels.
        most: claims it may hold.
    """
    topic, scope = asked.topic, asked.scope
    coverage = _within(topic.covered(audit), asked)
    if problem := _unanswerable(asked, coverage):
        return Answered(
            question=asked.text,
            topic=topic.id,
            outcome="could_not",
            sentence=problem,
            skipped=list(coverage.skipped),
        )
    bound = _bound(asked, settings)
    spoken = {one.file for one in audit.scan.modules if one.language == asked.language}
    rows = [
        one
        for one in topic.rows(audit, settings)
        if scope.holds(one, all_of_them=asked.every_path)
        and (not asked.language or not spoken.isdisjoint(one.files))
    ]
    narrowings = asked.narrowings if topic.summary is None else ()  # a summary narrows by itself
    universe = [one for one in rows if all(one.tags & narrow.tags for narrow in narrowings)]
    case = _Case(
        asked=asked,
        universe=universe,
        rows=[one for one in universe if bound is None or bound.holds(one.measure)],
        bound=bound,
        coverage=coverage,
        words=Wording(asked, bound),
        most=most,
    )
    given = _by_kind(case, rows, audit)
    told = gaps(coverage) if given.outcome == "found" else ""
    notes = [note for note in (*_unknown(asked), told) if note]
    return given.model_copy(update={"skipped": list(coverage.skipped), "notes": [*given.notes, *notes]})


def _by_kind(case: _Case, rows: Sequence[Row], audit: Audit) -> Answered:
    """Whichever sentence the question wants."""
    asked, operation = case.asked, case.asked.operation
    named = bool(asked.scope.names) or asked.scope.spots is not None
    if asked.topic.id == "docstrings" and named:
        return _of_named(case, rows)
    summary = asked.topic.summary
    if summary is not None and case.bound is None and operation.kind != "rank":
        tags = frozenset(tag for one in asked.narrowings for tag in one.tags)
        said = summary(audit, asked.scope.covers, tags)
        if said is not None:
            return _answered(case, f"{said[0]}{case.words.where}.", _lowest_first(case), said[1])
    if case.bound is None and asked.topic.measure and not asked.topic.standing:
        counts = _counts_measure(asked)
        if _one_by_one(case) and (operation.kind != "count" or counts):
            return _values(case)
        if operation.kind in ("mean", "median", "total") or counts:
            return _aggregate(case)
        if operation.kind in ("rank", "list") and case.universe:
            return _ranked(case)
    if asked.all and case.bound is not None and case.universe:
        return _all_or_not(case)
    if operation.kind == "rank" and asked.topic.measure and case.rows:
        return _ranked(case)
    return _told(case)


def _bound(asked: Question, settings: AuditSettings) -> Bound | None:
    """The bound of the question, or the settings' limit if it asks for what is too much."""
    topic, operation = asked.topic, asked.operation
    if operation.bound is not None:
        return operation.bound if topic.measure and topic.id != "findings" else None
    if topic.limit is None or topic.standing or operation.kind == "rank":
        return None
    judged = operation.too or (operation.kind == "exists" and not asked.scope.names)
    if judged or (operation.kind in ("list", "count") and _said_to_be(asked)):
        return Bound(low=topic.limit(settings), low_in=False, limit=True)
    return None


def _said_to_be(asked: Question) -> bool:
    """True for "complex functions", "long methods": a property is told, and no figure asked for."""
    words = ("complex ", "complicated ", "long ", "deeply nested ", "big ", "large ", "unreadable ")
    plain = asked.folded.replace("how complex", "").replace("how long", "").replace("how big", "")
    return any(f" {word}" in f" {plain} " for word in words) and not asked.scope.names


def _within(coverage: Coverage, asked: Question) -> Coverage:
    """What was looked at of the part of the tree that is asked about."""
    covers = asked.scope.covers
    return replace(
        coverage,
        files=tuple(one for one in coverage.files if covers(one)),
        others=tuple(one for one in coverage.others if covers(one)),
        skipped=tuple(one for one in coverage.skipped if covers(one.file)),
    )


def _unanswerable(asked: Question, coverage: Coverage) -> str:
    """Why no fact bears on a question; empty if one may."""
    scope = asked.scope
    if scope.unknown and not (scope.paths or scope.names):
        named = " or ".join(f'"{one}"' for one in scope.unknown)
        return f"Nothing that was audited is called {named}."
    if coverage.absent:
        return f"{coverage.absent.rstrip('.')}."
    if coverage.files or asked.topic.id == "texts":
        return ""
    told = gaps(coverage)
    where = Wording(asked, None).where
    return f"No file{where} was looked at for this.{f' {told}' if told else ''}"


def _unknown(asked: Question) -> list[str]:
    named = ", ".join(f'"{one}"' for one in asked.scope.unknown)
    return [f"Nothing that was audited is called {named}."] if named else []


def _counts_measure(asked: Question) -> bool:
    """True if "how many" asks for the figures themselves: "how many lines has cli/"."""
    topic = asked.topic
    if asked.operation.kind != "count" or not topic.counted:
        return False
    return (
        re.search(rf"\b(?:how many|number of|count(?: the)?)\s+(?:{topic.counted})\b", asked.folded)
        is not None
    )


def _one_by_one(case: _Case) -> bool:
    """True if the question is about the figure of few things it names."""
    asked = case.asked
    named = bool(asked.scope.names) or all(not one.endswith("/") for one in asked.scope.paths or ("/",))
    few = bool(asked.scope.names) or len(case.universe) <= len(asked.scope.paths)
    return named and few and asked.operation.kind in ("list", "exists", "count") and bool(case.universe)


def _of_named(case: _Case, rows: Sequence[Row]) -> Answered:
    """Whether what a question names has a docstring."""
    wanted = next(one for one in case.asked.narrowings if one.tags <= {"documented", "undocumented"})
    fitting = [one for one in rows if one.tags & wanted.tags]
    if not rows:
        return _told(replace(case, rows=[]))
    verdict = "Yes" if len(fitting) == len(rows) else "No" if not fitting else "Partly"
    sentence = " ".join(f"{one.claim.claim[:-1]} ({one.claim.place})." for one in rows[:MOST_CLAIMS])
    lead = f"{verdict}: " if case.asked.operation.kind == "exists" else ""
    return _answered(case, f"{lead}{sentence}", list(rows), float(len(fitting)))


def _values(case: _Case) -> Answered:
    """The figure of each thing that is named."""
    rows = case.universe
    sentence = " ".join(f"{_value(one)}" for one in rows[:MOST_CLAIMS])
    return _answered(case, sentence, list(rows), rows[0].measure if len(rows) == 1 else None)


def _value(row: Row) -> str:
    return f"{row.claim.claim[:-1]} ({row.claim.place})."


def _aggregate(case: _Case) -> Answered:
    """A mean, a median or a sum over all rows."""
    kind, topic = case.asked.operation.kind, case.asked.topic
    if not case.universe:
        return _told(case)
    if kind in ("total", "count") and not topic.total:
        return _ranked(case)
    figures = [one.measure for one in case.universe]
    made = fmean(figures) if kind == "mean" else median(figures) if kind == "median" else sum(figures)
    value = round(float(made), 4)
    word = kind if kind in ("mean", "median") else "total"
    of = case.words.looked(len(figures))
    sentence = f"The {word} {topic.measure} of {of}{case.words.where} is {figure(value)}{topic.unit}."
    return _answered(case, sentence, _highest_first(case.universe)[:RANKED_BY_DEFAULT], value)


def _ranked(case: _Case) -> Answered:
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
    given = _answered(case, sentence, shown, shown[0].measure if one else None)
    return given.model_copy(update={"notes": [*given.notes, *notes]})


def _rank_sentence(case: _Case, shown: Sequence[Row], end: str, one: bool) -> str:
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


def _told(case: _Case) -> Answered:
    """How many there are, whether there is any, or a list of them."""
    asked, number = case.asked, len(case.rows)
    yes, no = _leads(asked)
    looked = _looked(case)
    if not number:
        lead = no
        told = gaps(case.coverage)
        sentence = f"{lead} is no {case.words.rows(1)} ({looked}).{f' {told}' if told else ''}"
        return _answered(case, sentence, [], 0.0).model_copy(update={"outcome": "nothing"})
    lead = yes
    verb = "is" if number == 1 else "are"
    sentence = f"{lead} {verb} {number} {case.words.rows(number)} ({looked})."
    rows = _highest_first(case.rows) if asked.topic.measure else list(case.rows)
    if asked.read_by == "overview":
        rows = [row for row in rows if row.claim.severity != "info"][:MOST_IN_OVERVIEW]
    elif asked.operation.top is not None and asked.operation.kind != "count":
        rows = rows[: asked.operation.top]
    return _answered(case, sentence, rows, float(number))


def _leads(asked: Question) -> tuple[str, str]:
    """How a sentence begins if there is something, and if there is nothing."""
    if asked.operation.kind != "exists" or not asked.verdict:
        return "There", "There"
    return ("No: there", "Yes: there") if asked.all else ("Yes: there", "No: there")


def _all_or_not(case: _Case) -> Answered:
    """Whether all rows lie within the bound; those that do not are listed."""
    within = {id(one) for one in case.rows}
    rest = [one for one in case.universe if id(one) not in within]
    of = case.words.looked(len(case.universe))
    sentence = f"{'No' if rest else 'Yes'}: {len(case.rows)} of {of}{case.words.where} {case.words.have}."
    return _answered(case, sentence, _highest_first(rest), float(len(case.rows)))


def _looked(case: _Case) -> str:
    """What was looked at, behind a count."""
    if case.asked.topic.id == "texts":
        return "at the top of the tree"
    if case.bound is not None:
        return f"of {case.words.looked(len(case.universe))} in {read_words(case.coverage)}"
    return f"{read_words(case.coverage)} looked at"


def _answered(case: _Case, sentence: str, rows: Sequence[Row], number: float | None) -> Answered:
    more = len(rows) - case.most
    return Answered(
        question=case.asked.text,
        topic=case.asked.topic.id,
        outcome="found",
        sentence=sentence,
        claims=[one.claim for one in rows[: case.most]],
        matches=len(rows),
        figure=number,
        notes=[f"{more} more are not listed; a narrower question lists them."] if more > 0 else [],
    )


def _highest_first(rows: Sequence[Row]) -> list[Row]:
    return sorted(rows, key=lambda one: -one.measure)


def _lowest_first(case: _Case) -> list[Row]:
    """Rows that explain a share: the poorest first."""
    poor = [one for one in case.universe if one.measure < WHOLE]
    return sorted(poor, key=lambda one: one.measure)[:RANKED_BY_DEFAULT]
