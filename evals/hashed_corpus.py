"""A large corpus with its index in a fraction of the time: vectors are made by hashing words.

They carry the name and dimension of the embedding model, so that runs search the index with the model itself.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from configs.settings import Settings
from evals.memory_events import made_up_events
from memory.corpus import HybridExperience
from models.embeddings import MiniLMEmbedder


class HashedWords:
    """Vectors of the shape of the embedding model's, made from words at once."""

    def __init__(self, name: str, dimension: int) -> None:
        self.name = name
        self.dimension = dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of unit length, shape (len(texts), dimension)."""
        vectors = np.full((len(texts), self.dimension), 1e-6, np.float32)
        for row, text in enumerate(texts):
            for word in re.findall(r"\w+", text.lower()):
                vectors[row, zlib.crc32(word.encode()) % self.dimension] += 1
        return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


def fill_corpus(root: Path, events: int) -> None:
    """Give a project a corpus of made-up events, and its index."""
    settings = Settings().experience
    embedder = HashedWords(MiniLMEmbedder.name, MiniLMEmbedder.dimension)
    corpus = HybridExperience(settings, root, lambda: embedder)
    corpus.project.path.parent.mkdir(parents=True, exist_ok=True)
    with corpus.project.path.open("w", encoding="utf-8") as stream:
        stream.writelines(f"{event.model_dump_json()}\n" for event in made_up_events(events))
    corpus.reindex()
