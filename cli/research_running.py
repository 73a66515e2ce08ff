"""One run of the research graph from the command line: streamed, its question asked, its end reported."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.errors import GraphDrained
from langgraph.runtime import RunControl
from langgraph.types import Command, Interrupt

from cli.approval import can_ask
from cli.beside import beside
from cli.live import printable
from cli.thread_kind import check_kind
from configs.errors import RunEnded, UsageError
from configs.settings import Settings
from graph.research import Research, build
from memory.checkpoints import open_project_checkpointer
from memory.thread_history import newest_moment
from memory.threads import alone_on
from nodes.reflective.context import RunContext

Shown = Callable[[Mapping[str, Any]], None]
"""Is told each event of the run, as the graph streams it."""


async def run_research_thread(
    start: dict[str, Any] | None,
    context: RunContext,
    thread: str,
    settings: Settings,
    go_on: str,
    *,
    quiet: bool,
    ask: bool,
    control: RunControl | None = None,
    show: Shown | None = None,
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Run a thread to its end, or to a question nobody is there to answer.

    Args:
        start: the input of a new run, or None to go on with one that was interrupted.
        context: choices of the run.
        thread: its name.
        settings: where threads are kept.
        go_on: the command that goes on with it.
        quiet: show no progress.
        ask: put a question to whoever sits at the terminal.
        control: ends the run when it is asked to drain; if None, SIGTERM does.
        show: shows what happens; if None, the terminal does.

    Returns:
        The state's values, and the questions the run waits for an answer to.

    Raises:
        UsageError: there is no such run to go on with, or the thread is none of research.
        RunEnded: somebody asked the process to end; the run can be resumed.
    """
    if control is None:
        control = RunControl()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, control.request_drain, "SIGTERM")
    shown = _nothing if quiet else show or _at_terminal
    config: RunnableConfig = {"configurable": {"thread_id": thread}}
    root = Path(context.root)
    async with alone_on(root, thread, quiet=quiet), open_project_checkpointer(root, settings) as saver:
        graph = build(saver)
        moment = await newest_moment(saver, thread)
        if start is None and moment is None:
            raise UsageError(
                f"There is no research run {thread!r} here.", "Name one that was begun below this root."
            )
        check_kind(thread, moment.kind if moment is not None else None, "research")
        try:
            values, questions = await _stretch(graph, config, start, context, control, shown)
            while questions and ask and can_ask():
                answers = {asked.id: await beside(_answered, asked.value) for asked in questions}
                values, questions = await _stretch(
                    graph, config, Command(resume=answers), context, control, shown
                )
        except GraphDrained as error:
            raise RunEnded(f"The run was ended by {error.reason}.", f"Go on with: {go_on}") from error
    return values, [dict(asked.value) for asked in questions]


async def _stretch(
    graph: Research,
    config: RunnableConfig,
    given: Any,
    context: RunContext,
    control: RunControl,
    shown: Shown,
) -> tuple[dict[str, Any], Sequence[Interrupt]]:
    """Run until the end or the next question."""
    final: dict[str, Any] = {}
    questions: Sequence[Interrupt] = ()
    stream = graph.astream(
        given, config, context=context, stream_mode=["values", "custom"], durability="sync", control=control
    )
    async for part in stream:
        mode, chunk = cast("tuple[str, Any]", part)
        if mode == "values":
            questions = chunk.pop("__interrupt__", ())
            final = {**final, **chunk}
        elif chunk.get("kind") == "research":
            shown(chunk)
    # Without any, the thread was at its end already.
    return final or dict((await graph.aget_state(config)).values), questions


def _nothing(event: Mapping[str, Any]) -> None:
    """See `Shown`."""


def _at_terminal(event: Mapping[str, Any]) -> None:
    """See `Shown`."""
    sys.stderr.write(f"{event['node'].upper():16} {printable(str(event['what'])[:160])}\n")
    sys.stderr.flush()


def _answered(question: dict[str, Any]) -> dict[str, Any]:
    """Show the readings of a query and read which is meant."""
    options = question.get("options", [])
    sys.stderr.write(f"\n{printable(str(question.get('question', '')))}\n")
    for number, option in enumerate(options, start=1):
        bounds = f" ({option.get('start')} to {option.get('end')})" if option.get("start") else ""
        sys.stderr.write(f"  {number}. {printable(str(option.get('label', '')))}{bounds}\n")
    sys.stderr.write(f"  {len(options) + 1}. all\nNumber [all]: ")
    sys.stderr.flush()
    return {"option": sys.stdin.readline().strip() or "all"}
