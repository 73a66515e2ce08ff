"""Menus hold legal moves of what was seen, none twice, and do not play the game."""

import json
import re
from collections.abc import Callable, Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from nodes.tutor.helping.menus import FEWEST_CLAIMS, MOST_MISSES, MenuItem, menu_of
from nodes.tutor.helping.synthesis import advice_of
from nodes.tutor.moves import Answer, Assert, Link, Move, Propose, Request
from tests.nodes.tutor.helping.playing import GAMES, Play

MOVES: TypeAdapter[Move] = TypeAdapter(Move)
PLAYERS: dict[str, Callable[[Random, int], int]] = {
    "random": lambda draw, size: draw.randrange(size),
    "first": lambda draw, size: 0,
    "fourth": lambda draw, size: min(3, size - 1),
    "last": lambda draw, size: size - 1,
}
GAME = st.sampled_from(sorted(GAMES))


def turns_of(name: str, seed: int) -> Iterator[tuple[Play, tuple[MenuItem, ...], Move]]:
    """A game played at random from its menus: before each turn the play, the menu, and the move to come."""
    play, draw = Play(GAMES[name](seed)), Random(seed)
    while len(play.turns) < play.game.most_turns and not play.won:
        menu = menu_of(play.game, play.graph, play.turns)
        if not menu:
            return
        move = draw.choice(menu).move
        yield play, menu, move
        play.play(move)


@given(GAME, st.integers(0, 9999))
@settings(max_examples=20)
def test_every_item_is_a_legal_move_with_a_label_of_its_own(name: str, seed: int) -> None:
    for play, menu, _ in turns_of(name, seed):
        assert len(menu) <= 8
        assert len({item.label for item in menu}) == len(menu)
        for item in menu:
            written = json.loads(json.dumps(item.move.model_dump(mode="json")))
            assert MOVES.validate_python(written) == item.move
            named = getattr(item.move, "evidence", ())
            assert all(play.graph.nodes[one].kind == "observation" for one in named)
            if isinstance(item.move, Answer):
                assert all(play.graph.nodes[one].status == "validated" for one in item.move.claims)
            if isinstance(item.move, Link):
                claim = play.graph.nodes[item.move.claim]
                assert claim.status == "undecidable" and not set(named) <= set(claim.data["evidence"])


@given(GAME, st.integers(0, 9999))
@settings(max_examples=20)
def test_no_slot_holds_what_neither_the_task_nor_an_observation_shows(name: str, seed: int) -> None:
    game = GAMES[name](seed)
    given_ = game.goal + json.dumps([target.model_dump(mode="json") for target in game.targets])
    for play, menu, _ in turns_of(name, seed):
        seen = given_ + "".join(node.data["stdout"] for node in play.graph.of_kind("observation"))
        for item in menu:
            for text in _slots(item.move):
                parts = [part for part in re.split(r"\W+", text) if part]
                assert all(part in seen for part in parts), (text, item.label)


def _slots(move: Move) -> list[str]:
    if isinstance(move, Propose):
        args = dict(move.request.args)
        given_ = [
            args.get("path", "."),
            args.get("pattern", ""),
            args.get("name", ""),
            *args.get("paths", ()),
        ]
        return [str(one) for one in given_]
    if isinstance(move, Assert):
        return [move.claim.subject, str(move.claim.value), str(move.claim.scope or "")]
    return []


@given(GAME, st.integers(0, 9999))
@settings(max_examples=20)
def test_no_move_is_offered_that_was_played(name: str, seed: int) -> None:
    done: set[str] = set()
    for _, menu, move in turns_of(name, seed):
        offered = {item.move.model_dump_json() for item in menu}
        assert not offered & done
        done.add(move.model_dump_json())


@given(GAME, st.integers(0, 9999))
@settings(max_examples=20)
def test_claims_are_offered_several_at_a_time_and_not_to_who_guesses(name: str, seed: int) -> None:
    for play, menu, _ in turns_of(name, seed):
        claims = [item.move.claim for item in menu if isinstance(item.move, Assert)]
        assert len(claims) == 0 or len(claims) >= FEWEST_CLAIMS
        assert all(any(target.has_form(claim) for target in play.game.targets) for claim in claims)
        missed = [node for node in play.graph.of_kind("claim") if node.status != "validated"]
        if len(play.game.targets) == 1 and len(missed) >= MOST_MISSES:
            assert not claims


def test_the_menu_follows_from_the_state_alone() -> None:
    for name in GAMES:
        one, other = ([menu for _, menu, _ in turns_of(name, 7)] for _ in range(2))
        assert len(one) > 3 and one == other


def test_a_rejected_answer_is_not_offered_again() -> None:
    play = Play(GAMES["token"](3))
    expected = play.game.expected[0]
    play.play(Propose(request=Request(tool="cat", args={"path": expected.subject})))
    play.play(Assert(claim=expected, evidence=("o1",)))
    answer = Answer(claims=("c1",))
    assert answer in [item.move for item in menu_of(play.game, play.graph, play.turns)]
    play.play(answer)
    assert answer not in [item.move for item in menu_of(play.game, play.graph, play.turns)]


@pytest.mark.parametrize("size", [0, 1, 3, 30])
def test_a_menu_is_no_larger_than_asked_for(size: int) -> None:
    play = Play(GAMES["token"](1))
    play.play(Propose(request=Request(tool="find", args={"path": ".", "type": "f"})))
    assert len(menu_of(play.game, play.graph, play.turns, size)) <= size


def test_an_honest_player_finds_every_step_of_an_easy_game_in_the_menus() -> None:
    """Help has to help: list, search, claim what the search shows, answer."""
    found = 0
    for seed in range(20):
        play = Play(GAMES["token"](seed))
        expected = play.game.expected[0]
        play.play(Propose(request=Request(tool="find", args={"path": ".", "type": "f"})))
        searches = [
            item.move
            for item in menu_of(play.game, play.graph, play.turns)
            if isinstance(item.move, Propose) and item.move.request.args.get("pattern") == expected.value
        ]
        assert searches
        play.play(searches[0])
        offered = [item.move for item in menu_of(play.game, play.graph, play.turns)]
        claims = [move for move in offered if isinstance(move, Assert) and move.claim == expected]
        found += len(claims)
        play.play(claims[0] if claims else Assert(claim=expected, evidence=("o2",)))
        answers = [
            item.move for item in menu_of(play.game, play.graph, play.turns) if isinstance(item.move, Answer)
        ]
        play.play(answers[0])
        assert play.won
    assert found >= 5


@pytest.mark.parametrize("player", sorted(PLAYERS))
def test_who_takes_items_blindly_wins_next_to_nothing(player: str) -> None:
    """A settled game counts as won, since the answer would be composed; see `playing` for the kind judge."""
    many, wins = 12, dict.fromkeys(GAMES, 0)
    for name, make in GAMES.items():
        for seed in range(many):
            play, draw = Play(make(seed)), Random(f"{player} {seed}")
            for _ in range(play.game.most_turns):
                menu = menu_of(play.game, play.graph, play.turns)
                if not menu:
                    break
                play.play(menu[PLAYERS[player](draw, len(menu))].move)
                if advice_of(play.game, play.graph, play.turns).kind != "none":
                    wins[name] += 1
                    break
    assert sum(wins.values()) <= 0.1 * many * len(GAMES), wins
