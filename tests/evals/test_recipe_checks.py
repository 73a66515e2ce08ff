"""Every shipped recipe, run on the fixture project, gives the answer that was found by other means."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from evals.ask import ask
from evals.fixture_repository import build_fixture_repository
from memory.recipes.recipe import load_recipes
from models.scripted import Script, register_script

CHECKS = yaml.safe_load(
    (Path(__file__).resolve().parents[2] / "evals" / "recipe_checks.yaml").read_text("utf-8")
)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    # A model that never answers: a recipe needs none.
    register_script("silent", Script())
    yield build_fixture_repository(tmp_path_factory.mktemp("fixture"))


def test_every_recipe_is_checked() -> None:
    assert set(CHECKS) == {recipe.id for recipe in load_recipes()}


@pytest.mark.integration  # a whole run for each of the recipes
@pytest.mark.parametrize("name", sorted(CHECKS))
async def test_the_recipe_answers_rightly(name: str, project: Path) -> None:
    state = await ask(CHECKS[name]["goal"], project, "scripted:silent", name, experience__enabled=False)
    assert state.plan is not None and state.plan.recipe == name
    claimed = ("answered", "success") if state.plan.conclusive else ("partial", "partial_success")
    assert (state.status, state.stop_reason) == claimed
    assert state.final_answer is not None
    assert [text for text in CHECKS[name]["says"] if text not in state.final_answer] == []
