"""How much work a goal needs, by the vote of labelled exemplars: the first stage of classification.

Every exemplar votes with a weight that falls with its distance from the goal, as in kernel ridge regression:
the weights solve the vote for the exemplars themselves. On `evals/questions/complexity_tuned.tsv` a plain
vote of the nearest 5 to 15 was right about BYPASS in 0.89 to 0.93 of cases, this one in 0.97.
Distance is taken between embeddings, and between what the goals' words say (`memory.recipes.signals`).
"""

from __future__ import annotations

import hashlib
import json
import logging
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from threading import Lock
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from memory.recipes.exemplars import LABELS, Exemplar, embed_cached, load_exemplars
from memory.recipes.shipped import shipped_yaml
from memory.recipes.signals import MOST_CHARACTERS, NOT_COUNTED, ends, fold, signals
from models.embeddings import Embedder

log = logging.getLogger(__name__)
Matrix = NDArray[np.float32]
# Tuned on evals/questions/complexity_tuned.tsv; neighbouring values differ by a case or two.
WIDTH = 0.5
SIGNAL_WEIGHT = 0.05
RIDGE = 0.3
# Turns the vote for BYPASS (-1 to 1) into a score: at a vote of 0.2, which one tool goal in a hundred
# exceeds under five-fold cross-validation, the score is 0.9.
BYPASS_SCALE = 0.2 / float(np.log(9))
SIZE_SCALE = 0.3
TOOL_LABELS = LABELS[1:]


@dataclass(frozen=True)
class Vote:
    """What the exemplars say.

    Attributes:
        bypass: how sure they are that no tool is needed, 0 to 1.
        size: the label if a tool is needed: simple, moderate or complex.
        share: the part of the vote between those three that `size` has, 0 to 1.
    """

    bypass: float
    size: str
    share: float


@dataclass(frozen=True)
class Electorate:
    """Exemplars ready to vote.

    Attributes:
        vectors: unit length around the centre, shape (n, dimension).
        centre: mean of the vectors before, shape (dimension,).
        marks: signals around their mean, shape (n, signals).
        middle: mean of the signals, shape (signals,).
        weights: for BYPASS and for each of TOOL_LABELS, shape (n, 4).
    """

    vectors: Matrix
    centre: Matrix
    marks: Matrix
    middle: Matrix
    weights: Matrix

    def votes(self, vectors: Matrix, marks: Matrix) -> Matrix:
        """Votes of goals for BYPASS and TOOL_LABELS, about -1 to 1; shape (goals, 4)."""
        likeness = kernel(unit(vectors - self.centre), self.vectors, marks - self.middle, self.marks)
        return np.asarray(likeness @ self.weights, np.float32)


def kernel(left: Matrix, right: Matrix, left_marks: Matrix, right_marks: Matrix) -> Matrix:
    """Likeness of every left goal and every right one; the constant lets a vote lean without likeness."""
    near = np.exp((left @ right.T - 1) / WIDTH)
    return np.asarray(near + SIGNAL_WEIGHT * (left_marks @ right_marks.T) + 1, np.float32)


def unit(vectors: Matrix) -> Matrix:
    """Every row at length 1; a row of zeros stays one."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-9), np.float32)


def enrol(labels: Sequence[str], vectors: Matrix, marks: Matrix) -> Electorate:
    """Solve for the weights of exemplars.

    Args:
        labels: of LABELS, or "tool".
        vectors: their embeddings, shape (n, dimension).
        marks: their signals, shape (n, signals).
    """
    centre, middle = vectors.mean(axis=0), marks.mean(axis=0)
    near, spread = unit(vectors - centre), np.asarray(marks - middle, np.float32)
    likeness = kernel(near, near, spread, spread).astype(np.float64)
    weights = np.zeros((len(labels), len(LABELS)))
    known = np.array(labels)
    weights[:, 0] = solve(likeness, (known == "bypass").astype(int), 2)[:, 1]
    sized = np.flatnonzero(np.isin(known, TOOL_LABELS))
    sizes = np.array([TOOL_LABELS.index(known[index]) for index in sized])
    weights[sized, 1:] = solve(likeness[np.ix_(sized, sized)], sizes, len(TOOL_LABELS))
    return Electorate(near, centre, spread, middle, np.asarray(weights, np.float32))


def solve(likeness: NDArray[np.float64], classes: NDArray[Any], count: int) -> NDArray[np.float64]:
    """Weights for each class, however many exemplars it has; shape (n, count).

    Args:
        likeness: of every exemplar and every other, shape (n, n).
        classes: of each exemplar, 0 to count - 1; none of them without exemplars.
        count: how many classes there are.
    """
    sizes = np.bincount(classes, minlength=count)
    importance = len(classes) / (count * sizes[classes])
    wanted = np.eye(count)[classes] * 2 - 1
    return np.asarray(np.linalg.solve(likeness + RIDGE * np.diag(1 / importance), wanted))


def prepared(goal: str) -> str:
    """The text that is embedded for a goal: folded, and of a long one both ends."""
    return ends(fold(goal))


def digest(exemplars: Sequence[Exemplar], embedder: str) -> str:
    """Identity of everything the weights are computed from."""
    said = [(exemplar.goal, exemplar.label) for exemplar in exemplars]
    constants = (WIDTH, SIGNAL_WEIGHT, RIDGE, MOST_CHARACTERS)
    words = {
        name: by for name, by in shipped_yaml("exemplars", "signals.yaml").items() if name not in NOT_COUNTED
    }
    material = [embedder, constants, said, words]
    return hashlib.sha256(json.dumps(material, ensure_ascii=False).encode()).hexdigest()[:24]


def shipped_file(embedder: str) -> Any:
    """Where the package keeps the electorate of an embedder, if it does."""
    return files("configs").joinpath("exemplars", f"{embedder}.npz")


def save(electorate: Electorate, path: Path, identity: str) -> None:
    """Write an electorate; vectors and marks lie between -1 and 1.3 and are kept in 8 and 16 bits."""
    np.savez_compressed(
        path,
        identity=np.array(identity),
        vectors=np.round(electorate.vectors * 127).astype(np.int8),
        centre=electorate.centre.astype(np.float32),
        marks=electorate.marks.astype(np.float16),
        middle=electorate.middle.astype(np.float32),
        weights=electorate.weights.astype(np.float32),
    )


def load(source: Any, identity: str) -> Electorate | None:
    """The electorate in a file, or None where there is none or it was computed from something else."""
    try:
        with source.open("rb") as file, np.load(file, allow_pickle=False) as kept:
            if str(kept["identity"]) != identity:
                return None
            vectors = unit(kept["vectors"].astype(np.float32))
            marks = kept["marks"].astype(np.float32)
            return Electorate(vectors, kept["centre"], marks, kept["middle"], kept["weights"])
    except (OSError, ValueError, EOFError, KeyError, BadZipFile, zlib.error) as error:
        log.debug("no exemplars at %s: %s", source, error)
        return None


def assemble(exemplars: Sequence[Exemplar], embedder: Embedder) -> Electorate:
    """Exemplars embedded and solved: 30 s the first time; vectors are kept, each language's by itself."""
    groups = [
        [prepared(exemplar.goal) for exemplar in group]
        for _, group in groupby(exemplars, key=lambda exemplar: (exemplar.language, exemplar.label == "tool"))
    ]
    vectors = np.concatenate([embed_cached(group, embedder) for group in groups])
    marks = np.array([signals(exemplar.goal) for exemplar in exemplars])
    return enrol([exemplar.label for exemplar in exemplars], vectors, marks)


_READY: dict[str, Electorate] = {}
_READYING = Lock()


def electorate_of(embedder: Embedder) -> Electorate:
    """The electorate of an embedder, read or computed once per process."""
    with _READYING:
        if embedder.name not in _READY:
            exemplars = load_exemplars()
            shipped = load(shipped_file(embedder.name), digest(exemplars, embedder.name))
            _READY[embedder.name] = shipped or assemble(exemplars, embedder)
        return _READY[embedder.name]


def vote(goals: Sequence[str], embedder: Embedder) -> list[Vote]:
    """What the exemplars say about each goal."""
    if not goals:
        return []
    vectors = embedder.embed([prepared(goal) for goal in goals])
    marks = np.array([signals(goal) for goal in goals])
    return [_read(row) for row in electorate_of(embedder).votes(vectors, marks)]


def _read(row: Matrix) -> Vote:
    sizes = np.exp((row[1:] - row[1:].max()) / SIZE_SCALE)
    best = int(sizes.argmax())
    bypass = 1 / (1 + float(np.exp(-np.clip(row[0] / BYPASS_SCALE, -50, 50))))
    return Vote(round(bypass, 3), TOOL_LABELS[best], round(float(sizes[best] / sizes.sum()), 3))
