"""What a client is told while a call runs: a rising number, and the words the command line shows."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from cli.live import printable

# A client that reads slowly misses the lines beyond: a run never waits for somebody to read them.
MOST_UNREAD = 256
LONGEST = 300

Send = Callable[[float, float | None, str | None], Awaitable[None]]


class Progress:
    """Lines of one call; each line's number is higher than that of the line before it."""

    def __init__(self) -> None:
        self._number = 0
        self._unread: deque[tuple[int, str]] = deque()
        self._more = asyncio.Event()
        self._closed = False

    def tell(self, text: str) -> None:
        """Take a line; an empty one is none."""
        line = " ".join(printable(text).split())
        if not line or self._closed:
            return
        self._number += 1
        if len(self._unread) < MOST_UNREAD:
            shown = line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
            self._unread.append((self._number, shown))
            self._more.set()

    def close(self) -> None:
        """Take no more: the call is at its end."""
        self._closed = True
        self._more.set()

    async def send_all(self, send: Send) -> None:
        """Send the lines as they come, until the call is at its end and the last one is sent.

        Args:
            send: takes number, total (which nobody knows), and line.
        """
        while True:
            await self._more.wait()
            self._more.clear()
            while self._unread:
                number, line = self._unread.popleft()
                await send(number, None, line)
            # The call may have been at its end before the first line was looked for.
            if self._closed:
                return
