"""The circuit breaker of one server: away after a failure, asked again after a back-off. Pure.

The three states are those of M. Nygard, "Release It!" (2007): closed lets every call through, open lets none,
half-open lets one through, which decides.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

State: TypeAlias = Literal["closed", "open", "half_open"]

FIRST_BACK_OFF = 1.0
"""Seconds a server is left alone after its first failure; twice as long after each that follows."""
LONGEST_BACK_OFF = 60.0
_MOST_DOUBLINGS = 16


@dataclass(frozen=True)
class Breaker:
    """Times are those of one monotonic clock, in seconds.

    Attributes:
        failures: in a row; 0 is closed.
        opened: when the last of them was told.
        trying: True while the one call of a half-open breaker is under way.
    """

    failures: int = 0
    opened: float = 0.0
    trying: bool = False

    @property
    def until(self) -> float:
        """When it becomes half-open; has no meaning for one that is closed."""
        doublings = min(max(self.failures - 1, 0), _MOST_DOUBLINGS)
        return self.opened + min(FIRST_BACK_OFF * (1 << doublings), LONGEST_BACK_OFF)

    def state(self, now: float) -> State:
        """Its state at a time."""
        if not self.failures:
            return "closed"
        return "open" if now < self.until else "half_open"

    def tried(self) -> Breaker:
        """The one call of a half-open breaker begins."""
        return replace(self, trying=True)

    def let_go(self, began: float) -> Breaker:
        """A call ended without telling anything of the server; the next one may try."""
        return self if self.failures and began < self.opened else replace(self, trying=False)

    def failed(self, began: float, now: float) -> Breaker:
        """A call failed; one that began before the breaker opened tells nothing new.

        Args:
            began: when the call did.
            now: not before that.
        """
        if self.failures and began < self.opened:
            return self
        return Breaker(self.failures + 1, now)

    def succeeded(self, began: float) -> Breaker:
        """A call was answered; one that began before the breaker opened tells nothing of the time since."""
        return self if self.failures and began < self.opened else Breaker()
