"""One run of the reflective graph from the command line: streamed, its questions asked, its end reported."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.errors import GraphDrained
from langgraph.runtime import RunControl
from langgraph.types import Command, Interrupt

from cli.approval import Person, can_ask
from configs.errors import RunEnded, UsageError
from configs.settings import Settings
from graph.reflective import Reflective, build
from memory.checkpoints import open_checkpointer
from nodes.reflective.context import RunContext
from nodes.reflective.services import open_model_name
from nodes.reflective.state import ReasoningState

if TYPE_CHECKING:
    from cli.live import LiveView

EXIT_BY_STATUS = {"answered": 0, "partial": 1, "could_not": 1}
EXIT_ENVIRONMENT = 2
EXIT_WAITING = 3


async def run_to_the_end(
    start: dict[str, Any] | None,
    context: RunContext,
    thread: str,
    settings: Settings,
    live: LiveView | None,
) -> tuple[dict[str, Any], int]:
    """Run a thread and put its questions to the person at the terminal, if there is one.

    Args:
        start: the input of a new run, or None to go on with one that was interrupted.
        context: choices of the run.
        thread: its name.
        settings: where threads are kept.
        live: shows the run as it goes on.

    Returns:
        The report that is printed, and the exit code.

    Raises:
        UsageError: there is no such thread to go on with.
        RunEnded: somebody asked the process to end; the thread can be resumed.
    """
    path = Path(context.root) / settings.checkpoints.path
    config: RunnableConfig = {"configurable": {"thread_id": thread}}
    person = Person(thread) if can_ask() else None
    control = RunControl()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, control.request_drain, "SIGTERM")
    given: Any = start
    async with open_checkpointer(path, settings.checkpoints.busy_timeout) as checkpointer:
        graph = build(checkpointer)
        if start is None and not (await graph.aget_state(config)).values:
            raise UsageError(
                f"There is no thread {thread!r} below {context.root}.", "Name one that was begun there."
            )
        if live is not None and start is not None:
            live.start(start["goal"])
        while True:
            try:
                values, questions = await _streamed(graph, given, config, context, live, control)
            except GraphDrained as error:
                raise RunEnded(
                    f"The run was ended by {error.reason}.", f"Go on with: reflect resume {thread}"
                ) from error
            if not questions or person is None:
                break
            answers = {}
            for question in questions:
                # In a thread: the prompt waits for keys, and Ctrl-C must still reach the loop.
                answers[question.id] = await asyncio.to_thread(person.decide, question.value)
            given = Command(resume=answers)
    state = ReasoningState.model_validate(values)
    report = report_of(state, thread, context) | {"waiting_for": [question.value for question in questions]}
    if questions:
        return report, EXIT_WAITING
    if state.failure is not None and state.failure.environmental:
        return report, EXIT_ENVIRONMENT
    return report, EXIT_BY_STATUS.get(state.status, EXIT_ENVIRONMENT)


async def _streamed(
    graph: Reflective,
    given: Any,
    config: RunnableConfig,
    context: RunContext,
    live: LiveView | None,
    control: RunControl,
) -> tuple[dict[str, Any], Sequence[Interrupt]]:
    """One stretch of a run: the last values of its state, and the questions it stopped at."""
    final: dict[str, Any] = {}
    questions: Sequence[Interrupt] = ()
    stream = graph.astream(
        given,
        config,
        context=context,
        stream_mode=["tasks", "custom", "values"],
        durability="sync",
        control=control,
    )
    try:
        async for part in stream:
            mode, chunk = cast("tuple[str, dict[str, Any]]", part)
            if mode == "values":
                questions = chunk.pop("__interrupt__", ())
                final = {**final, **chunk}
            elif live is not None:
                live.show(mode, chunk)
    finally:
        if live is not None:
            live.stop()
    if not final:
        # The thread was at its end already.
        final = dict((await graph.aget_state(config)).values)
    return final, questions


def report_of(state: ReasoningState, thread: str, context: RunContext) -> dict[str, Any]:
    """The one object `--json` prints; the text form shows parts of it."""
    steps = state.plan.steps if state.plan else []
    calls = list(state.usage.values())
    results = [step.result for step in steps if step.result]
    return {
        "answer": state.final_answer,
        "status": state.status,
        "stop_reason": state.stop_reason,
        "complexity": state.complexity.value if state.complexity else None,
        "complexity_source": state.complexity_source,
        "plan_source": state.plan.source if state.plan else None,
        "confidence": state.confidence,
        "steps": [
            {
                "num": step.num,
                "description": step.description,
                "tool_call": step.tool_call.model_dump() if step.tool_call else None,
                "status": step.status.value,
                "returncode": step.result.returncode if step.result else None,
            }
            for step in steps
        ],
        "reflections": [
            attempt.model_dump(mode="json", exclude={"probes"}) for attempt in state.reflection_attempts
        ],
        "evidence": [item.model_dump(mode="json") for item in state.evidence],
        "usage": {
            "calls": sum(item.calls for item in calls),
            "prompt_tokens": sum(item.prompt_tokens for item in calls),
            "completion_tokens": sum(item.completion_tokens for item in calls),
            "seconds": round(sum(item.seconds for item in calls), 3),
        },
        "thread_id": thread,
        "model": open_model_name(context, thread),
        "sandbox_level": results[-1].sandbox_level if results else "none",
        "notes": state.notes,
    }
