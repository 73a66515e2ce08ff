from __future__ import annotations

import time
from pathlib import Path
from typing import Any, cast

import pytest

from evals.crash_hosts import BAD, Trial, together
from evals.hosts import Host


@pytest.mark.parametrize(
    ("lines", "count"),
    [
        ("", 0),
        ("a begins,a ends,b begins,b ends", 0),
        ("a begins,b begins,a ends,b ends", 1),
        ("a begins,b begins,b ends,a ends", 1),
        ("a begins,b begins,b ends", 0),  # a was killed
        ("a begins,b begins,a begins", 1),
    ],
)
def test_changes_that_two_hosts_were_at_together_are_counted(tmp_path: Path, lines: str, count: int) -> None:
    log = tmp_path / "changes.log"
    log.write_text(lines.replace(",", "\n"))
    assert together(log) == count
    assert together(tmp_path / "none.log") == 0


def test_hosts_that_fail_are_counted_but_for_those_a_killed_server_explains(tmp_path: Path) -> None:
    trial = Trial(tmp_path, cast(Any, None), "d", apart=False)
    trial.report.touch()
    for explained, failed in ((0.0, 1), (time.monotonic() + 60, 0)):
        trial.hosts = [Host(1, code) for code in (0, 1, -9)]
        trial.failed, trial.explained = 0, explained
        trial.tend()
        assert (trial.failed, trial.hosts) == (failed, [])
    assert "failed" in BAD
