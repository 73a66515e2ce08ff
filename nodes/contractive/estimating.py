"""What the samples of one question come to: their short answers, their entropy, and their noise."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from models.embeddings import Embedder
from nodes.contractive.answers import ShortAnswer, short_answer
from nodes.contractive.clusters import Pair, clusters, compared
from nodes.contractive.contraction import resampling_noise
from nodes.contractive.distance import distances
from nodes.contractive.entailment import Judge, settled_by_model
from nodes.contractive.entropy import Estimate, estimate
from nodes.contractive.reading.verdicts import Verdict


@dataclass(frozen=True, slots=True)
class Estimated:
    """What samples come to.

    Attributes:
        estimate: of the samples that are there; members of its clusters are places among all samples, failed
            ones counted. None if every call failed.
        answers: of every sample, None for a call that failed.
        failed: calls that failed, which tell nothing of certainty.
        noise: mean distance of two samples, 0 to 1: a step of iteration below it tells nothing.
    """

    estimate: Estimate | None
    answers: tuple[ShortAnswer | None, ...]
    failed: int
    noise: float


async def estimated(
    question: str, samples: Sequence[str | None], *, judge: Judge | None, embedder: Embedder | None
) -> Estimated:
    """Put samples of one question together and measure how far they agree.

    What was read and compared is remembered: called again with one more sample, only that one costs.

    Args:
        question: what was asked.
        samples: whole replies; None for a call that failed.
        judge: settles what code cannot tell; without one the shared words decide.
        embedder: keeps from the judge what has nothing to do with each other (`prefilter`); without a judge
            it is not asked.
    """
    places = [place for place, sample in enumerate(samples) if sample is not None]
    given = [sample for sample in samples if sample is not None]
    # Alike samples cost less than the change of threads; the first different ones load tables for 0.3 s.
    if len(set(given)) <= 1:
        read, verdicts = _compared(question, given)
    else:
        read, verdicts = await asyncio.to_thread(_compared, question, given)
    if judge is not None and any(verdict.relation == "unknown" for verdict in verdicts.values()):
        verdicts = await settled_by_model(question, read, verdicts, judge, embedder=embedder)
    found = clusters(read, verdicts)
    placed = [replace(one, members=tuple(places[at] for at in one.members)) for one in found]
    answers = dict(zip(places, read, strict=True))
    return Estimated(
        estimate=estimate(placed) if placed else None,
        answers=tuple(answers.get(place) for place in range(len(samples))),
        failed=len(samples) - len(given),
        noise=resampling_noise(distances(read, verdicts)),
    )


def _compared(question: str, samples: Sequence[str]) -> tuple[list[ShortAnswer], dict[Pair, Verdict]]:
    read = [short_answer(sample, question) for sample in samples]
    return read, compared(question, read)
