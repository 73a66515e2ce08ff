"""One run of the research graph from the command line: streamed, its question asked, its end reported."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from langgraph.types import Command

from cli.approval import can_ask
from cli.beside import beside
from cli.live import printable
from cli.thread_running import ThreadRun, shown_to
from configs.settings import Settings
from graph.research import build
from nodes.reflective.context import RunContext


async def run_research_thread(
    start: dict[str, Any] | None,
    context: RunContext,
    thread: str,
    settings: Settings,
    go_on: str,
    *,
    quiet: bool,
    ask: bool,
) -> tuple[dict[str, Any], bool]:
    """Run a thread to its end, or to a question nobody is there to answer.

    Args:
        start: the input of a new run, or None to go on with one that was interrupted.
        context: choices of the run.
        thread: its name.
        settings: where threads are kept.
        go_on: the command that goes on with it.
        quiet: show no progress.
        ask: put a question to whoever sits at the terminal.

    Returns:
        The state's values, and True if the run waits for an answer.

    Raises:
        UsageError: there is no such run to go on with, or the thread is none of research.
        RunEnded: somebody asked the process to end; the run can be resumed.
    """

    def show(event: Mapping[str, Any]) -> None:
        if not quiet and event.get("kind") == "research":
            sys.stderr.write(f"{event['node'].upper():16} {printable(str(event['what'])[:160])}\n")
            sys.stderr.flush()

    run = ThreadRun(context, thread, settings, go_on, "research", called="research run", quiet=quiet)
    async with run.opened(anew=start is not None) as (saver, _, control):
        graph = build(saver)
        values, questions = await run.stretch(graph, start, control, shown_to(show))
        while questions and ask and can_ask():
            answers = {asked.id: await beside(_answered, asked.value) for asked in questions}
            values, questions = await run.stretch(graph, Command(resume=answers), control, shown_to(show))
    return values, bool(questions)


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
