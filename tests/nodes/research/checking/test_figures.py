"""Figures and dates as people write them, in sentences that keep them and in sentences that do not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from nodes.research.checking.checker import Checker
from tools.search.items import Item

FAILED = ("contradicted", "unsupported")
URL = "https://figures.example/1"
GIVEN: list[dict[str, Any]] = yaml.load(
    (Path(__file__).parent / "figures.yaml").read_text("utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader)
)


def checked(given: dict[str, Any], kind: str) -> dict[str, tuple[str, str]]:
    """Verdict and reason of each sentence of a kind."""
    item = Item(
        url=URL,
        name="",
        site="figures.example",
        siteUrl="",
        description=given["text"],
        schema_object={"datePublished": str(given["date"])},
    )
    checker = Checker([item], [])
    checks = {claim: checker.claim(claim, [URL]) for claim in given[kind]}
    return {claim: (check.verdict, check.reason) for claim, check in checks.items()}


@pytest.mark.parametrize("given", GIVEN, ids=lambda given: given["text"][:40])
def test_the_same_in_other_figures_raises_no_alarm(given: dict[str, Any]) -> None:
    told = checked(given, "correct")
    assert told and {claim: one for claim, one in told.items() if one[0] in FAILED} == {}


@pytest.mark.parametrize("given", GIVEN, ids=lambda given: given["text"][:40])
def test_wrong_figures_are_caught(given: dict[str, Any]) -> None:
    told = checked(given, "wrong")
    assert told and {claim: one for claim, one in told.items() if one[0] not in FAILED} == {}
