"""One set measured: samples to clusters, by code alone or with a model as judge."""

from __future__ import annotations

import time
from collections.abc import Sequence

from evals.entropy.sample_set import NO_ANSWER, SampleSet
from evals.report import Case, Planned
from models.embeddings import Embedder
from nodes.contractive.answers import ShortAnswer, short_answer
from nodes.contractive.clusters import Cluster, Pair, clusters, compared, pair
from nodes.contractive.entailment import Entails, Judge, settled_by_model
from nodes.contractive.entropy import entropy, estimate
from nodes.contractive.equivalence import settled_by_words
from nodes.contractive.reading.verdicts import Verdict

BY_CODE = "code"
BY_JUDGE = "judge"


async def measured(
    planned: Planned,
    one: SampleSet,
    judge: Judge | None = None,
    embedder: Embedder | None = None,
    unlike: float | None = None,
) -> Case:
    """Cluster one set and hold the clusters against its labels."""
    began = time.perf_counter()
    asked = 0

    async def counted(question: str, first: str, second: str) -> Entails:
        nonlocal asked
        asked += 1
        assert judge is not None
        return await judge(question, first, second)

    answers = [short_answer(text, one.question) for text in one.texts]
    by_code = compared(one.question, answers)
    verdicts = by_code
    if judge is not None:
        verdicts = await settled_by_model(
            one.question, answers, by_code, counted, embedder=embedder, unlike=unlike
        )
    found = clusters(answers, verdicts)
    case = _case(planned, one, answers, verdicts, found)
    extra = case.extra | {
        "words": _words(one, answers, by_code),
        "judged": _judged(one, answers, by_code, verdicts),
    }
    seconds = round(time.perf_counter() - began, 4)
    return case.model_copy(update={"seconds": seconds, "model_calls": asked, "extra": extra})


def _case(
    planned: Planned,
    one: SampleSet,
    answers: Sequence[ShortAnswer],
    verdicts: dict[Pair, Verdict],
    found: Sequence[Cluster],
) -> Case:
    group = {place: number for number, cluster in enumerate(found) for place in cluster.members}
    wrong = [(i, j) for (i, j), same in one.together.items() if (group[i] == group[j]) != same]
    merged = [(i, j) for i, j in wrong if not one.together[i, j]]
    misread = [
        place
        for place, (label, answer) in enumerate(zip(one.labels, answers, strict=True))
        if _class(label) != _class(answer.kind)
    ]
    summed = estimate(found)
    return Case(
        id=one.id,
        group=one.kind,
        variant=planned.variant,
        model=planned.model,
        seed=planned.seed,
        goal=one.question,
        passed=not wrong and not misread,
        # Answers that differ taken for one: certainty where there is none.
        false_success=bool(merged),
        status="exact" if not wrong else "other partition",
        detail=_detail(one, answers, verdicts, wrong, misread),
        confidence=summed.support,
        extra={
            "held": one.held,
            "pairs": len(one.together),
            "pairs_right": len(one.together) - len(wrong),
            "apart": sum(not same for same in one.together.values()),
            "apart_right": sum(not same for same in one.together.values()) - len(merged),
            "entropy": summed.entropy,
            "true_entropy": entropy(one.sizes),
            "one_answer": len(one.sizes) == 1,
        },
    )


def _class(label: str) -> str:
    return label if label in NO_ANSWER else "answer"


def _words(
    one: SampleSet, answers: Sequence[ShortAnswer], verdicts: dict[Pair, Verdict]
) -> list[list[float | bool]]:
    """Of pairs code cannot tell: how alike their words are, and whether they say the same."""
    found = {}
    for (i, j), same in one.together.items():
        two = pair(answers[i], answers[j])
        if two in verdicts and verdicts[two].relation == "unknown":
            found[two] = [round(verdicts[two].likeness, 4), same]
    return list(found.values())


def _judged(
    one: SampleSet,
    answers: Sequence[ShortAnswer],
    by_code: dict[Pair, Verdict],
    verdicts: dict[Pair, Verdict],
) -> list[list[bool]]:
    """Of pairs code cannot tell and a judge did: whether it was right, and whether shared words are."""
    found = {}
    for (i, j), same in one.together.items():
        two = pair(answers[i], answers[j])
        if two in verdicts and by_code[two].relation == "unknown" != verdicts[two].relation:
            by_words = settled_by_words(by_code[two]).relation == "same"
            found[two] = [(verdicts[two].relation == "same") == same, by_words == same]
    return list(found.values())


def _detail(
    one: SampleSet,
    answers: Sequence[ShortAnswer],
    verdicts: dict[Pair, Verdict],
    wrong: Sequence[tuple[int, int]],
    misread: Sequence[int],
) -> str:
    lines = [f"{one.texts[place]!r} was read as {answers[place].kind}" for place in misread]
    for i, j in wrong:
        verdict = verdicts.get(pair(answers[i], answers[j]))
        reason = verdict.reason if verdict else "read as one text"
        should = "the same" if one.together[i, j] else "different"
        lines.append(f"{answers[i].text!r} and {answers[j].text!r} are {should} ({reason})")
    return "; ".join(lines)
