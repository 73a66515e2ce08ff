"""The recorder the settings ask for: opened once a process for each place, closed when the process ends.

A process that is killed loses the spans of the last second. A place that cannot be reached or written loses
its spans, says so once, and holds nobody up: runs hand their spans to a queue of bounded length.
"""

from __future__ import annotations

import atexit
import importlib.metadata
import logging
import os
import threading
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from configs.locations import linked_out, located
from configs.redaction import path_text
from configs.settings import Settings
from configs.telemetry import TelemetrySettings
from memory.errors import MemoryPackageMissing, TelemetryUnusable
from models.telemetry import names

if TYPE_CHECKING:
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.trace import TracerProvider

    from memory.telemetry.endpoint import TelemetryEndpoint
    from memory.telemetry.file import TelemetryFile
    from memory.telemetry.recorder import SpanRecorder

QUEUE = 8192
BATCH = 256
"""Spans that wait at most, and that are written as one line at most."""

SPAN_SECONDS = 1.0
METRIC_SECONDS = 15.0
ENDING_SECONDS = 2.0
"""Seconds between batches, between sums, and that the end of a process may be held up."""

_INSTALL = "pip install 'reflective-graph[telemetry]', or unset telemetry.file and telemetry.endpoint."
# What they say of every batch is said once, by `memory.telemetry.delivery`.
_TALKATIVE = ("opentelemetry.exporter.otlp.proto.http", "opentelemetry.sdk._shared_internal")


@dataclass(frozen=True)
class _Asked:
    """What a recorder is made of; runs that ask for the same share it."""

    file: Path | None
    endpoint: str | None
    headers: tuple[tuple[str, str], ...]
    content: bool
    service: str


@dataclass(frozen=True)
class _Opened:
    recorder: SpanRecorder
    places: list[TelemetryFile | TelemetryEndpoint]
    traces: TracerProvider
    metrics: MeterProvider

    def close(self) -> None:
        """Deliver what waits, and say what was lost."""
        for place in self.places:
            place.delivery.ends_in(ENDING_SECONDS)
        self.traces.shutdown()
        self.metrics.shutdown(timeout_millis=ENDING_SECONDS * 1000)
        for place in self.places:
            place.delivery.summed_up(self.recorder.ended)


_opened: dict[_Asked, _Opened] = {}
_opening = threading.Lock()


def open_recorder(settings: Settings, root: Path) -> SpanRecorder | None:
    """What records runs of a project; None if its settings ask for nothing. Blocking.

    Args:
        settings: of the project.
        root: its directory.

    Raises:
        MemoryPackageMissing: the packages for it are not installed.
        TelemetryUnusable: the file cannot be written, or the headers cannot be read.
        SettingsError: the file's name is no place.
    """
    wanted = settings.telemetry
    if wanted.file is None and wanted.endpoint is None:
        return None
    asked = _Asked(
        _file_of(wanted, root), wanted.endpoint, _headers_of(wanted), wanted.content, wanted.service_name
    )
    with _opening:
        if asked not in _opened:
            if not _opened:
                atexit.register(close_recorders)
            _opened[asked] = _open(asked)
        return _opened[asked].recorder


def close_recorders() -> None:
    """Deliver what waits, and close everything; the next run opens it again."""
    with _opening:
        closing = list(_opened.values())
        _opened.clear()
    atexit.unregister(close_recorders)
    for opened in closing:
        opened.close()


def deliver_now() -> None:
    """Deliver what waits, without closing anything; blocking."""
    with _opening:
        waiting = list(_opened.values())
    for opened in waiting:
        opened.traces.force_flush()
        opened.metrics.force_flush()


def _file_of(wanted: TelemetrySettings, root: Path) -> Path | None:
    if wanted.file is None:
        return None
    place = located(root, wanted.file)
    if linked_out(root, wanted.file):
        raise TelemetryUnusable(
            f"{path_text(place)} leads out of {path_text(root)} by a link.",
            "Remove the link, or name the file in full.",
        )
    return Path(os.path.abspath(place))


def _headers_of(wanted: TelemetrySettings) -> tuple[tuple[str, str], ...]:
    """The headers in the variable; they are secrets, so no message shows them."""
    if wanted.endpoint is None or wanted.headers_env is None:
        return ()
    text = os.environ.get(wanted.headers_env, "").strip()
    pairs = [pair.strip().partition("=") for pair in text.split(",") if pair.strip()]
    if not pairs or not all(name.strip() and value.strip() for name, _, value in pairs):
        raise TelemetryUnusable(
            "The variable that `telemetry.headers_env` names is not set, or holds no headers.",
            "Write NAME=VALUE into it, several with commas in between.",
        )
    return tuple((name.strip(), value.strip()) for name, _, value in pairs)


def _open(asked: _Asked) -> _Opened:
    try:
        from opentelemetry.sdk.metrics import AlwaysOffExemplarFilter, MeterProvider
        from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
        from opentelemetry.sdk.trace.sampling import ALWAYS_ON

        from memory.telemetry.recorder import SpanRecorder

        places = _places(asked)
    except ImportError as error:
        raise MemoryPackageMissing(
            f"Telemetry is asked for, and the package {error.name} is not installed.", _INSTALL
        ) from error
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    version = importlib.metadata.version("reflective-graph")
    # Not `Resource.create`, whose detectors may add the command line, and with it the goal.
    resource = Resource(
        {
            names.SERVICE_NAME: asked.service,
            names.SERVICE_VERSION: version,
            # By which sums of processes that run side by side are told apart.
            names.SERVICE_INSTANCE: str(uuid.uuid4()),
        }
    )
    traces = TracerProvider(ALWAYS_ON, resource, shutdown_on_exit=False)
    for place in places:
        traces.add_span_processor(BatchSpanProcessor(place.spans(), QUEUE, SPAN_SECONDS * 1000, BATCH))
    readers = [PeriodicExportingMetricReader(place.metrics(), METRIC_SECONDS * 1000) for place in places]
    # Exemplars point from sums to spans, which the attributes of both do as well.
    metrics = MeterProvider(
        readers, resource, shutdown_on_exit=False, exemplar_filter=AlwaysOffExemplarFilter()
    )
    recorder = SpanRecorder(
        traces.get_tracer(names.INSTRUMENTATION, version, names.SCHEMA_URL),
        metrics.get_meter(names.INSTRUMENTATION, version, names.SCHEMA_URL),
        content=asked.content,
    )
    return _Opened(recorder, places, traces, metrics)


def _places(asked: _Asked) -> list[TelemetryFile | TelemetryEndpoint]:
    places: list[TelemetryFile | TelemetryEndpoint] = []
    if asked.file is not None:
        from memory.telemetry.file import TelemetryFile

        places.append(TelemetryFile(asked.file))
    if asked.endpoint is not None:
        from memory.telemetry.endpoint import TelemetryEndpoint

        places.append(TelemetryEndpoint(asked.endpoint, dict(asked.headers)))
    return places
