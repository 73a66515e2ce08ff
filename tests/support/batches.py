"""`reflect batch` as a real process, whose workers and driver are killed by process id."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.processes import ROOT, wait_until

QUIET = {"REFLECT_EXPERIENCE__ENABLED": "false", "REFLECT_TRACES__ENABLED": "false"}
WAIT_SECONDS = 120.0


@dataclass(frozen=True)
class BatchPlace:
    """Where a batch is run.

    Attributes:
        project: its root; the home and all files of the batch lie beside it.
        options: of every `reflect batch` here.
    """

    project: Path
    options: tuple[str, ...] = ()

    @property
    def home(self) -> Path:
        return self.project.parent

    @property
    def out(self) -> Path:
        return self.home / "out.jsonl"

    def goals(self, *goals: dict[str, Any]) -> Path:
        path = self.home / "goals.jsonl"
        path.write_text("".join(json.dumps(goal) + "\n" for goal in goals))
        return path

    def script(self, text: str) -> str:
        path = self.home / "script.yaml"
        path.write_text(text)
        return f"scripted:{path}"

    def begin(self, *options: str, **variables: str) -> subprocess.Popen[str]:
        kept = {name: text for name, text in os.environ.items() if not name.startswith("REFLECT_")}
        words = ["batch", str(self.home / "goals.jsonl"), "--out", str(self.out), "--root", str(self.project)]
        # Whoever stands in a directory with a package of our names is not to run that one.
        (self.home / "cli").mkdir(exist_ok=True)
        (self.home / "cli" / "__init__.py").write_text("raise SystemExit('not ours')\n")
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "cli.main", *words, *self.options, *options],
            cwd=self.home,
            env=kept | {"HOME": str(self.home), "PYTHONPATH": str(ROOT), **QUIET, **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def lines(self) -> list[dict[str, Any]]:
        """Whole lines of the results."""
        if not self.out.exists():
            return []
        return [json.loads(line) for line in self.out.read_bytes().split(b"\n")[:-1]]

    def reached(self, count: int) -> bool:
        return wait_until(WAIT_SECONDS, lambda: len(self.lines()) >= count)


def ended(process: subprocess.Popen[str], timeout: float = WAIT_SECONDS) -> tuple[int, str, str]:
    """Exit code, output and errors."""
    out, err = process.communicate(timeout=timeout)
    return process.returncode, out, err


def descendants(pid: int) -> dict[int, str]:
    """Command lines of all processes below one, by their ids."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid=,args="], capture_output=True, text=True, check=True)
    rows = [line.split(None, 2) for line in listed.stdout.splitlines()]
    found: dict[int, str] = {}
    below = {str(pid)}
    while below:
        children = {row[0]: row[2] for row in rows if row[1] in below and int(row[0]) not in found}
        found |= {int(name): command for name, command in children.items()}
        below = set(children)
    return found


def talks(count: int) -> list[dict[str, Any]]:
    """Goals a model answers by one call."""
    return [{"id": f"t{number}", "goal": "what is a semaphore?"} for number in range(count)]


def makes(count: int) -> list[dict[str, Any]]:
    """Goals that change files."""
    return [{"id": f"m{number}", "goal": f"make a directory named made-{number}"} for number in range(count)]


def effects(place: BatchPlace) -> int:
    """Changes in the journal of effects."""
    with sqlite3.connect(place.project / ".reflect" / "effects.sqlite") as journal:
        return int(journal.execute("SELECT count(*) FROM effects").fetchone()[0])


def lives(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def at_work(driver: int) -> bool:
    """Whether a worker below a process is in the middle of a run: it holds a thread's lock."""
    return any("/locks/" in path for worker in descendants(driver) for path in _open_files(worker))


def _open_files(pid: int) -> list[str]:
    try:
        return [os.readlink(link) for link in Path(f"/proc/{pid}/fd").iterdir()]
    except OSError:
        return []


def workers_of(pid: int, called: str) -> list[int]:
    """Ids of worker processes below a driver, or below a cluster."""
    return [number for number, command in descendants(pid).items() if called in command]
