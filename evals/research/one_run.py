"""One research run in a process that may be killed: `python -m evals.research.one_run SPEC`.

SPEC is JSON: seed, question, model, corpus, place. The first line on standard output says that the run has
begun; the state is written to `state.json` in the place when it has come to its end.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig

from evals.research.noisy import model_for
from evals.research.product import THREAD, given, settings_of
from evals.research.questions import questions_of
from evals.research.world import build_world
from graph.research import build
from memory.checkpoints import open_checkpointer
from nodes.reflective.context import RunContext
from nodes.research.state import ResearchState

BEGUN = "begun"
RESULT = "state.json"
WAIT = 10.0


async def run(spec: dict[str, Any]) -> ResearchState:
    """Begin the thread, or go on with it."""
    world = build_world(int(spec["seed"]))
    question = next(one for one in questions_of(world) if one.id == spec["question"])
    place = Path(spec["place"])
    context = RunContext(
        root=str(place),
        model=model_for(str(spec["model"]), question, world),
        settings=settings_of(world, "full"),
    )
    config: RunnableConfig = {"configurable": {"thread_id": THREAD}}
    async with open_checkpointer(place / ".reflect" / "checkpoints.sqlite", WAIT) as checkpointer:
        graph = build(checkpointer)
        begun = bool((await graph.aget_state(config)).values)
        first: Any = None if begun else given(question, Path(spec["corpus"]))
        print(BEGUN, flush=True)
        values = await graph.ainvoke(first, config, context=context, durability="sync")
        if not values:
            values = dict((await graph.aget_state(config)).values)
    return ResearchState.model_validate(values)


def main() -> int:
    """Run what the only argument says."""
    spec = json.loads(sys.argv[1])
    state = asyncio.run(run(spec))
    (Path(spec["place"]) / RESULT).write_text(state.model_dump_json(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
