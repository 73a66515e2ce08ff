"""Recipes and requests read English: what is asked in another language is never answered by one of them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.recipes.exemplars import load_exemplars
from memory.recipes.places import Whereabouts
from memory.recipes.reading import read_goal
from memory.recipes.signals import is_english
from models.embeddings import Embedder
from nodes.reflective.lookup import Located
from nodes.reflective.recipe_plan import plan_from_recipe
from tests.support.hashing_embedder import HashingEmbedder

FOREIGN = [
    one.goal
    for one in load_exemplars()
    if one.language not in ("en", "tool") and one.label != "bypass" and not is_english(one.goal)
][::10]
CHINESE = st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), min_size=2, max_size=12)


def embedder() -> Embedder:
    return HashingEmbedder()


def located(goal: str) -> Located:
    return Located(read_goal(goal), Whereabouts(), (), ())


def test_no_goal_in_another_language_is_planned_by_a_recipe() -> None:
    assert len(FOREIGN) > 30
    planned = [goal for goal in FOREIGN if plan_from_recipe(located(goal), [], embedder, goal) is not None]
    assert planned == []


@settings(max_examples=25, deadline=None)
@given(CHINESE, st.sampled_from(["scripts {}", "{} in src", "docs/guide.md {}", "{} README.md"]))
def test_words_of_another_script_are_words_that_nothing_explains(words: str, frame: str) -> None:
    reading = read_goal(frame.format(words))
    assert any(words in word for word in reading.residue)
    assert plan_from_recipe(located(frame.format(words)), [], embedder, frame.format(words)) is None


@pytest.mark.parametrize(
    ("goal", "english"),
    [
        ('which files contain "der die das und"?', True),
        ("show la/der/les.md", True),
        ("scripts 目录里有多少个文件?", False),
        ("¿Cuántas líneas tiene the/is/of.md?", False),
    ],
)
def test_what_is_quoted_and_what_files_are_called_is_in_no_language(goal: str, english: bool) -> None:
    assert is_english(goal) is english
