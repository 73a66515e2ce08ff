"""Weights of the gate proposed parts pass: `configs/relevance.yaml`, by `python -m evals.parts.fitting`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from configs.errors import SettingsError

FILE = "relevance.yaml"
WORDS = "words"
"""The entry of each table that is used without an embedding model."""


class TopicWeights(BaseModel):
    """Logistic weights of "this part is on topic".

    Attributes:
        constant: of the logit.
        near: of the larger of the nearness to the root question and to the parent.
        far: of the smaller one.
        overlap: of the words shared, BM25 over its maximum.
        languages: languages the model reads; empty for any.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    constant: float
    near: float = Field(0.0, ge=0)
    far: float = Field(0.0, ge=0)
    overlap: float = Field(0.0, ge=0)
    languages: tuple[str, ...] = ()


class SameWeights(BaseModel):
    """Logistic weights of "these are the same question", for pairs in which code finds no other one.

    Attributes:
        constant: of the logit.
        near: of the nearness of the two.
        shared: of the content words both have, by Jaccard.
        frame: of the share of words that stand in the same order.
        edited: of that share where the other words are one or two runs, 0 elsewhere.
        added: of content words only the later one has, four or more being 1.
        dropped: of content words only the earlier one has, likewise.
        wanted: of both asking for the same thing, a weight, a cause, a place.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    constant: float
    near: float = 0.0
    shared: float = 0.0
    frame: float = 0.0
    edited: float = 0.0
    added: float = 0.0
    dropped: float = 0.0
    wanted: float = 0.0


class PartWeights(BaseModel):
    """The file.

    Attributes:
        source: what the weights were fitted on, for people.
        background: by language, questions that have nothing in common but being questions.
        topic: by name of the embedding model, `WORDS` for none.
        same: likewise.
        same_from: likewise, the probability from which a question counts as asked before.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    source: str = ""
    background: Mapping[str, tuple[str, ...]] = Field(min_length=1)
    topic: Mapping[str, TopicWeights]
    same: Mapping[str, SameWeights]
    same_from: Mapping[str, float]


def parse_part_weights(text: str) -> PartWeights:
    """Weights as YAML.

    Raises:
        SettingsError: they are none, or those for no embedding model are missing.
    """
    try:
        found = PartWeights.model_validate(yaml.safe_load(text) or {})
    except (yaml.YAMLError, ValidationError) as error:
        raise SettingsError(
            f"configs/{FILE} holds no weights: {error}.", "Write them with python -m evals.parts.fitting."
        ) from error
    if any(WORDS not in table for table in (found.topic, found.same, found.same_from)):
        raise SettingsError(
            f"configs/{FILE} has no entry {WORDS!r}.", "Write it with python -m evals.parts.fitting."
        )
    return found


@lru_cache(maxsize=1)
def load_part_weights() -> PartWeights:
    """The packaged weights, read once; blocking.

    Raises:
        SettingsError: the file holds none.
    """
    return parse_part_weights((files("configs") / FILE).read_text("utf-8"))
