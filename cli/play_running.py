"""One thread of the tutor graph from the command line: streamed, a person asked for moves, its end told."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.errors import GraphDrained
from langgraph.runtime import RunControl
from langgraph.types import Command, Interrupt

from cli.play_live import View
from cli.thread_kind import check_kind
from configs.errors import RunEnded, UsageError
from configs.settings import Settings
from graph.tutor import TutorGraph, build
from memory.checkpoints import open_project_checkpointer
from memory.thread_history import newest_moment
from memory.threads import alone_on
from nodes.reflective.context import RunContext
from nodes.tutor.engine import Tutor
from nodes.tutor.open_games import stored_game
from nodes.tutor.state import TutorState

Person = Callable[[Mapping[str, Any]], Awaitable[Any]]
"""Gives a move when it is asked; None if it leaves."""


@dataclass(frozen=True)
class PlayedGame:
    """A game at its end.

    Attributes:
        state: of its thread.
        tutor: the engine, where the game stands; None for a game that could not begin.
    """

    state: TutorState
    tutor: Tutor | None


@dataclass(frozen=True)
class Playing:
    """A thread that plays.

    Attributes:
        context: choices of the run.
        thread: its name.
        settings: of the project.
        go_on: the command that goes on with it.
        view: shows the game as it goes on.
        quiet: say nothing while another process has the thread.
        person: who moves, in a game that a person plays.
    """

    context: RunContext
    thread: str
    settings: Settings
    go_on: str
    view: View
    quiet: bool = False
    person: Person | None = None

    async def to_the_end(self, start: dict[str, Any] | None) -> PlayedGame:
        """Play the game to its end.

        Args:
            start: the input of a new game, or None to go on with one that was interrupted.

        Raises:
            UsageError: there is no such thread to go on with, or it is another command's.
            GameDamaged: the turns of the thread are not those that were played.
            RunEnded: somebody asked the process to end, or the person left; the game can be gone on with.
        """
        control = RunControl()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, control.request_drain, "SIGTERM")
        root = Path(self.context.root)
        async with (
            alone_on(root, self.thread, quiet=self.quiet),
            open_project_checkpointer(root, self.settings) as saver,
        ):
            moment = await newest_moment(saver, self.thread)
            if start is None and moment is None:
                raise UsageError(
                    f"There is no game {self.thread!r} here.", "Name one that was begun below this root."
                )
            check_kind(self.thread, moment.kind if moment is not None else None, "play")
            before = moment.values if moment is not None and start is None else {}
            self.view.begin(before)
            try:
                values = await self._answered(build(saver), start, control)
            except GraphDrained as error:
                raise RunEnded(
                    f"The game was ended by {error.reason}.", f"Go on with: {self.go_on}"
                ) from error
        state = TutorState.model_validate(values)
        return PlayedGame(state, await asyncio.to_thread(self._engine, state))

    async def _answered(self, graph: TutorGraph, given: Any, control: RunControl) -> dict[str, Any]:
        """Run until the end; whenever the game waits for a move, ask for it."""
        values, questions = await self._stretch(graph, given, control)
        while questions:
            moves = {asked.id: await self._move(asked.value) for asked in questions}
            values, questions = await self._stretch(graph, Command(resume=moves), control)
        return values

    async def _move(self, question: Mapping[str, Any]) -> Any:
        move = await self.person(question) if self.person is not None else None
        if move is None:
            who = "You left the game" if self.person is not None else "The game waits for a move of yours"
            flag = "" if self.person is not None else " --player=me"
            raise RunEnded(f"{who}.", f"Go on with: {self.go_on}{flag}")
        return {"move": move}

    async def _stretch(
        self, graph: TutorGraph, given: Any, control: RunControl
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
                self.view.stand(final)
            else:
                self.view.happen(chunk)
        # Without any, the thread was at its end already.
        return final or dict((await graph.aget_state(config)).values), questions

    def _engine(self, state: TutorState) -> Tutor | None:
        return stored_game(state, self.settings.tools) if state.nodes else None
