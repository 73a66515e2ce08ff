"""A question put to the specialists without a graph around them, and its answer held against the truth."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from configs.audit import AuditSettings
from evals.specialists.questions import Case
from models.embeddings import Embedder
from nodes.collective.exchange import Assignment
from nodes.reflective.state import RoleUsage
from nodes.specialists.merging import Merged, merged
from nodes.specialists.routing import by_exemplars, scores
from nodes.specialists.specialist import code_report, finding_of
from nodes.specialists.specialties import SPECIALIST_BY_NAME
from tools.audit.report import Audit


@dataclass(frozen=True)
class Asker:
    """The specialists for one audited tree, by code alone."""

    audit: Audit
    settings: AuditSettings
    embedder: Embedder

    def ask(self, goal: str) -> Merged:
        """Route, let the specialists answer, merge."""
        findings = []
        for one in by_exemplars(goal, scores(goal, self.embedder)).chosen:
            knows = SPECIALIST_BY_NAME[one.name]
            report = code_report(goal, knows, self.audit, self.settings, self.embedder)
            given = Assignment(id=one.name, worker="specialist", question=goal)
            findings.append(finding_of(given, report, RoleUsage()))
        return merged(findings)


def problems(case: Case, given: Merged) -> list[str]:
    """What is wrong with an answer; empty if it is right."""
    first = (
        given.short.partition(": ")[2]
        if re.match(r"(?:Security|Analysis|Documentation): ", given.short)
        else given.short
    )
    found = []
    if case.number is not None and not _holds(first, case.number):
        found.append(f"{_shown(case.number)} is not in {first!r}")
    if case.says and not first.startswith(case.says):
        found.append(f"{first!r} does not begin with {case.says}")
    if case.name and case.name not in first:
        found.append(f"{case.name} is not in {first!r}")
    places = {(one.file, one.line) for one in given.claims}
    if case.places is not None and places != case.places:
        missing, extra = sorted(case.places - places)[:3], sorted(places - case.places)[:3]
        found.append(
            f"{len(places)} places for {len(case.places)}: missing {missing}, extra {extra}; {first!r}"
        )
    return found


def _holds(text: str, number: float) -> bool:
    return re.search(rf"(?<![\d.]){re.escape(_shown(number))}(?!\d|\.\d)", text) is not None


def _shown(number: float) -> str:
    return str(int(number)) if float(number).is_integer() else f"{number:.2f}".rstrip("0").rstrip(".")


def checked(asker: Asker, cases: list[Case]) -> list[dict[str, Any]]:
    """Every question that is answered wrongly, and how."""
    wrong = []
    for case in cases:
        if found := problems(case, asker.ask(case.goal)):
            wrong.append({"goal": case.goal, "problems": found})
    return wrong
