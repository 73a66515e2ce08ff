"""A source of fifty megabytes is read only near the words that are looked for, and still found."""

from __future__ import annotations

import random

import pytest

from nodes.research.checking.checker import check_report
from tools.search.items import Item

pytestmark = pytest.mark.integration
SIZE = 50_000_000
TOLD = "Borealis Shipyard delivered 12 ferries to Marsh County in March 2021."
TOLD_TOO = "晨星能源民國112年營收達新台幣12億5,000萬元，較前一年成長8%。"


@pytest.fixture(scope="module")
def huge() -> Item:
    chance = random.Random(1)
    words = "harbour council report water price farm school bridge 水庫 道路 研究 人口 season market".split()
    line = (
        " ".join(chance.choice(words) for _ in range(40)) + f". In {chance.randint(1950, 2020)} it was so.\n"
    )
    filler = line * (SIZE // 2 // len(line.encode("utf-8")))
    return Item(
        url="https://one.example/huge",
        name="Huge",
        site="one.example",
        siteUrl="",
        description=f"{filler}\n{TOLD}\n{TOLD_TOO}\n{filler}",
    )


def test_a_needle_in_fifty_megabytes(huge: Item) -> None:
    report = (
        "Borealis Shipyard delivered 12 ferries to Marsh County in March 2021 [1]. "
        "Borealis Shipyard delivered 17 ferries to Marsh County in March 2021 [1]. "
        "晨星能源2023年營收為12.5億元 [1]。"
    )
    right, wrong, chinese = check_report(report, [huge])
    assert (right.verdict, wrong.verdict, chinese.verdict) == ("supported", "contradicted", "supported")
    assert right.spans[0].text == TOLD
    assert huge.description[right.spans[0].start : right.spans[0].end] == TOLD
