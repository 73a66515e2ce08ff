"""What every command does with a thread: alone on it, drained by SIGTERM, streamed to the next question."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.errors import GraphDrained
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import RunControl
from langgraph.types import Interrupt

from cli.thread_kind import check_kind
from configs.errors import RunEnded, UsageError
from configs.settings import Settings
from memory.checkpoints import Saver, open_project_checkpointer
from memory.thread_history import Kind, Moment, newest_moment
from memory.threads import alone_on
from nodes.reflective.context import RunContext

Shown = Callable[[tuple[str, ...], str, Any], None]
"""Is told a namespace, a stream mode, and what came of it; the namespace of the graph itself is empty."""


@dataclass(frozen=True)
class ThreadRun:
    """A thread a command runs.

    Attributes:
        context: choices of the run.
        thread: its name.
        settings: where threads are kept.
        go_on: the command that goes on with it.
        kind: what it has to be, if there is one of its name.
        called: what it is called in messages, such as "game".
        quiet: say nothing while another process has the thread.
        control: ends the run when it is asked to drain; if None, SIGTERM does.
    """

    context: RunContext
    thread: str
    settings: Settings
    go_on: str
    kind: Kind
    called: str = "run"
    quiet: bool = False
    control: RunControl | None = None

    @asynccontextmanager
    async def opened(self, *, anew: bool) -> AsyncIterator[tuple[Saver, Moment | None, RunControl]]:
        """Have the thread alone; gives its saver, its newest moment, and what drains it.

        Args:
            anew: a run is begun; False goes on with one that must be there.

        Raises:
            UsageError: there is no such thread to go on with, or it is another command's.
            RunEnded: somebody asked the process to end; the run can be resumed.
        """
        control = self.control
        if control is None:
            control = RunControl()
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, control.request_drain, "SIGTERM")
        root = Path(self.context.root)
        async with (
            alone_on(root, self.thread, self.settings, quiet=self.quiet),
            open_project_checkpointer(root, self.settings) as saver,
        ):
            moment = await newest_moment(saver, self.thread)
            if moment is None and not anew:
                raise UsageError(
                    f"There is no {self.called} {self.thread!r} here.",
                    "Name one that was begun below this root.",
                )
            check_kind(self.thread, moment.kind if moment is not None else None, self.kind)
            try:
                yield saver, moment, control
            except GraphDrained as error:
                raise RunEnded(
                    f"The {self.called} was ended by {error.reason}.", f"Go on with: {self.go_on}"
                ) from error

    async def stretch(
        self,
        graph: CompiledStateGraph[Any, RunContext, Any, Any],
        given: Any,
        control: RunControl,
        show: Shown,
        modes: Sequence[str] = ("custom",),
    ) -> tuple[dict[str, Any], Sequence[Interrupt]]:
        """Run until the end or the next question; gives the values of the state, and the questions.

        Args:
            graph: compiled with the saver of the thread.
            given: its input, None to go on, or a `Command`.
            control: as `opened` gave it.
            show: is told what is streamed, that of graphs below this one among it.
            modes: what is streamed beside the values of the state.
        """
        config: RunnableConfig = {"configurable": {"thread_id": self.thread}}
        final: dict[str, Any] = {}
        questions: dict[str, Interrupt] = {}
        stream = graph.astream(
            given,
            config,
            context=self.context,
            stream_mode=cast(Any, ["values", *modes]),
            durability="sync",
            control=control,
            subgraphs=True,
        )
        async for part in stream:
            namespace, mode, chunk = cast("tuple[tuple[str, ...], str, Any]", part)
            if mode == "values" and not namespace:
                # Nodes that work side by side ask one by one, and go on beside each other's questions.
                questions |= {asked.id: asked for asked in chunk.pop("__interrupt__", ())}
                final = {**final, **chunk}
            if mode != "values" or not namespace:
                show(namespace, mode, chunk)
        # Without any, the thread was at its end already.
        return final or dict((await graph.aget_state(config)).values), list(questions.values())


def shown_to(view: Callable[[Mapping[str, Any]], None]) -> Shown:
    """Shows the events of the graph itself, and no more."""

    def show(namespace: tuple[str, ...], mode: str, chunk: Any) -> None:
        if mode == "custom" and not namespace:
            view(chunk)

    return show
