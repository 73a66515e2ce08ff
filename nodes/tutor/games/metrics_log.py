"""Records of a log of metrics, and the limits they are under."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

METRICS = ("latency_ms", "queue", "retries", "memory_mb", "open_files")
WILD = 3
"""How many times the default limit a value is that nobody could overlook."""


@dataclass(frozen=True)
class Record:
    """One line of the log.

    Attributes:
        at: when.
        service, metric: what was measured.
        value: of it.
        source: "live", or "probe" for what was only tried out.
    """

    at: datetime
    service: str
    metric: str
    value: int
    source: str = "live"

    @property
    def series(self) -> tuple[str, str]:
        """What it is a measurement of."""
        return self.service, self.metric

    @property
    def line(self) -> str:
        """As the log has it."""
        stamp = self.at.strftime("%Y-%m-%dT%H:%M:%SZ")
        return f"{stamp} service={self.service} metric={self.metric} value={self.value} source={self.source}"


@dataclass(frozen=True)
class Limits:
    """Limits of three kinds.

    Attributes:
        default: by metric.
        own: limits of one service, by metric, in place of those.
        late: by metric, in place of both from `since` on; empty if there are none.
        since: when the late ones begin to hold.
    """

    default: Mapping[str, int]
    own: Mapping[str, Mapping[str, int]]
    late: Mapping[str, int]
    since: datetime

    def key_of(self, record: Record) -> tuple[str, int]:
        """Key path of the limit a record is under, and the limit."""
        if record.at >= self.since and record.metric in self.late:
            return f"late.{record.metric}", self.late[record.metric]
        if record.metric in self.own.get(record.service, {}):
            return f"{record.service}.{record.metric}", self.own[record.service][record.metric]
        return f"default.{record.metric}", self.default[record.metric]


def quiet(
    rng: random.Random, services: Sequence[str], metrics: Sequence[str], default: Mapping[str, int]
) -> Iterator[Record]:
    """Records far below every limit, in the order of time; without end."""
    at = datetime(rng.randint(2029, 2034), rng.randint(1, 12), rng.randint(1, 28), rng.randint(5, 18))
    while True:
        at += timedelta(seconds=rng.randint(15, 90))
        metric = rng.choice(metrics)
        value = default[metric] * rng.randint(20, 55) // 100
        yield Record(at, rng.choice(services), metric, value)


def changed(
    records: list[Record], at: int, series: tuple[str, str], value: int, source: str = "live"
) -> None:
    """Make one record a measurement of something else."""
    service, metric = series
    records[at] = replace(records[at], service=service, metric=metric, value=value, source=source)
