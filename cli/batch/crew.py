"""What a driver needs of workers, wherever they are: hire one, give it a goal, hear what happened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from cli.batch.goal import Goal
from cli.batch.orders import Facts


@dataclass(frozen=True)
class Ready:
    """A worker has begun, and takes a goal."""

    worker: int
    facts: Facts


@dataclass(frozen=True)
class Unfit:
    """A worker has begun and can answer no goal: the project, the settings or the model cannot be used."""

    worker: int
    what: str
    remedy: str


@dataclass(frozen=True)
class Answered:
    """A worker has come to the end of its goal; the answer is JSON, see `cli.batch.answering.Answer`."""

    worker: int
    answer: dict[str, Any]


@dataclass(frozen=True)
class Left:
    """A worker gives its goal back: for now, something keeps the goal from its thread."""

    worker: int
    why: str


@dataclass(frozen=True)
class Died:
    """A worker is gone, and what it had is not done."""

    worker: int
    why: str


Event: TypeAlias = Ready | Unfit | Answered | Left | Died


def event_of(worker: int, message: dict[str, Any]) -> Event:
    """What a worker says, as an event.

    Args:
        worker: its number.
        message: JSON with one key, which names the kind.
    """
    match message:
        case {"ready": facts}:
            return Ready(worker, Facts.loads(facts))
        case {"unfit": [what, remedy]}:
            return Unfit(worker, what, remedy)
        case {"left": why}:
            return Left(worker, why)
    return Answered(worker, message["answer"])


class Crew(Protocol):
    """Workers. Each has one goal at a time, and is known by its number."""

    def hire(self) -> int:
        """Begin a worker; it is `Ready` later, or `Unfit`, or has `Died`."""
        ...

    def give(self, worker: int, goal: Goal) -> None:
        """Hand a goal to a worker that has none."""
        ...

    def happened(self, seconds: float) -> list[Event]:
        """Wait until something happens, at most some seconds; what happened to workers, in order."""
        ...

    def dismiss(self, worker: int) -> None:
        """End a worker at once, whatever it is at; nothing is heard of it any more."""
        ...

    def close(self) -> None:
        """End all workers: those without a goal in order, the others at once."""
        ...
