"""The strategy loop_v1, the loop before the graphs: plan, work, verify; a failed step is tried again.

START -> classify -> plan -> execute -> execute ... -> verify or respond -> END
execute fails -> execute, with a new command for the step (tries left); tries spent, or no other command ->
    respond
verify fails -> respond
any node raises -> respond

Every goal is planned, so a goal that needs no tool is SIMPLE here, and without a command that helps the run
says that it has no answer.
"""

from __future__ import annotations

from typing import Literal

from graph.budgets import has_ended, may_retry, out_of_steps
from graph.graph_v30 import after_plan
from graph.wiring import Wiring
from nodes.reflective.classify import classify
from nodes.reflective.execute import execute
from nodes.reflective.plan import plan
from nodes.reflective.respond import respond
from nodes.reflective.state import ReasoningState
from nodes.reflective.verify import must_verify, verify


def after_classify(state: ReasoningState) -> Literal["plan", "respond"]:
    """Every goal is planned."""
    return "respond" if out_of_steps(state) else "plan"


def after_execute(state: ReasoningState) -> Literal["execute", "verify", "respond"]:
    """On to the next step, or once more to the one that failed."""
    if out_of_steps(state) or state.plan is None:
        return "respond"
    if state.last_error is not None:
        return "execute" if may_retry(state) and not has_ended(state) else "respond"
    if not state.plan.is_complete:
        return "execute"
    return "verify" if must_verify(state) else "respond"


def after_verify(state: ReasoningState) -> Literal["respond"]:
    """Nothing reflects, so a failed verification is the end."""
    return "respond"


LOOP_V1 = Wiring(
    nodes={
        "classify": classify,
        "plan": plan,
        "execute": execute,
        "verify": verify,
        "respond": respond,
    },
    routes={
        "classify": after_classify,
        "plan": after_plan,
        "execute": after_execute,
        "verify": after_verify,
    },
)
