"""NORMALIZE of a hierarchy: a question about files is taken as it is written, every other one as usual."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from nodes.contractive import normalize as contractive
from nodes.contractive.normalization import by_code
from nodes.contractive.state import ROOT
from nodes.contractive.telling import happened, moved
from nodes.hierarchy.needs import need_of
from nodes.hierarchy.placing import placed
from nodes.hierarchy.state import HierarchyState
from nodes.reflective.context import RunContext
from nodes.reflective.services import services_of


async def normalize(state: HierarchyState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Normalise the question itself.

    A worker reads names and wording of its goal by itself, so no model restates them; but one that leans on
    an earlier turn, or may mean two things, needs the model.

    Raises:
        MemoryStoreError: a call cannot be written down.
    """
    if state.asked_before or state.limits.clarify:
        return await contractive.normalize(state, runtime)
    need = await need_of(state.question, await services_of(runtime))
    if not need.files:
        return await contractive.normalize(state, runtime)
    root = state.taken_up(ROOT)
    moved(root, "NORMALIZE")
    root.normal = by_code(root.text)
    root.events.append(happened("normalized", ROOT, **root.normal.model_dump(mode="json")))
    placed(root, need, state.limits.max_depth)
    return {"tree": {ROOT: root.model_dump(mode="json")}}
