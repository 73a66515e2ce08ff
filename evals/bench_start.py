"""Cold start of the command, measured as whole processes: `python -m evals.bench_start --json`.

Each figure is wall-clock seconds of one process: `reflect --help`, a BYPASS run with the scripted model
(its own settings, corpus and checkpoints in a temporary directory), and `python -c pass` beside them in
the same rounds, so that a slow machine shows in the ratio.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TARGETS = {"help": 0.4, "bypass": 1.5}
SCRIPT = "roles:\n  worker: ['Hello. What would you like to know?']\nrepeat_last: true\n"


def measure(argv: list[str], environment: dict[str, str], cwd: Path) -> float:
    """Wall-clock seconds of one process.

    Raises:
        RuntimeError: it exited with another code than 0; a failed run has no speed.
    """
    start = time.perf_counter()
    done = subprocess.run(argv, env=environment, cwd=cwd, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - start
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(argv)} exited {done.returncode}: {done.stderr[-500:]}")
    return seconds


def run(rounds: int) -> dict[str, object]:
    """Medians over the rounds, after one warm-up round that fills the caches a second start would find."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        script = home / "hello.yaml"
        script.write_text(SCRIPT, "utf-8")
        environment = {**os.environ, "HOME": name, "XDG_CACHE_HOME": name}
        # Compiled modules are among those caches.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        python = sys.executable
        commands = {
            "python": [python, "-c", "pass"],
            "help": [python, "-m", "cli.main", "--help"],
            "bypass": [
                python,
                "-m",
                "cli.main",
                "ask",
                "hello",
                "--json",
                "--root",
                name,
                "--model",
                f"scripted:{script}",
            ],
        }
        times: dict[str, list[float]] = {label: [] for label in commands}
        here = Path(__file__).resolve().parent.parent
        for number in range(rounds + 1):
            for label, argv in commands.items():
                seconds = measure(argv, environment, here)
                if number > 0:
                    times[label].append(seconds)
    medians = {label: round(statistics.median(values), 3) for label, values in times.items()}
    return {
        "rounds": rounds,
        "seconds": {
            label: {"median": medians[label], "max": round(max(values), 3)} for label, values in times.items()
        },
        "ratio_to_python": {label: round(medians[label] / medians["python"], 1) for label in TARGETS},
        "targets": TARGETS,
        "met": {label: medians[label] <= limit for label, limit in TARGETS.items()},
    }


def main() -> int:
    """Print the figures; exit 0 whether or not a target is met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true", help="print JSON (the default)")
    arguments = parser.parse_args()
    print(json.dumps(run(arguments.rounds), indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
