"""Means with 95% percentile bootstrap intervals (Efron and Tibshirani, 1993, chapter 13), seeded."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence

import numpy as np

from evals.report.case import Metric

RESAMPLES = 2000
TAIL = 2.5
TARGET = re.compile(r"(?P<sign>[<>]=?|=)\s*(?P<number>-?\d+(?:\.\d+)?)\s*(?P<percent>%?)")
SIGNS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
}


def bootstrap_interval(
    values: Sequence[float], seed: int = 0, clusters: Sequence[str] | None = None
) -> tuple[float, float]:
    """The ends, low and high, of the 95% interval of a mean.

    Args:
        values: at least one; for a share, ones and zeros.
        seed: of the resampling; the same values in the same order give the same interval. Values that are all
            alike have one of no width, for the bootstrap knows no others.
        clusters: what each value is of. Repetitions of one case say little about other cases, so cases are
            resampled with all their repetitions (Davison and Hinkley, 1997, section 3.8).

    Raises:
        ValueError: there are no values, or another number of clusters.
    """
    if not len(values):
        raise ValueError("There is nothing to resample.")
    names = list(clusters) if clusters is not None else list(range(len(values)))
    if len(names) != len(values):
        raise ValueError("Each value is of one cluster.")
    place = {name: number for number, name in enumerate(dict.fromkeys(names))}
    of = np.array([place[name] for name in names])
    sums = np.zeros(len(place), dtype=np.float64)
    np.add.at(sums, of, np.asarray(values, dtype=np.float64))
    sizes = np.bincount(of)
    drawn = np.random.default_rng(seed).integers(0, len(sums), size=(RESAMPLES, len(sums)))
    means = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    low, high = np.percentile(means, [TAIL, 100 - TAIL])
    return float(low), float(high)


def meets(value: float, target: str) -> bool:
    """Whether a figure is what a target such as "> 80%", "= 0" or "< 6" asks for.

    Raises:
        ValueError: the target is written another way.
    """
    parts = TARGET.fullmatch(target.strip())
    if parts is None:
        raise ValueError(f"{target!r} is no target; write a sign and a number, as in '> 80%'.")
    bound = float(parts["number"]) / (100 if parts["percent"] else 1)
    return SIGNS[parts["sign"]](value, bound)


def average(
    name: str,
    values: Sequence[float],
    *,
    target: str | None = None,
    unit: str = "",
    seed: int = 0,
    clusters: Sequence[str] | None = None,
) -> Metric:
    """The mean of something counted, as a metric; `clusters` as in `bootstrap_interval`."""
    if not len(values):
        return Metric(name=name, value=None, target=target, unit=unit)
    mean = float(np.mean(values))
    low, high = bootstrap_interval(values, seed, clusters)
    met = meets(mean, target) if target else None
    return Metric(name=name, value=mean, low=low, high=high, n=len(values), target=target, met=met, unit=unit)


def share(
    name: str,
    hits: Sequence[bool],
    *,
    target: str | None = None,
    seed: int = 0,
    clusters: Sequence[str] | None = None,
) -> Metric:
    """The share of cases for which something is true, as a metric; `clusters` as in `bootstrap_interval`."""
    values = [float(hit) for hit in hits]
    return average(name, values, target=target, unit="share", seed=seed, clusters=clusters)


def quotient(
    name: str,
    pairs: Sequence[tuple[float, float]],
    *,
    target: str | None = None,
    seed: int = 0,
    clusters: Sequence[str] | None = None,
) -> Metric:
    """A quotient of two sums over cases, which are resampled whole; `n` is the sum below the line.

    Args:
        name: of the metric.
        pairs: for each case what is counted above the line, and below it; cases with nothing below count not.
        target: as people write it.
        seed: of the resampling.
        clusters: as in `bootstrap_interval`.
    """
    names = list(clusters) if clusters is not None else [str(number) for number in range(len(pairs))]
    sums: dict[str, list[float]] = {}
    for of, (over, under) in zip(names, pairs, strict=True):
        if under:
            before = sums.get(of, [0.0, 0.0])
            sums[of] = [before[0] + over, before[1] + under]
    if not sums:
        return Metric(name=name, value=None, target=target)
    counts = np.array(list(sums.values()), dtype=np.float64)
    over, under = counts.sum(axis=0)
    drawn = np.random.default_rng(seed).integers(0, len(counts), size=(RESAMPLES, len(counts)))
    resampled = counts[drawn].sum(axis=1)
    low, high = np.percentile(resampled[:, 0] / resampled[:, 1], [TAIL, 100 - TAIL])
    value = float(over / under)
    met = meets(value, target) if target else None
    return Metric(
        name=name, value=value, low=float(low), high=float(high), n=int(under), target=target, met=met
    )


def lift(
    name: str,
    pairs: Sequence[tuple[bool, bool]],
    *,
    target: str | None = None,
    seed: int = 0,
    clusters: Sequence[str] | None = None,
) -> Metric:
    """How much larger a share is than a baseline on the same cases: pairs are resampled together.

    Args:
        name: of the metric.
        pairs: for each case, whether it passed, and whether the baseline did.
        target: as people write it.
        seed: of the resampling.
        clusters: as in `bootstrap_interval`.
    """
    values = [float(passed) - float(bare) for passed, bare in pairs]
    return average(name, values, target=target, unit="share", seed=seed, clusters=clusters)
