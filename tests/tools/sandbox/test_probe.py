from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from configs.settings import SandboxChoice
from tests.tools.places import needs_bubblewrap, sandbox
from tools.errors import SandboxUnavailable
from tools.sandbox import probe as probing
from tools.sandbox import syscalls
from tools.sandbox.probe import choose, policy_only, probe, probe_bwrap, probe_landlock

PROBES = (probe, probe_bwrap, probe_landlock, policy_only)


def forget() -> None:
    for probed in PROBES:
        probed.cache_clear()
    syscalls.seccomp_filter.cache_clear()


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A machine whose bwrap is a script the test writes; what was probed before is forgotten, and after."""
    forget()
    monkeypatch.setattr(probing, "bwrap_binary", lambda: tmp_path / "bwrap")
    yield tmp_path / "bwrap"
    forget()


@pytest.fixture
def old_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("landlockpy.abi_version", lambda: 2)


def write(path: Path, script: str) -> None:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def test_bubblewrap_that_works_is_the_level_and_has_no_excuse() -> None:
    found = needs_bubblewrap()
    assert found.binary is not None and found.reason == "" and found.filtered
    for setting in ("auto", "required", "bwrap"):
        chosen: SandboxChoice = setting
        assert choose(chosen) == found


def test_landlock_can_be_chosen_where_bubblewrap_works_too() -> None:
    found = sandbox("landlock")
    assert choose("landlock") == found
    assert (found.binary, found.reason, found.filtered) == (None, "", True)


@pytest.mark.parametrize("setting", ["auto", "required"])
def test_without_bubblewrap_the_level_is_landlock_and_says_why(
    setting: SandboxChoice, machine: Path, caplog: pytest.LogCaptureFixture
) -> None:
    sandbox("landlock")
    write(machine, "echo 'No permissions to create a new namespace' >&2; exit 1")
    with caplog.at_level(logging.INFO):
        found = choose(setting)
    assert found.level == "landlock" and "No permissions to create a new namespace" in found.reason
    assert found.reason in caplog.text


@pytest.mark.usefixtures("old_kernel")
def test_without_either_the_policy_is_left_and_says_why(
    machine: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write(machine, "echo 'No permissions to create a new namespace' >&2; exit 1")
    with caplog.at_level(logging.WARNING):
        found = probe()
    assert (found.level, found.binary) == ("policy", None)
    assert "No permissions to create a new namespace" in found.reason and "version 2" in found.reason
    assert found.reason in caplog.text
    assert choose("auto") == found


def test_the_machine_is_probed_once(machine: Path, tmp_path: Path) -> None:
    write(machine, f"echo x >> {tmp_path}/runs")
    assert probe() is probe()
    assert (tmp_path / "runs").read_text() == "x\n"


def test_a_binary_that_does_not_start_is_not_the_level(machine: Path) -> None:
    machine.write_text("no program")
    assert "does not start" in probe_bwrap().reason


def test_a_binary_that_hangs_is_not_the_level(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probing, "PROBE_SECONDS", 0.2)
    write(machine, "exec sleep 30")
    assert "timed out" in probe_bwrap().reason


def test_bubblewrap_that_takes_no_filter_is_used_without_and_says_so(machine: Path) -> None:
    write(machine, 'case "$*" in *--seccomp*) exit 1;; esac')
    found = probe_bwrap()
    assert (found.level, found.filtered) == ("bwrap", False)


def test_without_a_binary_the_reason_is_that(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probing, "bwrap_binary", lambda: None)
    assert probe_bwrap().reason == "bubblewrap is not installed"


@pytest.mark.usefixtures("machine")
def test_without_libseccomp_there_is_no_landlock_and_the_policy_has_no_filter(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pyseccomp", None)
    found = probe_landlock()
    assert found.level == "policy" and "libseccomp" in found.reason
    assert not policy_only().filtered


@pytest.mark.usefixtures("machine")
def test_a_machine_whose_calls_are_not_known_has_no_filter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "s390x")
    assert "s390x" in probe_landlock().reason


@pytest.mark.usefixtures("old_kernel")
@pytest.mark.parametrize("setting", ["required", "bwrap", "landlock"])
def test_isolation_that_is_required_or_named_fails_closed(setting: SandboxChoice, machine: Path) -> None:
    write(machine, "exit 1")
    with pytest.raises(SandboxUnavailable, match=setting) as error:
        choose(setting)
    assert error.value.kind == "sandbox" and "auto" in error.value.remedy


def test_a_named_bubblewrap_does_not_become_landlock(machine: Path) -> None:
    write(machine, "exit 1")
    with pytest.raises(SandboxUnavailable, match="bwrap"):
        choose("bwrap")


def test_policy_only_is_a_choice_that_asks_for_no_bubblewrap(machine: Path) -> None:
    assert not machine.exists()
    found = choose("policy")
    assert (found.level, found.reason) == ("policy", "chosen by tools.sandbox")
    assert probe.cache_info().misses == 0
