"""The console's page in a real browser: `python -m evals.bench_console_page --json`.

`first_paint` is the time from the beginning of a page load to its first contentful paint, each load in a
browser that knows nothing yet. `event_to_screen` is the time from the moment the server writes an event into
a run's stream, which stands in the event's id, to the moment the page's own document holds its line. `ok` is
what LangGraph's `/ok` costs in the same minutes: a busy machine shows there as well.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from evals.fixture_repository import build_fixture_repository

HERE = Path(__file__).resolve().parent.parent
START_SECONDS = 180
TARGETS = {"first_paint": 1000, "event_to_screen_p95": 200}
GOAL = "Which python file has the most lines?"
WATCH = """
window.seen = [];
const note = (node) => {
  for (const line of [node, ...(node.querySelectorAll?.("[data-place]") ?? [])])
    if (line.dataset?.place) window.seen.push([Number(line.dataset.place.split("-")[0]), Date.now()]);
};
new MutationObserver((changes) => {
  for (const change of changes) change.addedNodes.forEach(note);
}).observe(document, { childList: true, subtree: true });
"""
PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"


@contextmanager
def server(root: Path) -> Iterator[str]:
    """`reflect console` for a directory; its address.

    Raises:
        RuntimeError: it does not answer in time.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    command = [sys.executable, "-m", "cli.main", "console", "--root", str(root), "--no-browser"]
    environment = {**os.environ, "PYTHONPATH": str(HERE)}
    process = subprocess.Popen(
        [*command, "--port", str(port)],
        cwd=HERE,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        _wait(url, process)
        yield url
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(30)


def _wait(url: str, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        try:
            if httpx.get(f"{url}/ok", timeout=2).status_code == 200:
                return
        except httpx.HTTPError:
            time.sleep(0.2)
    raise RuntimeError("The server does not answer: try `reflect console` by hand to see why.")


def spread(values: list[float]) -> dict[str, float | int]:
    """Median, 95th percentile, largest, and how many there are."""
    ordered = sorted(values)
    p95 = ordered[min(len(ordered) - 1, round(0.95 * (len(ordered) - 1)))]
    return {
        "p50": round(statistics.median(ordered), 1),
        "p95": round(p95, 1),
        "max": round(ordered[-1], 1),
        "n": len(ordered),
    }


def paints(browser: Any, url: str, rounds: int) -> list[float]:
    """Milliseconds to the first contentful paint, each in a browser without a cache."""
    found = []
    for _ in range(rounds):
        context = browser.new_context()
        page = context.new_page()
        page.goto(f"{url}/console/")
        page.get_by_role("heading", name="New run").wait_for()
        painted = page.evaluate(PAINT)
        if painted is not None:
            found.append(float(painted))
        context.close()
    return found


def latencies(browser: Any, url: str, root: Path, model: str, runs: int) -> list[float]:
    """Milliseconds from an event's writing to its line on the screen, of all lines of some runs."""
    found: list[float] = []
    context = browser.new_context()
    context.add_init_script(WATCH)
    for _ in range(runs):
        page = context.new_page()
        page.goto(f"{url}/console/#/run")
        page.get_by_label("Project directory").fill(str(root))
        page.get_by_label("Model").fill(model)
        page.get_by_label("Goal", exact=True).fill(GOAL)
        page.get_by_role("button", name="Run", exact=True).click()
        page.locator(".answer").wait_for()
        found += [seen - written for written, seen in page.evaluate("window.seen")]
        page.close()
    context.close()
    return found


def oks(url: str, rounds: int) -> list[float]:
    """Milliseconds of LangGraph's own `/ok`."""
    found = []
    with httpx.Client() as client:
        for _ in range(rounds):
            begun = time.perf_counter()
            client.get(f"{url}/ok").raise_for_status()
            found.append((time.perf_counter() - begun) * 1000)
    return found


def run(rounds: int, runs: int) -> dict[str, Any]:
    """All figures, in milliseconds.

    Raises:
        RuntimeError: there is no chromium, or the server does not answer.
    """
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium")
    if chromium is None:
        raise RuntimeError("chromium is not installed.")
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        project = build_fixture_repository(Path(name) / "project")
        script = Path(name) / "script.json"
        script.write_text("{}", "utf-8")
        with server(project) as url:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            painted = paints(browser, url, rounds)
            seen = latencies(browser, url, project, f"scripted:{script}", runs)
            answered = oks(url, 4 * rounds)
            browser.close()
    sizes = {path.name: path.stat().st_size for path in (HERE / "console" / "static").rglob("*.*s")}
    report = {"first_paint": spread(painted), "event_to_screen": spread(seen), "ok": spread(answered)}
    return {"milliseconds": report, "targets": TARGETS, "bytes": sizes, "load": os.getloadavg()[0]}


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10, help="page loads (10)")
    parser.add_argument("--runs", type=int, default=10, help="runs that are watched (10)")
    parser.add_argument("--json", action="store_true", help="print nothing but JSON (always so)")
    arguments = parser.parse_args()
    print(json.dumps(run(arguments.rounds, arguments.runs), indent=2))


if __name__ == "__main__":
    main()
