"""An answer by code: the rows a question is about, and the form of answer it wants."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from configs.audit import AuditSettings
from nodes.specialists.answered import MOST_CLAIMS, Answered, Case, answered
from nodes.specialists.claims import Coverage, Row
from nodes.specialists.forms import aggregate, all_or_not, of_named, poorest_first, ranked, told, values
from nodes.specialists.phrases import Wording, gaps
from nodes.specialists.reading.operation import Bound
from nodes.specialists.reading.question import Question
from tools.audit.report import Audit

NOT_SO = re.compile(
    r"(?:\bnot|n't) (?:too |very |overly )?(?:complex|complicated|long|deep\w*|nested|big|large|unreadable)\b"
)


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
    case = Case(
        asked=asked,
        universe=universe,
        rows=[one for one in universe if bound is None or bound.holds(one.measure)],
        bound=bound,
        coverage=coverage,
        words=Wording(asked, bound),
        most=most,
    )
    given = _by_kind(case, rows, audit)
    left = gaps(coverage) if given.outcome == "found" else ""
    notes = [note for note in (*_unknown(asked), left) if note]
    return given.model_copy(update={"skipped": list(coverage.skipped), "notes": [*given.notes, *notes]})


def _by_kind(case: Case, rows: Sequence[Row], audit: Audit) -> Answered:
    """Whichever sentence the question wants."""
    asked, operation = case.asked, case.asked.operation
    named = bool(asked.scope.names) or asked.scope.spots is not None
    if asked.topic.id == "docstrings" and named:
        return of_named(case, rows)
    summary = asked.topic.summary
    if summary is not None and case.bound is None and operation.kind != "rank":
        tags = frozenset(tag for one in asked.narrowings for tag in one.tags)
        said = summary(audit, asked.scope.covers, tags)
        if said is not None:
            return answered(case, f"{said[0]}{case.words.where}.", poorest_first(case), said[1])
    if case.bound is None and asked.topic.measure and not asked.topic.standing:
        counts = _counts_measure(asked)
        if _one_by_one(case) and (operation.kind != "count" or counts):
            return values(case)
        if operation.kind in ("mean", "median", "total") or counts:
            return aggregate(case)
        if operation.kind in ("rank", "list") and case.universe:
            return ranked(case)
    if asked.all and case.bound is not None and case.universe:
        return all_or_not(case)
    if operation.kind == "rank" and asked.topic.measure and case.rows:
        return ranked(case)
    return told(case)


def _bound(asked: Question, settings: AuditSettings) -> Bound | None:
    """The bound of the question, or the settings' limit if it asks for what is too much."""
    topic, operation = asked.topic, asked.operation
    if operation.bound is not None:
        return operation.bound if topic.measure and topic.id != "findings" else None
    if topic.limit is None or topic.standing or operation.kind == "rank":
        return None
    judged = operation.too or (operation.kind == "exists" and not asked.scope.names)
    if NOT_SO.search(asked.folded) and operation.kind in ("list", "count"):
        return Bound(high=topic.limit(settings), limit=True)
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
    left = gaps(coverage)
    where = Wording(asked, None).where
    return f"No file{where} was looked at for this.{f' {left}' if left else ''}"


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


def _one_by_one(case: Case) -> bool:
    """True if the question is about the figure of few things it names."""
    asked = case.asked
    named = bool(asked.scope.names) or all(not one.endswith("/") for one in asked.scope.paths or ("/",))
    few = bool(asked.scope.names) or len(case.universe) <= len(asked.scope.paths)
    return named and few and asked.operation.kind in ("list", "exists", "count") and bool(case.universe)
