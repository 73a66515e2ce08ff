"""CONCLUDE: the answer, put together by code from what was found; no sentence of it without evidence.

What failed is said in it, what only a model says is told beside it, and the analysis, which saw no file, is
no part of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langgraph.runtime import Runtime

from nodes.collective.budgets import forget
from nodes.collective.engine_reading import COMPUTED, total
from nodes.collective.exchange import Finding
from nodes.collective.hybrid.state import ANALYSIS, HybridState
from nodes.collective.standing import unheld
from nodes.collective.state import Status
from nodes.reflective.context import RunContext
from nodes.reflective.services import close_models
from nodes.reflective.state import Failure, dump

SHOWN = 300
MOST_COMMANDS = 4
ONLY_FOUND = "The answer is what was found for each recommendation; nothing is concluded beyond it."


async def conclude(state: HybridState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Put the findings together."""
    told = await close_models(runtime)
    forget(state.run_id)
    steps = [state.findings[one.id] for one in state.recommendations if one.id in state.findings]
    held = [one for one in steps if _is_held(one, state)]
    status = _status(steps, held)
    stated = [one.confidence for one in held if one.confidence is not None]
    every = total([state.usage, *(one.usage for one in state.findings.values())])
    return dump(
        status=status,
        final_answer=_answer(state, steps, held),
        short_answer=held[0].answer if len(steps) == len(held) == 1 else "",
        chosen=held[0].id if len(held) == 1 else "",
        confidence=min(stated, default=0.0) if held else 0.0,
        usage=every,
        failure=_failure(steps) if status == "error" else None,
        notes=list(dict.fromkeys([*state.notes, *_notes(state, steps, held), *told])),
    )


def _is_held(finding: Finding, state: HybridState) -> bool:
    """True if a finding's answer rests on evidence, every fact of it."""
    given = [state.goal, state.context, finding.question]
    return finding.grounded and not unheld(given, finding.answer, finding.evidence)


def _status(steps: Sequence[Finding], held: Sequence[Finding]) -> Status:
    if held:
        whole = len(held) == len(steps) and all(one.status == "answered" for one in held)
        return "answered" if whole else "partial"
    return "error" if steps and all(one.status == "error" for one in steps) else "could_not"


def _answer(state: HybridState, steps: Sequence[Finding], held: Sequence[Finding]) -> str:
    """What was found and by what command, goal by goal; of the goal itself, just that."""
    if _is_the_goal(state, steps):
        return steps[0].answer if held else ""
    if not held:
        return ""
    return "\n\n".join(_told(one, one in held) for one in steps)


def _is_the_goal(state: HybridState, steps: Sequence[Finding]) -> bool:
    return len(steps) == 1 and steps[0].question == state.goal


def _told(finding: Finding, is_held: bool) -> str:
    if not is_held:
        return f"{finding.question}\nNot done: {_why(finding)}"
    commands = [one.where for one in finding.evidence if not one.where.startswith(COMPUTED)]
    shown = "; ".join(f"`{command}`" for command in list(dict.fromkeys(commands))[:MOST_COMMANDS])
    return f"{finding.question}\n{finding.answer}\n(by {shown})"


def _why(finding: Finding) -> str:
    if finding.failure is not None:
        return _line(finding.failure.what)
    if finding.answers:
        return "no evidence holds what was answered."
    return _line(finding.answer) or "nothing was found."


def _notes(state: HybridState, steps: Sequence[Finding], held: Sequence[Finding]) -> list[str]:
    analysis = state.findings.get(ANALYSIS)
    notes = []
    if held and not _is_the_goal(state, steps):
        notes.append(ONLY_FOUND)
    if analysis is not None and analysis.status == "error":
        why = analysis.failure.what if analysis.failure is not None else "no reason is known"
        notes.append(f"The analysis failed: {why}")
    for one in steps:
        if one not in held:
            notes.append(f"{one.id} ({one.question}) was not done: {_why(one)}")
            if one.answers:
                notes.append(f"Without evidence, a model says: {_line(one.answer)}")
        notes += one.notes
    return notes


def _failure(steps: Sequence[Finding]) -> Failure | None:
    return next((one.failure for one in steps if one.failure is not None), None)


def _line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHOWN else f"{line[:SHOWN]} ..."
