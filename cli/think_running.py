"""One thread of the contractive graph from the command line: streamed, its question asked, its end told."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.errors import GraphDrained
from langgraph.runtime import RunControl
from langgraph.types import Command, Interrupt

from cli.approval import can_ask
from cli.beside import beside
from cli.live import printable
from cli.think_live import View
from cli.thread_kind import check_kind
from configs.errors import RunEnded, UsageError
from configs.settings import Settings
from graph.contractive import Contractive, build
from memory.checkpoints import open_project_checkpointer
from memory.thread_history import newest_moment
from memory.threads import alone_on
from nodes.contractive.state import ContractiveState
from nodes.reflective.context import RunContext

Person = Callable[[Mapping[str, Any]], Awaitable[str | None]]
Waiting = list[dict[str, Any]]


@dataclass(frozen=True)
class Thinking:
    """A thread that thinks.

    Attributes:
        context: choices of the run.
        thread: its name.
        settings: where threads are kept.
        go_on: the command that goes on with it.
        view: shows the run as it goes on.
        quiet: say nothing while another process has the thread.
        person: who says what a question means, or None to leave it open; without one, whoever is at the
            terminal.
        control: ends the run when it is asked to drain; if None, SIGTERM does.
    """

    context: RunContext
    thread: str
    settings: Settings
    go_on: str
    view: View
    quiet: bool = False
    person: Person | None = None
    control: RunControl | None = None

    async def to_the_end(
        self, start: dict[str, Any] | None, *, reading: str | None = None
    ) -> tuple[ContractiveState, Waiting]:
        """Run the thread to its end, or to a question nobody is there to answer.

        Args:
            start: the input of a new run, or None to go on with one that was interrupted.
            reading: the answer to the question it waits with, given beforehand.

        Returns:
            The state, and the questions it waits for an answer to.

        Raises:
            UsageError: there is no such thread to go on with, it is another command's, or waits for nothing.
            RunEnded: somebody asked the process to end; the run can be resumed.
        """
        control = self.control
        if control is None:
            control = RunControl()
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, control.request_drain, "SIGTERM")
        root = Path(self.context.root)
        async with (
            alone_on(root, self.thread, quiet=self.quiet),
            open_project_checkpointer(root, self.settings) as saver,
        ):
            graph = build(saver)
            moment = await newest_moment(saver, self.thread)
            if start is None and moment is None:
                raise UsageError(
                    f"There is no run {self.thread!r} here.", "Name one that was begun below this root."
                )
            check_kind(self.thread, moment.kind if moment is not None else None, "think")
            if reading is not None and not (moment is not None and moment.waiting):
                raise UsageError(
                    f"The run {self.thread!r} waits for no reading.", "Go on with it without --reading."
                )
            given: Any = Command(resume={"reading": reading}) if reading is not None else start
            try:
                values, waiting = await self._answered(graph, given, control)
            except GraphDrained as error:
                raise RunEnded(
                    f"The run was ended by {error.reason}.", f"Go on with: {self.go_on}"
                ) from error
        return ContractiveState.model_validate(values), waiting

    async def _answered(
        self, graph: Contractive, given: Any, control: RunControl
    ) -> tuple[dict[str, Any], Waiting]:
        """Run until the end, or until a question is left open."""
        person = self.person or (_at_terminal if can_ask() else None)
        values, questions = await self._stretch(graph, given, control)
        while questions and person is not None:
            said = {asked.id: await person(asked.value) for asked in questions}
            if None in said.values():
                break
            answers = {name: {"reading": reading} for name, reading in said.items()}
            values, questions = await self._stretch(graph, Command(resume=answers), control)
        return values, [dict(asked.value) for asked in questions]

    async def _stretch(
        self, graph: Contractive, given: Any, control: RunControl
    ) -> tuple[dict[str, Any], Sequence[Interrupt]]:
        """Run until the end or the next question."""
        config: RunnableConfig = {"configurable": {"thread_id": self.thread}}
        final: dict[str, Any] = {}
        questions: Sequence[Interrupt] = ()
        stream = graph.astream(
            given,
            config,
            context=self.context,
            stream_mode=["values", "custom"],
            durability="sync",
            control=control,
        )
        async for part in stream:
            mode, chunk = cast("tuple[str, Any]", part)
            if mode == "values":
                questions = chunk.pop("__interrupt__", ())
                final = {**final, **chunk}
            elif chunk.get("kind") == "contractive":
                self.view.show(chunk)
        # Without any, the thread was at its end already.
        return final or dict((await graph.aget_state(config)).values), questions


def asked_text(question: Mapping[str, Any]) -> str:
    """What a person is shown to say what a question means: the readings, numbered."""
    readings = [
        f"  {number}. {printable(str(one))}" for number, one in enumerate(question.get("readings", []), 1)
    ]
    title = f"This can mean more than one thing: {printable(str(question.get('question', '')))}"
    return "\n".join([title, *readings, "Number, or in your own words [as asked]: "])


async def _at_terminal(question: Mapping[str, Any]) -> str | None:
    """Ask whoever sits at the terminal; an empty line means as it was asked, the end of input nothing."""
    sys.stderr.write(f"\n{asked_text(question)}")
    sys.stderr.flush()
    line = str(await beside(sys.stdin.readline))
    return line.strip() if line else None
