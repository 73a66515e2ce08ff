from __future__ import annotations

from pathlib import Path

import pytest

from evals.crash_hosts import together


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
