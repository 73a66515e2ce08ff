"""Measures the cosine below which two answers differ: `python -m evals.entropy.prefiltering` prints it.

The cosine is the one below which a hundredth of the pairs that say the same lie in the tuned sets; the sets
held back tell what it costs and saves there. `configs/entailment.yaml` holds the result, rounded down.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from configs.entailment import load_entailment
from evals.entropy.sample_set import SampleSet, sample_sets
from models.embeddings import Embedder, MiniLMEmbedder
from models.multilingual_embeddings import E5Embedder
from nodes.contractive.answers import short_answer
from nodes.contractive.clusters import compared, pair
from nodes.contractive.prefilter import can_be_placed

LOST = 0.01
"""Share of the pairs that say the same which a prefilter may call different."""


@dataclass(frozen=True, slots=True)
class Placed:
    """Two answers whose vectors may be held against each other.

    Attributes:
        texts: of the two.
        same: they say the same.
        asked: code cannot tell, so a judge would be asked.
    """

    texts: tuple[str, str]
    same: bool
    asked: bool


@dataclass(frozen=True, slots=True)
class Found:
    """What a cosine costs and saves.

    Attributes:
        unlike: the cosine.
        same: pairs that say the same.
        lost: those of them that lie below it.
        asked: different pairs a judge would be asked of.
        saved: those of them that lie below it.
    """

    unlike: float
    same: int
    lost: int
    asked: int
    saved: int


def placed_pairs(sets: Sequence[SampleSet]) -> list[Placed]:
    """All pairs of different short answers of some sets whose vectors can tell anything."""
    found: dict[tuple[str, str, str], Placed] = {}
    for one in sets:
        answers = [short_answer(text, one.question) for text in one.texts]
        verdicts = compared(one.question, answers)
        for (i, j), same in one.together.items():
            two = pair(answers[i], answers[j])
            texts = two[0].text, two[1].text
            if two in verdicts and two[0].kind == "answer" == two[1].kind and can_be_placed(*texts):
                asked = verdicts[two].relation == "unknown"
                found[one.question, *texts] = Placed(texts, same, asked)
    return list(found.values())


def cosines(pairs: Sequence[Placed], embedder: Embedder) -> list[float]:
    """Of each pair."""
    texts = sorted({text for two in pairs for text in two.texts})
    vectors = dict(zip(texts, embedder.embed(texts), strict=True))
    return [float(vectors[two.texts[0]] @ vectors[two.texts[1]]) for two in pairs]


def chosen(pairs: Sequence[Placed], near: Sequence[float]) -> float:
    """The cosine below which at most a hundredth of the pairs lie that say the same, one more counted.

    Raises:
        ValueError: there are fewer than 99 such pairs, so a hundredth cannot be told.
    """
    same = sorted(cosine for two, cosine in zip(pairs, near, strict=True) if two.same)
    allowed = int(LOST * (len(same) + 1))
    if not allowed:
        raise ValueError(f"{len(same)} pairs say the same; a hundredth of them cannot be told.")
    return same[allowed - 1]


def told(pairs: Sequence[Placed], near: Sequence[float], unlike: float) -> Found:
    """What a cosine costs and saves on some pairs."""
    same = [cosine for two, cosine in zip(pairs, near, strict=True) if two.same]
    asked = [cosine for two, cosine in zip(pairs, near, strict=True) if two.asked and not two.same]
    below = [sum(cosine < unlike for cosine in some) for some in (same, asked)]
    return Found(round(unlike, 3), len(same), below[0], len(asked), below[1])


def measured(embedder: Embedder) -> dict[str, Found]:
    """What cosines of an embedder cost and save: the one the tuned sets give, and the one in use.

    Returns:
        By half of the sets, for the one they give; by half and "in use" for the one in `configs.entailment`.
    """
    halves = {
        half: placed_pairs([one for one in sample_sets().values() if one.held == held])
        for half, held in (("tuned", False), ("held back", True))
    }
    near = {half: cosines(pairs, embedder) for half, pairs in halves.items()}
    unlike = chosen(halves["tuned"], near["tuned"])
    found = {half: told(pairs, near[half], unlike) for half, pairs in halves.items()}
    if (used := load_entailment().unlike.get(embedder.name)) is not None:
        found |= {f"{half}, in use": told(pairs, near[half], used) for half, pairs in halves.items()}
    return found


if __name__ == "__main__":
    for embedder in (E5Embedder(), MiniLMEmbedder()):
        found = {half: asdict(one) for half, one in measured(embedder).items()}
        print(json.dumps({"embedder": embedder.name, **found}))
