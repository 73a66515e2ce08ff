"""SYNTHESISE: one answer of what the specialists brought; or that none of them answers the goal."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from nodes.collective.budgets import forget
from nodes.collective.engine_reading import total
from nodes.collective.exchange import Finding
from nodes.reflective.context import RunContext
from nodes.reflective.emit import progress
from nodes.reflective.services import close_models
from nodes.reflective.state import Failure, dump
from nodes.specialists.merging import NOBODY, Merged, fields, merged
from nodes.specialists.state import SpecialistsState


async def synthesise(state: SpecialistsState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Merge the reports; say which specialists failed."""
    told = await close_models(runtime)
    forget(state.run_id)
    if not state.chosen_specialists:
        text = NOBODY.format(fields())
        return dump(status="could_not", final_answer=text, short_answer=text, confidence=0.0)
    findings = [state.findings[one.id] for one in state.assignments if one.id in state.findings]
    given = merged(findings)
    progress("specialists_merged", status=given.status, claims=len(given.claims))
    audited = state.audit.notes if state.audit is not None else []
    return dump(
        status=given.status,
        final_answer=given.text,
        short_answer=given.short,
        claims=given.claims,
        skipped=given.skipped,
        confidence=1.0 if given.status == "answered" else None,
        failure=_failure(given, findings),
        usage=total([state.usage, *(one.usage for one in findings)]),
        notes=list(dict.fromkeys([*state.notes, *given.notes, *audited, *told])),
    )


def _failure(given: Merged, findings: list[Finding]) -> Failure | None:
    """Why there is no answer, if every specialist failed."""
    if given.status != "error":
        return None
    return next((one.failure for one in findings if one.failure is not None), None)
