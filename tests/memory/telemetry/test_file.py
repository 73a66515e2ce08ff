from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExportResult

from memory.errors import TelemetryUnusable
from memory.telemetry.file import TelemetryFile
from tests.support.telemetry import Kept, records_of, spans_of

ANY = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
TORN = '{"resourceSpans": [{"resource": {"attributes": [{"key": "service.na'


def a_span(name: str = "x") -> ReadableSpan:
    kept = Kept.anew()
    kept.recorder.end(kept.recorder.begin(name, None, 1, client=False), {"a": 1}, "ok", "")
    return kept.spans()[0]


def append(path: Path, writer: int, count: int) -> None:
    exporter = TelemetryFile(path).spans()
    for number in range(count):
        assert exporter.export([a_span(f"{writer}.{number}")]) is SpanExportResult.SUCCESS


def test_a_line_is_a_batch_as_the_file_format_has_it(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "t.jsonl"
    TelemetryFile(path).spans().export([a_span("one"), a_span("two")])
    (record,) = records_of(path)
    assert list(record) == ["resourceSpans"]
    one, two = spans_of(path)
    assert (one["name"], two["name"], one["status"]) == ("one", "two", {"code": 1})
    # Ids are hexadecimal and times are decimal texts: what tells OTLP JSON from protobuf's own JSON.
    assert len(bytes.fromhex(one["traceId"])) == 16 and len(bytes.fromhex(one["spanId"])) == 8
    assert one["startTimeUnixNano"] == "1"
    assert path.stat().st_mode & 0o077 == 0


@ANY
@given(cut=st.integers(0, len(TORN)), whole=st.integers(0, 3))
def test_what_a_killed_process_left_of_a_line_is_gone_with_the_next(
    tmp_path: Path, cut: int, whole: int
) -> None:
    path = tmp_path / "t.jsonl"
    path.unlink(missing_ok=True)
    for _ in range(whole):
        TelemetryFile(path).spans().export([a_span("before")])
    open_one = TelemetryFile(path).spans()
    with path.open("a") as stream:
        stream.write(TORN[:cut])
    open_one.export([a_span("after")])
    assert [span["name"] for span in spans_of(path)] == ["before"] * whole + ["after"]
    with path.open("a") as stream:
        stream.write(TORN[:cut])
    TelemetryFile(path)
    assert len(records_of(path)) == whole + 1


@pytest.mark.parametrize("held", ["x = 1\n", "x", '{"a": 1}\n', "\n", "[1]"])
def test_a_file_that_holds_something_else_is_left_as_it_is(tmp_path: Path, held: str) -> None:
    path = tmp_path / "notes"
    path.write_text(held)
    with pytest.raises(TelemetryUnusable, match="holds no telemetry"):
        TelemetryFile(path)
    assert path.read_text() == held


def test_a_last_line_that_is_not_known_as_ours_is_ended_not_cut(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    exporter = TelemetryFile(path).spans()
    exporter.export([a_span("one")])
    with path.open("a") as stream:
        stream.write("a remark without an end")
    exporter.export([a_span("two")])
    lines = path.read_text().splitlines()
    assert lines[1] == "a remark without an end" and json.loads(lines[2])


@pytest.mark.parametrize("place", ["a directory", "a link", "below a file"])
def test_a_place_that_cannot_be_written_is_told_at_once(tmp_path: Path, place: str) -> None:
    path = tmp_path / "t.jsonl"
    if place == "a directory":
        path.mkdir()
    elif place == "a link":
        path.symlink_to(tmp_path / "elsewhere")
    else:
        (tmp_path / "file").write_text("")
        path = tmp_path / "file" / "t.jsonl"
    with pytest.raises(TelemetryUnusable) as raised:
        TelemetryFile(path)
    assert raised.value.remedy and not (tmp_path / "elsewhere").exists()


def test_writers_append_whole_lines_side_by_side(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda number: append(path, number, 20), range(6)))
    assert sorted(span["name"] for span in spans_of(path)) == sorted(
        f"{writer}.{number}" for writer in range(6) for number in range(20)
    )


def test_a_file_that_goes_away_loses_spans_says_so_once_and_raises_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "below" / "t.jsonl"
    place = TelemetryFile(path)
    exporter = place.spans()
    assert exporter.export([a_span()]) is SpanExportResult.SUCCESS
    for name in os.listdir(path.parent):
        (path.parent / name).unlink()
    path.mkdir()
    for _ in range(3):
        assert exporter.export([a_span(), a_span()]) is SpanExportResult.FAILURE
    place.delivery.summed_up(7)
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == [
        f"Telemetry cannot be kept in {path}",
        "Telemetry",
    ]
    assert "6 of 7 spans" in caplog.records[1].getMessage()
