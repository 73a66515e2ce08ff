from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from configs.settings import Settings
from memory.errors import MemoryPackageMissing, TelemetryUnusable
from memory.telemetry.opening import close_recorders, open_recorder
from models.telemetry.scope import Scope, attach, within
from tests.support.processes import ROOT
from tests.support.telemetry import attributes_of, metrics_of, records_of, spans_of


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    close_recorders()


def asked(**telemetry: object) -> Settings:
    return Settings.model_validate({"telemetry": telemetry})


def test_nothing_is_opened_that_is_not_asked_for(tmp_path: Path) -> None:
    assert open_recorder(Settings(), tmp_path) is None
    assert not list(tmp_path.iterdir())


def test_runs_that_ask_for_the_same_share_a_recorder(tmp_path: Path) -> None:
    one = open_recorder(asked(file="a.jsonl"), tmp_path)
    assert open_recorder(asked(file=str(tmp_path / "a.jsonl")), tmp_path) is one
    others = [
        asked(file="b.jsonl"),
        asked(file="a.jsonl", content=True),
        asked(file="a.jsonl", service_name="x"),
    ]
    assert one not in [open_recorder(other, tmp_path) for other in others]


def test_closing_delivers_everything_and_says_where_it_comes_from(tmp_path: Path) -> None:
    recorder = open_recorder(asked(file="a.jsonl", service_name="my service"), tmp_path)
    assert recorder is not None
    for number in range(1000):
        with within(Scope(f"run {number}")):
            attach(recorder, {})
    recorder.count("reflect.runs", 3, {"reflect.graph": "x"})
    close_recorders()
    path = tmp_path / "a.jsonl"
    assert {span["name"] for span in spans_of(path)} == {f"run {number}" for number in range(1000)}
    assert [amount for name, _, amount in metrics_of(path) if name == "reflect.runs"] == [3]
    told = [resource for record in records_of(path) for kind in record.values() for resource in kind]
    assert {attributes_of(one["resource"])["service.name"] for one in told} == {"my service"}


def test_the_command_line_is_no_part_of_what_is_told(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from configs.settings import Settings\n"
        "from memory.telemetry.opening import open_recorder\n"
        "from models.telemetry.scope import Scope, attach, within\n"
        "given = Settings.model_validate({'telemetry': {'file': 'a.jsonl'}})\n"
        "recorder = open_recorder(given, Path(sys.argv[1]))\n"
        "with within(Scope('run')): attach(recorder, {})\n"
    )
    variables = {
        "OTEL_EXPERIMENTAL_RESOURCE_DETECTORS": "process,os,otel",
        "OTEL_RESOURCE_ATTRIBUTES": "goal=zebra",
        "OTEL_TRACES_SAMPLER": "always_off",
    }
    command = [sys.executable, "-c", code, str(tmp_path), "zebra"]
    subprocess.run(command, env=os.environ | variables, cwd=ROOT, check=True, timeout=60)
    # Written at the end of the process, by nobody's asking.
    assert len(spans_of(tmp_path / "a.jsonl")) == 1
    assert "zebra" not in (tmp_path / "a.jsonl").read_text()


@pytest.mark.parametrize(
    ("asks", "package"),
    [
        ({"file": "a.jsonl"}, "opentelemetry.exporter.otlp.json.common.metrics_encoder"),
        ({"endpoint": "http://localhost:4318"}, "opentelemetry.exporter.otlp.proto.http.metric_exporter"),
    ],
)
def test_a_package_that_is_missing_is_told_with_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asks: dict[str, str], package: str
) -> None:
    for name in [
        name for name in sys.modules if name.startswith(("memory.telemetry.file", "memory.telemetry.end"))
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MemoryPackageMissing) as raised:
        open_recorder(asked(**asks), tmp_path)
    assert package in raised.value.what and "pip install 'reflective-graph[telemetry]'" in raised.value.remedy


@pytest.mark.parametrize("held", [None, "", " ", "zebra", "a=1,b", "=x", "a="])
def test_headers_that_cannot_be_read_are_told_without_being_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held: str | None
) -> None:
    monkeypatch.delenv("MY_HEADERS", raising=False)
    if held is not None:
        monkeypatch.setenv("MY_HEADERS", held)
    with pytest.raises(TelemetryUnusable, match="telemetry.headers_env") as raised:
        open_recorder(asked(endpoint="http://localhost:4318", headers_env="MY_HEADERS"), tmp_path)
    assert not held or not held.strip() or held not in str(raised.value)


def test_a_link_below_the_root_is_not_followed_out_of_it(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    (root / "out").symlink_to(tmp_path)
    with pytest.raises(TelemetryUnusable, match="by a link"):
        open_recorder(asked(file="out/a.jsonl"), root)
    assert not (tmp_path / "a.jsonl").exists()


def test_what_is_off_is_not_imported() -> None:
    code = (
        "import sys, memory.telemetry.opening, models.telemetry.counters, tools.toolbox\n"
        "bad = [name for name in sys.modules if name.startswith('opentelemetry')]\n"
        "assert not bad, bad"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, timeout=120)
