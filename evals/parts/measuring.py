"""One labelled question measured: which parts are dropped, and which texts count as the question again."""

from __future__ import annotations

import time

from configs.contractive import ContractiveSettings
from evals.parts.labelled import LabelledQuestion
from evals.report import Case, Planned
from nodes.contractive.meanings import Meanings
from nodes.contractive.relevance import relevance
from nodes.contractive.repeats import repeated, sameness

BY_EMBEDDING = "embedding"
BY_WORDS = "words"
THRESHOLD = ContractiveSettings().min_relevance_threshold


def measured(planned: Planned, one: LabelledQuestion, meanings: Meanings | None) -> Case:
    """Hold what code says of the labelled texts against their labels.

    Args:
        planned: the case.
        one: the question.
        meanings: vectors of its texts; None to let words decide.
    """
    began = time.perf_counter()
    topics = [
        [kind, round(relevance(one.top, one.question, part, meanings), 4)] for part, kind in one.topics()
    ]
    pairs: list[list[str | bool]] = []
    wrong = []
    for text, kind in one.pairs():
        again = repeated(text, [one.question], meanings) is not None
        pairs.append([kind, again])
        if again != (kind == "same"):
            told = sameness(text, one.question, meanings)
            wrong.append(f"{text!r} is {kind} ({told.apart or f'{told.probability:.2f} likely the same'})")
    wrong += [
        f"{part!r} is on topic ({told[1]:.2f})"
        for (part, kind), told in zip(one.topics(), topics, strict=True)
        if kind.endswith("part") and float(told[1]) < THRESHOLD
    ]
    return Case(
        id=one.id,
        group=one.field,
        variant=planned.variant,
        model=planned.model,
        seed=planned.seed,
        goal=one.question,
        passed=not wrong,
        status="as labelled" if not wrong else "otherwise",
        detail="; ".join(wrong),
        seconds=round(time.perf_counter() - began, 4),
        extra={"half": half_of(one), "topics": topics, "pairs": pairs},
    )


def half_of(one: LabelledQuestion) -> str:
    """Which half a question belongs to."""
    return "fresh" if one.field == "fresh" else "held back" if one.held else "tuned on"
