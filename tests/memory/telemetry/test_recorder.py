from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from memory.redaction import redact
from memory.telemetry.recorder import LONGEST_TEXT
from models.telemetry import names
from models.telemetry.hashing import hash_of
from tests.support.telemetry import Kept

TEXTS = st.text(st.characters(codec=None), max_size=60) | st.sampled_from(["\ud800x", "\0", "\udcff"])


@settings(max_examples=30, deadline=None)
@given(text=TEXTS)
def test_without_content_a_text_is_its_length_and_its_hash(text: str) -> None:
    told = Kept.anew().recorder.text("output", text)
    assert told == {names.OUTPUT_CHARS: len(text), names.OUTPUT_SHA256: hash_of(text)}
    assert len(hash_of(text)) == 16


@settings(max_examples=30, deadline=None)
@given(text=TEXTS)
def test_with_content_any_text_can_be_told(text: str) -> None:
    kept = Kept.anew(content=True)
    span = kept.recorder.begin("x", None, 1, client=False)
    kept.recorder.end(span, kept.recorder.text("input", text), "ok", "")
    told = dict(kept.span("x").attributes or {})[names.INPUT_VALUE]
    assert told == redact(text).encode("utf-8", "backslashreplace").decode("utf-8")


def test_secrets_are_taken_out_before_a_text_is_cut() -> None:
    recorder = Kept.anew(content=True).recorder
    secret = "sk-" + "a1" * 20
    text = "x" * (LONGEST_TEXT - 10) + " " + secret + " end"
    told = recorder.redacted(text)
    assert "sk-a1" not in told and told.endswith("[cut]") and len(told) < LONGEST_TEXT + 20


def test_a_span_of_somebody_else_is_never_above_ours() -> None:
    from opentelemetry.sdk.trace import TracerProvider

    kept = Kept.anew()
    theirs = TracerProvider(shutdown_on_exit=False).get_tracer("theirs")
    with theirs.start_as_current_span("theirs"):
        span = kept.recorder.begin("ours", None, 1, client=False)
        kept.recorder.end(span, {}, "unset", "")
    assert kept.span("ours").parent is None
