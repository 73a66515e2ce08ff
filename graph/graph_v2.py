"""The strategy graph_v2, of version 0.23: no BYPASS, and REFLECT itself writes the plan that is run next.

START -> classify -> (simple) direct_exec -> respond -> END; its call fails -> reflect
classify -> (moderate, complex) plan -> execute -> execute ... -> verify or respond
execute or verify fails -> reflect (budget left), which plans anew -> execute; no plan, or budget spent ->
    respond
any node raises -> respond

A goal that needs no tool is SIMPLE here, as it was then: one command is asked for, and without one the run
says that it has no answer. To let the model answer alone would be BYPASS under another name, and a simple
goal's answer rests on what a tool printed.
"""

from __future__ import annotations

from typing import Literal

from graph.budgets import out_of_steps
from graph.graph_v30 import after_classify, after_direct_exec, after_execute, after_plan, after_verify
from graph.wiring import Wiring
from nodes.reflective.classify import classify
from nodes.reflective.direct_exec import direct_exec
from nodes.reflective.execute import execute
from nodes.reflective.plan import plan
from nodes.reflective.replan import reflect_and_plan
from nodes.reflective.respond import respond
from nodes.reflective.state import ReasoningState
from nodes.reflective.verify import verify


def after_reflect(state: ReasoningState) -> Literal["execute", "respond"]:
    """The new plan is run at once, if there is one."""
    return "respond" if state.plan is None or out_of_steps(state) else "execute"


GRAPH_V2 = Wiring(
    nodes={
        "classify": classify,
        "direct_exec": direct_exec,
        "plan": plan,
        "execute": execute,
        "reflect": reflect_and_plan,
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
