"""What a client is told while a call runs: a rising number, and the words the command line shows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import anyio

from cli.live import printable

# A client that reads slowly misses the lines beyond: a run never waits for somebody to read them.
MOST_UNREAD = 256
LONGEST = 300

Send = Callable[[float, float | None, str | None], Awaitable[None]]


class Progress:
    """Lines of one call; each line's number is higher than that of the line before it."""

    def __init__(self) -> None:
        self._number = 0
        self._in, self._out = anyio.create_memory_object_stream[tuple[int, str]](MOST_UNREAD)

    def tell(self, text: str) -> None:
        """Take a line; an empty one is none."""
        line = " ".join(printable(text).split())
        if not line:
            return
        self._number += 1
        try:
            self._in.send_nowait((self._number, line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"))
        except (anyio.WouldBlock, anyio.BrokenResourceError, anyio.ClosedResourceError):
            # Nobody reads, or the call is at its end already.
            return

    def close(self) -> None:
        """Take no more: the call is at its end."""
        self._in.close()

    async def send_all(self, send: Send) -> None:
        """Send the lines as they come, until the call is at its end and the last one is sent.

        Args:
            send: takes number, total (which nobody knows), and line.
        """
        async with self._out:
            async for number, line in self._out:
                await send(number, None, line)
