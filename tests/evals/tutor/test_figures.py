"""Figures of games made by hand, computed beside them another way."""

from typing import Any

import pytest

from evals.report import Case, Metric
from evals.tutor.field import NULL, ORACLE
from evals.tutor.figures import clusters, metrics_of
from evals.tutor.tables import ANCHORS, plots_of, tables_of
from nodes.reflective.state import RoleUsage
from nodes.tutor.games.generating import generate
from tests.evals.tutor.made import GAME, case, turn

OTHER = generate("B04", 0)
LOST: dict[str, Any] = {"ended": "turns", "won": False, "answer": []}
BAD = [turn("", "illegal"), turn("ASSERT", "rejected"), turn("ASSERT"), turn("ASSERT", "illegal")]


def of(cases: list[Case], models: list[str]) -> dict[str, Metric]:
    return {metric.name: metric for metric in metrics_of(cases, models, seed=0)}


def games() -> list[Case]:
    """Four games of a model: one won, one composed, one lost, one broken off."""
    return [
        case(turns=[turn()] * 4),
        case(seed=1, ended="composed", justification=1.0),
        case(game=OTHER, turns=BAD, **LOST),
        case(game=OTHER, seed=1, failure="The model failed.", **LOST),
    ]


def test_figures_of_a_model_are_those_of_its_games() -> None:
    found = {name: metric.value for name, metric in of(games(), ["p:m"]).items()}
    assert found["p:m, none: win rate"] == 0.25
    assert found["p:m, none: composed answers"] == 0.25
    assert found["p:m, none: turns"] == (4 + 1 + 4 + 1) / 4
    assert found["p:m, none: illegal-move rate"] == 2 / 10
    assert found["p:m, none: unsupported-claim rate"] == 1 / 2
    assert found["p:m, none: justification of answers"] == 0.75
    assert found["games that ended in an error"] == 0.25


def test_arms_are_apart_and_players_beside_the_model_have_no_figures_of_their_own() -> None:
    cases = [case(), case(arm="all", **LOST), case("player:middling")]
    found = of(cases, ["p:m"])
    assert found["p:m, none: win rate"].value == 1 and found["p:m, all: win rate"].value == 0
    assert not any(name.startswith("player:middling") for name in found)
    assert "player:middling, none: win rate" in of(cases, ["player:middling"])


def test_calls_and_tokens_are_told_of_those_who_make_calls() -> None:
    usage = RoleUsage(calls=3, prompt_tokens=50, completion_tokens=7)
    found = of([case(usage=usage), case(seed=1)], ["p:m"])
    assert found["p:m, none: calls"].value == 1.5 and found["p:m, none: tokens"].value == 28.5
    assert "p:m, none: calls" not in of([case()], ["p:m"])


def test_what_rests_on_nothing_is_not_told() -> None:
    found = of([case(**LOST)], ["p:m"])
    assert not {"oracle: won", "null players: won", "accepted answers that are false"} & set(found)
    assert "p:m, none: unsupported-claim rate" not in found


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("null players: won", case(NULL[0], **LOST), case(NULL[0])),
        ("null players: composed", case(NULL[0], **LOST), case(NULL[0], ended="composed")),
        ("menu followers: won", case(NULL[-1], **LOST), case(NULL[-1])),
        ("oracle: won", case(ORACLE), case(ORACLE, **LOST)),
        ("oracle: won", case(ORACLE), case(ORACLE, ended="composed")),
        (
            "oracle: won in par + 1 turns at most",
            case(ORACLE, turns=[turn()] * (GAME.par + 1)),
            case(ORACLE, turns=[turn()] * (GAME.par + 2)),
        ),
        ("accepted answers that are false", case(), case(answer=[OTHER.expected[0]])),
        ("games that ended in an error", case(), case(failure="The model failed.", **LOST)),
    ],
)
def test_a_target_is_missed_by_one_game(name: str, good: Case, bad: Case) -> None:
    assert of([good] * 20, [])[name].met is True
    assert of([good] * 20 + [bad], [])[name].met is False


def test_games_are_resampled_with_their_seeds_and_one_game_by_its_seeds() -> None:
    assert clusters(games()) == ["B01", "B01", "B04", "B04"]
    assert clusters([case(), case(seed=1)]) == ["B01 0", "B01 1"]
    found = of([case(seed=seed, **({} if seed % 2 else LOST)) for seed in range(10)], ["p:m"])
    rate = found["p:m, none: win rate"]
    assert rate.low is not None and rate.high is not None and rate.low < 0.5 < rate.high


def test_tables_tell_each_player_and_arm_and_what_the_published_figures_are() -> None:
    cases = [*games(), case(NULL[0], **LOST)]
    by_player, by_game, by_band, ends = tables_of(cases)
    row = dict(zip(by_player.columns, by_player.rows[0], strict=True))
    assert (row["games"], row["won"], row["composed"], row["errors"]) == (4, 1, 1, 1)
    assert (row["illegal"], row["unsupported"]) == ("20.0%", "50.0%")
    assert "substrings" in by_player.note == ANCHORS
    assert by_game.rows == [["p:m", "none", "1 of 2", "0 of 2"], [NULL[0], "none", "0 of 1", None]]
    assert by_band.columns[2:] == ["formal", "search"] and by_band.rows[0][2:] == ["0 of 2", "1 of 2"]
    assert dict(zip(ends.columns, ends.rows[0], strict=True))["composed"] == 1


def test_plots_are_of_the_models_that_are_measured() -> None:
    bars, turns, seconds = plots_of([*games(), case(NULL[0], **LOST)], ["p:m"])
    assert bars.kind == "bars" and [one.name for one in bars.series] == ["p:m none"]
    assert bars.labels == ["B01", "B04"] and bars.series[0].values == [0.5, 0.0]
    assert turns.kind == seconds.kind == "histogram" and list(turns.series) == ["p:m none"]
