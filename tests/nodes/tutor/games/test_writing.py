"""The files of a game on the disk: as they are, all or none, and nothing else is touched."""

from pathlib import Path

import pytest

from nodes.errors import GameNotWritten
from nodes.tutor.games.game import Game
from nodes.tutor.games.generating import GAMES, generate
from nodes.tutor.games.writing import write_files


def game_of(files: dict[str, str]) -> Game:
    return generate("B01", 0).model_copy(update={"files": files})


def read(directory: Path) -> dict[str, str]:
    return {
        path.relative_to(directory).as_posix(): path.read_bytes().decode("utf-8")
        for path in directory.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("id", sorted(GAMES))
def test_the_files_are_those_of_the_game(id: str, tmp_path: Path) -> None:
    game = generate(id, 4)
    write_files(game, tmp_path / "new" / "place")
    assert read(tmp_path / "new" / "place") == game.files
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["place"]


def test_an_empty_directory_is_taken(tmp_path: Path) -> None:
    place = tmp_path / "empty"
    place.mkdir()
    write_files(game_of({"a/ü.txt": "one\r\ntwo", ".b": ""}), place)
    assert read(place) == {"a/ü.txt": "one\r\ntwo", ".b": ""}


def test_a_directory_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    place = tmp_path / "full"
    place.mkdir()
    (place / "mine").write_text("kept")
    with pytest.raises(GameNotWritten, match="not there yet"):
        write_files(generate("B01", 0), place)
    assert read(tmp_path) == {"full/mine": "kept"}


def test_a_link_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(GameNotWritten):
        write_files(generate("B01", 0), tmp_path / "link")
    assert not list((tmp_path / "elsewhere").iterdir())


@pytest.mark.parametrize("path", ["", "/etc/x", "../x", "a/../../x", "a/..", "a//b", "./a", "a/", "a\0b"])
def test_a_path_that_is_none_or_leads_out_is_refused(path: str, tmp_path: Path) -> None:
    with pytest.raises(GameNotWritten):
        write_files(game_of({"fine": "", path: "text"}), tmp_path / "place")
    assert not list(tmp_path.iterdir())


def test_what_cannot_be_laid_out_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(GameNotWritten):
        write_files(game_of({"a": "a file", "a/b": "below a file"}), tmp_path / "place")
    assert not list(tmp_path.iterdir())
