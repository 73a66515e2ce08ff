"""Goals of every kind, and the vote they take on another goal: each engine's, then each kind's.

The vote is that of `memory.recipes.ballot`, with the same constants, which were tuned there; on
`evals/questions/routing_tuned.tsv` neighbouring values of them differ by a case or two.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import groupby
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory.recipes.ballot import (
    RIDGE,
    SIGNAL_WEIGHT,
    WIDTH,
    Electorate,
    Matrix,
    kernel,
    load,
    prepared,
    solve,
    unit,
)
from memory.recipes.exemplars import LANGUAGES, embed_cached
from memory.recipes.shipped import shipped_yaml
from memory.recipes.signals import MOST_CHARACTERS
from models.embeddings import Embedder
from nodes.collective.engines import ENGINES, Engine
from nodes.routing.cues import MOST_COUNTED, marks
from nodes.routing.kinds import ENGINE_OF, KINDS, Kind, kinds_of

# Turns votes, about -1 to 1, into shares that sum to 1: a lead of 0.3 makes one 2.7 times the other.
SCALE = 0.3


@dataclass(frozen=True)
class Exemplar:
    """A goal as somebody would type it, its kind and its language."""

    goal: str
    kind: Kind
    language: str


@dataclass(frozen=True)
class Votes:
    """What the exemplars say about a goal.

    Attributes:
        shares: of each engine, the largest first; they sum to 1.
        kinds: for each engine, the kind of its own that has most votes.
        nearest: for each engine, the exemplar of its own the goal resembles most.
    """

    shares: tuple[tuple[Engine, float], ...]
    kinds: dict[Engine, Kind]
    nearest: dict[Engine, str]


@cache
def load_exemplars() -> tuple[Exemplar, ...]:
    """The shipped exemplars, language by language."""
    return tuple(
        Exemplar(goal, kind, language)
        for language in LANGUAGES
        for kind, goals in shipped_yaml("routing", f"{language}.yaml").items()
        for goal in goals
    )


def digest(embedder: str) -> str:
    """Identity of everything the weights are computed from."""
    exemplars = [(one.goal, one.kind) for one in load_exemplars()]
    words = [shipped_yaml("routing", "cues.yaml"), shipped_yaml("exemplars", "signals.yaml")]
    constants = (WIDTH, SIGNAL_WEIGHT, RIDGE, MOST_CHARACTERS, MOST_COUNTED, ENGINES, KINDS)
    material = [embedder, constants, exemplars, words]
    return hashlib.sha256(json.dumps(material, ensure_ascii=False).encode()).hexdigest()[:24]


def shipped_file(embedder: str) -> Any:
    """Where the package keeps the electorate of an embedder, if it does."""
    return files("configs").joinpath("routing", f"{embedder}.npz")


def assemble(embedder: Embedder) -> Electorate:
    """Exemplars embedded and solved for all engines, then all kinds: some 10 s, if nothing is kept."""
    exemplars = load_exemplars()
    groups = [
        [prepared(one.goal) for one in group] for _, group in groupby(exemplars, key=lambda one: one.language)
    ]
    vectors = np.concatenate([embed_cached(group, embedder) for group in groups])
    noted = np.array([marks(one.goal) for one in exemplars])
    centre, middle = vectors.mean(axis=0), noted.mean(axis=0)
    near, spread = unit(vectors - centre), np.asarray(noted - middle, np.float32)
    likeness = kernel(near, near, spread, spread).astype(np.float64)
    engines = np.array([ENGINES.index(ENGINE_OF[one.kind]) for one in exemplars])
    kinds = np.array([KINDS.index(one.kind) for one in exemplars])
    weights = np.hstack([solve(likeness, engines, len(ENGINES)), solve(likeness, kinds, len(KINDS))])
    return Electorate(near, centre, spread, middle, np.asarray(weights, np.float32))


_READY: dict[str, Electorate] = {}
_READYING = Lock()


def electorate_of(embedder: Embedder) -> Electorate:
    """The electorate of an embedder, read or computed once per process."""
    with _READYING:
        if embedder.name not in _READY:
            shipped = load(shipped_file(embedder.name), digest(embedder.name))
            _READY[embedder.name] = shipped or assemble(embedder)
        return _READY[embedder.name]


def vote(goal: str, embedder: Embedder) -> Votes:
    """What the exemplars say about a goal.

    Raises:
        ModelError: the embedder cannot be used.
    """
    electorate = electorate_of(embedder)
    vectors = embedder.embed([prepared(goal)])
    row = electorate.votes(vectors, marks(goal)[None, :])[0]
    near = electorate.vectors @ unit(vectors - electorate.centre)[0]
    return read(row, near)


@cache
def _places() -> dict[Kind, NDArray[np.intp]]:
    """Where the exemplars of each kind stand."""
    kinds = np.array([one.kind for one in load_exemplars()])
    return {kind: np.flatnonzero(kinds == kind) for kind in KINDS}


def read(row: Matrix, near: Matrix) -> Votes:
    """Votes by name.

    Args:
        row: for each of ENGINES, then for each of KINDS.
        near: likeness of the goal and each exemplar.
    """
    engines = row[: len(ENGINES)]
    parts = np.exp((engines - engines.max()) / SCALE)
    shares = {name: round(float(part / parts.sum()), 4) for name, part in zip(ENGINES, parts, strict=True)}
    by_kind = dict(zip(KINDS, (float(value) for value in row[len(ENGINES) :]), strict=True))
    kinds: dict[Engine, Kind] = {}
    nearest: dict[Engine, str] = {}
    for engine in ENGINES:
        kinds[engine] = max(kinds_of(engine), key=lambda kind: by_kind[kind])
        places = _places()[kinds[engine]]
        nearest[engine] = load_exemplars()[int(places[near[places].argmax()])].goal
    return Votes(tuple(sorted(shares.items(), key=lambda item: -item[1])), kinds, nearest)
