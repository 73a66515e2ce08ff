"""One thread of the contractive graph from the command line: streamed, its question asked, its end told."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from langgraph.runtime import RunControl
from langgraph.types import Command

from cli.approval import can_ask
from cli.beside import beside
from cli.live import printable
from cli.think_live import View
from cli.thread_running import ThreadRun, shown_to
from configs.errors import UsageError
from configs.settings import Settings
from graph.contractive import Contractive, build
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
        run = ThreadRun(
            self.context,
            self.thread,
            self.settings,
            self.go_on,
            "think",
            quiet=self.quiet,
            control=self.control,
        )
        async with run.opened(anew=start is not None) as (saver, moment, control):
            if reading is not None and not (moment is not None and moment.waiting):
                raise UsageError(
                    f"The run {self.thread!r} waits for no reading.", "Go on with it without --reading."
                )
            given: Any = Command(resume={"reading": reading}) if reading is not None else start
            values, waiting = await self._answered(run, build(saver), given, control)
        return ContractiveState.model_validate(values), waiting

    async def _answered(
        self, run: ThreadRun, graph: Contractive, given: Any, control: RunControl
    ) -> tuple[dict[str, Any], Waiting]:
        """Run until the end, or until a question is left open."""
        person = self.person or (at_terminal if can_ask() else None)
        show = shown_to(self._show)
        values, questions = await run.stretch(graph, given, control, show)
        while questions and person is not None:
            said = {asked.id: await person(asked.value) for asked in questions}
            if None in said.values():
                break
            answers = {name: {"reading": reading} for name, reading in said.items()}
            values, questions = await run.stretch(graph, Command(resume=answers), control, show)
        return values, [dict(asked.value) for asked in questions]

    def _show(self, event: Mapping[str, Any]) -> None:
        if event.get("kind") == "contractive":
            self.view.show(event)


def asked_text(question: Mapping[str, Any]) -> str:
    """What a person is shown to say what a question means: the readings, numbered."""
    readings = [
        f"  {number}. {printable(str(one))}" for number, one in enumerate(question.get("readings", []), 1)
    ]
    title = f"This can mean more than one thing: {printable(str(question.get('question', '')))}"
    return "\n".join([title, *readings, "Number, or in your own words [as asked]: "])


async def at_terminal(question: Mapping[str, Any]) -> str | None:
    """Ask whoever sits at the terminal; an empty line means as it was asked, the end of input nothing."""
    sys.stderr.write(f"\n{asked_text(question)}")
    sys.stderr.flush()
    line = str(await beside(sys.stdin.readline))
    return line.strip() if line else None
