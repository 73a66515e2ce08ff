"""What a turn is worth: the table of `configs.tutor.Points`, applied. No node is credited twice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from configs.tutor import Points


@dataclass(frozen=True)
class Credit:
    """Points of one turn.

    Attributes:
        gained: points, below 0 where the turn cost some.
        names: of the nodes they were got for, which bring nothing a second time.
    """

    gained: int = 0
    names: tuple[str, ...] = ()


class Scoring:
    """The points of one game.

    Args:
        points: the table.
        par: turns of the shortest solution; 0 if nobody knows.
        credited: names of the nodes that brought points before.
    """

    def __init__(self, points: Points, par: int, credited: Iterable[str] = ()) -> None:
        self._points = points
        self._par = par
        self._credited = set(credited)

    def observed(self, name: str, *, novel: bool) -> Credit:
        """A tool call had a result."""
        return self._once(self._points.knowledge, (name,)) if novel else Credit(self._points.repeated)

    def repeated(self) -> Credit:
        """A tool call that was not made again, since its result is known."""
        return Credit(self._points.repeated)

    def failed(self) -> Credit:
        """A tool call had no result."""
        return Credit(self._points.failed)

    def proved(self, name: str, targets: Iterable[str]) -> Credit:
        """A claim was validated.

        Args:
            name: of the claim.
            targets: names of the constraints it fits.
        """
        if name in self._credited:
            return Credit()
        unfilled = [target for target in targets if target not in self._credited]
        if unfilled:
            return self._once(self._points.target, (name, unfilled[0]))
        return self._once(self._points.claim, (name,))

    def unsupported(self) -> Credit:
        """A claim was put that is not proved."""
        return Credit(self._points.unsupported)

    def illegal(self) -> Credit:
        """A move was refused."""
        return Credit(self._points.illegal)

    def rejected(self) -> Credit:
        """An answer was not accepted."""
        return Credit(self._points.rejected)

    def won(self, turns: int) -> Credit:
        """The game was won.

        Args:
            turns: it took.
        """
        beyond = max(0, turns - self._par) if self._par else 0
        return Credit(self._points.won + beyond * self._points.beyond_par, ("g",))

    def _once(self, points: int, names: tuple[str, ...]) -> Credit:
        if names[0] in self._credited:
            return Credit()
        self._credited.update(names)
        return Credit(points, names)
