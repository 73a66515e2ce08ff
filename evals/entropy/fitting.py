"""Fits the weights of shared words: `python -m evals.entropy.fitting` prints them.

Logistic regression with a ridge penalty (le Cessie and van Houwelingen, 1992) on the pairs of tuned sets that
the rules cannot tell; `reading.likeness.WEIGHTS` holds the result, rounded.
"""

from __future__ import annotations

import json

import numpy as np

from evals.entropy.sample_set import SampleSet, sample_sets
from nodes.contractive.answers import short_answer
from nodes.contractive.clusters import compared, pair
from nodes.contractive.reading.asked import asked
from nodes.contractive.reading.likeness import beyond
from nodes.contractive.reading.wording import shared

RIDGE = 0.1
STEPS = 50
Features = tuple[float, float]


def undecided(one: SampleSet) -> list[tuple[Features, bool]]:
    """Overlap and Jaccard of every two answers the rules cannot tell, and whether they agree."""
    want = asked(one.question)
    answers = [short_answer(text, one.question) for text in one.texts]
    verdicts = compared(one.question, answers)
    found = {}
    for (i, j), same in one.together.items():
        two = pair(answers[i], answers[j])
        if two in verdicts and verdicts[two].reason == "code cannot tell":
            found[two] = (shared(beyond(two[0].text, want), beyond(two[1].text, want)), same)
    return list(found.values())


def fitted(pairs: list[tuple[Features, bool]]) -> tuple[float, float, float]:
    """Weights of a constant, the overlap and Jaccard, by Newton's method; the constant is not penalised."""
    features = np.array([(1.0, *feature) for feature, _ in pairs])
    same = np.array([float(told) for _, told in pairs])
    penalty = np.diag([0.0, RIDGE, RIDGE])
    weights = np.zeros(3)
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-features @ weights))
        slope = features.T @ (same - likely) - penalty @ weights
        curvature = (features.T * (likely * (1 - likely))) @ features + penalty
        weights += np.linalg.solve(curvature, slope)
    return float(weights[0]), float(weights[1]), float(weights[2])


def tuned_pairs() -> list[tuple[Features, bool]]:
    """The pairs of all sets that are not held back."""
    return [two for one in sample_sets().values() if not one.held for two in undecided(one)]


if __name__ == "__main__":
    pairs = tuned_pairs()
    print(json.dumps({"pairs": len(pairs), "weights": [round(weight, 2) for weight in fitted(pairs)]}))
