"""A SIMPLE goal that one call did not answer: it needed a plan, and gets what a MODERATE goal is granted."""

from __future__ import annotations

from nodes.reflective.state import ReasoningState, TaskComplexity, Update, dump

PROMOTED = "One call did not answer this, so it was planned as a moderate goal."


def promoted(state: ReasoningState) -> Update:
    """The label and the note of a goal that is reflected upon after all; empty where nothing is left to try.

    Budgets are by label, so the failure of a call is the first of those that MODERATE may reflect upon. Where
    the label came from stays as it was. In loop_v1 nothing reflects.

    Args:
        state: of a run whose answer failed.
    """
    limits = state.limits
    moderate = TaskComplexity.MODERATE
    if state.complexity is not TaskComplexity.SIMPLE or limits.strategy == "loop_v1":
        return {}
    if limits.reflections.get(moderate.value, 0) <= state.reflection_count:
        return {}
    return dump(complexity=moderate, notes=[*state.notes, PROMOTED])
