"""Vectors of answers and their likeness, with both embedders that are shipped."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.embeddings import Embedder, MiniLMEmbedder
from models.multilingual_embeddings import E5Embedder, missing_for_e5
from nodes.collective.likeness import LIKENESS, PLACES, compared, with_likeness
from nodes.collective.state import Agreement
from tests.nodes.collective.findings import found
from tests.support.hashing_embedder import HashingEmbedder

EMBEDDERS = [
    MiniLMEmbedder,
    pytest.param(
        E5Embedder, marks=pytest.mark.skipif(missing_for_e5() is not None, reason="not for this machine")
    ),
]


@pytest.mark.parametrize("made", EMBEDDERS)
async def test_answers_that_say_the_same_are_more_alike(made: type[Embedder]) -> None:
    embedder = made()
    told = [
        found("a", "The file has two lines of text."),
        found("b", "There are two lines of text in the file."),
        found("c", "Bananas ripen faster next to apples."),
        found("d", "", status="could_not"),
    ]
    a, b, c, d = await compared(told, embedder)
    assert len(a.vector) == embedder.dimension and d == told[3]
    assert a.figures[f"{LIKENESS}b"] > a.figures[f"{LIKENESS}c"]
    assert a.figures[f"{LIKENESS}b"] == b.figures[f"{LIKENESS}a"] and f"{LIKENESS}d" not in a.figures
    assert np.isclose(np.linalg.norm(a.vector), 1, atol=1e-2)
    again = await compared(told, embedder)
    assert again[0].model_dump_json() == a.model_dump_json()
    assert len(json.dumps(a.vector)) < 4096 and c.figures[f"{LIKENESS}a"] == round(
        c.figures[f"{LIKENESS}a"], PLACES
    )


async def test_without_an_embedder_findings_stay_as_they_are() -> None:
    told = [found("a", "x"), found("b", "y")]
    assert await compared(told, None) == told and await compared([], HashingEmbedder()) == []


@given(st.permutations(["a", "b", "c"]))
async def test_an_agreement_is_as_alike_as_its_members_in_any_order(order: list[str]) -> None:
    embedded = await compared([found(name, f"answer {name}") for name in "abc"], HashingEmbedder())
    by_id = {one.id: one for one in embedded}
    likeness = with_likeness(Agreement(answer="x", members=order), by_id).likeness
    figures = [by_id[one].figures[f"{LIKENESS}{other}"] for one, other in ("ab", "ac", "bc")]
    assert likeness == round(sum(figures) / 3, PLACES)
    assert with_likeness(Agreement(answer="x", members=["a"]), by_id).likeness is None
