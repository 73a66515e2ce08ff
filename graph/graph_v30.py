"""The strategy graph_v30, the default: classify, plan, act, reflect on failures, plan anew, verify, answer.

START -> classify -> (bypass, simple) direct_exec -> verify or respond -> END
direct_exec's call fails -> reflect (the goal is moderate from then on) -> plan
classify -> (moderate, complex) plan -> execute -> execute ... -> verify or respond
execute or verify fails -> reflect (budget left) -> plan; budget spent -> respond
any node raises -> respond
"""

from __future__ import annotations

from typing import Literal

from graph.budgets import has_ended, may_reflect, out_of_steps
from graph.wiring import Wiring
from nodes.reflective.classify import classify
from nodes.reflective.direct_exec import direct_exec
from nodes.reflective.execute import execute
from nodes.reflective.plan import plan
from nodes.reflective.reflect import reflect
from nodes.reflective.respond import respond
from nodes.reflective.state import ReasoningState, TaskComplexity
from nodes.reflective.verify import must_verify, verify


def after_classify(state: ReasoningState) -> Literal["direct_exec", "plan", "respond"]:
    """BYPASS and SIMPLE need no plan."""
    if out_of_steps(state):
        return "respond"
    return "direct_exec" if state.complexity in (TaskComplexity.BYPASS, TaskComplexity.SIMPLE) else "plan"


def after_direct_exec(state: ReasoningState) -> Literal["verify", "reflect", "respond"]:
    """An answer from a call that a model proposed is verified like a plan of one step.

    A call that failed made the goal MODERATE (`nodes.reflective.promotion`), and is reflected upon as one.
    """
    if state.stop_reason is not None or out_of_steps(state):
        return "respond"
    if state.last_error is not None:
        return "reflect" if may_reflect(state) else "respond"
    return "verify" if must_verify(state) else "respond"


def after_plan(state: ReasoningState) -> Literal["execute", "respond"]:
    """Without a plan there is nothing to run."""
    return "respond" if state.plan is None or out_of_steps(state) else "execute"


def after_execute(state: ReasoningState) -> Literal["execute", "reflect", "verify", "respond"]:
    """On to the next step, or to reflection when the last one failed."""
    if out_of_steps(state):
        return "respond"
    if state.last_error is not None:
        return "reflect" if may_reflect(state) and not has_ended(state) else "respond"
    if state.plan is None or not state.plan.is_complete:
        return "execute" if state.plan is not None else "respond"
    return "verify" if must_verify(state) else "respond"


def after_verify(state: ReasoningState) -> Literal["reflect", "respond"]:
    """A failed verification may be reflected upon."""
    failed = state.last_error is not None
    return "reflect" if failed and may_reflect(state) and not out_of_steps(state) else "respond"


def after_reflect(state: ReasoningState) -> Literal["plan", "respond"]:
    """A diagnosis leads to a new plan."""
    return "respond" if out_of_steps(state) else "plan"


GRAPH_V30 = Wiring(
    nodes={
        "classify": classify,
        "direct_exec": direct_exec,
        "plan": plan,
        "execute": execute,
        "reflect": reflect,
        "verify": verify,
        "respond": respond,
    },
    routes={
        "classify": after_classify,
        "direct_exec": after_direct_exec,
        "plan": after_plan,
        "execute": after_execute,
        "reflect": after_reflect,
        "verify": after_verify,
    },
)
