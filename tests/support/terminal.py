"""A process at a terminal of its own: keys go in, the screen comes out."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ESCAPES = re.compile(r"\x1b(?:\[[0-9;?>=]*[A-Za-z]|\][^\x07]*\x07|[()][A-Z0-9]|[=>78])")
UP, CTRL_C, CTRL_D, ALT_ENTER = "\x1b[A", "\x03", "\x04", "\x1b\r"


def pasted(text: str) -> str:
    """A text as a terminal sends it when it is pasted."""
    return f"\x1b[200~{text}\x1b[201~"


class Terminal:
    """What a person would type and see.

    Args:
        words: the command.
        directory: where it runs.
        environment: its variables.
        columns: width of the screen.
    """

    def __init__(
        self, words: Sequence[str], directory: Path, environment: Mapping[str, str], columns: int = 100
    ) -> None:
        self._ours, theirs = pty.openpty()
        self._raw = b""
        self._seen = 0
        self.resize(columns)
        self.process = subprocess.Popen(
            words,
            cwd=directory,
            env=dict(environment),
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            # The terminal is the process' own, so that its keys are signals.
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(theirs)

    def resize(self, columns: int) -> None:
        """Make the screen as wide."""
        fcntl.ioctl(self._ours, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))

    def type(self, keys: str | bytes) -> None:
        """Press keys; a carriage return is Enter."""
        data = keys.encode() if isinstance(keys, str) else keys
        while data:
            # A long paste fills the terminal's buffer unless what it shows is read meanwhile.
            _, writable, _ = select.select([], [self._ours], [], 0.05)
            if writable:
                sent = os.write(self._ours, data[:512])
                data = data[sent:]
            self._read(0)

    def line(self, text: str) -> None:
        """Type a line."""
        self.type(f"{text}\r")

    def wait_for(self, text: str, seconds: float = 60) -> str:
        """Wait until a text appears after the last one that was waited for; gives what came up to it.

        Raises:
            AssertionError: it does not appear.
        """
        end = time.monotonic() + seconds
        while True:
            shown = self.shown
            at = shown.find(text, self._seen)
            if at >= 0:
                came = shown[self._seen : at + len(text)]
                self._seen = at + len(text)
                return came
            assert time.monotonic() < end, f"{text!r} did not appear:\n{shown[self._seen :]}"
            if not self._read(0.2) and self.process.poll() is not None and not self._read(0.2):
                raise AssertionError(f"{text!r} did not appear before the end:\n{self.shown[self._seen :]}")

    @property
    def shown(self) -> str:
        """All that was written so far, without colours and movements."""
        return ESCAPES.sub("", self._raw.decode(errors="replace")).replace("\r", "")

    @property
    def raw(self) -> str:
        """All that was written so far, as it was."""
        return self._raw.decode(errors="replace")

    def ends(self, seconds: float = 30) -> int:
        """Wait for the end; gives the exit code."""
        end = time.monotonic() + seconds
        while self.process.poll() is None:
            assert time.monotonic() < end, f"it goes on:\n{self.shown[-2000:]}"
            self._read(0.1)
        while self._read(0.1):
            pass
        return int(self.process.returncode)

    def hang_up(self) -> None:
        """Close the window."""
        os.close(self._ours)
        self._ours = -1

    def close(self) -> None:
        """End the process, if it still runs."""
        self.process.kill()
        self.process.wait(10)
        if self._ours >= 0:
            os.close(self._ours)

    def _read(self, seconds: float) -> bool:
        ready, _, _ = select.select([self._ours], [], [], seconds)
        if not ready:
            return False
        # A terminal nobody holds open any more cannot be read.
        with contextlib.suppress(OSError):
            data = os.read(self._ours, 65_536)
            self._raw += data
            return bool(data)
        return False


@contextlib.contextmanager
def terminal(
    words: Sequence[str], directory: Path, environment: Mapping[str, str], columns: int = 100
) -> Iterator[Terminal]:
    """A process at a terminal, gone at the end."""
    opened = Terminal(words, directory, environment, columns)
    try:
        yield opened
    finally:
        opened.close()
