"""NORMALIZE: what the question wants; a model may restate it, if that changes nothing."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from models.errors import ModelError
from nodes.contractive.asking import messages, turns
from nodes.contractive.calls import Place
from nodes.contractive.normalization import by_code, guarded
from nodes.contractive.replies import NormalizeReply
from nodes.contractive.run import run_of_task
from nodes.contractive.state import ROOT, ContractiveState, Normalization
from nodes.contractive.tasks import Task, task_of
from nodes.contractive.telling import happened, moved
from nodes.errors import CallRefused
from nodes.reflective.context import RunContext

REPLY_TOKENS = 300


async def normalize(state: ContractiveState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Normalise the question itself; its parts are normalised when they are made.

    Raises:
        MemoryStoreError: a call cannot be written down.
    """
    task = task_of(state, ROOT)
    root = state.taken_up(ROOT)
    moved(root, "NORMALIZE")
    normal = by_code(root.text)
    if state.limits.normalize == "model":
        try:
            normal = await _by_model(task, normal, runtime)
        except (ModelError, CallRefused) as error:
            normal.refused = error.what
            root.errors.append(error.what)
            root.events.append(happened("call_failed", ROOT, phase="normalize", why=error.what))
    root.normal = normal
    root.events.append(happened("normalized", ROOT, **normal.model_dump(mode="json")))
    return {"tree": {ROOT: root.model_dump(mode="json")}}


async def _by_model(task: Task, normal: Normalization, runtime: Runtime[RunContext]) -> Normalization:
    run = await run_of_task(runtime, task)
    asked = task.question.text
    prompt = messages("contractive_normalize", task.run_id, question=asked, earlier=turns(task))
    reply = await run.calls.structured(
        Place("normalize", ROOT), "planner", prompt, NormalizeReply, max_tokens=REPLY_TOKENS
    )
    restated = reply.question.strip()
    earlier = [text for turn in task.earlier for text in (turn.question, turn.answer)]
    lost = guarded(asked, restated, earlier) if restated and restated != asked else ""
    taken = bool(restated) and not lost
    readings = [reading.strip() for reading in reply.readings if reading.strip()]
    return Normalization(
        question=restated if taken else asked,
        answer_type=by_code(restated).answer_type if taken else normal.answer_type,
        constraints=normal.constraints,
        source="model" if taken and restated != asked else "code",
        refused=lost,
        readings=list(dict.fromkeys(readings)) if len(set(readings)) > 1 else [],
    )
