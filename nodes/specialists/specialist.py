"""One specialist: reads the goal, picks the facts that bear on it, and says what they come to."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace

from langgraph.runtime import Runtime

from configs.audit import AuditSettings
from models.embeddings import Embedder
from models.errors import ModelError
from models.multilingual_embeddings import open_goal_embedder
from nodes.collective.child import Run
from nodes.collective.exchange import Assignment, Cited, Finding, FindingStatus
from nodes.reflective.context import RunContext
from nodes.reflective.services import Services, services_of
from nodes.reflective.state import RoleUsage
from nodes.specialists.answered import Answered
from nodes.specialists.answering import answer
from nodes.specialists.audit import opened
from nodes.specialists.composing import composed
from nodes.specialists.reading.question import Question, overview, question, read_questions
from nodes.specialists.reading.scope import Scope, Tree, read_scope
from nodes.specialists.specialties import SPECIALIST_BY_NAME
from nodes.specialists.state import REPORT_SCHEMA, Report
from nodes.specialists.topics import Specialist, SpecialistName
from nodes.specialists.votes import nearest_topic
from tools.audit.report import Audit

MOST_EVIDENCE = 40
UNCLEAR = "It is not clear what this is about: {}"


def specialist(name: SpecialistName) -> Run:
    """How one specialist answers an assignment whose facts name the report of the kernels."""
    knows = SPECIALIST_BY_NAME[name]

    async def run(assignment: Assignment, runtime: Runtime[RunContext]) -> Finding:
        services = await services_of(runtime)
        audit = await asyncio.to_thread(opened, services.root, assignment.facts[0])
        report = await asyncio.to_thread(report_of, assignment.question, knows, audit, services)
        report, usage = await composed(assignment.question, report, knows, services.models)
        return finding_of(assignment, report, usage)

    return run


def report_of(goal: str, knows: Specialist, audit: Audit, services: Services) -> Report:
    """What a specialist says to a goal, by code alone; blocking."""

    def embedder() -> Embedder | None:
        try:
            return open_goal_embedder(services.settings)
        except ModelError:
            return None

    return code_report(goal, knows, audit, services.settings.audit, embedder())


def code_report(
    goal: str, knows: Specialist, audit: Audit, settings: AuditSettings, embedder: Embedder | None
) -> Report:
    """What a specialist says to a goal.

    Args:
        goal: as written.
        knows: the specialist.
        audit: the kernels' report.
        settings: limits of the kernels.
        embedder: by which a goal without a word of any topic is read; None reads by words alone.
    """
    tree = Tree(audit)
    notes: list[str] = []
    asked = read_questions(goal, knows, tree) or overview(goal, knows, tree)
    if not asked and embedder is not None:
        asked, notes = _by_likeness(goal, knows, tree, embedder)
    answers = [_answered(one, audit, settings, tree) for one in asked]
    return Report(answers=answers, notes=notes)


def _by_likeness(
    goal: str, knows: Specialist, tree: Tree, embedder: Embedder
) -> tuple[list[Question], list[str]]:
    """The topic of the exemplar a goal is most like, and a note that says so; nothing if it is like none."""
    near = nearest_topic(goal, knows.name, embedder)
    if near is None:
        return [], []
    scope = read_scope(goal, tree)
    read = question(goal, scope.text.lower(), scope, knows.topic(near[0]), knows)
    return [replace(read, read_by="exemplars")], [f'Read by {knows.name} as a question like "{near[1]}"']


def _answered(asked: Question, audit: Audit, settings: AuditSettings, tree: Tree) -> Answered:
    """The answer; a part that says "it" is about what the part before it came to."""
    if not asked.refers:
        return answer(asked, audit, settings)
    scope = _referred(asked, audit, settings, tree)
    if scope is None:
        return Answered(
            question=asked.text,
            topic=asked.topic.id,
            outcome="could_not",
            sentence=UNCLEAR.format(f'"{asked.text}"'),
        )
    return answer(replace(asked, scope=scope), audit, settings)


def _referred(asked: Question, audit: Audit, settings: AuditSettings, tree: Tree) -> Scope | None:
    """What the part before came to, as a scope; None if that names nothing."""
    for knows in SPECIALIST_BY_NAME.values():
        for before in read_questions(asked.refers, knows, tree)[:1]:
            claims = answer(before, audit, settings, most=sys.maxsize).claims
            if claims:
                ranges = tuple((one.file, one.line, one.end_line) for one in claims)
                spots = frozenset((one.file, one.line) for one in claims)
                return replace(asked.scope, spots=spots, ranges=ranges)
    return None


def finding_of(assignment: Assignment, report: Report, usage: RoleUsage) -> Finding:
    """A report as what engines hand to each other."""
    claims = [claim for one in report.answers for claim in one.claims]
    return Finding(
        id=assignment.id,
        worker=assignment.worker,
        question=assignment.question,
        status=status_of(report.answers),
        answer=" ".join(one.sentence for one in report.answers),
        short=report.answers[0].sentence if report.answers else "",
        grounded=any(one.outcome != "could_not" for one in report.answers),
        evidence=[
            Cited(kind="kernel", where=one.place, text=f"{one.kernel}: {one.claim}")
            for one in claims[:MOST_EVIDENCE]
        ],
        figures=_figures(report.answers),
        data=report.model_dump(mode="json"),
        data_schema=REPORT_SCHEMA,
        usage=usage,
        notes=report.notes,
    )


def _figures(answers: Sequence[Answered]) -> dict[str, float]:
    known: Mapping[str, float | None] = {one.topic: one.figure for one in answers}
    return {topic: value for topic, value in known.items() if value is not None}


def status_of(answers: Sequence[Answered]) -> FindingStatus:
    """Answered if a kernel's fact bears on every part; partial if on some; else could_not."""
    bears = [one.outcome != "could_not" for one in answers]
    return "answered" if bears and all(bears) else "partial" if any(bears) else "could_not"
