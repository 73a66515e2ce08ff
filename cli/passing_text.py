"""Text that is shown while it is being written, and gone when something else is said."""

from __future__ import annotations

import time

from rich.console import Console
from rich.live_render import LiveRender
from rich.text import Text

LINES = 6
# Seconds between two pictures: a fast model would keep the terminal busy otherwise.
PAUSE = 0.05


class PassingText:
    """The last lines of a text that grows, at the bottom of a terminal that can be drawn on.

    Elsewhere (a file, a pipe, a terminal that cannot move its cursor) nothing is shown: a text that is to
    vanish would stay.

    Args:
        console: where to draw.
    """

    def __init__(self, console: Console) -> None:
        self.possible = console.is_terminal and not console.is_dumb_terminal
        self._console = console
        self._render = LiveRender("")
        self._drawn = False
        self._at = 0.0

    def show(self, label: str, text: str) -> None:
        """Draw the end of a text in the place of what was drawn before.

        Args:
            label: stands before each line, so that nobody takes the text for what it is not.
            text: without control characters.
        """
        now = time.monotonic()
        if not self.possible or not text.strip() or now - self._at < PAUSE:
            return
        self._at = now
        width = max(self._console.width - len(label) - 2, 8)
        lines = Text(text.strip()).wrap(self._console, width)[-LINES:]
        self._render.set_renderable(Text("\n".join(f"{label} {line.plain}" for line in lines), style="dim"))
        self._console.control(self._render.position_cursor())
        # Wrapped already; the console's own soft wrap would hide how many lines there are.
        self._console.print(self._render, end="", soft_wrap=False, no_wrap=True, overflow="crop", crop=True)
        self._drawn = True

    def clear(self) -> None:
        """Take away what is drawn."""
        if self._drawn:
            self._console.control(self._render.position_cursor())
            self._render, self._drawn, self._at = LiveRender(""), False, 0.0
