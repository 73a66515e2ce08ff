"""What a person should know of the servers of a run's models: who failed, who answered, who was away."""

from __future__ import annotations

from collections import Counter

from configs.redaction import without_secrets
from models.fleet.failover import FleetReply

MOST = 8
"""Kinds of failures told one by one."""


class FleetRemarks:
    """The remarks of one run."""

    def __init__(self) -> None:
        self._instead: Counter[str] = Counter()
        self._away: dict[str, str] = {}

    def add(self, reply: FleetReply) -> None:
        """Note what it took to get a reply."""
        self._away.update(reply.away)
        if reply.failed:
            problems = " ".join(problem.what for problem in reply.failed.values())
            self._instead[f"{problems} {reply.address} answered instead."] += 1

    def lines(self) -> list[str]:
        """A line for each kind of failure, with the calls that met it, and for each server that was away."""
        told = [
            line if calls == 1 else f"{line} ({calls} calls)"
            for line, calls in self._instead.most_common(MOST)
        ]
        rest = self._instead.total() - sum(calls for _, calls in self._instead.most_common(MOST))
        if rest:
            told.append(f"{rest} further calls were answered by another server than the one asked first.")
        told += [
            f"{address} was away, and the other servers were asked: {why}."
            for address, why in self._away.items()
        ]
        return [str(without_secrets("", line)) for line in told]
