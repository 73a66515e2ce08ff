"""ADVANCE: where every question stands after a step. What is to be done next is `ready`, a pure question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from langgraph.runtime import Runtime

from nodes.contractive.run import run_of
from nodes.contractive.state import ContractiveState, Metrics, Question
from nodes.contractive.telling import moved
from nodes.reflective.context import RunContext

Operation = Literal["solve", "decompose", "collapse", "peer_review", "work"]


class Ready(NamedTuple):
    """A question that can be worked on now."""

    operation: Operation
    node: str


async def advance(state: ContractiveState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Turn to the merge where all parts of a question are done, and take stock of the cost.

    Raises:
        MemoryStoreError: the journal cannot be read.
    """
    tree: dict[str, Any] = {}
    for question in state.tree.values():
        if question.waits and all(state.tree[name].stage == "DONE" for name in question.children):
            merging = state.taken_up(question.id)
            merging.waits = False
            moved(merging, "COLLAPSE")
            tree[question.id] = merging.model_dump(mode="json")
    run = await run_of(runtime, state.run_id, state.limits, state.metrics.tokens, state.metrics.seconds)
    metrics = counted(state, run.calls.metrics())
    return {"tree": tree, "metrics": metrics.model_dump(mode="json")}


def ready(tree: Mapping[str, Question]) -> list[Ready]:
    """The questions that can be worked on now, in order of their ids; none at the end of a pass.

    A part waits for the siblings it depends on, and a question with parts for all of them.
    """
    found = []
    for question in tree.values():
        operation = _operation(question, tree)
        if operation is not None:
            found.append(Ready(operation, question.id))
    return found


def _operation(question: Question, tree: Mapping[str, Question]) -> Operation | None:
    if question.stage == "NORMALIZE":
        begins: Operation = "work" if question.facts_from == "files" else "solve"
        return begins if all(tree[name].stage == "DONE" for name in question.depends_on) else None
    if question.stage == "DECOMPOSE":
        return None if question.waits else "decompose"
    if question.stage == "COLLAPSE":
        return "collapse"
    return "peer_review" if question.stage == "PEER_REVIEW" else None


def counted(state: ContractiveState, metrics: Metrics) -> Metrics:
    """The cost of the calls, and what the tree says of itself."""
    questions = state.tree.values()
    reviews = [
        review for one in questions for review in one.reviews if review.by == "peer" and not review.problem
    ]
    return metrics.model_copy(
        update={
            "depth": max((one.depth for one in questions), default=0),
            "questions": len(state.tree),
            "split": sum(bool(one.children) for one in questions),
            "reviewed": len(reviews),
            "approved": sum(review.verdict == "approved" for review in reviews),
        }
    )
