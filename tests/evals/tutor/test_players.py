"""Who knows the solution wins every game, and who knows nothing wins none."""

from dataclasses import replace

import pytest
from pydantic import TypeAdapter

from evals.tutor.players import MoveJson, Player, Seen, cards_only, dump_everything, oracle
from nodes.tutor.games.generating import GAMES, generate
from nodes.tutor.moves import Move
from tests.evals.tutor.referee import begun, played, wins

SEEDS = range(6)
MOVES: TypeAdapter[Move] = TypeAdapter(Move)
each_game = pytest.mark.parametrize("id", sorted(GAMES))


@each_game
def test_the_oracle_wins_and_a_player_who_leaves_out_a_claim_does_not(id: str) -> None:
    for seed in SEEDS:
        game = generate(id, seed)
        assert wins(game, oracle(game))
        shorter = game.model_copy(update={"solution": game.solution[:-2] + game.solution[-1:]})
        assert not wins(game, oracle(shorter))


@each_game
def test_the_solution_of_another_seed_does_not_win(id: str) -> None:
    other = oracle(generate(id, 99))
    game = generate(id, 1)
    # It reads files this game does not have.
    files = {**generate(id, 99).files, **game.files}
    assert not wins(game.model_copy(update={"files": files}), other)


@each_game
@pytest.mark.parametrize("player", [cards_only, dump_everything])
def test_a_player_that_knows_nothing_never_wins(id: str, player: Player) -> None:
    for seed in SEEDS:
        game = generate(id, seed)
        seen, won = played(game, player)
        assert not won
        assert seen.claims and seen.moves[-1]["move"] == "ANSWER"
        for move in seen.moves:
            MOVES.validate_python(move)


@each_game
def test_cards_only_never_reads_and_does_what_the_menu_says(id: str) -> None:
    game = generate(id, 0)
    read: MoveJson = {"move": "PROPOSE", "request": {"tool": "cat", "args": {"path": "x"}}}
    ask: MoveJson = {"move": "ASK", "question": "what next"}
    seen, won = played(game, cards_only, lambda seen: (read, ask))
    assert not won and ask in seen.moves and read not in seen.moves
    assert not seen.shown


def test_cards_only_answers_when_a_card_says_so() -> None:
    seen = replace(begun(generate("B01", 0)), claims=("c1",), card="Give your ANSWER now.")
    assert cards_only(seen) == {"move": "ANSWER", "claims": ["c1"]}


def test_dump_everything_lists_reads_and_then_says_what_it_has_read() -> None:
    game = generate("B10", 0)
    seen, _ = played(game, dump_everything)
    kinds = [move["move"] for move in seen.moves]
    reads = kinds.count("PROPOSE")
    assert kinds == ["PROPOSE"] * reads + ["ASSERT"] * (len(kinds) - reads - 1) + ["ANSWER"]
    assert reads == min(len(game.files) + 1, game.most_turns // 2)
    evidence = seen.moves[-2]["evidence"]
    assert evidence == [f"o{number + 1}" for number in range(reads)]
    said = [str(move["claim"]) for move in seen.moves if move["move"] == "ASSERT"]
    assert len(set(said)) == len(said)


def test_the_oracle_passes_when_its_solution_is_over() -> None:
    game = generate("B01", 0)
    seen = Seen(goal="", targets=(), most_turns=9, moves=tuple({"move": "PASS"} for _ in game.solution))
    assert oracle(game)(seen) == {"move": "PASS"}
