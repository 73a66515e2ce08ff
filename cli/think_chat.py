"""`reflect think --chat`: one question after another in one thread, which remembers what was answered."""

from __future__ import annotations

import asyncio
import difflib
import importlib
import sys
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from cli.chat_choices import Choices
from cli.chat_reading import Ended, Interrupted
from cli.chat_session import EXIT_ENVIRONMENT, EXIT_STOPPED, Chat, Left
from cli.think_command import EXIT_BY_STATUS, EXIT_WAITING, check_question
from cli.think_live import view_of
from configs.errors import RunEnded, UsageError
from nodes.contractive.state import ContractiveState, Said


class ThinkChat(Chat):
    """A chat whose lines are questions to think about; see `cli.chat_session.Chat`.

    Args:
        choices: what runs get.
        thread: where to begin.
        material: the text every question is about; empty without one.
        quiet: show no progress.
        as_json: print each result as one line of JSON.
        events: print events as lines of JSON, the result of each question after them.
    """

    command = "reflect think --chat"

    def __init__(
        self, choices: Choices, thread: str, material: str, *, quiet: bool, as_json: bool, events: bool
    ) -> None:
        super().__init__(choices, thread, quiet=quiet, as_json=as_json)
        self._material = material
        self._events = events

    def _prepare(self, module: str = "cli.think_running") -> None:
        # Which goals are like which is nothing this graph asks for, so no more is opened ahead.
        self._imported = asyncio.ensure_future(asyncio.to_thread(importlib.import_module, module))

    async def obey(self, line: str) -> int:
        """Do what a line with a slash asks; gives an exit code.

        Raises:
            UsageError: there is no such command.
        """
        name = line.removeprefix("/").strip()
        command = COMMANDS.get(name)
        if command is None:
            near = difflib.get_close_matches(name, COMMANDS, n=1)
            meant = f"Did you mean /{near[0]}? " if near else ""
            raise UsageError(
                f"There is no command /{name}.",
                f"{meant}/help lists them; a question may begin with a space instead.",
            )
        return await command[1](self) or 0

    async def ask(self, goal: str) -> int:
        """Think about a question in the thread; gives the exit code of `reflect think`."""
        question = goal.strip()
        check_question(question)
        self.last_goal = question
        return await self.go_on({"question": question, "context": self._material, "clarification": None})

    async def go_on(self, start: dict[str, Any] | None = None) -> int:
        """Run the thread, from its last step if nothing new is asked; raises as `Chat.go_on` does."""
        await self._imported
        from langgraph.runtime import RunControl

        from cli.think_running import Thinking

        self._control = RunControl()
        thinking = Thinking(
            self.choices.context(),
            self.thread,
            self.choices.loaded().settings,
            f"{self.command} --thread {self.thread}, then /resume",
            view_of(quiet=self._quiet, events=self._events),
            quiet=self._quiet,
            person=self._meant if self._at_terminal else None,
            control=self._control,
        )
        try:
            state, waiting = await thinking.to_the_end(start)
        except RunEnded:
            await self._tell_stopped()
            return EXIT_STOPPED
        finally:
            self._control = None
        return self._told(state, waiting)

    def _told(self, state: ContractiveState, waiting: list[dict[str, Any]]) -> int:
        from cli.think_output import print_result, tell_notes
        from nodes.contractive.events import result_of

        result = result_of(state, self.thread, waiting)
        print_result(result, as_json=False, as_line=self._as_json or self._events)
        if not (self._as_json or self._events):
            sys.stdout.write("\n")
            sys.stdout.flush()
        if not self._quiet:
            tell_notes(result)
        if waiting:
            return EXIT_WAITING
        return EXIT_BY_STATUS.get(result.status, EXIT_ENVIRONMENT)

    async def _meant(self, question: Mapping[str, Any]) -> str:
        """Ask the person what a question means.

        Raises:
            Left: they leave it open.
        """
        from cli.think_running import asked_text

        *shown, prompt = asked_text(question).split("\n")
        self.tell("\n".join(shown))
        try:
            return (await self.reader.ask(prompt)).strip()
        except (Interrupted, Ended) as error:
            raise Left from error

    async def state(self) -> ContractiveState:
        """The state of the thread.

        Raises:
            UsageError: nothing has been asked in it.
        """
        moment = await self.newest()
        if moment is None:
            raise UsageError("Nothing has been asked in this thread yet.", "Ask something first.")
        return ContractiveState.model_validate(moment.values)


async def _help(chat: ThinkChat) -> None:
    width = max(map(len, COMMANDS))
    for name, (what, _) in COMMANDS.items():
        chat.tell(f"/{name:{width}}  {what}")


async def _tree(chat: ThinkChat) -> None:
    from cli.think_tree import tree_text

    sys.stdout.write(f"{tree_text((await chat.state()).tree)}\n")
    sys.stdout.flush()


async def _mermaid(chat: ThinkChat) -> None:
    from nodes.contractive.mermaid import to_mermaid

    sys.stdout.write(to_mermaid((await chat.state()).tree))
    sys.stdout.flush()


async def _asked(chat: ThinkChat) -> None:
    state = await chat.state()
    last = Said(question=state.question, answer=state.short_answer or "no answer", status=state.status)
    for turn in [*state.asked_before, last]:
        chat.tell(f"{turn.question} -> {turn.answer} ({turn.status.replace('_', ' ')})")


async def _resume(chat: ThinkChat) -> int:
    return await chat.go_on()


async def _quit(chat: ThinkChat) -> None:
    chat.leaving = True


COMMANDS: Mapping[str, tuple[str, Callable[[ThinkChat], Awaitable[int | None]]]] = {
    "help": ("this list", _help),
    "tree": ("the questions of the last answer as text", _tree),
    "mermaid": ("the same as a Mermaid flowchart", _mermaid),
    "asked": ("what was asked before, and what was answered", _asked),
    "resume": ("go on with what was stopped, or waits", _resume),
    "quit": ("end the chat; its thread is kept", _quit),
}


def completions(text: str) -> Iterable[tuple[str, int]]:
    """Commands that begin with what stands before the cursor, and how many characters they replace."""
    if text.startswith("/") and " " not in text:
        yield from ((f"/{name}", len(text)) for name in COMMANDS if name.startswith(text[1:]))
