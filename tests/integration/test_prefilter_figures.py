"""The cosines in use cost what they were measured to cost, with the embedders themselves."""

import pytest

from configs.entailment import load_entailment
from evals.entropy.prefiltering import LOST, measured
from models.embeddings import Embedder, MiniLMEmbedder
from models.multilingual_embeddings import E5Embedder, missing_for_e5

pytestmark = pytest.mark.integration


def embedders() -> list[Embedder]:
    """Those that run here."""
    return [MiniLMEmbedder(), *([E5Embedder()] if missing_for_e5() is None else [])]


def test_no_cosine_in_use_loses_more_than_a_hundredth() -> None:
    for embedder in embedders():
        found = measured(embedder)
        assert load_entailment().unlike[embedder.name] <= found["tuned"].unlike
        for half in ("tuned, in use", "held back, in use"):
            assert found[half].same > 100 and found[half].lost <= LOST * found[half].same
            assert found[half].saved > 0
