"""Processes of a soak: what counts as a kill, and that none is left when the soak ends during a start."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from evals import soak_driving
from evals.serving import Server, Serving
from evals.soak import verdicts
from evals.soak_driving import Killed, KilledServer, KilledWorker

Processes = list[subprocess.Popen[str]]
Made = Callable[[], Killed]


@pytest.fixture
def started() -> Processes:
    return []


@pytest.fixture
def going() -> threading.Event:
    """Set when a start may go on to its end."""
    event = threading.Event()
    event.set()
    return event


@pytest.fixture(params=["server", "worker"])
def process(
    request: pytest.FixtureRequest,
    started: Processes,
    going: threading.Event,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Killed:
    """Either kind of process, a sleeping one in its place."""
    real = subprocess.Popen

    def popen(*given: object, **named: object) -> subprocess.Popen[str]:
        started.append(real(["sleep", "60"], text=True))
        assert going.wait(20)
        return started[-1]

    def start(serving: Serving, port: int) -> Server:
        return Server(f"http://127.0.0.1:{port}", popen())

    if request.param == "worker":
        monkeypatch.setattr(subprocess, "Popen", popen)
        return KilledWorker(tmp_path, 1, ())
    monkeypatch.setattr(soak_driving, "free_port", lambda: 9)
    monkeypatch.setattr(Serving, "start", start)
    return KilledServer(Serving(tmp_path, "", 1))


def test_a_process_that_ended_by_itself_is_no_kill(process: Killed, started: Processes) -> None:
    assert isinstance(process, KilledServer | KilledWorker)
    process.start()
    process.restart()
    assert (process.kills, process.failures) == (1, 0)
    started[-1].terminate()
    started[-1].wait()
    process.restart()
    assert (process.kills, process.failures) == (1, 1)
    process.stop()
    assert len(started) == 3 and all(one.poll() is not None for one in started)


def test_none_is_left_when_the_soak_ends_during_a_start(
    process: Killed, started: Processes, going: threading.Event
) -> None:
    process.start()
    going.clear()
    restarting = threading.Thread(target=process.restart)
    restarting.start()
    while len(started) < 2:
        restarting.join(0.01)
    threading.Timer(0.2, going.set).start()
    process.stop()
    restarting.join()
    process.start()
    assert len(started) == 2 and all(one.poll() is not None for one in started)


@pytest.mark.parametrize("kind", ["server", "worker"])
def test_a_process_that_ended_by_itself_is_a_target_missed(kind: str) -> None:
    names = ("lost", "unfinished", "repeated", "hidden", "uncertain", "uncertain_shown")
    exits = {"server": 0, "worker": 0}
    figures = {**dict.fromkeys(names, 0), "exits_by_themselves": exits}
    assert all(target["met"] for target in verdicts(figures).values())
    exits[kind] = 1
    assert not verdicts(figures)["exits_by_themselves"]["met"]
