"""From raw scores and what was right to a table that never falls.

Pool adjacent violators (Ayer, Brunk, Ewing, Reid and Silverman, 1955): neighbouring scores are joined into
one block until shares rise from block to block. A block's share is that of Laplace's rule of succession,
(right + 1) / (answers + 2), so that 20 right of 20 is 0.955 and not certainty, and 1 of 1 is 0.667.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from configs.calibration import Calibration
from evals.calibration.reliability import brier_score, expected_error

FOLDS = 5
Answers = Sequence[tuple[float, bool]]
"""Pairs of a raw score, 0 to 1, and whether the answer was right."""
Grouped = Sequence[tuple[str, float, bool]]
"""The same with their groups."""


@dataclass(frozen=True)
class Block:
    """Neighbouring raw scores with one share.

    Attributes:
        low: smallest raw score.
        high: largest.
        right: answers that were right.
        n: answers.
    """

    low: float
    high: float
    right: int
    n: int

    @property
    def share(self) -> float:
        """How often an answer of the block is right, by the rule of succession."""
        return (self.right + 1) / (self.n + 2)

    def joined(self, other: Block) -> Block:
        """Both as one."""
        return Block(
            min(self.low, other.low), max(self.high, other.high), self.right + other.right, self.n + other.n
        )


def fit(answers: Answers) -> list[Block]:
    """Blocks whose shares rise strictly with the raw score; empty without answers."""
    blocks: list[Block] = []
    for raw in sorted({raw for raw, _ in answers}):
        held = [right for score, right in answers if score == raw]
        blocks.append(Block(raw, raw, sum(held), len(held)))
        while len(blocks) > 1 and blocks[-2].share >= blocks[-1].share:
            last = blocks.pop()
            blocks[-1] = blocks[-1].joined(last)
    return blocks


def points(blocks: Sequence[Block]) -> list[tuple[float, float]]:
    """The table's points: both ends of each block, at its share."""
    ends = [(end, block.share) for block in blocks for end in dict.fromkeys((block.low, block.high))]
    return [(round(raw, 4), round(share, 3)) for raw, share in ends]


def fit_groups(answers: Grouped) -> dict[str, list[Block]]:
    """Blocks of each group, groups in order of their names."""
    groups = sorted({group for group, _, _ in answers})
    return {name: fit([(raw, right) for group, raw, right in answers if group == name]) for name in groups}


def table(blocks: Mapping[str, Sequence[Block]]) -> Calibration:
    """The table as runs use it."""
    return Calibration(groups={name: tuple(points(own)) for name, own in blocks.items()})


def held_out_figures(answers: Grouped, order: Sequence[int]) -> dict[str, float]:
    """Brier score and calibration error of raw scores, and of tables that were fitted on the other folds.

    Args:
        answers: group, raw score, and whether it was right.
        order: numbers of all answers, shuffled.
    """
    fitted: list[tuple[float, bool]] = []
    for fold in range(FOLDS):
        out = set(order[fold::FOLDS])
        made = table(fit_groups([answers[number] for number in order if number not in out]))
        fitted += [(made.share(answers[n][0], answers[n][1]), answers[n][2]) for n in sorted(out)]
    raw = [(score, right) for _, score, right in answers]
    return {
        "brier_raw": round(brier_score(raw), 4),
        "brier_fitted": round(brier_score(fitted), 4),
        "error_raw": round(expected_error(raw), 4),
        "error_fitted": round(expected_error(fitted), 4),
    }
