"""`reflect play --verify`: what holds is said to hold, what does not is named, what is no game refused."""

import asyncio
import json
import random
from pathlib import Path

import pytest

from cli.play_verify import checked_of
from nodes.tutor.export import export
from tests.cli.conftest import Reflect
from tests.nodes.tutor.test_verifying import played


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return export(asyncio.run(played(tmp_path_factory.mktemp("game") / "files")))


def test_what_holds_is_told_with_what_was_checked(tmp_path: Path, game: bytes, reflect: Reflect) -> None:
    path = tmp_path / "g.json"
    path.write_bytes(game)
    ran = reflect("play", "--verify", path)
    checked = checked_of(game)
    assert ran.code == 0 and ran.out.endswith("Verified: all of it holds.\n")
    assert (
        f"turns: {checked.turns} were replayed" in ran.out and f"calls: {checked.calls} were made" in ran.out
    )
    told = json.loads(reflect("play", "--verify", path, "--json").out)
    assert told["verified"] is True and told["problems"] == [] and told["checked"]["won"] is True
    assert reflect("play", "--verify", path, "--quiet").out == "Verified: all of it holds.\n"


def test_what_does_not_hold_is_named(tmp_path: Path, game: bytes, reflect: Reflect) -> None:
    path = tmp_path / "g.json"
    path.write_bytes(game.replace(b'"score":', b'"score":1', 1))
    ran = reflect("play", "--verify", path)
    assert ran.code == 1 and "The seal is broken" in ran.out and "Not verified: " in ran.out
    assert "holds" not in ran.out
    told = json.loads(reflect("play", "--verify", path, "--json").out)
    assert told["verified"] is False and told["problems"] and told["checked"] is None


def test_bytes_that_are_changed_are_noticed(tmp_path: Path, game: bytes, reflect: Reflect) -> None:
    chosen, path = random.Random(8), tmp_path / "g.json"
    for _ in range(12):
        place = chosen.randrange(len(game))
        path.write_bytes(game[:place] + bytes([game[place] ^ chosen.randrange(1, 256)]) + game[place + 1 :])
        ran = reflect("play", "--verify", path, "--quiet")
        assert ran.code == 1 and ran.out.strip() and "Traceback" not in ran.err, (place, ran)


@pytest.mark.parametrize("cut", [0.01, 0.5, 0.999])
def test_a_game_that_is_cut_off_does_not_hold(
    tmp_path: Path, game: bytes, reflect: Reflect, cut: float
) -> None:
    path = tmp_path / "g.json"
    path.write_bytes(game[: int(len(game) * cut)])
    ran = reflect("play", "--verify", path)
    assert ran.code == 1 and "no JSON document" in ran.out


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b"\xff\xfe", b'{"turns": []}', b"\0" * 100])
def test_what_was_never_a_game_is_refused(tmp_path: Path, reflect: Reflect, content: bytes) -> None:
    path = tmp_path / "other"
    path.write_bytes(content)
    ran = reflect("play", "--verify", path)
    assert ran.code == 2 and "no exported game" in ran.err and ran.out == ""


@pytest.mark.parametrize("name", ["gone", ".", "a\0b"])
def test_what_cannot_be_read_is_told(tmp_path: Path, reflect: Reflect, name: str) -> None:
    ran = reflect("play", "--verify", f"{tmp_path}/{name}")
    assert ran.code == 2 and "cannot be read" in ran.err


def test_what_is_wrong_cannot_act_in_the_terminal(tmp_path: Path, game: bytes, reflect: Reflect) -> None:
    document = json.loads(game)
    document["game"]["id"] = "\x1b[2J\u202eB99"
    path = tmp_path / "g.json"
    path.write_text(json.dumps(document, sort_keys=True, separators=(",", ":")))
    ran = reflect("play", "--verify", path)
    assert ran.code == 1 and "\x1b" not in ran.out and "\u202e" not in ran.out
