"""Which specialists a goal resembles the exemplars of, and which topic: the first stage of routing.

Exemplars vote with weights that solve the vote for the exemplars themselves (kernel ridge regression, as in
`memory.recipes.ballot`); each specialist is voted for by itself, so a goal may have several, or none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from memory.recipes.ballot import prepared
from memory.recipes.exemplars import embed_cached
from memory.recipes.shipped import shipped_yaml
from models.embeddings import Embedder
from nodes.specialists.topics import SPECIALISTS, SpecialistName

Matrix = NDArray[np.float32]
# Tuned on evals/specialists/tuned.tsv; neighbouring values differ by a goal or two.
WIDTH = 0.8
RIDGE = 0.2
WORD_WEIGHT = 0.35
"""What one specialist's words in a goal count beside likeness."""
LIKE_ENOUGH = 0.58
"""Cosine around the exemplars' centre from which on a goal asks for the topic of its nearest exemplar."""


@dataclass(frozen=True)
class Exemplar:
    """A goal somebody might type.

    Attributes:
        goal: the text.
        specialists: who answers it; nobody for what no audit tells.
        topic: id of what it asks, or empty.
    """

    goal: str
    specialists: tuple[SpecialistName, ...]
    topic: str


@cache
def load_exemplars() -> tuple[Exemplar, ...]:
    """The shipped exemplars: by specialists, then by topic."""
    found = []
    for group, topics in shipped_yaml("specialists", "exemplars.yaml").items():
        names = tuple(name for name in SPECIALISTS if name in group.split("+") or group == "all")
        found += [Exemplar(goal, names, topic) for topic, goals in topics.items() for goal in goals]
    return tuple(found)


@dataclass(frozen=True)
class _Electorate:
    """Exemplars ready to vote: unit vectors around their centre, marks, and weights for each specialist."""

    vectors: Matrix
    centre: Matrix
    marks: Matrix
    weights: Matrix

    def kernel(self, vectors: Matrix, marks: Matrix) -> Matrix:
        near = np.exp((_unit(vectors - self.centre) @ self.vectors.T - 1) / WIDTH)
        return np.asarray(near + WORD_WEIGHT * (marks @ self.marks.T) + 1, np.float32)


def _unit(vectors: Matrix) -> Matrix:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-9), np.float32)


_READY: dict[str, _Electorate] = {}
_READYING = Lock()


def votes(
    goal: str, marks: Sequence[float], marks_of: Sequence[Sequence[float]], embedder: Embedder
) -> dict[SpecialistName, float]:
    """How much the exemplars speak for each specialist, about -1 to 1.

    Args:
        goal: as written.
        marks: 1 for each specialist whose words the goal holds, else 0.
        marks_of: the same for every exemplar.
        embedder: what goals are compared by.
    """
    electorate = _electorate(embedder, marks_of)
    vector = embedder.embed([prepared(goal)])
    row = electorate.kernel(vector, np.array([marks], np.float32)) @ electorate.weights
    return {name: round(float(value), 3) for name, value in zip(SPECIALISTS, row[0], strict=True)}


def nearest_topic(goal: str, specialist: SpecialistName, embedder: Embedder) -> tuple[str, str] | None:
    """Topic and text of the exemplar of a specialist a goal is most like; None if it is like none."""
    exemplars = load_exemplars()
    vectors = _vectors(embedder)
    centre = vectors.mean(axis=0)
    cosines = _unit(vectors - centre) @ _unit(embedder.embed([prepared(goal)]) - centre)[0]
    mine = [at for at, one in enumerate(exemplars) if one.specialists == (specialist,) and one.topic != "-"]
    best = max(mine, key=lambda at: float(cosines[at]))
    return (exemplars[best].topic, exemplars[best].goal) if float(cosines[best]) >= LIKE_ENOUGH else None


def _vectors(embedder: Embedder) -> Matrix:
    return embed_cached([prepared(one.goal) for one in load_exemplars()], embedder)


def _electorate(embedder: Embedder, marks_of: Sequence[Sequence[float]]) -> _Electorate:
    with _READYING:
        if embedder.name not in _READY:
            _READY[embedder.name] = _enrolled(_vectors(embedder), np.array(marks_of, np.float32))
        return _READY[embedder.name]


def _enrolled(vectors: Matrix, marks: Matrix) -> _Electorate:
    """Solve for the weights; rare and common answers of each specialist count alike."""
    centre = vectors.mean(axis=0)
    before = _Electorate(_unit(vectors - centre), centre, marks, np.zeros((0, 0), np.float32))
    likeness = before.kernel(vectors, marks).astype(np.float64)
    weights = np.zeros((len(vectors), len(SPECIALISTS)))
    for at, name in enumerate(SPECIALISTS):
        wanted = np.array([1.0 if name in one.specialists else -1.0 for one in load_exemplars()])
        share = np.where(wanted > 0, (wanted > 0).sum(), (wanted < 0).sum()) / len(wanted)
        weights[:, at] = np.linalg.solve(likeness + RIDGE * np.diag(2 * share), wanted)
    return _Electorate(before.vectors, centre, marks, np.asarray(weights, np.float32))
