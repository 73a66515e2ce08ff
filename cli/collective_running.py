"""One thread of several engines from the command line: streamed, its questions asked, its end told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, cast

from langgraph.runtime import RunControl
from langgraph.types import Command, Interrupt

from cli.approval import Person, can_ask
from cli.beside import beside
from cli.collective_command import Together
from cli.collective_live import View
from cli.think_running import at_terminal
from cli.thread_running import ThreadRun
from configs.errors import UsageError
from configs.settings import Settings
from memory.thread_history import Moment
from nodes.collective.result import CollectiveResult
from nodes.reflective.context import RunContext


@dataclass(frozen=True)
class TogetherRun:
    """A thread in which several engines work.

    Attributes:
        together: the graph.
        context: choices of the run.
        thread: its name.
        settings: where threads are kept.
        go_on: the command that goes on with it.
        view: shows the run as it goes on.
        quiet: say nothing while another process has the thread.
    """

    together: Together
    context: RunContext
    thread: str
    settings: Settings
    go_on: str
    view: View
    quiet: bool = False

    async def to_the_end(
        self, start: dict[str, Any] | None, *, reading: str | None = None
    ) -> CollectiveResult:
        """Run the thread to its end, or to a question nobody is there to answer.

        Args:
            start: the input of a new run, or None to go on with one that was interrupted.
            reading: the answer to the question it waits with, given beforehand.

        Raises:
            UsageError: there is no such thread to go on with, it is another command's, or waits for nothing.
            RunEnded: somebody asked the process to end; the run can be resumed.
        """
        run = ThreadRun(
            self.context, self.thread, self.settings, self.go_on, self.together.name, quiet=self.quiet
        )
        async with run.opened(anew=start is not None) as (saver, moment, control):
            graph = import_module(self.together.graph).build(saver)
            given: Any = start
            if reading is not None:
                given = Command(resume=await self._readings(graph, moment, reading))
            values, questions = await self._answered(run, graph, given, control)
        result_of = import_module(self.together.result).result_of
        return cast(CollectiveResult, result_of(values, self.thread, [asked.value for asked in questions]))

    async def _answered(
        self, run: ThreadRun, graph: Any, given: Any, control: RunControl
    ) -> tuple[dict[str, Any], Sequence[Interrupt]]:
        """Run until the end, or until a question is left open."""
        values, questions = await run.stretch(graph, given, control, self.view.show)
        while questions and can_ask():
            answers = {asked.id: await self._asked(asked.value) for asked in questions}
            if None in answers.values():
                break
            values, questions = await run.stretch(graph, Command(resume=answers), control, self.view.show)
        return values, questions

    async def _asked(self, question: Mapping[str, Any]) -> Any:
        """What the person at the terminal says to a question; None leaves it open."""
        if "readings" not in question:
            return await beside(Person(self.thread).decide, dict(question))
        reading = await at_terminal(question)
        return None if reading is None else {"reading": reading}

    async def _readings(self, graph: Any, moment: Moment | None, reading: str) -> dict[str, Any]:
        """The reading as the answer to every question for one that the thread waits with.

        Raises:
            UsageError: it waits with none.
        """
        config = {"configurable": {"thread_id": self.thread}}
        waiting = (await graph.aget_state(config)).interrupts if moment is not None else ()
        answers = {one.id: {"reading": reading} for one in waiting if "readings" in one.value}
        if not answers:
            raise UsageError(
                f"The run {self.thread!r} waits for no reading.", "Go on with it without --reading."
            )
        return answers
