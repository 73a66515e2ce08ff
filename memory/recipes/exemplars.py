"""Labelled goals, and fixed texts as vectors that are computed once."""

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
LANGUAGES = ("en", "fr", "de", "es", "it", "zh")
LABELS = ("bypass", "simple", "moderate", "complex")


@dataclass(frozen=True)
class Exemplar:
    """A goal and how much work it needs.

    Attributes:
        goal: as somebody would type it.
        label: one of LABELS, or "tool" for one that needs a look, in however many steps.
        language: of the goal.
    """

    goal: str
    label: str
    language: str


@cache
def load_exemplars() -> tuple[Exemplar, ...]:
    """The shipped exemplars of every language, then the questions about files of any size."""
    shipped = [
        Exemplar(goal, label, language)
        for language in LANGUAGES
        for label, goals in shipped_yaml("exemplars", f"{language}.yaml").items()
        for goal in goals
    ]
    tool = [Exemplar(goal, "tool", "en") for goal in shipped_yaml("exemplars", "tool.yaml")["tool"]]
    return tuple(shipped + tool)


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
