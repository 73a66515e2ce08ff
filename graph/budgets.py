"""When a run must stop trying, for every strategy: pure questions to the state."""

from __future__ import annotations

from nodes.reflective.state import ReasoningState, StepStatus, TaskComplexity
from nodes.reflective.step_retry import may_have_changed

# Far above any run's own limit (graph.max_iterations), far below LangGraph's default of 10007.
RECURSION_LIMIT = 1200
# RESPOND needs one step, the step that leads to it another; a run turns to RESPOND when this many are left.
# `update_state`, which forks a thread outside any run, routes with 2 left: a number no run gets to see here.
TURN_AT = 3


def out_of_steps(state: ReasoningState) -> bool:
    """True when the run must answer now: its own limit or LangGraph's is reached."""
    return state.iterations >= state.limits.iterations or state.remaining_steps == TURN_AT


def may_reflect(state: ReasoningState) -> bool:
    """True while the goal's complexity has reflections left."""
    complexity = (state.complexity or TaskComplexity.MODERATE).value
    return state.reflection_count < state.limits.reflections.get(complexity, 0)


def may_retry(state: ReasoningState) -> bool:
    """True while the failed step has tries left and may be worded anew.

    A recipe's step is no text of a planner's, and what may have changed something is not tried a second time.
    """
    step = state.plan.step_at(state.current_step_index) if state.plan else None
    if state.plan is None or step is None or step.status is not StepStatus.FAILED:
        return False
    worded = state.plan.source != "recipe" and not may_have_changed(step, state.asks_for_change)
    return worded and len(step.tries) < state.limits.step_retries


def has_ended(state: ReasoningState) -> bool:
    """True when EXECUTE found that nothing may be tried: a person said no, an effect is in doubt."""
    return state.stop_reason is not None
