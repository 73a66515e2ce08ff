"""The whole command on this repository's own tree: every place exists, and twice the same bytes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tools.audit.report import Audit

pytestmark = pytest.mark.integration
ROOT = Path(__file__).resolve().parent.parent.parent
SECONDS = 1800.0
COMMAND = [sys.executable, "-m", "cli.main", "audit"]


def audit(tree: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, str(tree), *words], cwd=ROOT, capture_output=True, timeout=SECONDS, check=False
    )


def children_of(session: int) -> list[int]:
    """Live processes of a session, and those a member of it has started in sessions of their own."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if fields[0] != "Z" and session in (int(fields[1]), int(fields[3])):
                found.append(int(entry.name))
    return found


def test_the_audit_of_this_repository_cites_what_is_there_and_is_the_same_twice() -> None:
    first, second = audit(ROOT, "--json"), audit(ROOT, "--json")
    assert (first.returncode, first.stdout) == (0, second.stdout)
    report = Audit.model_validate_json(first.stdout)
    assert report.to_json().encode() == first.stdout
    assert len(report.scan.modules) > 900 and len(report.recommendations) > 20
    lines = {
        module.file: len((ROOT / module.file).read_text(module.encoding).splitlines())
        for module in report.scan.modules
    }
    for one in report.recommendations:
        for place in (one.place, *one.also):
            assert 1 <= place.line <= place.end_line <= lines[place.file]
    for one in report.risk.files:
        assert 1 <= one.place.line <= max(1, lines[one.place.file])
    assert str(ROOT) not in first.stdout.decode()


def test_it_leaves_nothing_behind_when_it_is_interrupted(tmp_path: Path) -> None:
    for number in range(400):
        (tmp_path / f"m{number}.py").write_text("def f(x):\n    return [y for y in x if y]\n" * 400)
    running = subprocess.Popen(
        [*COMMAND, str(tmp_path), "--json"],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    deadline = time.monotonic() + SECONDS
    while len(workers := set(children_of(running.pid)) - {running.pid}) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert workers and running.poll() is None
    running.send_signal(signal.SIGINT)
    _, told = running.communicate(timeout=SECONDS)
    assert running.returncode == 130 and b"interrupted" in told
    while any(map(alive, workers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not list(filter(alive, workers))


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_page_is_made_of_the_whole_report(tmp_path: Path) -> None:
    page = tmp_path / "audit.html"
    done = audit(ROOT / "tools" / "audit", "--html", str(page), "--json", "--quiet")
    assert (done.returncode, done.stderr) == (0, b"")
    report = json.loads(done.stdout)
    text = page.read_text("utf-8")
    assert report["recommendations"]
    for one in report["recommendations"]:
        assert f"{one['place']['file']}:{one['place']['line']}" in text
