"""Errors of the nodes: what stops a run that a person should hear about."""

from __future__ import annotations

from typing import Literal

from langgraph.errors import GraphBubbleUp

from configs.errors import ReflectError, UsageError
from tools.errors import ToolError


class GoalError(ReflectError):
    """The goal itself cannot be worked on: empty, or far too long."""


class PlanInvalid(ReflectError):
    """A proposed plan fails a check; the message tells the planner what to change."""


class NoTools(ReflectError):
    """The profile allows no tool, and the goal asks for a fact only a tool can find."""


class NotInGraph(ReflectError):
    """A node that changes files was called outside a graph, where no task id tells one visit from another."""


class NodeOverdue(ReflectError):
    """A node was ended because its time was up."""


class ChildOverdue(ReflectError):
    """An engine that works with others was ended because the time they share was over."""


class AfterChange(ReflectError):
    """A node raised after it had begun to change something, so it must not run again; the cause says why.

    Args:
        error: what it raised.
    """

    def __init__(self, error: Exception) -> None:
        super().__init__(getattr(error, "what", "") or f"{type(error).__name__}: {error}")
        self.__cause__ = error


class LeftToAnother(ReflectError, GraphBubbleUp):
    """The thread is another process's now, or another directory's; the run stops and leaves it as it stands.

    A failure that is written to the thread would be the end of the other's run.
    """


class NotKept(ReflectError):
    """The step before a change is not on the disk yet, so the change could be made twice."""


class NoValidSourcesError(ReflectError):
    """The mode accepts none of the sources that were found.

    Attributes:
        dropped: how many sources were found and not accepted.
    """

    def __init__(self, what: str, remedy: str = "", dropped: int = 0) -> None:
        super().__init__(what, remedy)
        self.dropped = dropped


class TimeInvalid(UsageError):
    """The time a query is to be about is none: a bound that is no date, or an end before the start."""


class ReplayImpossible(ReflectError):
    """The manifest of a run, or what lies beside it, cannot be used."""


class ReplayMismatch(ReflectError):
    """A replayed run asks or searches what was not recorded."""


class UnknownGame(UsageError):
    """There is no proof game of the id that was given."""


class GameNotWritten(UsageError):
    """The files of a proof game cannot be laid out: the place is not empty, or the disk refuses."""


class GameDamaged(ReflectError):
    """The log of a proof game is not what was played, so it cannot go on."""


class CallRecordedAsFailed(ToolError):
    """A call of a replayed game, which had no observation when the game was played."""


class CallRefused(ReflectError):
    """A model call was not made, because a budget of the run does not allow it.

    Attributes:
        limit: which one: budget (tokens) or timeout (the time of the run).
    """

    def __init__(self, limit: Literal["budget", "timeout"], what: str, remedy: str = "") -> None:
        super().__init__(what, remedy)
        self.limit = limit


class Contradiction(ReflectError):
    """What was observed cannot all be so: the files changed in between, or an observation is wrong."""
