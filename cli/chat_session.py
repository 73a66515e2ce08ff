"""A chat: reads a line, runs it in the thread, shows the answer, and goes on, whatever became of the run."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import logging
import signal
import sys
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape

from cli.approval import Person
from cli.ask_command import open_ahead, print_json
from cli.chat_choices import Choices
from cli.chat_reading import Ended, Interrupted, Reader
from cli.live import LiveView, print_report, printable
from configs.errors import ReflectError, RunEnded
from memory.checkpoints import open_project_checkpointer
from memory.thread_history import Moment, newest_moment
from memory.threads import list_threads, only_chat_on

if TYPE_CHECKING:
    from langgraph.runtime import RunControl

log = logging.getLogger(__name__)
# From harmless to worst, for the exit code of a chat that was a script.
SEVERITY = (0, 1, 3, 2)
EXIT_ENVIRONMENT = 2
# As for a run that waits: /resume goes on with it.
EXIT_STOPPED = 3
# Seconds a run that was asked to stop may take, before it is cut off: its children die within 0.3.
PATIENCE = 5.0


class Left(Exception):
    """The person left a question of the run unanswered."""


class Chat:
    """One chat; `reader` is set before it runs.

    Args:
        choices: what runs get; slash commands change them.
        thread: where to begin.
        quiet: show no progress.
        as_json: print each run as one line of JSON.
    """

    reader: Reader
    command = "reflect chat"

    def __init__(self, choices: Choices, thread: str, *, quiet: bool, as_json: bool) -> None:
        self.choices = choices
        self.thread = thread
        self.threads: list[str] = []
        self.leaving = False
        self.last_goal = ""
        self._quiet = quiet
        self._as_json = as_json
        self._at_terminal = False
        self._imported: asyncio.Future[Any]
        self._signal: signal.Signals | None = None
        self._reading: asyncio.Task[str] | None = None
        self._working: asyncio.Task[int] | None = None
        self._control: RunControl | None = None
        self._held = contextlib.ExitStack()
        self._console = Console(file=sys.stderr, highlight=False, soft_wrap=True, emoji=False)

    async def run(self, *, at_terminal: bool) -> int:
        """Chat to the end; gives the exit code.

        Raises:
            UsageError: another chat is open on the thread.
            MemoryStoreError: another host has a chat open on it, or the threads cannot be read.
        """
        self._at_terminal = at_terminal
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGINT, self._interrupt)
        for ending in (signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(ending, self._end, ending)
        with self._held:
            self._held.enter_context(
                only_chat_on(self.choices.root, self.thread, self.choices.loaded().settings)
            )
            await self._greet()
            self._prepare()
            code = await self._loop()
            await self._imported
        if self._signal is not None:
            return 128 + self._signal
        return 0 if at_terminal else code

    def _prepare(self, module: str = "cli.running") -> None:
        """Import the graph, which takes a second, while the person types."""
        self._imported = asyncio.ensure_future(asyncio.to_thread(importlib.import_module, module))
        open_ahead(self.choices.loaded().settings)

    async def _loop(self) -> int:
        worst = 0
        while not self.leaving:
            try:
                text = await self._read()
            except Interrupted:
                continue
            except (Ended, asyncio.CancelledError):
                break
            if text.strip():
                worst = max(worst, await self._work(text), key=SEVERITY.index)
        if self._at_terminal:
            self.tell(f"\nThread {self.thread} is kept: {self.command} --thread {self.thread}")
        return worst

    async def _work(self, text: str) -> int:
        self._working = asyncio.ensure_future(self._take(text))
        try:
            return await self._working
        except asyncio.CancelledError:  # before it had begun, or while it told that it was stopped
            return EXIT_STOPPED
        finally:
            self._working = None

    async def _take(self, text: str) -> int:
        """Do what a line asks; a failure is told, and the chat goes on."""
        try:
            return await (self.obey(text) if text.startswith("/") else self.ask(text))
        except ReflectError as error:
            self.tell(f"{error.what}\n{error.remedy}".rstrip(), style="red")
            return EXIT_ENVIRONMENT
        except (Left, asyncio.CancelledError):
            await self._tell_stopped()
            return EXIT_STOPPED
        except BrokenPipeError:
            raise  # nobody reads the answers any more
        except Exception as error:  # a defect ends one run, not the chat
            log.exception("a run of the chat failed")
            self.tell(f"That failed unexpectedly: {type(error).__name__}: {error}", style="red")
            return EXIT_ENVIRONMENT

    async def obey(self, line: str) -> int:
        """Do what a line with a slash asks; gives an exit code."""
        from cli.chat_slash import obey

        return await obey(self, line)

    async def ask(self, goal: str) -> int:
        """Run a goal in the thread; gives the exit code of `reflect ask`."""
        await self._imported
        from nodes.reflective.classify import check_goal

        self.last_goal = check_goal(goal)
        return await self.go_on({"goal": self.last_goal})

    async def go_on(self, start: dict[str, Any] | None = None) -> int:
        """Run the thread, from its last step if nothing new is asked.

        Raises:
            ReflectError: the run could not begin.
            Left: a question of it was left unanswered.
        """
        await self._imported
        from langgraph.runtime import RunControl

        from cli.running import run_to_the_end

        live = None if self._quiet else LiveView(sys.stderr, goal_shown=self._at_terminal)
        self._control = RunControl()
        person = _ChatPerson(self) if self._at_terminal else None
        try:
            report, code = await run_to_the_end(
                start,
                self.choices.context(),
                self.thread,
                self.choices.loaded().settings,
                live,
                control=self._control,
                person=person,
            )
        except RunEnded:
            await self._tell_stopped()
            return EXIT_STOPPED
        finally:
            self._control = None
        self._show(report)
        return int(code)

    def _show(self, report: dict[str, Any]) -> None:
        if self._as_json:
            print_json(report, indent=None)
        else:
            print_report(report, sys.stdout)
            sys.stdout.write("\n")
        sys.stdout.flush()

    async def enter(self, thread: str) -> None:
        """Go over to another thread.

        Raises:
            UsageError: another chat is open on it; this one stays where it is.
            MemoryStoreError: another host has one open on it, or the threads cannot be read; likewise.
        """
        if thread != self.thread:
            hold = contextlib.ExitStack()
            hold.enter_context(only_chat_on(self.choices.root, thread, self.choices.loaded().settings))
            self._held.close()
            self._held.push(hold.pop_all())
            self.thread = thread
        await self._tell_where()

    async def newest(self) -> Moment | None:
        """Where the thread stands; None if it has not begun."""
        settings = self.choices.loaded().settings
        async with open_project_checkpointer(self.choices.root, settings) as saver:
            return await newest_moment(saver, self.thread)

    def tell(self, text: str, *, style: str = "") -> None:
        """Say something to the person, beside the answers."""
        if self._signal is signal.SIGHUP:
            return  # the terminal is gone
        self._console.print(escape(printable(text)), style=style)

    async def _greet(self) -> None:
        settings = self.choices.loaded().settings
        self.threads = await list_threads(self.choices.root, settings)
        if self._at_terminal and not self._quiet:
            model = settings.model or settings.models.default.name or "chosen when first asked"
            self.tell(f"{self.command} about {self.choices.root}, model {model}", style="bold")
            self.tell("Ask something, or /help. Ctrl-C stops a run, Ctrl-D ends the chat.")
            await self._tell_where()

    async def _tell_where(self) -> None:
        moment = await self.newest()
        if moment is None:
            self.tell(f"Thread {self.thread}, new.", style="dim")
            return
        goal = " ".join(moment.asked.split())
        self.tell(f"Thread {self.thread}, last asked: {goal[:200]}\n  {moment.standing}", style="dim")
        if moment.next or moment.waiting:
            self.tell("  /resume goes on with it.", style="dim")

    async def _tell_stopped(self) -> None:
        """What a run that did not end was at, and how to go on."""
        moment = await self.newest()
        if moment is None or not (moment.next or moment.waiting):
            self.tell("Stopped before its first step; nothing of it is kept.", style="yellow")
            return
        goal = " ".join((moment.asked or self.last_goal).split())
        self.tell(f"Stopped: {goal[:200]} ({moment.standing}).", style="yellow")
        self.tell("/resume goes on with it; a new question leaves it.", style="yellow")

    async def _read(self) -> str:
        self._reading = asyncio.ensure_future(self.reader.read())
        try:
            return await self._reading
        finally:
            self._reading = None

    def _interrupt(self) -> None:
        """Ctrl-C: a run stops at its step, at the second time wherever it is; a line is given up.

        A chat that is a script ends as a whole.
        """
        if not self._at_terminal and self._signal is None:
            self._end(signal.SIGINT)
            return
        if self._control is not None and not self._control.drain_requested:
            self._stop("Ctrl-C")
        elif self._working is not None:
            self._working.cancel()
        else:
            self.reader.interrupt()

    def _end(self, ending: signal.Signals) -> None:
        """SIGTERM, SIGHUP: stop what runs, then leave."""
        self._signal, self.leaving = ending, True
        if self._control is not None:
            self._stop(ending.name)
        elif doing := self._reading or self._working:
            doing.cancel()

    def _stop(self, why: str) -> None:
        control = self._control
        assert control is not None
        control.request_drain(why)
        self.reader.interrupt()
        asyncio.get_running_loop().call_later(PATIENCE, self._cut_off, control)

    def _cut_off(self, control: RunControl) -> None:
        if self._control is control and self._working is not None:
            self._working.cancel()


class _ChatPerson(Person):
    """Asks with the chat's own prompt, so that its next line is not taken for an answer."""

    def __init__(self, chat: Chat) -> None:
        super().__init__(chat.thread)
        self._chat = chat
        self._loop = asyncio.get_running_loop()

    def read(self, prompt: str) -> str:
        """One line; called in a thread beside the loop.

        Raises:
            Left: there is none.
        """
        asked = asyncio.run_coroutine_threadsafe(self._chat.reader.ask(prompt), self._loop)
        try:
            return asked.result()
        except (Interrupted, Ended) as error:
            raise Left from error
