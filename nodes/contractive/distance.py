"""How far two answers to one question are apart, 0 to 1: what contraction is measured with. Pure.

0 for answers that say the same, 1 for a contradiction, for other options, and between an answer and none.
In between: amounts by their relative difference; sets by Jaccard's distance; lists in order by the share of
places that differ; dates by the largest unit that differs; code by the tokens that differ; free text by the
probability that the two say different things (`reading.likeness`, fitted on labelled pairs), so that 0.5 is
where one would bet on neither.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from nodes.contractive.answers import ShortAnswer
from nodes.contractive.clusters import Pair, pair
from nodes.contractive.equivalence import compare
from nodes.contractive.reading.verdicts import Verdict


def distance(question: str, one: ShortAnswer, other: ShortAnswer) -> float:
    """The distance of two answers, which is the same both ways."""
    return 0.0 if one == other else compare(question, one, other).apart


def distances(answers: Sequence[ShortAnswer], verdicts: Mapping[Pair, Verdict]) -> list[float]:
    """The distance of every two samples, from verdicts a model may have had a part in.

    Args:
        answers: of the samples.
        verdicts: as `clusters.compared` gives them.
    """
    return [
        0.0 if one == other else verdicts[pair(one, other)].apart for one, other in combinations(answers, 2)
    ]
