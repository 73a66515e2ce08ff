"""Hosts and Postgres killed at any moment: the measure itself, over few kills."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from evals.crash_hosts import BAD
from evals.postgres_server import programs
from tests.support.langgraph_server import environment_of
from tests.support.processes import ROOT

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(programs() is None, reason="no Postgres server is installed"),
]


def test_nothing_is_lost_or_done_twice_by_two_hosts(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "evals.crash_hosts", "--kills", "8", "--seed", "5", "--json"]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=environment_of(tmp_path),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    counts = json.loads(done.stdout)
    assert {name: counts[name] for name in BAD} == dict.fromkeys(BAD, 0)
    assert counts["kills"] >= 8 and counts["effects"] > 12
    assert counts["uncertain"] == counts["uncertain_shown"]
