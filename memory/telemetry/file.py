"""A file of OTLP JSON: a line for each batch of spans or of sums, as OpenTelemetry's file exporters write it.

https://opentelemetry.io/docs/specs/otel/protocol/file-exporter/ says what a line holds. Several processes
append to one file, each whole lines under a lock. What a killed process left of a line is taken away before
the next one, so that every line can be read.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from opentelemetry.exporter.otlp.json.common.metrics_encoder import encode_metrics
from opentelemetry.exporter.otlp.json.common.trace_encoder import encode_spans
from opentelemetry.sdk.metrics import Counter, Histogram
from opentelemetry.sdk.metrics.export import AggregationTemporality, MetricsData
from opentelemetry.sdk.trace import ReadableSpan

from configs.errors import ReflectError
from configs.redaction import path_text
from memory.errors import TelemetryUnusable
from memory.json_lines import JsonLines
from memory.telemetry.delivery import DeliveredMetrics, DeliveredSpans, Delivery

# How every line of such a file begins: {"resourceSpans", {"resourceMetrics", {"resourceLogs".
_BEGINNING = b'{"resource'
_CHUNK = 1 << 16
# Each sum counts from the one before, so that the sums of all lines and processes can be added up.
_TEMPORALITY: dict[type, object] = {
    Counter: AggregationTemporality.DELTA,
    Histogram: AggregationTemporality.DELTA,
}


class TelemetryFile:
    """A file spans and counters are appended to.

    Args:
        path: of the file; it is made by the first line.

    Raises:
        TelemetryUnusable: it cannot be written, or holds something else.
    """

    def __init__(self, path: Path) -> None:
        self.delivery = Delivery(path_text(path))
        self._lines = JsonLines(path)
        try:
            with self._lines.locked():
                self._check()
        except ReflectError as error:
            raise TelemetryUnusable(error.what, f"{error.remedy} Or set telemetry.file anew.") from error
        except OSError as error:
            raise TelemetryUnusable(
                f"Telemetry cannot be kept in {path_text(path)}: {error.strerror}.",
                "Let telemetry.file name a file that can be written.",
            ) from error

    def spans(self) -> DeliveredSpans:
        """Appends spans."""
        return DeliveredSpans(self.delivery, self._append_spans)

    def metrics(self) -> DeliveredMetrics:
        """Appends sums; nothing while nothing is counted."""
        return DeliveredMetrics(self.delivery, self._append_metrics, _TEMPORALITY)

    def _append_spans(self, spans: Sequence[ReadableSpan]) -> str:
        return self._append(encode_spans(spans).to_dict())

    def _append_metrics(self, sums: MetricsData) -> str:
        told = encode_metrics(sums).to_dict()
        return self._append(told) if told.get("resourceMetrics") else ""

    def _append(self, record: dict[str, Any]) -> str:
        """Append a line; why it could not be, or nothing."""
        try:
            with self._lines.locked():
                self._take_torn_line_away()
                self._lines.extend([record])
        except ReflectError as error:
            return error.what
        except OSError as error:
            return str(error.strerror or error)
        return ""

    def _check(self) -> None:
        """Refuse a file of another kind, which a line of ours would spoil.

        Raises:
            TelemetryUnusable: it is one.
            OSError: it cannot be opened.
        """
        path = self._lines.path
        descriptor = os.open(
            path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600
        )
        with os.fdopen(descriptor, "rb") as stream:
            beginning = stream.read(len(_BEGINNING))
        if not _BEGINNING.startswith(beginning):
            raise TelemetryUnusable(
                f"{path_text(path)} is there already, and holds no telemetry.",
                "Name another file, or remove that one.",
            )
        self._take_torn_line_away()

    def _take_torn_line_away(self) -> None:
        """Cut the file after its last whole line, under the lock; only what is known as ours is cut."""
        try:
            descriptor = os.open(self._lines.path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
        except FileNotFoundError:
            return
        with os.fdopen(descriptor, "r+b") as stream:
            end = size = stream.seek(0, os.SEEK_END)
            stream.seek(max(0, size - 1))
            if stream.read(1) in (b"", b"\n"):
                return
            while end > 0:
                start = max(0, end - _CHUNK)
                stream.seek(start)
                at = stream.read(end - start).rfind(b"\n")
                if at >= 0:
                    end = start + at + 1
                    break
                end = start
            stream.seek(end)
            if end < size and _BEGINNING.startswith(stream.read(len(_BEGINNING))):
                stream.truncate(end)
