"""OTLP over HTTP, to the one server the settings name: not by a proxy, and not where it redirects to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import requests
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.metrics.export import MetricExportResult, MetricsData
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExportResult

from configs.redaction import shown
from memory.telemetry.delivery import DeliveredMetrics, DeliveredSpans, Delivery

LONGEST_REQUEST = 3.0
"""Seconds one batch may take."""

_TAKES_NONE = (404, 405, 501)
_SIGNALS = ("/v1/traces", "/v1/metrics")


class TelemetryEndpoint:
    """A server spans and counters are sent to.

    Args:
        address: its URL, to which `/v1/traces` and `/v1/metrics` are added.
        headers: sent with every request.
    """

    def __init__(self, address: str, headers: dict[str, str]) -> None:
        base = address.rstrip("/")
        for signal in _SIGNALS:
            base = base.removesuffix(signal)
        self.delivery = Delivery(shown("endpoint", base).strip('"'))
        self._spans_by = _OneServer(self.delivery)
        self._metrics_by = _OneServer(self.delivery)
        self._spans = OTLPSpanExporter(
            f"{base}/v1/traces", headers=headers, timeout=LONGEST_REQUEST, session=self._spans_by
        )
        self._metrics = OTLPMetricExporter(
            f"{base}/v1/metrics", headers=headers, timeout=LONGEST_REQUEST, session=self._metrics_by
        )

    def spans(self) -> DeliveredSpans:
        """Sends spans."""
        return DeliveredSpans(self.delivery, self._send_spans)

    def metrics(self) -> DeliveredMetrics:
        """Sends sums, which count from the beginning of the process."""
        return DeliveredMetrics(self.delivery, self._send_metrics, None)

    def _send_spans(self, spans: Sequence[ReadableSpan]) -> str:
        sent = self._spans.export(spans) is SpanExportResult.SUCCESS
        return "" if sent else self._spans_by.why

    def _send_metrics(self, sums: MetricsData) -> str:
        if not sums.resource_metrics or self._metrics_by.status in _TAKES_NONE:
            # Jaeger, for one, takes spans only.
            return ""
        sent = self._metrics.export(sums) is MetricExportResult.SUCCESS
        return "" if sent or self._metrics_by.status in _TAKES_NONE else self._metrics_by.why


class _OneServer(requests.Session):
    """Asks one server and no other; a request is not repeated, since the queue goes on meanwhile.

    Args:
        delivery: says how long a request may take.
    """

    def __init__(self, delivery: Delivery) -> None:
        super().__init__()
        # Neither a proxy nor a login of the environment's: both would send it past the address.
        self.trust_env = False
        self.status: int | None = None
        self.why = "the batch could not be encoded"
        self._delivery = delivery

    def request(self, *args: Any, **kwargs: Any) -> requests.Response:
        """Ask; an answer that is no success is an error that is not tried again.

        Raises:
            requests.RequestException: the server cannot be reached, or did not take it.
        """
        kwargs |= {"allow_redirects": False, "timeout": self._delivery.seconds_left(LONGEST_REQUEST)}
        self.status = None
        try:
            response = super().request(*args, **kwargs)
        except requests.RequestException as error:
            self.why = f"it cannot be reached ({type(error).__name__})"
            raise requests.RequestException(self.why) from error
        self.status = response.status_code
        if not response.ok or response.is_redirect or 300 <= response.status_code < 400:
            self.why = f"it answered with status {response.status_code}"
            raise requests.RequestException(self.why)
        return response
