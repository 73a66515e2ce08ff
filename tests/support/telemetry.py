"""A recorder that keeps what it is told in memory, and readers of what it or a file holds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from memory.telemetry.recorder import SpanRecorder


@dataclass(frozen=True)
class Kept:
    """A recorder and what it was told."""

    recorder: SpanRecorder
    exporter: InMemorySpanExporter
    reader: InMemoryMetricReader

    @staticmethod
    def anew(*, content: bool = False) -> Kept:
        exporter, reader = InMemorySpanExporter(), InMemoryMetricReader()
        traces = TracerProvider(shutdown_on_exit=False)
        traces.add_span_processor(SimpleSpanProcessor(exporter))
        metrics = MeterProvider([reader], shutdown_on_exit=False)
        recorder = SpanRecorder(traces.get_tracer("test"), metrics.get_meter("test"), content=content)
        return Kept(recorder, exporter, reader)

    def spans(self) -> list[ReadableSpan]:
        """In the order they ended."""
        return list(self.exporter.get_finished_spans())

    def span(self, name: str) -> ReadableSpan:
        """The one span of that name."""
        (found,) = [span for span in self.spans() if span.name == name]
        return found

    def tree(self) -> dict[str, str]:
        """The name of each span, and of the one above it; "" for none."""
        by_id = {span.context.span_id: span.name for span in self.spans() if span.context}
        return {span.name: by_id[span.parent.span_id] if span.parent else "" for span in self.spans()}

    def sums(self, name: str) -> dict[frozenset[tuple[str, Any]], float]:
        """What a counter or a histogram sums up to, by attributes."""
        data = self.reader.get_metrics_data()
        return {
            frozenset(dict(point.attributes or {}).items()): getattr(point, "value", None)
            if hasattr(point, "value")
            else point.sum
            for resource in (data.resource_metrics if data else [])
            for scope in resource.scope_metrics
            for metric in scope.metrics
            if metric.name == name
            for point in metric.data.data_points
        }

    def everything(self) -> str:
        """All that is told, as text."""
        spans = "".join(span.to_json() for span in self.spans())
        data = self.reader.get_metrics_data()
        return spans + (data.to_json() if data else "")


def records_of(path: Path) -> list[dict[str, Any]]:
    """The lines of a file of OTLP JSON, each of which must be an object."""
    records = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert all(isinstance(record, dict) and len(record) == 1 for record in records)
    return records


def spans_of(path: Path) -> list[dict[str, Any]]:
    """The spans in such a file."""
    return [
        span
        for record in records_of(path)
        for resource in record.get("resourceSpans", [])
        for scope in resource["scopeSpans"]
        for span in scope["spans"]
    ]


def metrics_of(path: Path) -> Iterator[tuple[str, dict[str, Any], float]]:
    """The data points in such a file: name, attributes, sum."""
    for record in records_of(path):
        for resource in record.get("resourceMetrics", []):
            for scope in resource["scopeMetrics"]:
                for metric in scope["metrics"]:
                    for point in metric.get("sum", metric.get("histogram"))["dataPoints"]:
                        amount = point.get("asInt", point.get("asDouble", point.get("sum", 0)))
                        yield metric["name"], attributes_of(point), float(amount)


def attributes_of(told: Mapping[str, Any]) -> dict[str, Any]:
    """Attributes as OTLP JSON writes them, as a mapping."""
    return {one["key"]: next(iter(one["value"].values())) for one in told.get("attributes", [])}
