"""What became of the batches that were handed over: delivered, or lost and told once."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence

from opentelemetry.sdk.metrics.export import MetricExporter, MetricExportResult, MetricsData
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult

log = logging.getLogger(__name__)


class Delivery:
    """Counts what one place got.

    Args:
        place: where it goes, for messages.
    """

    def __init__(self, place: str) -> None:
        self.place = place
        self.delivered = 0
        self._told = False
        self._until = float("inf")

    def is_over(self) -> bool:
        """True once the process ends and no time is left."""
        return time.monotonic() > self._until

    def seconds_left(self, longest: float) -> float:
        """Seconds a delivery may take now."""
        return max(0.05, min(longest, self._until - time.monotonic()))

    def ends_in(self, seconds: float) -> None:
        """The process ends: nothing is begun after this many seconds."""
        self._until = time.monotonic() + seconds

    def failed(self, why: str) -> None:
        """Say once that the place cannot be reached or written; runs go on without."""
        if not self._told:
            self._told = True
            log.warning("Telemetry cannot be kept in %s: %s. Runs go on without it.", self.place, why)

    def summed_up(self, ended: int) -> None:
        """Say at the end how many spans were lost."""
        lost = ended - self.delivered
        if lost > 0:
            log.warning("Telemetry: %d of %d spans never got to %s.", lost, ended, self.place)


class DeliveredSpans(SpanExporter):
    """Hands spans on and notes what became of them.

    Args:
        delivery: counts them.
        send: delivers a batch.

    `send` returns why it could not, or nothing.
    """

    def __init__(self, delivery: Delivery, send: Callable[[Sequence[ReadableSpan]], str]) -> None:
        self._delivery = delivery
        self._send = send

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Deliver a batch; never raises."""
        why = "the process ended" if self._delivery.is_over() else self._send(spans)
        if why:
            self._delivery.failed(why)
            return SpanExportResult.FAILURE
        self._delivery.delivered += len(spans)
        return SpanExportResult.SUCCESS

    def force_flush(self, timeout_millis: int = 30000) -> bool:
        """Nothing is held back here."""
        return True


class DeliveredMetrics(MetricExporter):
    """The same for counters, of which sums are delivered and none are told as lost.

    Args:
        delivery: is told of failures.
        send: delivers the sums, and returns why it could not, or nothing.
        temporality: as `MetricExporter` takes it.
    """

    def __init__(
        self, delivery: Delivery, send: Callable[[MetricsData], str], temporality: dict[type, object] | None
    ) -> None:
        super().__init__(preferred_temporality=temporality)  # type: ignore[arg-type]  # values of an enum
        self._delivery = delivery
        self._send = send

    def export(
        self, metrics_data: MetricsData, timeout_millis: float = 10_000, **kwargs: object
    ) -> MetricExportResult:
        """Deliver what was counted; never raises."""
        why = "the process ended" if self._delivery.is_over() else self._send(metrics_data)
        if why:
            self._delivery.failed(why)
            return MetricExportResult.FAILURE
        return MetricExportResult.SUCCESS

    def force_flush(self, timeout_millis: float = 10_000) -> bool:
        """Nothing is held back here."""
        return True

    def shutdown(self, timeout_millis: float = 30_000, **kwargs: object) -> None:
        """Nothing is open here."""
