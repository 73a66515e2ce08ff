"""`reflect play` as a process: kills, signals, a terminal; games with any byte changed; their pages."""

from __future__ import annotations

import json
import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from nodes.tutor.verifying import verify
from tests.cli.playing import CLAIM, GOAL, NASTY_NAME, own_files, own_moves, player, solution
from tests.cli.test_play_page import check
from tests.integration.test_think_command import environment
from tests.support.processes import wait_until
from tests.support.terminal import CTRL_C, CTRL_D, terminal

pytestmark = pytest.mark.integration

GAME = ("B04", "--seed", "7")
MOST_KILLS = 40


def command(root: Path, *words: str) -> list[str]:
    return [sys.executable, "-m", "cli.main", "play", *words, "--root", str(root)]


@contextmanager
def running(root: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        command(root, *words), cwd=root, env=environment(root.parent), text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.communicate(timeout=10)


def ran(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(root, *words), cwd=root, env=environment(root.parent), text=True,
        stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False,
    )  # fmt: skip


def slow(moves: list[Any], seconds: float = 0.15) -> list[Any]:
    """The same moves, each after a while, and each for its own turn: a script begins anew in each process."""
    return [
        {"when": rf"Turn {number} of", "reply": {"delay": seconds, "reply": json.dumps(move)}}
        for number, move in enumerate(moves, 1)
    ]


def checkpoints(root: Path) -> int:
    """How many there are; none before there is a store."""
    path = root / ".reflect" / "checkpoints.sqlite"
    if not path.exists():
        return 0
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as store:
            return int(store.execute("select count(*) from checkpoints").fetchone()[0])
    except sqlite3.OperationalError:  # its tables are being made
        return 0


def came_to(root: Path, wanted: int, process: subprocess.Popen[str]) -> bool:
    """Wait until there are so many checkpoints; False if the process ended before."""
    assert wait_until(60, lambda: checkpoints(root) >= wanted or process.poll() is not None)
    return process.poll() is None


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    root.mkdir()
    return root


def test_a_game_that_is_killed_again_and_again_is_won_with_every_move_played_once(
    tmp_path: Path, root: Path
) -> None:
    moves = solution("B04", 7)
    model = f"--model={player(tmp_path, *slow(moves))}"
    words: tuple[str, ...] = (*GAME, "--thread=k", model)
    kills = 0
    while kills < MOST_KILLS:
        wanted = checkpoints(root) + 4
        with running(root, *words) as process:
            # A few steps on, wherever it is then: asking, running a tool, or writing.
            if not came_to(root, wanted, process):
                break
            process.send_signal(signal.SIGKILL)
            process.wait(10)
            kills += 1
        words = ("--resume=k", model)
    assert kills >= 3
    document = tmp_path / "g.json"
    done = ran(root, "--resume=k", model, "--json", "--quiet", f"--export={document}")
    told = json.loads(done.stdout)
    assert (done.returncode, told["status"], told["turns"]) == (0, "won", len(moves)), done.stderr
    assert verify(document.read_bytes()) == []
    uninterrupted = tmp_path / "once.json"
    once = ran(root, *GAME, model, "--thread=once", "--json", "--quiet", f"--export={uninterrupted}")
    same = ("status", "ended", "score", "turns", "justification", "answer")
    assert {name: told[name] for name in same} == {name: json.loads(once.stdout)[name] for name in same}
    played = [
        [(turn["given"], turn["gained"]) for turn in json.loads(path.read_bytes())["turns"]]
        for path in (document, uninterrupted)
    ]
    assert played[0] == played[1]


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_a_game_that_is_asked_to_end_ends_soon_and_says_how_to_go_on(
    tmp_path: Path, root: Path, sent: signal.Signals
) -> None:
    moves = solution("B04", 7)
    model = f"--model={player(tmp_path, *slow(moves[:3], 0), *slow(moves, 60)[3:])}"
    with running(root, *GAME, model, "--thread=t") as process:
        assert wait_until(60, lambda: checkpoints(root) >= 9)
        process.send_signal(sent)
        _, said = process.communicate(timeout=20)
    assert process.returncode == 3 and "Traceback" not in said, said
    assert said.splitlines()[-1].lower().startswith("go on with: reflect play --resume=t")
    done = ran(root, "--resume=t", f"--model={player(tmp_path, *slow(moves, 0), name='quick')}")
    assert done.returncode == 0 and done.stdout.startswith("Won"), done.stderr
    assert "3 turns played before" in done.stderr


def test_every_byte_of_an_exported_game_that_is_changed_is_noticed(tmp_path: Path, root: Path) -> None:
    document = tmp_path / "g.json"
    ran(root, *GAME, f"--model={player(tmp_path, *slow(solution('B04', 7), 0))}", f"--export={document}")
    game = document.read_bytes()
    assert verify(game) == []
    chosen = random.Random(200)
    missed = []
    for place in chosen.sample(range(len(game)), 200):
        other = chosen.choice([value for value in range(256) if value != game[place]])
        if not verify(game[:place] + bytes([other]) + game[place + 1 :]):
            missed.append((place, other))
    assert missed == []
    document.write_bytes(game[:-2] + b" " + game[-2:])
    assert ran(root.parent / "root", "--verify", str(document)).returncode in (1, 2)


def test_the_page_of_a_game_about_hostile_files_holds_their_text_as_text(tmp_path: Path) -> None:
    files, page = own_files(tmp_path), tmp_path / "g.html"
    looks = [
        {"move": "PROPOSE", "request": {"raw": "ls -la"}},
        {"move": "PROPOSE", "request": {"tool": "cat", "args": {"path": NASTY_NAME}}},
        "<b>prose</b>", "<b>prose</b>",
        {"move": "ASSERT", "claim": {"predicate": "exists", "subject": NASTY_NAME}, "evidence": ["o1"]},
    ]  # fmt: skip
    moves = json.loads(
        json.dumps(own_moves()).replace('"o2"', '"o4"').replace('"o1"', '"o3"').replace("c1", "c2")
    )
    model = f"--model={player(tmp_path, *looks, *moves)}"
    done = ran(files, "--goal", f"<i>{GOAL}</i>", "--claim", CLAIM, model, f"--html={page}")
    assert done.returncode == 0, done.stderr
    found = check(page.read_text("utf-8"))
    for text in (
        "<script>alert(1)",
        "<img src=x onerror=alert(1)>",
        "<b>prose</b>",
        "<i>",
        "</pre><script>x</script>",
    ):
        assert text in found.text, text


def test_a_person_plays_at_a_terminal(tmp_path: Path) -> None:
    files = own_files(tmp_path)
    words = command(files, "--goal", GOAL, "--claim", CLAIM, "--player", "me", "--thread", "me")
    with terminal(words, files, environment(tmp_path)) as screen:
        for line in (
            "find . -name '*.py' -type f",
            "wc -l a.py below/b.py",
            "assert count *.py lines = 5 in . by o1 o2",
        ):
            screen.wait_for("your move")
            screen.line(line)
        screen.wait_for("c1 is validated")
        screen.wait_for("your move")
        screen.type(CTRL_C)
        screen.wait_for("Go on with")
        assert screen.ends() == 3
    on = command(files, "--resume", "me", "--player", "me")
    with terminal(on, files, environment(tmp_path)) as screen:
        screen.wait_for("your move")
        screen.line("answer c1")
        screen.wait_for("Won: the answer is proved")
        assert screen.ends() == 0


def test_the_end_of_input_leaves_a_game_that_can_be_gone_on_with(tmp_path: Path) -> None:
    files = own_files(tmp_path)
    with terminal(
        command(files, "--goal", GOAL, "--player", "me", "--thread", "me"), files, environment(tmp_path)
    ) as screen:
        screen.wait_for("your move")
        screen.type(CTRL_D)
        screen.wait_for("Go on with: reflect play --resume=me")
        assert screen.ends() == 3
