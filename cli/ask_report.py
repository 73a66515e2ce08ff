"""What a run of the reflective graph gives: the object `reflect ask --json` prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, Field

from nodes.reflective.context import RunContext
from nodes.reflective.services import open_model_name
from nodes.reflective.state import Evidence, PlanStep, ReasoningState, RoleUsage, Status, StopReason
from tools.protocol import ToolCall


class StepReport(BaseModel):
    """A step of the plan, from 1: its call, and how that ended; exit code None if it did not run."""

    num: int
    description: str
    tool_call: ToolCall | None
    status: str
    returncode: int | None


class UsageReport(BaseModel):
    """Model calls of the run: their number, tokens, wall-clock seconds, and the same by role."""

    calls: int
    prompt_tokens: int
    completion_tokens: int
    seconds: float
    by_role: dict[str, RoleUsage]


class AskReport(BaseModel):
    """A run, at its end or where it waits.

    Attributes:
        answer: for people; None without one.
        status: answered, partial, could_not or error; running if it waits for a person.
        stop_reason: why it stopped.
        complexity, complexity_source: label of the goal, and who gave it.
        plan_source: who made the plan.
        confidence: 0 to 1; None where nothing speaks for it.
        steps: of the last plan.
        reflections: what each attempt to find out about a failure found.
        evidence: what the answer rests on.
        usage: model calls.
        thread_id: by which the run can be gone on with.
        model: provider:model.
        sandbox_level: under which the last step ran.
        notes: what a reader should know.
        waiting_for: questions to a person; the changes they are about have not been made.
    """

    answer: str | None
    status: Status
    stop_reason: StopReason | None
    complexity: str | None
    complexity_source: str
    plan_source: str | None
    confidence: float | None
    steps: list[StepReport]
    reflections: list[dict[str, Any]]
    evidence: list[Evidence]
    usage: UsageReport
    thread_id: str
    model: str
    sandbox_level: str
    notes: list[str]
    waiting_for: list[dict[str, Any]] = Field(default_factory=list)


def report_of(
    state: ReasoningState, thread: str, context: RunContext, waiting_for: Sequence[dict[str, Any]] = ()
) -> AskReport:
    """The one object `--json` prints; the text form shows parts of it.

    Args:
        state: of the run.
        thread: its name.
        context: its choices.
        waiting_for: the questions it waits for an answer to.
    """
    steps = state.plan.steps if state.plan else []
    results = [step.result for step in steps if step.result]
    return AskReport(
        answer=state.final_answer,
        status=state.status,
        stop_reason=state.stop_reason,
        complexity=state.complexity.value if state.complexity else None,
        complexity_source=state.complexity_source,
        plan_source=state.plan.source if state.plan else None,
        confidence=state.confidence,
        steps=[_step(step) for step in steps],
        reflections=[
            attempt.model_dump(mode="json", exclude={"probes"}) for attempt in state.reflection_attempts
        ],
        evidence=state.evidence,
        usage=_usage(state.usage),
        thread_id=thread,
        model=open_model_name(context, thread),
        sandbox_level=results[-1].sandbox_level if results else "none",
        notes=state.notes,
        waiting_for=list(waiting_for),
    )


def _step(step: PlanStep) -> StepReport:
    return StepReport(
        num=step.num,
        description=step.description,
        tool_call=step.tool_call,
        status=step.status.value,
        returncode=step.result.returncode if step.result else None,
    )


def _usage(by_role: dict[str, RoleUsage]) -> UsageReport:
    calls = list(by_role.values())
    return UsageReport(
        calls=sum(item.calls for item in calls),
        prompt_tokens=sum(item.prompt_tokens for item in calls),
        completion_tokens=sum(item.completion_tokens for item in calls),
        seconds=round(sum(item.seconds for item in calls), 3),
        by_role=by_role,
    )
