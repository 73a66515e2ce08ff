"""How people end a batch: asked once it finishes what is under way, asked twice it stops at once."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType


@dataclass
class Stopping:
    """What people asked for: 0 to go on, 1 to finish what is under way, 2 to stop at once."""

    asked: int = 0

    @contextmanager
    def by_signals(self) -> Iterator[Stopping]:
        """SIGINT and SIGTERM ask, the second one of them for an end at once."""

        def ask(number: int, frame: FrameType | None) -> None:
            self.asked += 1

        before = {name: signal.getsignal(name) for name in (signal.SIGINT, signal.SIGTERM)}
        for name, handler in before.items():
            # A caller that ignores the signal, as a shell does for jobs in the background, keeps ignoring it.
            if handler is not signal.SIG_IGN:
                signal.signal(name, ask)
        try:
            yield self
        finally:
            for name, handler in before.items():
                signal.signal(name, handler)
