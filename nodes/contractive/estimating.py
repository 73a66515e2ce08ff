"""How sure a model is, from whole replies to one prompt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from models.embeddings import Embedder
from nodes.contractive.answers import ShortAnswer, short_answer
from nodes.contractive.clusters import clusters, compared
from nodes.contractive.contraction import resampling_noise
from nodes.contractive.distance import distances
from nodes.contractive.entailment import Judge, settled_by_model
from nodes.contractive.entropy import Estimate, estimate


@dataclass(frozen=True, slots=True)
class Estimated:
    """What samples say.

    Attributes:
        estimate: None if no sample came.
        answers: short answers of the samples that came, in order.
        noise: mean distance of two of them, 0 to 1.
        failed: samples that did not come.
    """

    estimate: Estimate | None
    answers: tuple[ShortAnswer, ...]
    noise: float
    failed: int


async def estimated(
    question: str, samples: Sequence[str | None], *, judge: Judge | None, embedder: Embedder | None
) -> Estimated:
    """Estimate."""
    came = [sample for sample in samples if sample is not None]
    answers = [short_answer(sample, question) for sample in came]
    if not answers:
        return Estimated(None, (), 0.0, len(samples))
    verdicts = compared(question, answers)
    if judge is not None:
        verdicts = await settled_by_model(question, answers, verdicts, judge, embedder=embedder)
    return Estimated(
        estimate(clusters(answers, verdicts)),
        tuple(answers),
        resampling_noise(distances(answers, verdicts)),
        len(samples) - len(came),
    )
