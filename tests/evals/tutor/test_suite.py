"""The suite's own options and plans; whole runs are in tests/integration."""

from pathlib import Path

import pytest

from configs.errors import ReflectError, UsageError
from evals.report import suite_options
from evals.tutor.field import ARMS, NULL, ORACLE, PLAYERS, arms_of, player_of
from evals.tutor.suite import arguments_of, main, planned_games, players_of
from models.errors import ModelUnavailable
from models.scripted import Script, register_script
from tests.evals.tutor.made import GAME


@pytest.mark.parametrize(
    "words",
    [
        ("--arm", "some"),
        ("--arm", ","),
        ("--arm", "all", "--strategy", "menu"),
        ("--games", "B99"),
        ("--games", "B01", "--only", "B01"),
        ("--players", "genius"),
        ("--model", "player:genius"),
        ("--model", "nonsense"),
    ],
)
def test_slips_are_told_before_anything_runs(words: tuple[str, ...]) -> None:
    with pytest.raises(ReflectError):
        main(words)


def test_everybody_plays_every_game_of_every_seed_in_every_arm_that_means_something() -> None:
    words = ("--model", "p:m", "--seed", "3", "--only", "B01", "--only", "B09", "--strategy", "none")
    options = suite_options(arguments_of((*words, "--strategy", "menu")))
    planned = planned_games(options, [ORACLE, "player:first-item"], seeds=2)
    assert len({one.key for one in planned}) == len(planned) == 2 * 2 * (2 + 2 + 1)
    assert {one.seed for one in planned} == {3, 4} and {one.id for one in planned} == {"B01", "B09"}
    assert {one.variant for one in planned if one.model == "player:first-item"} == {"menu"}


def test_a_game_that_is_changed_is_played_again() -> None:
    options = suite_options(arguments_of(("--only", "B01", "--strategy", "none", "--strategy", "all")))
    digests = {one.settings for one in planned_games(options, [], seeds=3)}
    assert len(digests) == 6


def test_who_is_measured_does_not_play_a_second_time_beside() -> None:
    options = suite_options(arguments_of(("--model", ORACLE, "--strategy", "none", "--only", "B01")))
    assert len(planned_games(options, [ORACLE], seeds=2)) == 2


def test_players_are_named_once_and_nobody_is_none() -> None:
    assert players_of("oracle, cards-only,oracle") == [ORACLE, "player:cards-only"]
    assert players_of("none") == []
    assert set(NULL) < set(players_of(",".join(PLAYERS)))
    with pytest.raises(UsageError, match="genius"):
        player_of("player:genius", GAME)


def test_who_follows_menus_plays_where_there_are_some() -> None:
    assert arms_of("player:random-item", ARMS) == ["menu", "all"]
    assert arms_of("ollama:many-item", ARMS) == arms_of(ORACLE, ARMS) == list(ARMS)


def test_a_model_that_never_answers_has_no_figures() -> None:
    register_script("gone", Script(default=[{"error": "failed"}], repeat_last=True))
    words = ("--model", "scripted:gone", "--players", "none", "--games", "B01", "--arm", "none")
    with pytest.raises(ModelUnavailable, match="No run with scripted:gone"):
        main((*words, "--seeds", "1"))


def test_a_report_is_written_and_its_targets_are_the_exit_code(tmp_path: Path) -> None:
    words = ("--model", ORACLE, "--players", "cards-only", "--games", "B01,B02", "--arm", "all")
    written = tmp_path / "report.json"
    assert main((*words, "--seeds", "1", "--json", str(written))) == 0
    assert '"oracle: won"' in written.read_text("utf-8")
