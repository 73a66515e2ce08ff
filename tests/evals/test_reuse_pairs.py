"""Every pair through skeleton, demands and refilling: the two files are blind, written for other eyes."""

import pytest

from evals.fixture_repository import build_fixture_repository
from evals.pairs import NEAR_MISSES, PARAPHRASES, Pair, read_pairs, same_commands
from memory.recipes.places import Place, known_names, locate
from memory.recipes.reading import read_goal
from memory.reuse.lasting import states_what_it_names
from memory.reuse.refill import refill
from nodes.reflective.lookup import Located
from nodes.reflective.recall import LISTING, asked
from nodes.reflective.state import Asked

# Reading 570 pairs of goals takes a quarter of a minute.
pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> tuple[Place, ...]:
    root = build_fixture_repository(tmp_path_factory.mktemp("pairs"))
    found = (path for path in root.rglob("*") if ".git" not in path.relative_to(root).parts)
    return tuple(Place(str(path.relative_to(root)), path.is_dir()) for path in found)


def read(goal: str, places: tuple[Place, ...]) -> Asked:
    reading = read_goal(goal, known_names(read_goal(goal), places))
    return asked(Located(reading, locate(reading, places), (), (), places))


def reused(pair: Pair, places: tuple[Place, ...]) -> list[str] | None:
    old, new = read(pair.learned, places), read(pair.asked, places)
    if old.key != new.key or not set(old.demands) ^ set(new.demands) <= LISTING:
        return None
    if old.slots != new.slots and not states_what_it_names(pair.commands, pair.learned):
        return None
    return refill(pair.commands, old.slots, new.slots, old.key)


def test_no_near_miss_is_answered_by_the_wrong_plan(places: tuple[Place, ...]) -> None:
    pairs = read_pairs(NEAR_MISSES)
    assert len(pairs) >= 160
    taken = [(pair, commands) for pair in pairs if (commands := reused(pair, places)) is not None]
    wrong = {
        (pair.id, pair.asked): commands
        for pair, commands in taken
        if pair.right is None or not same_commands(commands, pair.right)
    }
    assert wrong == {}


def test_most_paraphrases_are_answered_by_the_old_plan(places: tuple[Place, ...]) -> None:
    pairs = read_pairs(PARAPHRASES)
    taken = {pair.id: commands for pair in pairs if (commands := reused(pair, places)) is not None}
    rights = {pair.id: pair.right for pair in pairs}
    assert all(same_commands(commands, rights[name] or []) for name, commands in taken.items())
    assert len(taken) >= 0.8 * len(pairs)
