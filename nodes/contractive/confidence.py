"""How far an answer can be relied on: no further than what it rests on. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from nodes.contractive.state import Question

MAJORITY = 0.5


def confidence_of(tree: Mapping[str, Question], node: str) -> float:
    """Share of the samples that give the answer, of a merged one at most that of its least certain part.

    Told the answers of its parts, a model agrees with itself easily: all samples of a merge may say the same
    of parts that were guesses.

    Args:
        tree: of the run.
        node: id of a question in it.

    Returns:
        0 to 1; 0 without an answer.
    """
    question = tree[node]
    if question.best is None or not question.best.measured.answered:
        return 0.0
    kept = [merge for merge in question.merges if merge.kept]
    parts = kept[-1].parts if kept else []
    return min([question.best.measured.support, *(confidence_of(tree, part) for part in parts)])
