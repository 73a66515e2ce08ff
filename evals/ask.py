"""Asking the graph within this process: for suites that ask hundreds of goals."""

from __future__ import annotations

from pathlib import Path

from graph.reflective import workflow
from nodes.reflective.context import RunContext
from nodes.reflective.state import ReasoningState


async def ask(
    goal: str, root: Path, model: str, thread: str, **settings: str | int | float | bool
) -> ReasoningState:
    """The final state of one run without a checkpointer.

    Args:
        goal: what is asked.
        root: directory it is about.
        model: provider:model.
        thread: name of the run.
        settings: further settings, with `__` for the dots of their keys.
    """
    keys = {name.replace("__", "."): value for name, value in settings.items()}
    context = RunContext(root=str(root), model=model, settings=keys)
    final = await workflow.ainvoke({"goal": goal}, {"configurable": {"thread_id": thread}}, context=context)
    return ReasoningState.model_validate(final)
