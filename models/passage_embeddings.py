"""Passages and the questions they answer into vectors that can be compared."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Literal, Protocol

from models.embeddings import Embedder, MiniLMEmbedder, Vectors
from models.multilingual_embeddings import E5Embedder

PassageModel = Literal["e5", "minilm"]


class PassageEmbedder(Protocol):
    """Turns texts into vectors of unit length.

    Attributes:
        name: identity of the model; vectors of different names are never compared.
        languages: those it knows, as in BCP 47; empty when it knows about a hundred.
    """

    name: str
    languages: frozenset[str]

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions, shape (len(texts), dimension)."""
        ...

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of what may answer them, shape (len(texts), dimension)."""
        ...


class E5Passages:
    """multilingual-e5-small, which tells questions from passages by a prefix of its own.

    Raises:
        ModelUnavailable: it cannot run here.
    """

    languages: frozenset[str] = frozenset()

    def __init__(self) -> None:
        self._model = E5Embedder()
        self.name = f"{self._model.name}-passages"

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions, shape (len(texts), 384)."""
        return self._model.embed(texts)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages, shape (len(texts), 384)."""
        return self._model.embed_passages(texts)


class SymmetricPassages:
    """An embedding model that makes no difference between questions and passages.

    Args:
        embedder: the model.
        languages: those it knows.
    """

    def __init__(self, embedder: Embedder, languages: frozenset[str] = frozenset()) -> None:
        self._embedder = embedder
        self.name = embedder.name
        self.languages = languages

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions, shape (len(texts), dimension)."""
        return self._embedder.embed(texts)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages, shape (len(texts), dimension)."""
        return self._embedder.embed(texts)


@cache
def open_passage_embedder(name: PassageModel) -> PassageEmbedder:
    """One of the models that travel inside packages, opened once per process.

    Raises:
        ModelUnavailable: it is not installed, or cannot run here.
    """
    return E5Passages() if name == "e5" else SymmetricPassages(MiniLMEmbedder(), frozenset({"en"}))
