"""Vectors that are remembered are those the embedder gives, and it is asked once."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from models import remembered_vectors
from models.remembered_vectors import MOST_TEXTS, RememberedVectors
from tests.support.hashing_embedder import HashingEmbedder


@given(st.lists(st.lists(st.text(max_size=8), max_size=6), max_size=6))
def test_vectors_are_the_embedders_own_and_each_text_is_embedded_once(calls: list[list[str]]) -> None:
    asked, plain = HashingEmbedder(), HashingEmbedder()
    remembering = RememberedVectors(asked)
    for texts in calls:
        assert np.array_equal(remembering.embed(texts), plain.embed(texts))
    assert len(asked.embedded) == len(set(asked.embedded))
    assert (remembering.name, remembering.dimension) == (asked.name, asked.dimension)


def test_what_is_long_or_long_ago_is_embedded_anew() -> None:
    asked = HashingEmbedder()
    remembering = RememberedVectors(asked)
    long = "word " * remembered_vectors.LONGEST
    remembering.embed([long])
    remembering.embed(["first"])
    remembering.embed([str(number) for number in range(MOST_TEXTS)])
    remembering.embed([long, "first", str(MOST_TEXTS - 1)])
    assert asked.embedded.count(long) == asked.embedded.count("first") == 2
    assert asked.embedded.count(str(MOST_TEXTS - 1)) == 1


def test_a_callers_changes_do_not_reach_what_is_remembered() -> None:
    remembering = RememberedVectors(HashingEmbedder())
    remembering.embed(["x"])[:] = 0
    assert np.linalg.norm(remembering.embed(["x"])) > 0.99
