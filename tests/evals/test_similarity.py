from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.similarity import OTHER, SAME, balanced_accuracy, calibrate, cosines
from memory.experience.similarity import CALIBRATED, UNKNOWN_MODEL, similarity_threshold
from models.embeddings import MiniLMEmbedder

values = st.lists(st.floats(-1, 1), min_size=2, max_size=8, unique=True)


@given(values, values)
def test_no_threshold_is_better_than_the_calibrated_one(same: list[float], other: list[float]) -> None:
    threshold, accuracy = calibrate(same, other)
    assert -1 <= threshold <= 1
    assert all(
        balanced_accuracy(same, other, value) <= accuracy + 1e-9 for value in sorted({*same, *other})[1:]
    )


def test_a_setting_wins_over_what_was_measured() -> None:
    assert similarity_threshold("minilm-l6-v2-int8", 0.9) == 0.9
    assert similarity_threshold("minilm-l6-v2-int8", None) == CALIBRATED["minilm-l6-v2-int8"]
    assert similarity_threshold("ollama-any", None) == UNKNOWN_MODEL


@pytest.mark.integration
def test_the_threshold_in_use_is_about_the_best() -> None:
    embedder = MiniLMEmbedder()
    same, other = cosines(SAME, embedder), cosines(OTHER, embedder)
    _, best = calibrate(same, other)
    assert balanced_accuracy(same, other, CALIBRATED[embedder.name]) >= best - 0.03
