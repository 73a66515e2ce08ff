"""How alike two texts must be to count as the same question, by embedding model."""

from __future__ import annotations

UNKNOWN_MODEL = 0.7
"""The threshold of the documents this project grew from, for models nobody measured."""

CALIBRATED = {"minilm-l6-v2-int8": 0.62}
"""Smallest cosine of a hit, by name of the embedding model."""


def similarity_threshold(embedder: str, setting: float | None) -> float:
    """The smallest cosine of a hit: what was set, else what was measured for the model."""
    return CALIBRATED.get(embedder, UNKNOWN_MODEL) if setting is None else setting
