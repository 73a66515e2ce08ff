"""`reflect play`: games from the command line, with a scripted player and the real sandbox."""

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cli.live import CONTROL
from nodes.tutor.games.generating import GAMES
from nodes.tutor.verifying import verify
from tests.cli.conftest import Reflect
from tests.cli.playing import CLAIM, GOAL, NASTY_NAME, PASS, own_files, own_moves, player, solution


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    root.mkdir()
    return root


def everything(folder: Path) -> list[tuple[str, bytes]]:
    return sorted((str(path), path.read_bytes() if path.is_file() else b"") for path in folder.rglob("*"))


def test_a_game_that_is_won_is_told_written_and_kept(tmp_path: Path, root: Path, reflect: Reflect) -> None:
    document, page = tmp_path / "g.json", tmp_path / "g.html"
    ran = reflect(
        "play", "b02", "--seed", "7", "--root", root, "--model", player(tmp_path, *solution()),
        "--thread", "t", "--export", document, "--html", page,
    )  # fmt: skip
    assert ran.code == 0 and ran.out.startswith("Won: the answer is proved")
    assert "c1  count *.py lines = " in ran.out and "o2: wc -l" in ran.out
    assert "--resume=t" in ran.err and "\n  4 ANSWER      won" in ran.err
    assert verify(document.read_bytes()) == []
    assert "Total line count" in page.read_text("utf-8")
    assert reflect("play", "--verify", document).out.endswith("Verified: all of it holds.\n")
    again = json.loads(reflect("resume", "t", "--root", root, "--quiet", "--json").out)
    assert (again["status"], again["ended"], again["turns"]) == ("won", "answered", len(solution()))
    assert [one["name"] for one in again["answer"][0]["evidence"]] == ["o1", "o2"]
    assert "play: B02, seed 7" in reflect("threads", "list", "--root", root).out
    assert "finish -> won" in reflect("history", "t", "--root", root).out
    assert reflect("threads", "delete", "t", "--root", root).code == 0
    assert not list((root / ".reflect" / "artifacts").glob("t*"))


def test_a_game_that_is_lost_says_so(tmp_path: Path, root: Path, reflect: Reflect) -> None:
    prose = "I would say it is 12."
    # A reply that is none is asked for once more before it counts.
    model = player(tmp_path, prose, prose, PASS)
    ran = reflect("play", "B02", "--turns", "2", "--root", root, "--model", model, "--json")
    told = json.loads(ran.out)
    assert (ran.code, told["status"], told["ended"], told["answer"]) == (1, "lost", "turns", [])
    assert "(no move)   illegal" in ran.err and "PASS        played" in ran.err


def test_an_answer_the_tutor_composes_wins_and_is_told_as_such(
    tmp_path: Path, root: Path, reflect: Reflect
) -> None:
    model = player(tmp_path, *solution()[:-1], PASS)
    ran = reflect("play", "B02", "--seed", "7", "--arm", "all", "--root", root, "--model", model, "--watch")
    assert ran.code == 0 and ran.out.startswith("Won: the tutor composed the answer")
    assert "the tutor composes, won" in ran.err and "help: nudge" in ran.err and "   menu:" in ran.err


def test_a_player_that_cannot_be_had_is_the_environments_fault(
    tmp_path: Path, root: Path, reflect: Reflect
) -> None:
    ran = reflect("play", "B01", "--root", root, "--model", f"scripted:{tmp_path / 'gone'}", "--quiet")
    assert ran.code == 2 and "reflect: " in ran.err and "Won" not in ran.out


@pytest.mark.parametrize("claims", [[CLAIM], []])
def test_a_game_of_ones_own_leaves_its_files_as_they_were(
    tmp_path: Path, reflect: Reflect, claims: list[str]
) -> None:
    files = own_files(tmp_path)
    before = everything(files)
    words = [word for claim in claims for word in ("--claim", claim)]
    model = player(tmp_path, *own_moves())
    ran = reflect("play", "--goal", GOAL, *words, "--root", files, "--model", model, "--thread", "mine")
    assert ran.code == 0 and "count *.py lines = 5 in ." in ran.out
    assert everything(files) == before
    again = reflect("resume", "mine", "--root", files, "--quiet")
    assert (again.code, again.out) == (0, ran.out)


def test_what_a_wrong_number_answers_is_not_accepted(tmp_path: Path, reflect: Reflect) -> None:
    model = player(tmp_path, *own_moves(6), PASS)
    ran = reflect(
        "play", "--goal", GOAL, "--claim", CLAIM, "--root", own_files(tmp_path), "--model", model,
        "--turns", "5", "--json", "--quiet",
    )  # fmt: skip
    told = json.loads(ran.out)
    assert (ran.code, told["status"], told["answer"]) == (1, "lost", [])


def test_what_the_whole_directory_shows_is_still_so_in_the_next_turn(
    tmp_path: Path, reflect: Reflect
) -> None:
    claim = {"predicate": "contains", "subject": ".", "value": "three"}
    moves = [
        {"move": "PROPOSE", "request": {"raw": "grep -rn three ."}},
        {"move": "ASSERT", "claim": claim, "evidence": ["o1"]},
        {"move": "ANSWER", "claims": ["c1"]},
    ]
    model = player(tmp_path, *moves)
    ran = reflect(
        "play", "--goal", "Is it there?", "--root", own_files(tmp_path), "--model", model, "--quiet"
    )
    assert ran.code == 0, ran.out


def test_the_records_of_a_game_are_kept_outside_of_its_files(
    tmp_path: Path, home: Path, reflect: Reflect, monkeypatch: pytest.MonkeyPatch
) -> None:
    files, state = own_files(home), tmp_path / "state"
    monkeypatch.setenv("HOME", str(files))
    monkeypatch.setenv("XDG_STATE_HOME", str(state))
    model = player(tmp_path, *own_moves())
    ran = reflect("play", "--goal", GOAL, "--root", files, "--model", model, "--thread", "t", "--quiet")
    assert ran.code == 0 and (state / "reflect" / "games" / ".reflect" / "checkpoints.sqlite").exists()
    assert not list((files / ".reflect").rglob("*.sqlite"))
    assert reflect("resume", "t", "--root", files, "--quiet").out == ran.out
    told = reflect("play", "--goal", GOAL, "--root", "/", "--model", model, "--turns", "1")
    assert "lie among its files" in told.err


@pytest.mark.parametrize("flag", ["--watch", "--export=g.json"])
def test_nothing_that_files_or_players_write_acts_in_the_terminal(
    tmp_path: Path, reflect: Reflect, monkeypatch: pytest.MonkeyPatch, flag: str
) -> None:
    monkeypatch.chdir(tmp_path)
    moves = [
        *["\x1b[2J\u202eprose\x07"] * 2,
        {"move": "PROPOSE", "request": {"tool": "cat", "args": {"path": NASTY_NAME}}},
        {"move": "PROPOSE", "request": {"raw": "ls -la"}},
        {"move": "ASSERT", "claim": {"predicate": "exists", "subject": NASTY_NAME}, "evidence": ["o2"]},
        {"move": "ANSWER", "claims": ["c1"]},
    ]
    model = player(tmp_path, *moves)
    ran = reflect("play", "--goal", "\x1b[1mgoal", "--root", own_files(tmp_path), "--model", model, flag)
    assert ran.code == 0 and "exists <script>" in ran.out and ("prose" in ran.err) is (flag == "--watch")
    assert CONTROL.search(ran.out) is None and CONTROL.search(ran.err) is None


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Give lines to a person's terminal."""

    def give(*lines: str) -> None:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))

    return give


def test_a_person_plays_and_goes_on_where_they_left(
    tmp_path: Path, root: Path, reflect: Reflect, typed: Any
) -> None:
    files = own_files(tmp_path)
    typed("?", "find . -name '*.py' -type f", "assert", "quit")
    ran = reflect(
        "play", "--goal", GOAL, "--claim", CLAIM, "--root", files, "--player", "me", "--thread", "m"
    )
    assert ran.code == 3 and "Go on with: reflect play --resume=m" in ran.err and "--player=me" in ran.err
    assert "take that move of the menu" in ran.err and "| ./a.py" in ran.err
    typed("wc -l a.py below/b.py", "assert count *.py lines = 5 in . by o1 o2", "answer c1")
    on = reflect("play", "--resume", "m", "--root", files, "--player", "me", "--json")
    told = json.loads(on.out)
    assert (on.code, told["status"], told["turns"], told["model"]) == (0, "won", 4, "person")
    assert "1 turn played before" in on.err and GOAL in on.err


def test_a_person_chooses_from_the_menu(tmp_path: Path, root: Path, reflect: Reflect, typed: Any) -> None:
    typed("1", "99")
    ran = reflect("play", "B02", "--root", root, "--player", "me", "--arm", "menu", "--turns", "2")
    assert ran.code == 1 and "  1. " in ran.err
    assert "turn 1: PROPOSE, played" in ran.err and "turn 2: no move, illegal" in ran.err


def test_nobody_is_asked_where_nobody_said_that_they_play(
    tmp_path: Path, root: Path, reflect: Reflect, typed: Any
) -> None:
    typed()
    assert reflect("play", "B02", "--root", root, "--player", "me", "--thread", "p", "--quiet").code == 3
    ran = reflect("play", "--resume", "p", "--root", root, "--quiet")
    assert ran.code == 3 and "--player=me" in ran.err


def test_a_thread_of_another_command_is_left_alone(tmp_path: Path, root: Path, reflect: Reflect) -> None:
    model = player(tmp_path, *solution())
    reflect("play", "B02", "--seed", "7", "--root", root, "--model", model, "--thread", "t", "--quiet")
    ran = reflect("think", "why?", "--root", root, "--model", model, "--thread", "t", "--quiet")
    assert ran.code == 2 and "plays a proof game" in ran.err
    assert reflect("fork", "t", "--at", "1", "--root", root).code == 2
    yes = reflect("resume", "t", "--root", root, "--yes")
    assert yes.code == 2 and "--yes" in yes.err


def test_the_games_are_listed(reflect: Reflect, home: Path) -> None:
    lines = reflect("play", "--list").out.splitlines()
    assert [line.split()[0] for line in lines] == list(GAMES)
    listed = json.loads(reflect("play", "--list", "--json").out)["games"]
    assert [f"{one['id']}  {one['band']:<10}  {one['title']}" for one in listed] == lines
    assert list(home.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("B11",), "no game"),
        (("--goal", " "), "0 characters"),
        (("--goal", "x" * 9000), "9000 characters"),
        (("--goal", "x", "--claim", "{"), "no JSON"),
        (("--resume", "nowhere"), "no game"),
        (("B01", "--root", "/nowhere/at/all"), "does not exist"),
        (("--goal", "x", "--root", "/nowhere/at/all"), "does not exist"),
    ],
)
def test_bad_input_is_told_with_what_to_do(
    reflect: Reflect, words: tuple[str, ...], told: str, root: Path
) -> None:
    where = () if "--root" in words else ("--root", root)
    ran = reflect("play", *words, *where)
    assert ran.code == 2 and told in ran.err and ran.err.count("\n") >= 2 and "Traceback" not in ran.err


@pytest.mark.parametrize("flag", ["--export", "--html"])
def test_a_file_of_somebody_elses_is_kept(tmp_path: Path, root: Path, reflect: Reflect, flag: str) -> None:
    path = tmp_path / "mine"
    path.write_text("mine")
    ran = reflect("play", "B01", "--root", root, flag, path)
    assert ran.code == 2 and "would be lost" in ran.err and path.read_text() == "mine"


def test_an_earlier_game_and_page_are_written_over(tmp_path: Path, root: Path, reflect: Reflect) -> None:
    files = ["--export", tmp_path / "g.json", "--html", tmp_path / "g.html"]
    words = ["play", "B02", "--root", root, "--turns", "1", "--quiet", *files]
    first = reflect(*words, "--model", player(tmp_path, PASS, name="one"))
    before = (tmp_path / "g.json").read_bytes()
    second = reflect(*words, "--model", player(tmp_path, "words", name="two"))
    assert (first.code, second.code) == (1, 1) and (tmp_path / "g.json").read_bytes() != before


@pytest.mark.parametrize("flag", ["--export", "--html"])
def test_a_disk_that_is_full_is_told_beside_the_result(
    tmp_path: Path, root: Path, reflect: Reflect, flag: str
) -> None:
    model = player(tmp_path, *solution())
    words = ["play", "B02", "--seed", "7", "--root", root, "--model", model, "--thread", "t", "--quiet"]
    ran = reflect(*words, flag, "/dev/full")
    assert ran.code == 2 and "No space left" in ran.err and "--resume" in ran.err
    assert ran.out.startswith("Won")
    later = reflect("play", "--resume", "t", "--root", root, "--quiet", flag, tmp_path / "out")
    assert later.code == 0 and (tmp_path / "out").stat().st_size > 1000


def test_a_game_that_could_not_begin_writes_no_file(tmp_path: Path, root: Path, reflect: Reflect) -> None:
    (root / ".reflect").write_text("in the way")
    model = player(tmp_path, PASS)
    ran = reflect("play", "B01", "--root", root, "--model", model, "--export", tmp_path / "g.json")
    assert ran.code == 2 and not (tmp_path / "g.json").exists()
