"""Games by the real engine and tools: who knows the solution wins, who knows nothing does not."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import Field, PrivateAttr

from evals.report import Case, Planned
from evals.tutor.at_engine import played, seen_of
from evals.tutor.field import NULL, ORACLE, arms_of
from evals.tutor.menu_players import PASS, eager_item, first_item, random_item
from evals.tutor.middling import Middling
from evals.tutor.players import Seen
from evals.tutor.running import run_case
from models.scripted import Script, register_script
from nodes.tutor.games.generating import GAMES, generate
from nodes.tutor.moves import Pass
from nodes.tutor.parsing import read_move
from tests.evals.tutor.made import GAME


class Mover(Script):
    """Gives moves in turn; the last one again and again."""

    moves: list[Any] = Field(default_factory=list)
    _given: int = PrivateAttr(default=0)

    def decide(self, role: str, prompt: str) -> Any:
        self._given += 1
        return self.moves[min(self._given, len(self.moves)) - 1]


async def case_by(model: str, id: str = "B01", arm: str = "none", seed: int = 0) -> Case:
    return await run_case(Planned(id=id, variant=arm, model=model, seed=seed))


def solution(id: str = "B01") -> list[Any]:
    return [move.model_dump(mode="json") for move in generate(id, 0).solution]


@pytest.mark.parametrize("id", sorted(GAMES))
async def test_the_oracle_wins_in_par_and_who_reads_nothing_does_not(id: str) -> None:
    arm = "all" if id in ("B04", "B10") else "none"
    best = await case_by(ORACLE, id, arm)
    assert (best.status, best.stop_reason, best.false_success) == ("won", "answered", False), best.detail
    assert best.steps == best.extra["par"] and best.extra["justification"] == 1.0
    assert (best.extra["illegal"], best.extra["unsupported"], best.model_calls) == (0, 0, 0)
    null = await case_by("player:cards-only", id, arm)
    assert null.status == "lost" and null.passed
    assert null.extra["asserted"] == null.extra["unsupported"]
    assert null.extra["asserted"] + null.extra["illegal"] > 0


@pytest.mark.parametrize("model", NULL)
async def test_who_knows_nothing_loses(model: str) -> None:
    case = await case_by(model, "B01", arms_of(model, ("none", "all"))[0], seed=2)
    assert case.status == "lost" and case.extra["moves"] > 3


async def test_a_model_plays_through_the_graph() -> None:
    register_script("knows", Mover(moves=solution()))
    case = await case_by("scripted:knows")
    assert (case.status, case.steps, case.model_calls) == ("won", GAME.par, GAME.par)
    assert case.passed and case.tokens > 100 and case.extra["justification"] == 1.0


async def test_the_same_moves_come_to_the_same_by_graph_and_by_engine() -> None:
    register_script("knows-more", Mover(moves=solution("B04")))
    by_graph, by_engine = await case_by("scripted:knows-more", "B04"), await case_by(ORACLE, "B04")
    kept = ("status", "steps", "extra", "stop_reason", "group")
    assert [getattr(by_graph, name) for name in kept] == [getattr(by_engine, name) for name in kept]


async def test_a_model_that_breaks_off_is_an_error_with_its_reason() -> None:
    register_script("stops", Mover(moves=[*solution()[:1], {"error": "failed"}]))
    case = await case_by("scripted:stops")
    assert (case.status, case.passed, case.steps) == ("error", False, 1)
    assert "failed" in case.detail


async def test_a_player_is_shown_what_came_of_its_moves(tmp_path: Path) -> None:
    game, shown = generate("B02", 0), list[Seen]()

    def watched(seen: Seen) -> Any:
        shown.append(seen)
        return [*solution("B02")[:1], "prose", *solution("B02")][len(seen.moves)]

    tutor = await played(game, watched, "all", ORACLE, tmp_path)
    assert tutor.is_won
    assert not shown[0].shown and shown[0].menu and not shown[0].message
    # A text that is no move is one the player made; the call made again shows what it showed before.
    assert [seen.came_to for seen in shown[1:4]] == ["o1", "", "o1"] and shown[2].moves[1] == "prose"
    assert list(shown[-1].shown) == ["o1", "o2"] and all(shown[-1].shown.values())
    assert shown[-1].came_to == "c1" and shown[-1].claims == ("c1",) and "ANSWER" in shown[-1].card
    assert shown[-1].turns_left == game.most_turns - len(shown[-1].moves)
    assert seen_of(tutor).menu == ()


async def test_middling_players_that_never_err_play_the_solution(tmp_path: Path) -> None:
    game = generate("B06", 1)
    tutor = await played(game, Middling(game, "x", rate=0), "none", "player:middling", tmp_path)
    assert tutor.ended == "answered" and len(tutor.turns) == game.par


async def test_middling_players_err_and_find_their_way_by_the_names_the_game_gives(tmp_path: Path) -> None:
    games = [generate("B03", seed) for seed in range(4)]
    ends, outcomes = set[str | None](), set[str]()
    for game in games:
        player = Middling(game, str(game.seed))
        tutor = await played(game, player, "none", "player:middling", tmp_path / str(game.seed))
        ends.add(tutor.ended)
        outcomes |= {turn.otherwise or turn.outcome for turn in tutor.turns}
    assert "answered" in ends and {"illegal", "rejected"} <= outcomes


def test_middling_players_make_the_same_errors_for_the_same_seed() -> None:
    game = generate("B01", 0)
    seen = Seen(goal="", targets=(), most_turns=9)
    moves = [[Middling(game, str(seed))(seen) for seed in range(20)] for _ in range(2)]
    assert moves[0] == moves[1]
    kinds = {str(move) for move in moves[0]}
    assert str(game.solution[0].model_dump(mode="json")) in kinds and len(kinds) > 1


def test_a_wrong_value_is_of_the_type_of_the_right_one_and_another() -> None:
    player = Middling(generate("B01", 0), "x")
    for value in (True, 7, 1.5, "text", ["a", "b"], ["a", "a"], [3, 3]):
        spoiled = player._spoiled(value)
        assert spoiled != value and type(spoiled) is type(value)


def test_menus_are_followed() -> None:
    call, claim, answer = ({"move": kind} for kind in ("PROPOSE", "ASSERT", "ANSWER"))
    seen = Seen(goal="", targets=(), most_turns=9, menu=(call, claim, answer))
    assert first_item(seen) == call and eager_item(seen) == answer
    drawn = [random_item(str(seed))(seen) for seed in range(30)]
    assert {move["move"] for move in drawn} == {"PROPOSE", "ASSERT", "ANSWER"}
    empty = Seen(goal="", targets=(), most_turns=9)
    assert first_item(empty) == eager_item(empty) == random_item("x")(empty) == PASS
    assert isinstance(read_move(PASS), Pass)
