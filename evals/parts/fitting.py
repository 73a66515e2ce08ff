"""Fits the weights of `configs/relevance.yaml`: `python -m evals.parts.fitting` prints them as YAML.

Logistic regression with a ridge penalty (le Cessie and van Houwelingen, 1992) on the questions that are not
held back. Parts that drift are in neither class: they are about the subject, and that is all the gate reads.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import astuple, fields
from datetime import UTC, datetime
from typing import Any

import numpy as np
import yaml
from numpy.typing import NDArray

from configs.relevance import WORDS
from evals.parts.labelled import LabelledQuestion, labelled_questions
from models.embeddings import Embedder, MiniLMEmbedder
from models.multilingual_embeddings import E5Embedder
from nodes.contractive.differences import different
from nodes.contractive.meanings import Meanings, meanings_of
from nodes.contractive.relevance import nearnesses, overlap
from nodes.contractive.repeats import Compared, compared, forms_compared

RIDGE = 0.05
STEPS = 60
ON_TOPIC = 3.0
"""Parts on topic for each that is not, among those that models propose."""
MISSED, REFUSED = 0.05, 0.03
"""Shares of repeats that pass and of other questions that are refused, which weigh alike."""
REFUSED_BY_WORDS = 0.01
"""The same without an embedding model: words alone know less, so they refuse less."""
SAME_SIGNS = (1, 1, 0, -1, -1, -1, 1)
"""Of near, shared, frame, edited, added, dropped, wanted: no word more makes two questions more alike."""
Rows = NDArray[np.float64]


def fitted(features: Rows, labels: Rows, weights: Rows, signs: Sequence[int] = ()) -> list[float]:
    """Weights of a constant and the features, by Newton's method; the constant is not penalised.

    Args:
        features: shape (cases, features).
        labels: 0 or 1 each.
        weights: of the cases.
        signs: 1 for a weight that may not be negative, -1 for one that may not be positive, 0 for any; one of
            the wrong sign is put to 0 and the others are fitted anew. Empty: any.
    """
    used = list(range(features.shape[1]))
    while True:
        rows = np.column_stack([np.ones(len(features)), features[:, used]])
        penalty = np.diag([0.0] + [RIDGE] * len(used))
        found = np.zeros(len(used) + 1)
        for _ in range(STEPS):
            likely = 1 / (1 + np.exp(-rows @ found))
            slope = rows.T @ (weights * (labels - likely)) - penalty @ found
            curvature = (rows.T * (weights * likely * (1 - likely))) @ rows + penalty
            found += np.linalg.solve(curvature, slope)
        below = [at for at, value in zip(used, found[1:], strict=True) if signs and signs[at] * value < 0]
        if not below:
            told = dict(zip(used, found[1:], strict=True))
            return [float(found[0]), *(float(told.get(at, 0.0)) for at in range(features.shape[1]))]
        used = [at for at in used if at not in below]


def threshold(
    likely: Rows, same: NDArray[np.bool_], repeats: int, others: int, refused_as: float = REFUSED
) -> float:
    """The probability from which a question counts as asked before.

    Args:
        likely: of each pair code does not tell apart.
        same: whether it is a repeat.
        repeats: all labelled ones, those code tells apart among them.
        others: all labelled pairs that are none.
        refused_as: the share of those that weighs as much as `MISSED` of the repeats.
    """
    cuts = np.linspace(0.05, 0.95, 91)
    missed = np.array([np.sum(likely[same] < cut) for cut in cuts]) / repeats
    refused = np.array([np.sum(likely[~same] >= cut) for cut in cuts]) / others
    best = missed / MISSED + refused / refused_as
    # The middle of all cuts that are as good.
    return float(np.mean(cuts[best <= best.min() + 1e-9]))


def tuned() -> list[LabelledQuestion]:
    """The questions that are not held back."""
    return [one for one in labelled_questions().values() if not one.held]


def topic_rows(meanings: Meanings | None) -> tuple[Rows, Rows]:
    """Near, far and overlap of every labelled part, and whether it is on topic."""
    rows, labels = [], []
    for one in tuned():
        for part, kind in one.topics():
            near = nearnesses(one.top, one.question, part, meanings)
            if kind == "drift" or (meanings is not None and near is None):
                continue
            shares = max(overlap(part, one.top), overlap(part, one.question))
            rows.append((max(near), min(near), shares) if near else (0.0, 0.0, shares))
            labels.append(kind.endswith("part"))
    return np.array(rows), np.array(labels, float)


def same_rows(meanings: Meanings | None) -> tuple[Rows, Rows]:
    """What is weighed of every pair code does not tell apart, and whether the two are one question."""
    rows, labels = [], []
    for one in tuned():
        for text, kind in one.pairs():
            told = [
                astuple(compared(text, form, meanings))
                for form in forms_compared(text, one.question)
                if not different(text, one.question, form)
                and (meanings is None or meanings.measured_for(text, form))
            ]
            # Of a question and its last sentence, the one that is more like it is the one that counts.
            if told:
                rows.append(max(told, key=lambda row: row[0] + row[1] + row[2]))
                labels.append(kind == "same")
    return np.array(rows), np.array(labels, float)


def of_embedder(embedder: Embedder | None, languages: Sequence[str] = ()) -> dict[str, Any]:
    """The entries of one embedding model, or of none."""
    texts = [text for one in tuned() for text in one.texts()]
    meanings = meanings_of(texts, embedder) if embedder else None
    features, labels = topic_rows(meanings)
    shares = np.where(labels == 1, ON_TOPIC * np.sum(labels == 0) / np.sum(labels == 1), 1.0)
    topic = fitted(features, labels, shares / shares.mean(), (1, 1, 1))
    names = ["constant", "near", "far", "overlap"]
    found: dict[str, object] = {name: round(value, 2) for name, value in zip(names, topic, strict=True)}
    if languages:
        found["languages"] = list(languages)
    features, labels = same_rows(meanings)
    same = fitted(features, labels, np.ones(len(labels)), SAME_SIGNS)
    names = ["constant", *(field.name for field in fields(Compared))]
    likely = 1 / (1 + np.exp(-(same[0] + features @ np.array(same[1:]))))
    every = [kind for one in tuned() for _, kind in one.pairs()]
    repeats = sum(kind == "same" for kind in every)
    refused_as = REFUSED if embedder else REFUSED_BY_WORDS
    least = threshold(likely, labels == 1, repeats, len(every) - repeats, refused_as)
    return {
        "topic": found,
        "same": {name: round(value, 2) for name, value in zip(names, same, strict=True)},
        "same_from": round(least, 2),
    }


def main() -> int:
    """Print the weights."""
    entries = {
        E5Embedder.name: of_embedder(E5Embedder()),
        MiniLMEmbedder.name: of_embedder(MiniLMEmbedder(), ["en"]),
        WORDS: of_embedder(None),
    }
    source = (
        f"{len(tuned())} labelled questions of evals/parts, those not held back; "
        f"python -m evals.parts.fitting, {datetime.now(UTC):%Y-%m-%d}"
    )
    table: dict[str, Any] = {"source": source}
    for key in ("topic", "same", "same_from"):
        table[key] = {name: entry[key] for name, entry in entries.items()}
    yaml.safe_dump(table, sys.stdout, sort_keys=False, allow_unicode=True, width=110)
    return 0


if __name__ == "__main__":
    sys.exit(main())
