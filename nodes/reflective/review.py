"""An answer put to a person before it is given, where its confidence is below `reasoning.pause_below`."""

from __future__ import annotations

from typing import Any, Literal

from langgraph.types import interrupt
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from nodes.reflective.emit import now
from nodes.reflective.state import ReasoningState, ReflectionAttempt, StopReason, TaskComplexity

ANSWER_CHARS = 4000
EVIDENCE_CHARS = 1000
CORRECTION = "correction"
# However little a goal may reflect, a person who says what was meant is listened to once.
LEAST_CORRECTIONS = 1


class Review(BaseModel):
    """What a person makes of an answer.

    Attributes:
        decision: accept it, reject it, or say what to do instead.
        instead: what to do instead; needed for that, and only then.
        reason: why it is rejected; may be empty.
    """

    model_config = ConfigDict(extra="forbid")

    decision: Literal["accept", "reject", "instead"]
    instead: str = Field("", max_length=4000)
    reason: str = Field("", max_length=1000)

    @model_validator(mode="after")
    def _says_what(self) -> Review:
        self.instead = self.instead.strip()
        if self.decision == "instead" and not self.instead:
            raise ValueError('"instead" says what to do instead')
        return self


REVIEW_SCHEMA = Review.model_json_schema()


def needs_review(state: ReasoningState, reason: StopReason, confidence: float, below: float | None) -> bool:
    """True if a person is to see the answer before it is given.

    Args:
        state: of the run.
        reason: why the run stops.
        confidence: in its answer.
        below: the setting; None never asks.
    """
    held = reason in ("success", "bypass", "partial_success")
    return below is not None and held and confidence < below


def reviewed(state: ReasoningState, answer: str, confidence: float) -> Review:
    """What a person says of the answer; they are asked until it can be read.

    Raises:
        GraphInterrupt: nobody has answered yet; the node runs again with the answer.
    """
    problem = ""
    while True:
        value = interrupt(review_question(state, answer, confidence, problem), response_schema=REVIEW_SCHEMA)
        read, problem = read_review(value)
        if read is not None:
            return read


def read_review(value: Any) -> tuple[Review | None, str]:
    """A person's word, or None and what is wrong with it. A plain text is the decision."""
    try:
        return Review.model_validate({"decision": value} if isinstance(value, str) else value), ""
    except ValidationError as error:
        where = "; ".join(f"{'.'.join(map(str, e['loc'])) or 'answer'}: {e['msg']}" for e in error.errors())
        return None, f"The answer could not be read ({where})."


def review_question(state: ReasoningState, answer: str, confidence: float, problem: str) -> dict[str, Any]:
    """What a person is shown: the draft, how far it may be trusted, and what it rests on.

    Args:
        state: of the run.
        answer: as it would be given.
        confidence: in it, 0 to 1.
        problem: why they are asked again, or empty.
    """
    doubts = [*state.plan.doubts, *state.plan.unexplained] if state.plan else []
    return {
        "kind": "review",
        "summary": f"Is this answer right? The confidence in it is {confidence:.2f}.",
        "preview": answer[:ANSWER_CHARS],
        "goal": state.goal,
        "confidence": confidence,
        "doubts": doubts,
        "evidence": [
            {"command": item.command, "returncode": item.returncode, "text": item.text[:EVIDENCE_CHARS]}
            for item in state.evidence
            if item.source == "tool"
        ],
        "problem": problem,
        "decisions": ["accept", "reject", "instead"],
    }


def corrections_of(state: ReasoningState) -> list[ReflectionAttempt]:
    """What a person said in this run, in order."""
    return [attempt for attempt in state.reflection_attempts if attempt.category == CORRECTION]


def may_correct(state: ReasoningState) -> bool:
    """True while a correction may lead to a plan: reflections are its budget, at least one."""
    complexity = (state.complexity or TaskComplexity.MODERATE).value
    budget = max(LEAST_CORRECTIONS, state.limits.reflections.get(complexity, 0))
    left = state.iterations + 1 < state.limits.iterations
    return left and len(corrections_of(state)) < budget


def correction(state: ReasoningState, said: str) -> ReflectionAttempt:
    """A person's correction as an attempt that PLAN reads; the plan they did not want is not made again."""
    steps = state.plan.steps if state.plan else []
    return ReflectionAttempt(
        timestamp=now(),
        failed_step=-1,
        error="The person who asked did not take this answer.",
        category=CORRECTION,
        diagnosis=f"They said what to do instead: {said}",
        lesson="",
        new_plan_summary=said,
        failed_plan=[step.tool_call for step in steps if step.tool_call is not None],
    )
