"""Which of several servers a call goes to. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

COLD_CALLS = 2
"""A server that has to load the model first counts as this many calls busier: loading takes seconds, in which
one that has it answers a call or two. With more waiting than that, a further server is worth it."""


@dataclass(frozen=True)
class HostView:
    """What is known of a server when a call is about to be made.

    Attributes:
        address: its URL.
        under_way: calls of this process that it has not answered yet.
        admits: False if it may not be asked: it is away, or was asked for this call already.
        lacks: True if it is known not to have the model.
        loaded: True if it has the model in memory, or needs no time to load it.
        chosen: when it was last chosen, as a number that grows.
    """

    address: str
    under_way: int = 0
    admits: bool = True
    lacks: bool = False
    loaded: bool = True
    chosen: int = 0


def load(host: HostView) -> int:
    """How busy a server is, in calls."""
    return host.under_way + (0 if host.loaded else COLD_CALLS)


def choose(hosts: Sequence[HostView], before: str | None = None) -> str | None:
    """The address a call goes to; None if no server may be asked.

    The least busy one; of equals the one that answered the conversation before, whose cache holds the
    beginning of the prompt; else the one that was not chosen for the longest time, so that they take turns.

    Args:
        hosts: in the order of the settings.
        before: address of the server that answered this run's last call of the model.
    """
    able = [host for host in hosts if host.admits and not host.lacks]
    best = min(able, key=lambda host: (load(host), host.address != before, host.chosen), default=None)
    return best.address if best is not None else None
