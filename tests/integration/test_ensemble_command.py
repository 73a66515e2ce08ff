"""`reflect ensemble` as a process: ended by SIGTERM in the middle, and gone on with."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.support.processes import ROOT, reflect

pytestmark = pytest.mark.integration
SUM = "What is three times three?"


def script(folder: Path, seconds: float) -> str:
    path = folder / "script.yaml"
    worker = [{"when": "general knowledge", "reply": {"delay": seconds, "reply": "Answer: 9"}}, "Answer: 9"]
    path.write_text(yaml.safe_dump({"roles": {"worker": worker}, "repeat_last": True}))
    return f"scripted:{path}"


def test_a_process_that_is_asked_to_end_says_how_to_go_on_and_goes_on(tmp_path: Path) -> None:
    root = tmp_path / "p"
    (root / ".reflect").mkdir(parents=True)
    (root / ".reflect" / "config.yaml").write_text(yaml.safe_dump({"contractive": {"normalize": "code"}}))
    words = ["ensemble", SUM, "--root", str(root), "--model", script(tmp_path, 60), "--thread", "t"]
    process = subprocess.Popen(
        [sys.executable, "-m", "cli.main", *words],
        cwd=tmp_path,
        env=os.environ | {"HOME": str(tmp_path), "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith("contractive") and line.rstrip().endswith("answered"):
            break
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=60)
    assert process.returncode != 0 and out == ""
    assert "was ended by SIGTERM" in err and "reflect ensemble --resume=t" in err
    listed = json.loads(reflect("threads", "list", "--root", str(root), "--json", home=tmp_path).stdout)
    assert listed[0]["standing"].startswith("stopped before") and listed[0]["kind"] == "ensemble"
    again = reflect(
        "resume", "t", "--root", str(root), "--model", script(tmp_path, 0), "--json", home=tmp_path
    )
    told = json.loads(again.stdout)
    assert again.returncode == 0 and told["short_answer"] == "9" and told["status"] == "uncertain"
    # The engine that had answered is not asked again.
    assert "contractive    is asked" not in again.stderr and "direct         is asked" in again.stderr
