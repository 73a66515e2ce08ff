"""One run of the reflective graph from the command line: streamed, its questions asked, its end reported."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.errors import GraphDrained
from langgraph.runtime import RunControl
from langgraph.types import Command, Interrupt

from cli.approval import Person, can_ask
from cli.ask_report import report_of
from cli.beside import beside
from cli.thread_kind import check_kind
from configs.errors import RunEnded, UsageError
from configs.settings import Settings
from graph.reflective import Reflective, build
from memory.checkpoints import open_project_checkpointer
from memory.thread_history import newest_moment
from memory.threads import alone_on
from nodes.reflective.context import RunContext
from nodes.reflective.state import ReasoningState

if TYPE_CHECKING:
    from cli.live import Live

EXIT_BY_STATUS = {"answered": 0, "partial": 1, "could_not": 1}
EXIT_ENVIRONMENT = 2
EXIT_WAITING = 3


async def run_to_the_end(
    start: dict[str, Any] | None,
    context: RunContext,
    thread: str,
    settings: Settings,
    live: Live | None,
    *,
    control: RunControl | None = None,
    person: Person | None = None,
    ask: bool = True,
) -> tuple[dict[str, Any], int]:
    """Run a thread and put its questions to a person, if there is one.

    Args:
        start: the input of a new run, or None to go on with one that was interrupted.
        context: choices of the run.
        thread: its name.
        settings: where threads are kept.
        live: shows the run as it goes on.
        control: ends the run when it is asked to drain; if None, SIGTERM does.
        person: who answers questions; if None, whoever is at the terminal.
        ask: False leaves questions open, whoever is at the terminal.

    Returns:
        The report that is printed, and the exit code.

    Raises:
        UsageError: there is no such thread to go on with, or it is one of another command.
        RunEnded: somebody asked the process to end; the thread can be resumed.
    """
    if control is None:
        control = RunControl()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, control.request_drain, "SIGTERM")
    if person is None and ask and can_ask():
        person = Person(thread)
    async with (
        alone_on(Path(context.root), thread, settings, quiet=live is None),
        open_project_checkpointer(Path(context.root), settings) as checkpointer,
    ):
        moment = await newest_moment(checkpointer, thread)
        check_kind(thread, moment.kind if moment is not None else None, "ask")
        run = _Run(build(checkpointer), thread, context, live, control, person)
        try:
            values, questions = await run.to_the_end(start)
        except GraphDrained as error:
            raise RunEnded(
                f"The run was ended by {error.reason}.", f"Go on with: reflect resume {thread}"
            ) from error
    return end_of(values, [question.value for question in questions], thread, context)


def end_of(
    values: dict[str, Any], waiting_for: list[dict[str, Any]], thread: str, context: RunContext
) -> tuple[dict[str, Any], int]:
    """What a run comes to: the report that is printed, and the exit code.

    Args:
        values: of the state, at its end or where it waits.
        waiting_for: the questions nobody was there to answer.
        thread: its name.
        context: its choices.
    """
    state = ReasoningState.model_validate(values)
    report = report_of(state, thread, context, waiting_for).model_dump(mode="json")
    if waiting_for:
        return report, EXIT_WAITING
    if state.failure is not None and state.failure.environmental:
        return report, EXIT_ENVIRONMENT
    return report, EXIT_BY_STATUS.get(state.status, EXIT_ENVIRONMENT)


@dataclass(frozen=True)
class _Run:
    """One thread on its way through the graph."""

    graph: Reflective
    thread: str
    context: RunContext
    live: Live | None
    control: RunControl
    person: Person | None

    @property
    def config(self) -> RunnableConfig:
        return {"configurable": {"thread_id": self.thread}}

    async def to_the_end(self, start: dict[str, Any] | None) -> tuple[dict[str, Any], Sequence[Interrupt]]:
        """The last values of the state, and the questions nobody was there to answer."""
        # A run that was killed before its first node has no values yet, only what it was given.
        if start is None and (await self.graph.aget_state(self.config)).created_at is None:
            raise UsageError(
                f"There is no thread {self.thread!r} below {self.context.root}.",
                "Name one that was begun there.",
            )
        if self.live is not None and start is not None:
            self.live.start(start["goal"])
        values, questions = await self._stretch(start)
        while questions and self.person is not None:
            answers = {asked.id: await beside(self.person.decide, asked.value) for asked in questions}
            values, questions = await self._stretch(Command(resume=answers))
        return values, questions

    async def _stretch(self, given: Any) -> tuple[dict[str, Any], Sequence[Interrupt]]:
        """Run until the end or the next question."""
        final: dict[str, Any] = {}
        questions: Sequence[Interrupt] = ()
        stream = self.graph.astream(
            given,
            self.config,
            context=self.context,
            stream_mode=["values", *(self.live.modes if self.live is not None else ())],
            durability="sync",
            control=self.control,
        )
        try:
            async for part in stream:
                mode, chunk = cast("tuple[str, Any]", part)
                if mode == "values":
                    questions = chunk.pop("__interrupt__", ())
                    final = {**final, **chunk}
                elif self.live is not None:
                    self.live.show(mode, chunk)
        finally:
            if self.live is not None:
                self.live.stop()
        # Without any, the thread was at its end already.
        return final or dict((await self.graph.aget_state(self.config)).values), questions
