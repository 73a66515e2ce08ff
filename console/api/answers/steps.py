"""A run of the reflective graph: its plan, and what the steps printed."""

from __future__ import annotations

import json

from cli.trace_facts import MARKS
from console.api.answers.facts import AnswerFacts, Evidence, Step, failure, figures, share, usage
from nodes.reflective.state import PlanStep, ReasoningState


def reflective(state: ReasoningState) -> AnswerFacts:
    """The last plan, its evidence and its answer."""
    plan = state.plan.steps if state.plan else []
    made = " ".join(filter(None, [state.plan.source, state.plan.recipe or ""])) if state.plan else ""
    return AnswerFacts(
        graph="",
        asked=state.goal,
        status=state.status,
        answer=state.final_answer or "",
        figures=figures(
            ("stop reason", state.stop_reason or ""),
            ("confidence", share(state.confidence)),
            ("complexity", state.complexity.value if state.complexity else ""),
            ("plan", made),
            *usage(state.usage.values()),
        ),
        failure=failure(state.failure),
        evidence=tuple(
            Evidence(one.command if one.source == "tool" else f"computed from: {one.command}", one.text)
            for one in state.evidence
        ),
        # Steps of the plan that succeeded are among the completed ones, too.
        steps=tuple(_step(one) for one in [*(one for one in state.completed if one not in plan), *plan]),
        notes=tuple(state.notes),
    )


def _step(step: PlanStep) -> Step:
    result = step.result
    command = result.command if result else ""
    if not command and step.tool_call:
        command = f"{step.tool_call.tool} {json.dumps(step.tool_call.args, ensure_ascii=False)}"
    outputs = [("output", result.stdout), ("errors", result.stderr)] if result else []
    said = step.status.value
    return Step(
        text=step.description,
        mark="not run" if said == "pending" else MARKS.get(said, said),
        command=command,
        exit_code=result.returncode if result else None,
        outputs=tuple((name, text) for name, text in outputs if text.strip()),
    )
