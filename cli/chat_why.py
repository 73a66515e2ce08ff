"""How an answer came about, read from the state of its run."""

from __future__ import annotations

from collections.abc import Iterator

from nodes.reflective.state import ReasoningState


def why(state: ReasoningState) -> Iterator[str]:
    """The run in lines: reading, plan, steps, what was tried before, check, cost."""
    if state.said:
        yield f"You asked: {state.said}"
    yield f"Goal: {state.goal}"
    if state.complexity is not None:
        yield f"Complexity: {state.complexity.value} (by {state.complexity_source})"
    for number, attempt in enumerate(state.reflection_attempts, start=1):
        yield f"Tried {number}: {attempt.error}"
        yield f"  diagnosis: {attempt.diagnosis}"
    if state.plan is not None:
        recipe = f" {state.plan.recipe}" if state.plan.recipe else ""
        yield f"Plan from {state.plan.source}{recipe}:"
        for step in state.plan.steps:
            command = f"  $ {step.result.command}" if step.result else ""
            yield f"  {step.num}. {step.description}: {step.status.value}{command}"
        yield "Verified." if state.verified else "Not put to VERIFY, or it did not pass."
    elif state.stop_reason == "bypass":
        yield "No tool looked at anything: it is what the model knows."
    for role, usage in state.usage.items():
        tokens = f"{usage.prompt_tokens} + {usage.completion_tokens} tokens"
        yield f"The {role} was asked {usage.calls} times ({tokens}, {usage.seconds:.1f} s)."
    confidence = "" if state.confidence is None else f", confidence {state.confidence:.2f}"
    yield f"Ended: {state.status} ({state.stop_reason}){confidence}"
    for note in state.notes:
        yield f"Note: {note}"
