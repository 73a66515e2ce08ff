"""Tokens of a run: what it has taken, and what calls under way may still take."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Ledger:
    """Tokens taken and reserved, by branch; "" is the whole run.

    Attributes:
        most: budgets by branch, of the whole run at least.
        each_branch: budget of every branch.
        taken: tokens of calls that ended.
        reserved: the most calls under way may take.
    """

    most: dict[str, int]
    each_branch: int
    taken: dict[str, int] = field(default_factory=dict)
    reserved: dict[str, int] = field(default_factory=dict)

    def fits(self, branch: str, tokens: int, *, waiting: bool) -> bool:
        """True if so much may be reserved; `waiting` leaves out what calls under way have reserved."""
        for scope in {"", branch}:
            held = 0 if waiting else self.reserved.get(scope, 0)
            if self.taken.get(scope, 0) + held + tokens > self.most.get(scope, self.each_branch):
                return False
        return True

    def reserve(self, branch: str, tokens: int) -> None:
        """Hold tokens for a call that is about to be made."""
        for scope in {"", branch}:
            self.reserved[scope] = self.reserved.get(scope, 0) + tokens

    def settle(self, branch: str, reserved: int, tokens: int) -> None:
        """Give back what a call reserved, and count what it took."""
        for scope in {"", branch}:
            self.reserved[scope] -= reserved
        self.take(branch, tokens)

    def take(self, branch: str, tokens: int) -> None:
        """Count tokens that were taken."""
        for scope in {"", branch}:
            self.taken[scope] = self.taken.get(scope, 0) + tokens
