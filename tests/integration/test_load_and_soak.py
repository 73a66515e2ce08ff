"""Many runs at a server, and processes that are killed while runs change files: the measures, over a few."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes import ROOT, wait_until

pytestmark = pytest.mark.integration


def command(module: str, *options: str) -> list[str]:
    return [sys.executable, "-m", module, *options, "--json"]


def measured(module: str, *options: str) -> dict[str, Any]:
    done = subprocess.run(
        command(module, *options), cwd=ROOT, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.stdout, done.stderr[-3000:]
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def test_runs_at_once_are_all_answered_and_bounded_by_model_and_processor() -> None:
    row = measured("evals.load", "--runs", "8", "--jobs", "4")["rows"][0]
    assert (row["errors"], row["problems"]) == (0, {})
    assert row["model_calls_a_run"] == 3
    assert 0 < row["throughput_a_second"] <= row["ideal_a_second"]
    assert row["throughput_a_second"] <= row["processor"]["ceiling_a_second"] * 1.05
    assert row["processor"]["ms_a_run"]["servers"] > 0
    assert row["memory"]["rss_mb_peak"][0] >= row["memory"]["rss_mb_before"][0] > 0


def test_processes_are_killed_and_every_change_is_made_once_or_said_to_be_in_doubt() -> None:
    figures = measured("evals.soak", "--minutes", "0.8", "--seed", "5")
    assert all(target["met"] for target in figures["targets"].values()), figures
    assert sum(figures["kills"].values()) > 0
    assert figures["exits_by_themselves"] == {"server": 0, "worker": 0}
    calm = figures["by_process"]["calm"]
    assert calm["runs"] > 0
    assert calm["status"] == {"answered": calm["runs"]}, calm["told"]
    assert calm["effects"] == 7 * calm["runs"]


def test_whoever_ends_the_measure_ends_its_servers(tmp_path: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    process = subprocess.Popen(
        command("evals.load", "--runs", "4"), cwd=ROOT, env=environment, stdout=subprocess.DEVNULL
    )

    def working() -> list[str]:
        """Processes whose directory lies in that of the measure."""
        found = []
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                place = os.readlink(entry / "cwd")
            except OSError:
                continue
            if place.startswith(str(tmp_path)):
                found.append(entry.name)
        return found

    assert wait_until(60, working)
    time.sleep(1)
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 128 + signal.SIGTERM
    assert wait_until(20, lambda: not working())
    assert not list(tmp_path.iterdir())
