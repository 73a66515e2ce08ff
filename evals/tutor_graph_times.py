"""What a turn of the proof game costs in the graph: its steps, its state and its checkpoints.

The model answers at once, and passes, so that nothing is done in a turn.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from langgraph.checkpoint.memory import InMemorySaver

from configs.settings import Settings
from graph.tutor import build
from memory.checkpoints import open_project_checkpointer
from models.scripted import Script, register_script
from nodes.reflective.context import RunContext

NAME = "bench-graph"
FEW_TURNS, MANY_TURNS = 10, 50


async def graph_times(rounds: int) -> dict[str, float]:
    """Milliseconds a turn takes that does nothing, by the checkpointer: the fastest of some runs.

    Raises:
        RuntimeError: a game went another way than it should have.
    """
    register_script(NAME, Script(roles={"worker": [{"move": "PASS"}] * MANY_TURNS}))
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory).resolve()
        async with open_project_checkpointer(root, Settings()) as project:
            savers = {"no checkpointer": None, "memory": InMemorySaver(), "sqlite": project}
            return {name: round(await _turn_ms(root, saver, rounds), 3) for name, saver in savers.items()}


async def _turn_ms(root: Path, saver: Any, rounds: int) -> float:
    """A longer game against a shorter one, so that beginning and end of a game do not count."""
    fastest = {turns: float("inf") for turns in (FEW_TURNS, MANY_TURNS)}
    for repetition in range(rounds):
        for turns in fastest:
            fastest[turns] = min(fastest[turns], await _run_ms(root, saver, turns, repetition))
    return (fastest[MANY_TURNS] - fastest[FEW_TURNS]) / (MANY_TURNS - FEW_TURNS)


async def _run_ms(root: Path, saver: Any, turns: int, repetition: int) -> float:
    graph = build(saver)
    settings = {"tutor.most_turns": turns, "tutor.arm": "none"}
    context = RunContext(root=str(root), model=f"scripted:{NAME}", settings=settings)
    thread: Any = {"configurable": {"thread_id": f"bench-{turns}-{repetition}"}}
    durability: Any = {"durability": "sync"} if saver else {}
    began = time.perf_counter()
    final = await graph.ainvoke({"game": "free", "goal": NAME}, thread, context=context, **durability)
    took = (time.perf_counter() - began) * 1000
    if len(final["turns"]) != turns or final["failure"] is not None:
        raise RuntimeError(f"the game went another way: {final['failure']}")
    return took
