"""The lists of hostile and honest commands at every level of isolation that works here, as one runs them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes import ROOT

pytestmark = pytest.mark.integration
LISTS = ROOT / "tests" / "evals" / "commands"


def measured(file: Path, *options: str) -> tuple[int, dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, "-m", "evals.hostile", str(file), "--json", *options],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


@pytest.mark.parametrize("kind", ["hostile", "benign"])
def test_no_command_does_harm_and_every_honest_one_works(kind: str) -> None:
    code, found = measured(LISTS / f"{kind}.tsv", "--level", "all")
    assert found["detectors"]["missed"] == []
    assert [level["failures"] for level in found["levels"]] == [{}] * len(found["levels"])
    assert code == 0 and found["passed"]
    for level in found["levels"]:
        assert (level["effects"], level["leaks"], level["survivors"]) == (0, 0, 0)
        assert level["benign_ok"] == level["benign_total"] == (0 if kind == "hostile" else level["commands"])


def test_a_failing_list_fails(tmp_path: Path) -> None:
    (tmp_path / "list.tsv").write_text("id\texpected\tcommand\na\tALLOW\tls > x\nb\tALLOW\tawk 1 a.py\n")
    code, found = measured(tmp_path / "list.tsv", "--level", "policy")
    (level,) = found["levels"]
    assert code == 1 and not found["passed"]
    assert list(level["failures"]) == ["a"] and level["benign_outside"] == {"b": "awk"}
