"""An embedder that remembers the vectors of short texts: a run embeds its goal in half a dozen places."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from models.embeddings import Embedder

MOST_TEXTS = 512
# Longer ones come once; keeping them would keep whole files in memory.
LONGEST = 4_000


class RememberedVectors:
    """Another embedder's vectors, those of recent texts without asking it.

    Args:
        embedder: any; its name and dimension are this one's.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """Identity of the model."""
        return self._embedder.name

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._embedder.dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of unit length, shape (len(texts), dimension).

        Raises:
            ModelError: as the embedder.
        """
        with self._lock:
            found = {text: self._known[text] for text in texts if text in self._known}
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        if missing:
            found |= dict(zip(missing, self._embedder.embed(missing), strict=True))
            self._keep({text: found[text] for text in missing if len(text) <= LONGEST})
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        return np.stack([found[text] for text in texts])

    def _keep(self, vectors: dict[str, NDArray[np.float32]]) -> None:
        with self._lock:
            for text, vector in list(vectors.items())[-MOST_TEXTS:]:
                # A copy: a row would keep its whole batch alive.
                self._known[text] = vector.copy()
            while len(self._known) > MOST_TEXTS:
                self._known.popitem(last=False)
