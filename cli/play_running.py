"""One thread of the tutor graph from the command line: streamed, a person asked for moves, its end told."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from langgraph.runtime import RunControl
from langgraph.types import Command

from cli.play_live import View
from cli.thread_running import ThreadRun
from configs.errors import RunEnded
from configs.settings import Settings
from graph.tutor import TutorGraph, build
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
        run = ThreadRun(
            self.context, self.thread, self.settings, self.go_on, "play", called="game", quiet=self.quiet
        )
        async with run.opened(anew=start is not None) as (saver, moment, control):
            before = moment.values if moment is not None and start is None else {}
            self.view.begin(before)
            values = await self._answered(run, build(saver), start, control)
        state = TutorState.model_validate(values)
        return PlayedGame(state, await asyncio.to_thread(self._engine, state))

    async def _answered(
        self, run: ThreadRun, graph: TutorGraph, given: Any, control: RunControl
    ) -> dict[str, Any]:
        """Run until the end; whenever the game waits for a move, ask for it."""
        seen: dict[str, Any] = {}

        def show(namespace: tuple[str, ...], mode: str, chunk: Any) -> None:
            if mode == "values":
                seen.update(chunk)
                self.view.stand(seen)
            elif not namespace:
                self.view.happen(chunk)

        values, questions = await run.stretch(graph, given, control, show)
        while questions:
            moves = {asked.id: await self._move(asked.value) for asked in questions}
            seen.clear()
            values, questions = await run.stretch(graph, Command(resume=moves), control, show)
        return values

    async def _move(self, question: Mapping[str, Any]) -> Any:
        move = await self.person(question) if self.person is not None else None
        if move is None:
            who = "You left the game" if self.person is not None else "The game waits for a move of yours"
            flag = "" if self.person is not None else " --player=me"
            raise RunEnded(f"{who}.", f"Go on with: {self.go_on}{flag}")
        return {"move": move}

    def _engine(self, state: TutorState) -> Tutor | None:
        return stored_game(state, self.settings.tools) if state.nodes else None
