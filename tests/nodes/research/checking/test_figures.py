"""Figures and dates as people write them, in sentences that keep them and in sentences that do not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from nodes.research.checking.checker import check_claim
from tools.search.items import Item

FAILED = ("contradicted", "unsupported")
GIVEN: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "figures.yaml").read_text("utf-8"))


def cases(kind: str) -> list[Any]:
    return [
        pytest.param(number, claim, id=f"{number}-{claim[:40]}")
        for number, given in enumerate(GIVEN)
        for claim in given[kind]
    ]


def verdict(number: int, claim: str) -> tuple[str, str]:
    given = GIVEN[number]
    item = Item(
        url=f"https://figures.example/{number}",
        name="",
        site="figures.example",
        siteUrl="",
        description=given["text"],
        schema_object={"datePublished": str(given["date"])},
    )
    check = check_claim(claim, [item])
    return check.verdict, check.reason


@pytest.mark.parametrize(("number", "claim"), cases("correct"))
def test_what_the_source_says_in_other_figures_raises_no_alarm(number: int, claim: str) -> None:
    told, reason = verdict(number, claim)
    assert told not in FAILED, reason


@pytest.mark.parametrize(("number", "claim"), cases("wrong"))
def test_a_wrong_figure_is_caught(number: int, claim: str) -> None:
    told, reason = verdict(number, claim)
    assert told in FAILED, reason
