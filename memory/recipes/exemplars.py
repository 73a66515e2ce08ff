"""Labelled goals and the k nearest of them: the first stage of classification."""

from __future__ import annotations

import hashlib
import logging
import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memory.recipes.recipe import Recipe, load_recipes
from memory.recipes.shipped import shipped_yaml
from models.embeddings import Embedder

log = logging.getLogger(__name__)
NEIGHBOURS = 7
# Similarities enter the vote as exp(s / TEMPERATURE), so near neighbours outvote many far ones.
TEMPERATURE = 0.08
# Below this cosine the nearest exemplar says nothing: unrelated English questions score up to about 0.3.
FLOOR = 0.35


@dataclass(frozen=True)
class Vote:
    """What the neighbours say.

    Attributes:
        label: the winning label.
        share: its part of the vote, 0 to 1.
        nearest: cosine of the nearest exemplar, -1 to 1.
    """

    label: str
    share: float
    nearest: float


@cache
def load_exemplars() -> tuple[tuple[str, str], ...]:
    """(goal, label) pairs: the shipped exemplars and every phrasing of every recipe."""
    data = shipped_yaml("exemplars", "complexity.yaml")
    pairs = [(goal, label) for label, goals in data.items() for goal in goals]
    pairs += [(says, recipe.complexity) for recipe in load_recipes() for says in recipe.says]
    return tuple(pairs)


def cache_directory() -> Path:
    """Where vectors that can be computed again are kept: `$XDG_CACHE_HOME` or `~/.cache`."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "reflective-graph"


def embed_cached(
    texts: Sequence[str], embedder: Embedder, directory: Path | None = None
) -> NDArray[np.float32]:
    """Vectors of fixed texts, computed once per embedder; shape (n, dimension), unit length.

    A cache that cannot be read or written costs time, never the answer.
    """
    key = hashlib.sha256("\0".join([embedder.name, *texts]).encode()).hexdigest()[:24]
    path = (directory or cache_directory()) / f"exemplars-{key}.npy"
    try:
        vectors: NDArray[np.float32] = np.load(path)
        if vectors.shape == (len(texts), embedder.dimension):
            return vectors
    except (OSError, ValueError, EOFError) as error:
        log.debug("no vectors at %s: %s", path, error)
    vectors = embedder.embed(list(texts))
    try:
        _write(path, vectors)
    except OSError as error:
        log.debug("vectors not kept at %s: %s", path, error)
    return vectors


def _write(path: Path, vectors: NDArray[np.float32]) -> None:
    """Write beside and rename, so that another process never reads half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".npy", delete=False) as file:
        try:
            np.save(file, vectors)
            file.flush()
            os.replace(file.name, path)
        except OSError:
            os.unlink(file.name)
            raise


def resemblance(embedder: Embedder) -> Callable[[str, Recipe], float]:
    """A function that gives the cosine of a goal and the nearest phrasing of a recipe."""
    pairs = [(recipe.id, says) for recipe in load_recipes() for says in recipe.says]
    matrix = embed_cached([says for _, says in pairs], embedder)

    @cache
    def cosines(goal: str) -> dict[str, float]:
        best: dict[str, float] = {}
        for (name, _), cosine in zip(pairs, matrix @ embedder.embed([goal])[0], strict=True):
            best[name] = max(best.get(name, -1.0), float(cosine))
        return best

    return lambda goal, recipe: cosines(goal)[recipe.id]


def vote(goal: str, embedder: Embedder) -> Vote:
    """Label of a goal by its nearest exemplars.

    Args:
        goal: the goal as typed.
        embedder: gives unit vectors, so a dot product is the cosine.
    """
    pairs = load_exemplars()
    matrix = embed_cached([text for text, _ in pairs], embedder)
    similarities = matrix @ embedder.embed([goal])[0]
    nearest = np.argsort(-similarities)[:NEIGHBOURS]
    weights: dict[str, float] = {}
    for index in nearest:
        label = pairs[index][1]
        weights[label] = weights.get(label, 0.0) + float(np.exp(similarities[index] / TEMPERATURE))
    label = max(weights, key=lambda name: weights[name])
    return Vote(label, weights[label] / sum(weights.values()), float(similarities[nearest[0]]))
