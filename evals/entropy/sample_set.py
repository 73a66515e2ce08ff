"""A sample set: a question, answers as small models write them, and which of them say the same."""

from __future__ import annotations

from functools import cache
from itertools import combinations

from pydantic import ConfigDict, Field, field_validator

from evals.report.labelled import Labelled, entries_of

NO_ANSWER = ("empty", "refusal")
"""Labels that are classes of their own; all others only tell which samples belong together."""


class SampleSet(Labelled):
    """One labelled set.

    Attributes:
        id: kind and number.
        question: what was asked.
        samples: one label and text each; samples of one label say the same.
        held: held back: no weight was fitted on it, and no rule was made with it before its first look.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(pattern=r"^[a-z]+-\d\d$")
    question: str
    samples: tuple[dict[str, str], ...] = Field(min_length=3, max_length=8)
    held: bool = False

    @field_validator("samples")
    @classmethod
    def _one_label_each(cls, samples: tuple[dict[str, str], ...]) -> tuple[dict[str, str], ...]:
        if any(len(sample) != 1 for sample in samples):
            raise ValueError("each sample has one label")
        return samples

    @property
    def kind(self) -> str:
        """Which difficulty it is about."""
        return self.id.rpartition("-")[0]

    @property
    def labels(self) -> list[str]:
        """Of the samples, in order."""
        return [label for sample in self.samples for label in sample]

    @property
    def texts(self) -> list[str]:
        """Of the samples, in order."""
        return [text for sample in self.samples for text in sample.values()]

    @property
    def sizes(self) -> list[int]:
        """Samples of each label."""
        return [self.labels.count(label) for label in dict.fromkeys(self.labels)]

    @property
    def together(self) -> dict[tuple[int, int], bool]:
        """Of every two samples, whether they say the same."""
        labels = self.labels
        return {(i, j): labels[i] == labels[j] for i, j in combinations(range(len(labels)), 2)}


@cache
def sample_sets() -> dict[str, SampleSet]:
    """All sets by id.

    Raises:
        UsageError: a file holds something else, or two sets have one id.
    """
    return entries_of("evals.entropy", "sets", SampleSet, "sample set")
