"""Two hundred correct sentences, and every one of them made wrong in each way it can be."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from nodes.research.checking.checker import Checker
from tests.nodes.research.checking import mutating
from tools.search.items import Item

FAILED = ("contradicted", "unsupported")
Documents = list[tuple[Item, dict[str, Any]]]


def chinese(document: dict[str, Any]) -> bool:
    return "\u4e00" <= document["name"][-1] <= "\u9fff"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_correct_sentences_raise_few_alarms(documents: Documents, checker: Checker, language: str) -> None:
    verdicts: Counter[str] = Counter()
    for item, document in documents:
        if chinese(document) == (language == "zh"):
            verdicts.update(checker.claim(claim, [item.url]).verdict for claim in document["claims"])
    assert sum(verdicts.values()) >= 80
    assert sum(verdicts[verdict] for verdict in FAILED) <= 0.05 * sum(verdicts.values()), verdicts
    assert verdicts["supported"] >= 0.85 * sum(verdicts.values()), verdicts


def edits(
    kind: str, claim: str, document: dict[str, Any], others: list[str], chance: random.Random
) -> str | None:
    if kind == "subject":
        return mutating.subject(claim, document["names"], others, chance)
    changed: str | None = getattr(mutating, kind)(claim, chance)
    return changed


@pytest.mark.parametrize(
    ("kind", "least"),
    [("number", 0.95), ("unit", 0.95), ("date", 0.9), ("subject", 0.85), ("quote", 0.95), ("negation", 0.8)],
)
def test_single_edits_are_caught(documents: Documents, checker: Checker, kind: str, least: float) -> None:
    chance = random.Random(kind)
    caught: list[bool] = []
    for item, document in documents:
        others = [
            one["names"][0]
            for _, one in documents
            if one is not document and chinese(one) == chinese(document)
        ]
        for claim in document["claims"]:
            wrong = edits(kind, claim, document, others, chance)
            if wrong is not None and wrong != claim:
                caught.append(checker.claim(wrong, [item.url]).verdict in FAILED)
    assert len(caught) >= 10
    assert sum(caught) >= least * len(caught), f"{sum(caught)} of {len(caught)}"


def test_swapped_citations_are_caught(documents: Documents, checker: Checker) -> None:
    chance = random.Random(0)
    caught = []
    for item, document in documents:
        for claim in document["claims"][::3]:
            other = chance.choice([one for one, _ in documents if one is not item])
            caught.append(checker.claim(claim, [other.url]).verdict in FAILED)
    assert sum(caught) >= 0.95 * len(caught)
