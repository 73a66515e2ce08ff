"""Nobody who reads only the goal and the names of the files can tell the answer."""

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Mapping

import pytest

from nodes.tutor.claims import Claim
from nodes.tutor.games.game import Game
from nodes.tutor.games.generating import GAMES, generate
from tests.nodes.tutor.games.solving import quoted, turned

SEEDS = range(50)
GUESSES = 20
"""For each seed, so that a share of one in twenty is 50 hits."""
CLOSED = {"B03": "value", "B05": "value", "B06": "value", "B08": "value"}
"""Games of which every claim has a text that stands in the files alone, and how it is called there."""


def told(game: Game) -> str:
    """Everything a player knows before the first move, if it knows all paths."""
    targets = [target.model_dump_json(exclude={"seal"}) for target in game.targets]
    return "\n".join([game.title, game.goal, *game.rules, *targets, *game.files])


def dotted(path: str) -> str:
    return path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


def sources(game: Game, place: str = "") -> list[str]:
    return [path for path in game.files if path.endswith(".py") and path.startswith(place)]


def token(game: Game, rng: random.Random) -> list[Claim]:
    path = rng.choice(list(game.files))
    return [Claim(predicate="contains", subject=path, value=quoted(game)[0], unit="word")]


def total(game: Game, rng: random.Random) -> list[Claim]:
    pattern, scope = quoted(game)[:2]
    files = [path for path in game.files if path.startswith(scope) and path.endswith(pattern[1:])]
    number = sum(rng.randint(9, 31) for _ in files)
    return [Claim(predicate="count", subject=pattern, value=number, unit="lines", scope=scope)]


def chain(game: Game, rng: random.Random) -> list[Claim]:
    """The name is likely what it was, and a script imports no script."""
    path, name = quoted(game)[:2]
    unit = game.targets[-1].unit
    claims = []
    for following in rng.sample([path for path in sources(game) if "/" in path], len(game.targets) - 1):
        claims.append(Claim(predicate="imports", subject=path, value=dotted(following)))
        path = following
    return [*claims, Claim(predicate="defines", subject=path, value=name, unit=unit)]


def cause(game: Game, rng: random.Random) -> list[Claim]:
    configs = [path for path in game.files if path.rsplit(".", 1)[1] in ("json", "yaml", "toml", "ini")]
    config = min(configs, key=len)
    return [Claim(predicate="causes", subject=f"{config}:{rng.randint(2, 38)}", value=game.targets[0].value)]


def cycle(game: Game, rng: random.Random) -> list[Claim]:
    place = quoted(game)[0]
    inside = [dotted(path[len(place) + 1 :]) for path in sources(game, f"{place}/")]
    return [Claim(predicate="cycle", subject=place, value=rng.sample(inside, rng.randint(3, 5)))]


def skew(game: Game, rng: random.Random) -> list[Claim]:
    folder, clocks = quoted(game)[:2]
    logs = [path for path in game.files if path.startswith(folder) and path.endswith(".log")]
    root, *others = (f"{log}:{rng.randint(7, 17)}" for log in rng.sample(logs, len(logs)))
    scope = f"corrected by {clocks}"
    return [Claim(predicate="before", subject=root, value=other, scope=scope) for other in others]


GUESSERS: Mapping[str, Callable[[Game, random.Random], list[Claim]]] = {
    "B01": token,
    "B02": total,
    "B04": chain,
    "B07": cause,
    "B09": cycle,
    "B10": skew,
}


def test_every_game_is_guessed_or_cannot_be() -> None:
    assert sorted([*GUESSERS, *CLOSED]) == sorted(GAMES)


@pytest.mark.parametrize("id", sorted(GUESSERS))
def test_guesses_that_know_how_games_are_made_hit_one_in_twenty_at_most(id: str) -> None:
    hits = 0
    for seed in SEEDS:
        game, rng = generate(id, seed), random.Random(seed)
        guesses = [GUESSERS[id](game, rng) for _ in range(GUESSES)]
        fitting = [all(t.has_form(c) for t, c in zip(game.targets, one, strict=True)) for one in guesses]
        assert all(fitting)
        hits += sum(turned(one) == turned(game.expected) for one in guesses)
    assert hits <= len(SEEDS) * GUESSES / 20


@pytest.mark.parametrize("id", sorted(CLOSED))
def test_what_has_to_be_said_stands_in_the_files_alone(id: str) -> None:
    for seed in SEEDS:
        game = generate(id, seed)
        known = told(game)
        parts = [getattr(claim, CLOSED[id]) for claim in game.expected]
        texts = [part if isinstance(part, str) else json.dumps(part) for part in parts]
        hidden = [text for text in texts if not re.search(rf"(?<!\w){re.escape(text)}(?!\w)", known)]
        assert len(hidden) >= max(1, len(texts) - 1)


@pytest.mark.parametrize("id", sorted(GAMES))
def test_the_goal_and_the_targets_tell_no_open_field_of_the_answer(id: str) -> None:
    for seed in SEEDS:
        game = generate(id, seed)
        for target, claim in zip(game.targets, game.expected, strict=True):
            assert target.wanted and not any(
                str(part) in target.wanted for part in (claim.subject, claim.value) if len(str(part)) > 2
            )
            for name in target.open:
                assert getattr(target, name) in ("", None)
        # At least one claim cannot be put together from words of the goal.
        said = " ".join([game.goal, *game.rules])
        assert any(
            str(getattr(claim, name)) not in said
            for target, claim in zip(game.targets, game.expected, strict=True)
            for name in target.open
        )


PLACED = {
    "B01": lambda game: sorted(game.files).index(game.expected[0].subject),
    "B05": lambda game: game.expected[0].subject.rpartition(":")[2],
    "B06": lambda game: sorted(game.files).index(game.expected[-2].subject),
    "B07": lambda game: game.expected[0].subject.rpartition(":")[2],
    "B10": lambda game: game.expected[0].subject.rpartition(":")[2],
}


@pytest.mark.parametrize("id", sorted(PLACED))
def test_the_answer_has_no_place_of_its_own(id: str) -> None:
    places = Counter(PLACED[id](generate(id, seed)) for seed in SEEDS)
    assert len(places) >= 8 and max(places.values()) <= len(SEEDS) // 4
