"""Makes spans and counts with OpenTelemetry's SDK; imported only where something is recorded."""

from __future__ import annotations

import threading
from collections.abc import Mapping

from opentelemetry.context import Context
from opentelemetry.metrics import Counter, Histogram, Meter
from opentelemetry.trace import Span, SpanKind, Status, StatusCode, Tracer, set_span_in_context

from memory.redaction import redact
from models.telemetry import names
from models.telemetry.hashing import hash_of
from models.telemetry.scope import Outcome, Side, Value

LONGEST_TEXT = 32_000
CUT = " [cut]"
# As the GenAI conventions advise for the two histograms.
TOKEN_BOUNDS = tuple(float(4**power) for power in range(14))
SECOND_BOUNDS = tuple(0.01 * 2**power for power in range(14))
_STATUS = {"ok": StatusCode.OK, "error": StatusCode.ERROR, "unset": StatusCode.UNSET}
_CHARS = {"input": names.INPUT_CHARS, "output": names.OUTPUT_CHARS}
_SHA256 = {"input": names.INPUT_SHA256, "output": names.OUTPUT_SHA256}
_VALUE = {"input": names.INPUT_VALUE, "output": names.OUTPUT_VALUE}
_TYPE = {"input": names.INPUT_TYPE, "output": names.OUTPUT_TYPE_OF_VALUE}


class SpanRecorder:
    """Records runs; see `models.telemetry.scope.Recorder`.

    Args:
        tracer: makes spans.
        meter: makes counters.
        content: record texts, redacted, and not only their sizes and hashes.
    """

    def __init__(self, tracer: Tracer, meter: Meter, *, content: bool) -> None:
        self.content = content
        self.ended = 0
        self._ending = threading.Lock()
        self._tracer = tracer
        self._counters = _counters(meter)
        self._histograms = _histograms(meter)

    def begin(self, name: str, above: Span | None, started: int, *, client: bool) -> Span:
        """A span that began at a time, in nanoseconds since 1970, below another or None."""
        # Never below a span of the caller's own: these spans go elsewhere, where that one is not known.
        context = set_span_in_context(above, Context()) if above is not None else Context()
        kind = SpanKind.CLIENT if client else SpanKind.INTERNAL
        return self._tracer.start_span(name, context, kind, start_time=started)

    def end(self, span: Span, attributes: Mapping[str, Value], outcome: Outcome, told: str) -> None:
        """End a span now; words of an error are content."""
        span.set_attributes(attributes)
        if outcome != "unset":
            words = self.redacted(told) if self.content and outcome == "error" and told else None
            span.set_status(Status(_STATUS[outcome], words))
        span.end()
        with self._ending:
            self.ended += 1

    def text(self, side: Side, text: str) -> dict[str, Value]:
        """How long a text is and its hash; itself, redacted, where content is recorded."""
        told: dict[str, Value] = {_CHARS[side]: len(text), _SHA256[side]: hash_of(text)}
        if self.content:
            told |= {_VALUE[side]: self.redacted(text), _TYPE[side]: "text/plain"}
        return told

    def redacted(self, text: str) -> str:
        """A text without secrets, cut to what is kept of one."""
        # Cut afterwards: half of a secret is not known as one.
        safe = redact(text).encode("utf-8", "backslashreplace").decode("utf-8")
        return safe if len(safe) <= LONGEST_TEXT else safe[:LONGEST_TEXT] + CUT

    def count(self, name: str, amount: int, attributes: Mapping[str, Value]) -> None:
        """Add to a counter."""
        self._counters[name].add(amount, attributes)

    def measure(self, name: str, value: float, attributes: Mapping[str, Value]) -> None:
        """Add a value to a histogram."""
        self._histograms[name].record(value, attributes)


def _counters(meter: Meter) -> dict[str, Counter]:
    described = {
        names.RUNS: ("{run}", "Runs of graphs that ended, by graph and status."),
        names.MODEL_CALLS: ("{call}", "Calls of chat models."),
        names.TOOL_CALLS: ("{call}", "Calls of tools, by sandbox level and outcome."),
        names.RECOVERIES: ("{recovery}", "What went wrong and was put right."),
        names.MEMORY_HITS: ("{record}", "Records of past runs that were made use of."),
    }
    return {name: meter.create_counter(name, unit, told) for name, (unit, told) in described.items()}


def _histograms(meter: Meter) -> dict[str, Histogram]:
    return {
        names.TOKEN_USAGE: meter.create_histogram(
            names.TOKEN_USAGE,
            "{token}",
            "Number of input and output tokens used.",
            explicit_bucket_boundaries_advisory=TOKEN_BOUNDS,
        ),
        names.OPERATION_DURATION: meter.create_histogram(
            names.OPERATION_DURATION,
            "s",
            "GenAI operation duration.",
            explicit_bucket_boundaries_advisory=SECOND_BOUNDS,
        ),
    }
