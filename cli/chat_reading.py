"""Where a chat's lines come from: a person at a terminal, or a pipe."""

from __future__ import annotations

import asyncio
import contextlib
import re
import sys
import threading
from collections.abc import Callable, Iterable
from typing import BinaryIO, Protocol

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import completion_is_selected
from prompt_toolkit.history import History
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.output import create_output
from prompt_toolkit.output.vt100 import Vt100_Output

from cli.beside import beside

PROMPT = "> "
FENCE = "```"
# A line longer than this is no question; reading on would only fill the memory.
LONGEST_LINE = 1_000_000
CONTINUED = re.compile(r"(?<!\\)(?:\\\\)*\\\Z")


class Interrupted(Exception):
    """The person pressed Ctrl-C instead of finishing a line."""


class Ended(Exception):
    """There are no more lines."""


class Reader(Protocol):
    """Gives one goal or command after another."""

    async def read(self) -> str:
        """The next one, which may have several lines.

        Raises:
            Interrupted: the line was given up.
            Ended: there is none.
        """
        ...

    async def ask(self, prompt: str) -> str:
        """The answer to a question; raises as `read` does."""
        ...

    def interrupt(self) -> None:
        """Give up what is being typed, as Ctrl-C does."""
        ...


def unfinished(text: str) -> bool:
    """True if more lines belong to a text: it ends in a backslash, or a fence of three backticks is open."""
    return bool(CONTINUED.search(text)) or text.count(FENCE) % 2 == 1


def joined(text: str) -> str:
    """A text of several lines without the marks that held them together."""
    lines = text.replace("\\\n", "\n").split("\n")
    return "\n".join(line for line in lines if line.strip() != FENCE)


def readable(text: str) -> str:
    """Text without what no file can hold: bytes that were no UTF-8."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


class TerminalReader:
    """Lines edited at a terminal, with history and completion.

    Enter sends, Alt-Enter begins another line, and so does Enter while the text is unfinished; what is pasted
    stays one text.

    Args:
        history: of lines typed before.
        complete: gives the ways to go on from a text before the cursor, and how much of it they replace.
    """

    def __init__(self, history: History, complete: Callable[[str], Iterable[tuple[str, int]]]) -> None:
        # Where stdout goes to a file, the prompt is shown where progress is.
        output = None if sys.stdout.isatty() else create_output(stdout=sys.stderr)
        self._session: PromptSession[str] = PromptSession(
            history=history,
            completer=_Commands(complete),
            complete_while_typing=False,
            key_bindings=_keys(),
            multiline=True,
            prompt_continuation="  ",
            enable_suspend=True,
            output=output,
        )
        self._questions: PromptSession[str] = PromptSession(output=output, enable_suspend=True)
        for session in (self._session, self._questions):
            # Asked where its cursor is, a slow terminal would answer into the run that follows.
            if isinstance(session.output, Vt100_Output):
                session.output.enable_cpr = False

    async def read(self) -> str:
        """See `Reader`."""
        return joined(await self._prompt(self._session, PROMPT))

    async def ask(self, prompt: str) -> str:
        """See `Reader`."""
        return await self._prompt(self._questions, prompt)

    def interrupt(self) -> None:
        """Give up the line that is being typed, as Ctrl-C does."""
        for session in (self._session, self._questions):
            if session.app.is_running:
                session.app.exit(exception=KeyboardInterrupt())

    async def _prompt(self, session: PromptSession[str], prompt: str) -> str:
        try:
            return readable(await session.prompt_async(prompt, handle_sigint=False))
        except KeyboardInterrupt as error:
            raise Interrupted from error
        except EOFError as error:
            raise Ended from error


class PlainReader:
    """Lines of a terminal that edits them itself, because it can do no more.

    One thread reads them all, so that one that is given up does not take the next line.

    Args:
        stream: the terminal.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._started = False

    async def read(self) -> str:
        """See `Reader`."""
        text = await self.ask(PROMPT)
        while unfinished(text):
            text += "\n" + await self.ask("  ")
        return joined(text)

    async def ask(self, prompt: str) -> str:
        """See `Reader`."""
        if not self._started:
            self._started = True
            threading.Thread(
                target=self._read_all, args=(asyncio.get_running_loop(),), name="lines", daemon=True
            ).start()
        sys.stderr.write(prompt)
        sys.stderr.flush()
        line = await self._lines.get()
        if line is None:
            sys.stderr.write("\n")
            raise Interrupted
        if not line:
            raise Ended
        return line.decode("utf-8", "replace").rstrip("\r\n")

    def interrupt(self) -> None:
        """The terminal has thrown the line away; so does this."""
        self._lines.put_nowait(None)

    def _read_all(self, loop: asyncio.AbstractEventLoop) -> None:
        # A loop that is closed has nobody left who waits.
        with contextlib.suppress(RuntimeError):
            while line := self._stream.readline(LONGEST_LINE):
                loop.call_soon_threadsafe(self._lines.put_nowait, line)
            loop.call_soon_threadsafe(self._lines.put_nowait, b"")


class PipedReader:
    """Lines of a pipe or a file, as they are."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    async def read(self) -> str:
        """See `Reader`."""
        text = await self._line()
        while unfinished(text):
            try:
                text += "\n" + await self._line()
            except Ended:
                break
        return joined(text.removesuffix("\\"))

    async def ask(self, prompt: str) -> str:
        """Nobody is there to answer."""
        raise Ended

    def interrupt(self) -> None:
        """Nobody is typing."""

    async def _line(self) -> str:
        line = await beside(self._stream.readline, LONGEST_LINE)
        if not line:
            raise Ended
        return str(line.decode("utf-8", "replace")).rstrip("\r\n")


class _Commands(Completer):
    def __init__(self, complete: Callable[[str], Iterable[tuple[str, int]]]) -> None:
        self._complete = complete

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        for text, replaced in self._complete(document.text_before_cursor):
            yield Completion(text, start_position=-replaced)


def _keys() -> KeyBindings:
    keys = KeyBindings()

    @keys.add("enter", filter=~completion_is_selected)
    def send(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        if unfinished(buffer.text):
            buffer.insert_text("\n")
        else:
            buffer.validate_and_handle()

    @keys.add("enter", filter=completion_is_selected)
    def take(event: KeyPressEvent) -> None:
        event.current_buffer.complete_state = None

    @keys.add("escape", "enter")
    def begin_line(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    return keys
