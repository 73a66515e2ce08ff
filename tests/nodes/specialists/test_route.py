"""Who answers: exemplars first, words without an embedder, a model only where the vote is close."""

from __future__ import annotations

from typing import Any

import pytest

from configs.settings import Settings
from models.errors import ModelError
from models.identifiers import ModelId
from models.roles import RoleModels
from models.scripted import Script, register_script
from models.selection import ModelChoice
from nodes.specialists.routing import by_caller, by_exemplars, by_model, by_words, in_doubt
from nodes.specialists.topics import SpecialistName

CLOSE: dict[SpecialistName, float] = {"security": 0.1, "analysis": 0.9, "documentation": -0.9}


def models_saying(reply: Any, name: str) -> RoleModels:
    register_script(name, Script(roles={"classifier": [reply, reply]}))
    return RoleModels(Settings(), ModelChoice(ModelId("scripted", name), "test"))


def names(route: Any) -> list[str]:
    return [one.name for one in route.chosen]


def test_the_vote_decides_and_says_so() -> None:
    route = by_exemplars("x", CLOSE)
    assert names(route) == ["security", "analysis"] and "0.90" in route.chosen[1].why
    assert in_doubt(CLOSE) == ["security"]
    nobody: dict[SpecialistName, float] = {"security": -0.5, "analysis": -0.3, "documentation": -1}
    assert by_exemplars("x", nobody).by == "none"


@pytest.mark.parametrize(
    ("said", "chosen"),
    [
        (["security", "documentation"], ["security", "analysis"]),
        ([], ["analysis"]),
        (["documentation"], ["analysis"]),
    ],
)
async def test_a_model_decides_what_is_in_doubt_and_nothing_else(said: list[str], chosen: list[str]) -> None:
    models = models_saying({"specialists": said}, f"route-{len(said)}-{len(chosen)}")
    route, usage = await by_model("x", CLOSE, models)
    assert names(route) == chosen and usage is not None and usage.calls == 1


async def test_a_model_that_names_no_specialist_is_not_believed() -> None:
    with pytest.raises(ModelError):
        await by_model("x", CLOSE, models_saying({"specialists": ["law"]}, "route-law"))


@pytest.mark.parametrize(
    ("goal", "chosen"),
    [
        ("Is eval used?", ["security"]),
        ("Which functions have no docstring?", ["documentation"]),
        ("Are there duplicates?", ["analysis"]),
        ("What is in evals/docstrings/security.py?", []),
        ("What is the weather?", []),
        ("Review the whole project", ["security", "analysis", "documentation"]),
    ],
)
def test_words_alone(goal: str, chosen: list[str]) -> None:
    assert names(by_words(goal)) == chosen


def test_the_caller_is_obeyed_in_the_order_of_the_house() -> None:
    assert names(by_caller(["documentation", "security"])) == ["security", "documentation"]
