"""ADVANCE of a hierarchy: who answers each new question, and then as in a contractive run."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from nodes.contractive import advance as contractive
from nodes.contractive.side_by_side import all_of
from nodes.contractive.state import Question
from nodes.hierarchy.needs import need_of
from nodes.hierarchy.placing import TOO_MANY, is_new, leave_out, one_too_many, placed
from nodes.hierarchy.state import HierarchyState
from nodes.reflective.context import RunContext
from nodes.reflective.services import services_of


async def advance(state: HierarchyState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Decide where new questions go; leave out what is more than the workers may be given; take stock.

    Raises:
        MemoryStoreError: the journal cannot be read.
        ModelError: the embedding model of the classifier cannot be opened.
    """
    decided = {one.id: one for one in await _new_ones(state, runtime)}
    tree = {**state.tree, **decided}
    for name in one_too_many(tree, len(state.findings), state.shared.max_leaves):
        over = decided.get(name) or state.taken_up(name)
        leave_out(over, TOO_MANY.format(most=state.shared.max_leaves))
        decided[name] = tree[name] = over
    # A question whose last part was left out just now is merged in this step, not in one that never comes.
    update = await contractive.advance(state.model_copy(update={"tree": tree}), runtime)
    return {
        **update,
        "tree": {**{name: one.model_dump(mode="json") for name, one in decided.items()}, **update["tree"]},
    }


async def _new_ones(state: HierarchyState, runtime: Runtime[RunContext]) -> list[Question]:
    new = [state.taken_up(one.id) for one in state.tree.values() if is_new(one)]
    if new:
        services = await services_of(runtime)
        needs = await all_of(need_of(one.question, services) for one in new)
        for question, need in zip(new, needs, strict=True):
            placed(question, need, state.limits.max_depth)
    return new
