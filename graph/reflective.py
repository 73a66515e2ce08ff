"""The reflective graph: classify, plan, act, reflect on failures, verify, answer.

START -> classify -> (bypass, simple) direct_exec -> respond -> END
classify -> (moderate, complex) plan -> execute -> execute ... -> verify or respond
execute or verify fails -> reflect (budget left) -> plan; budget spent -> respond
any node raises -> respond
"""

from __future__ import annotations

from typing import Any, Literal

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer

from nodes.draining import drainable
from nodes.reflective.classify import classify
from nodes.reflective.context import RunContext
from nodes.reflective.direct_exec import direct_exec
from nodes.reflective.execute import execute
from nodes.reflective.failure import on_node_error
from nodes.reflective.plan import plan
from nodes.reflective.reflect import reflect
from nodes.reflective.respond import respond
from nodes.reflective.state import ReasoningState, TaskComplexity
from nodes.reflective.verify import must_verify, verify

Reflective = CompiledStateGraph[ReasoningState, RunContext, Any, Any]

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


def after_classify(state: ReasoningState) -> Literal["direct_exec", "plan", "respond"]:
    """BYPASS and SIMPLE need no plan."""
    if out_of_steps(state):
        return "respond"
    return "direct_exec" if state.complexity in (TaskComplexity.BYPASS, TaskComplexity.SIMPLE) else "plan"


def after_direct_exec(state: ReasoningState) -> Literal["verify", "respond"]:
    """An answer from a call that a model proposed is verified like a plan of one step."""
    drafted = state.stop_reason is None and state.last_error is None and not out_of_steps(state)
    return "verify" if drafted and must_verify(state) else "respond"


def after_plan(state: ReasoningState) -> Literal["execute", "respond"]:
    """Without a plan there is nothing to run."""
    return "respond" if state.plan is None or out_of_steps(state) else "execute"


def after_execute(state: ReasoningState) -> Literal["execute", "reflect", "verify", "respond"]:
    """On to the next step, or to reflection when the last one failed."""
    if out_of_steps(state):
        return "respond"
    if state.last_error is not None:
        aborted = state.stop_reason in ("user_abort", "interrupted")
        return "reflect" if may_reflect(state) and not aborted else "respond"
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


def workflow_builder() -> StateGraph[ReasoningState, RunContext, Any, Any]:
    """Nodes and edges, not yet compiled."""
    # LangGraph hands a NodeError to handlers by annotation, which its own types cannot express.
    handler: Any = on_node_error
    graph: StateGraph[ReasoningState, RunContext, Any, Any] = StateGraph(ReasoningState, RunContext)
    graph.add_node("classify", drainable(classify), error_handler=handler)
    graph.add_node("direct_exec", drainable(direct_exec), error_handler=handler)
    graph.add_node("plan", drainable(plan), error_handler=handler)
    graph.add_node("execute", drainable(execute), error_handler=handler)
    graph.add_node("reflect", drainable(reflect), error_handler=handler)
    graph.add_node("verify", drainable(verify), error_handler=handler)
    # RESPOND has no handler: a handler leads to RESPOND.
    graph.add_node("respond", respond)
    graph.add_edge(START, "classify")
    graph.add_conditional_edges("classify", after_classify)
    graph.add_conditional_edges("direct_exec", after_direct_exec)
    graph.add_conditional_edges("plan", after_plan)
    graph.add_conditional_edges("execute", after_execute)
    graph.add_conditional_edges("verify", after_verify)
    graph.add_conditional_edges("reflect", after_reflect)
    graph.add_edge("respond", END)
    return graph


def build(checkpointer: Checkpointer = None) -> Reflective:
    """The graph, compiled; with a checkpointer for callers that keep their own threads."""
    compiled = workflow_builder().compile(checkpointer=checkpointer, name="reflective")
    return compiled.with_config(recursion_limit=RECURSION_LIMIT)


workflow = build()
