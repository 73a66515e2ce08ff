"""How uncertain a model is of its answer, from several samples of it. Pure.

Discrete semantic entropy (Kuhn, Gal and Farquhar, "Semantic Uncertainty", ICLR 2023; Farquhar, Kossen, Kuhn
and Gal, Nature 630, 2024): samples are put into clusters C of one meaning, and

    H = - sum over C of p(C) ln p(C),   p(C) = samples in C / N.

It is divided by ln N, what it is when all N samples differ, so it lies in 0 to 1. Refusals are one cluster
and empty samples another; nothing but the clusters counts, the length of the question least of all.

When to stop sampling: Adaptive-Consistency (Aggarwal, Madaan, Yang and Mausam, EMNLP 2023), the Beta
posterior that the majority beats the runner-up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, log

from nodes.contractive.answers import AnswerKind
from nodes.contractive.clusters import Cluster

LEAST = 3
MOST = 10
THRESHOLD = 0.95
"""Of Adaptive-Consistency, as its authors set it."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a number of samples say of a model's certainty.

    Attributes:
        entropy: 0 (all the same) to 1 (all different).
        samples: how many.
        clusters: the largest first.
        kind: of the largest cluster; a refusal or nothing is no answer, however certain.
        answer: of the largest cluster of answers, "" if there is none.
        support: share of all samples that give this answer, 0 to 1.
        stable: posterior probability that the largest cluster stays the largest.
    """

    entropy: float
    samples: int
    clusters: tuple[Cluster, ...]
    kind: AnswerKind
    answer: str
    support: float
    stable: float


def entropy(sizes: Sequence[int]) -> float:
    """Normalised entropy of a partition, 0 to 1.

    Args:
        sizes: samples in each cluster, at least one each; a single sample tells nothing and gives 0.

    Raises:
        ValueError: a cluster has no samples, or there is none.
    """
    if not sizes or min(sizes) < 1:
        raise ValueError("A partition has clusters, and each of them samples.")
    total = sum(sizes)
    if total == 1 or len(sizes) == 1:
        return 0.0
    if max(sizes) == 1:
        return 1.0
    # Summed in the order of size, so that the same partition gives the same figure to the last bit.
    shares = [size / total for size in sorted(sizes)]
    return min(1.0, max(0.0, -sum(share * log(share) for share in shares) / log(total)))


def stability(sizes: Sequence[int]) -> float:
    """Probability that the largest cluster is more likely than the second, 0.5 to 1 for n samples.

    P(p > 1/2) for p ~ Beta(first + 1, second + 1), a uniform prior and the two largest counts (Aggarwal et
    al. 2023, equation 2). For whole numbers it is a sum of binomial terms.
    """
    counts = sorted(sizes, reverse=True)
    first = counts[0] if counts else 0
    second = counts[1] if len(counts) > 1 else 0
    trials = first + second + 1
    return sum(comb(trials, hits) for hits in range(first + 1)) / (1 << trials)


def enough(
    sizes: Sequence[int], threshold: float = THRESHOLD, *, least: int = LEAST, most: int = MOST
) -> bool:
    """True if no more samples are needed: the majority is sure enough, or there are as many as may be.

    Args:
        sizes: samples in each cluster so far.
        threshold: of `stability`, 0 to 1.
        least: samples below which it is never enough.
        most: samples from which on it always is.
    """
    total = sum(sizes)
    if total < least:
        return False
    return total >= most or stability(sizes) >= threshold


def hopeless(
    sizes: Sequence[int], most: int = MOST, threshold: float = THRESHOLD, *, least: int = LEAST
) -> bool:
    """True if sampling on would not make the majority sure, should the samples go on as they came.

    The counts are scaled to `most` samples, the majority's rounded up and the runner-up's down, so that no
    rounding would make sure what is called hopeless. Never true where `enough` is.

    Args:
        sizes: samples in each cluster so far.
        most: samples there may be.
        threshold: of `stability`, 0 to 1.
        least: samples below which their proportions tell nothing.
    """
    total = sum(sizes)
    if total < least or enough(sizes, threshold, least=least, most=most):
        return False
    first, second = sorted((*sizes, 0), reverse=True)[:2]
    return stability((-(-first * most // total), second * most // total)) < threshold


def estimate(clusters: Sequence[Cluster]) -> Estimate:
    """Sum up clusters, as `clusters.clusters` makes them.

    Raises:
        ValueError: there are none.
    """
    sizes = [len(one.members) for one in clusters]
    uncertain = entropy(sizes)
    ranked = sorted(clusters, key=lambda one: (-len(one.members), one.kind, one.answer))
    answered = next((one for one in ranked if one.kind in ("answer", "code")), None)
    total = sum(sizes)
    return Estimate(
        entropy=uncertain,
        samples=total,
        clusters=tuple(ranked),
        kind=ranked[0].kind,
        answer=answered.answer if answered else "",
        support=len(answered.members) / total if answered else 0.0,
        stable=stability(sizes),
    )
