"""Whatever a tool writes, the memory of the process that runs it stays flat; measured in a fresh process."""

from __future__ import annotations

from pathlib import Path

import pytest

from evals import bench_tools
from evals.bench_tools import FLOODS, TARGETS, grown
from tests.tools.places import LEVELS, sandbox

pytestmark = pytest.mark.integration


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("command", FLOODS)
def test_three_hundred_megabytes_of_output_leave_memory_flat(
    command: str, level: str, tmp_path: Path
) -> None:
    sandbox(level)
    assert grown(tmp_path, level, command) <= TARGETS["memory_mb"] * 1e6


def test_the_measure_sees_memory_that_grows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hungry = bench_tools.GROWTH.replace(
        "    print(json", "    kept = [bytearray(40_000_000)]\n    print(json"
    )
    monkeypatch.setattr(bench_tools, "GROWTH", hungry)
    assert bench_tools.grown(tmp_path, "policy", "pwd") > 30_000_000
