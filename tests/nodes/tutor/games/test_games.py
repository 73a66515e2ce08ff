"""Every game, over many seeds: its answer is right, it is the only one, and it can be played."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.errors import UnknownGame
from nodes.tutor.games.generating import GAMES, generate
from nodes.tutor.moves import Answer, Assert, Propose
from tests.nodes.tutor.games import solving, truth
from tests.nodes.tutor.games.candidates import candidates

BANDS = {
    "search": ("B01", "B02"),
    "formal": ("B03", "B04"),
    "governance": ("B05", "B06"),
    "diagnosis": ("B07", "B08", "B09", "B10"),
}
ids = st.sampled_from(sorted(GAMES))
seeds = st.integers(-5, 10**6)
each_game = pytest.mark.parametrize("id", sorted(GAMES))
many = settings(max_examples=60, deadline=None)


@many
@given(ids, seeds)
def test_the_answer_follows_from_the_goal_and_the_files_and_is_the_only_one(id: str, seed: int) -> None:
    game = generate(id, seed)
    (only,) = solving.SOLVERS[id](game)
    assert solving.turned(only) == solving.turned(game.expected)


@many
@given(ids, seeds)
def test_what_is_expected_is_so_and_settles_its_target_and_no_other(id: str, seed: int) -> None:
    game = generate(id, seed)
    assert len(game.targets) == len(game.expected)
    for at, claim in enumerate(game.expected):
        assert truth.is_true(game.files, claim)
        assert [number for number, target in enumerate(game.targets) if target.fits(claim)] == [at]


@many
@given(ids, seeds)
def test_the_solution_is_legal_in_form_and_cites_what_was_seen(id: str, seed: int) -> None:
    game = generate(id, seed)
    looks = [move for move in game.solution if isinstance(move, Propose)]
    asserted = [move for move in game.solution if isinstance(move, Assert)]
    assert game.solution == (
        *looks,
        *asserted,
        Answer(claims=tuple(f"c{n + 1}" for n in range(len(asserted)))),
    )
    assert tuple(move.claim for move in asserted) == game.expected
    observed = {f"o{number}" for number in range(1, len(looks) + 1)}
    assert all(move.evidence and set(move.evidence) <= observed for move in asserted)
    assert game.par < game.most_turns
    folders = {"."} | {
        path.rsplit("/", depth)[0] for path in game.files for depth in range(1, path.count("/") + 1)
    }
    for look in looks:
        assert (look.request.tool, look.request.raw) in {(tool, "") for tool in ("cat", "find", "grep", "wc")}
        for path in look.request.args.get("paths") or [look.request.args["path"]]:
            assert path in game.files or path in folders
    assert {path for _, path in game.needed} <= {*game.files, *folders} and game.needed


@many
@given(ids, seeds)
def test_a_game_is_small(id: str, seed: int) -> None:
    game = generate(id, seed)
    assert len(game.files) < 60
    for path, text in game.files.items():
        assert len(text) < 5000 and text.count("\n") < (120 if path.endswith(".log") else 60)
    assert len(game.goal) + sum(map(len, game.rules)) < 1500


@each_game
def test_a_seed_is_always_the_same_game(id: str) -> None:
    first, again = generate(id, 7), generate(id, 7)
    assert first.model_dump_json() == again.model_dump_json()
    assert first.id == id and first.seed == 7 and id in BANDS[first.band]


def test_it_is_the_same_in_another_process_with_other_hashes() -> None:
    script = (
        "import hashlib; from nodes.tutor.games.generating import GAMES, generate; "
        "games = [generate(id, 3).model_dump_json() for id in GAMES]; "
        "print(hashlib.sha256(''.join(games).encode()).hexdigest())"
    )
    printed = subprocess.run(
        [sys.executable, "-c", script],
        env={"PYTHONHASHSEED": "7", "PYTHONPATH": "."},
        cwd=Path(__file__).resolve().parents[4],
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    here = "".join(generate(id, 3).model_dump_json() for id in GAMES)
    assert printed == hashlib.sha256(here.encode()).hexdigest() + "\n"


@each_game
def test_seeds_differ_in_their_answers_their_layouts_and_their_lengths(id: str) -> None:
    games = [generate(id, seed) for seed in range(30)]
    assert len({json.dumps([claim.key for claim in game.expected]) for game in games}) == 30
    assert len({tuple(game.files) for game in games}) == 30
    assert len({len(game.files) for game in games}) > 1


def test_a_game_that_is_none_is_refused() -> None:
    with pytest.raises(UnknownGame):
        generate("B11", 1)


@each_game
def test_no_other_true_claim_settles_a_target(id: str) -> None:
    """Brute force: all that can be put together from the files, in the form of each target."""
    for seed in range(3):
        game = generate(id, seed)
        for target, expected in zip(game.targets, game.expected, strict=True):
            others = [claim for claim in candidates(game, target) if target.has_form(claim)]
            right = [claim for claim in others if target.fits(claim) and truth.is_true(game.files, claim)]
            assert solving.turned(right) == solving.turned([expected])
            assert len(others) >= 20
