"""How alike two texts must be to count as the same question, by embedding model."""

from __future__ import annotations

UNKNOWN_MODEL = 0.7
"""The threshold of the documents this project grew from, for models nobody measured."""

CALIBRATED = {"minilm-l6-v2-int8": 0.45}
"""Smallest cosine of a hit, by name of the embedding model.

Measured with `python -m evals.similarity` on 24 pairs that are the same question and 24 that are another:
balanced accuracy is best from 0.43 to 0.45 (0.79), where 18 of the same and 5 of the others are found;
0.7 finds 4 of the same.
"""


def similarity_threshold(embedder: str, setting: float | None) -> float:
    """The smallest cosine of a hit: what was set, else what was measured for the model."""
    return CALIBRATED.get(embedder, UNKNOWN_MODEL) if setting is None else setting
