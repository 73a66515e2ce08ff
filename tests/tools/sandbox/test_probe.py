from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from configs.settings import SandboxChoice
from tests.tools.places import needs_bubblewrap
from tools.errors import SandboxUnavailable
from tools.sandbox import probe as probing
from tools.sandbox.probe import choose, probe


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A machine whose bwrap is a script the test writes; what was probed before is forgotten, and after."""
    probe.cache_clear()
    monkeypatch.setattr(probing, "bwrap_binary", lambda: tmp_path / "bwrap")
    yield tmp_path / "bwrap"
    probe.cache_clear()


def write(path: Path, script: str) -> None:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def test_bubblewrap_that_works_is_the_level_and_has_no_excuse() -> None:
    found = needs_bubblewrap()
    assert found.binary is not None and found.reason == ""
    for setting in ("auto", "required", "bwrap"):
        chosen: SandboxChoice = setting
        assert choose(chosen) == found


def test_bubblewrap_that_is_refused_falls_back_and_says_why(
    machine: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write(machine, "echo 'No permissions to create a new namespace' >&2; exit 1")
    with caplog.at_level(logging.WARNING):
        found = probe()
    assert (found.level, found.binary) == ("policy", None)
    assert "No permissions to create a new namespace" in found.reason
    assert found.reason in caplog.text
    assert choose("auto") == found


def test_the_machine_is_probed_once(machine: Path, tmp_path: Path) -> None:
    write(machine, f"echo x >> {tmp_path}/runs")
    assert probe() is probe()
    assert (tmp_path / "runs").read_text() == "x\n"


def test_a_binary_that_does_not_start_falls_back(machine: Path) -> None:
    machine.write_text("no program")
    assert "does not start" in probe().reason


def test_a_binary_that_hangs_falls_back(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probing, "PROBE_SECONDS", 0.2)
    write(machine, "exec sleep 30")
    assert "timed out" in probe().reason


def test_without_a_binary_the_reason_is_that(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probing, "bwrap_binary", lambda: None)
    assert probe().reason == "bubblewrap is not installed"


@pytest.mark.parametrize("setting", ["required", "bwrap"])
def test_isolation_that_is_required_fails_closed(setting: SandboxChoice, machine: Path) -> None:
    write(machine, "exit 1")
    with pytest.raises(SandboxUnavailable, match=setting) as error:
        choose(setting)
    assert error.value.kind == "sandbox" and "auto" in error.value.remedy


def test_policy_only_is_a_choice_that_probes_nothing(machine: Path) -> None:
    assert not machine.exists()
    found = choose("policy")
    assert (found.level, found.reason) == ("policy", "chosen by tools.sandbox")
    assert probe.cache_info().misses == 0
