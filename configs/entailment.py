"""What is known of models that judge whether two answers say the same, and of what keeps pairs from them.

`configs/entailment.yaml` holds how often judges were right, and for each embedder the cosine below which two
answers say different things. Nearness decides nothing: "safe" and "not safe" embed at 0.91.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Annotated, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from configs.errors import SettingsError

FILE = "entailment.yaml"


class Example(BaseModel):
    """A judgement a model is shown before it judges.

    Attributes:
        question: both answer it.
        first: an answer.
        second: another.
        verdict: what the first is to the second.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    question: str
    first: str
    second: str
    verdict: Literal["entails", "contradicts", "neutral"]


class JudgeFigures(BaseModel):
    """How often a model was right of pairs code cannot tell, in sets held back.

    Attributes:
        pairs: how many.
        right: share the model told rightly, 0 to 1.
        words: share the words both answers share told rightly, which is what decides without a model.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    pairs: Annotated[int, Field(gt=0)]
    right: Annotated[float, Field(ge=0, le=1)]
    words: Annotated[float, Field(ge=0, le=1)]


class EntailmentFigures(BaseModel):
    """What was measured, and what a judge is shown.

    Attributes:
        source: what it was measured on, for people.
        unlike: by name of an embedder, the cosine below which two answers are different, 0 to 1.
        judges: by a part of a model's name in lower case, how it judges.
        examples: judgements a judge is shown.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    source: str = ""
    unlike: Mapping[str, Annotated[float, Field(gt=0, lt=1)]] = {}
    judges: Mapping[str, JudgeFigures] = {}
    examples: tuple[Example, ...] = ()

    def judges_worse_than_words(self, model: str) -> bool:
        """True for a model that was measured and did not beat shared words; False for one nobody measured.

        Args:
            model: its name, as provider:model or as the path of its file.
        """
        told = [figures for name, figures in self.judges.items() if name in model.lower()]
        return any(figures.right <= figures.words for figures in told)


def parse_entailment(text: str) -> EntailmentFigures:
    """The figures as YAML.

    Raises:
        SettingsError: it holds others.
    """
    try:
        return EntailmentFigures.model_validate(yaml.safe_load(text) or {})
    except (yaml.YAMLError, ValidationError) as error:
        raise SettingsError(
            f"configs/{FILE} holds no figures of entailment: {error}.",
            "Write what python -m evals.entropy and evals.entropy.prefiltering print.",
        ) from error


@lru_cache(maxsize=1)
def load_entailment() -> EntailmentFigures:
    """The packaged figures, read once; blocking, 2 ms.

    Raises:
        SettingsError: the file holds none.
    """
    return parse_entailment((files("configs") / FILE).read_text("utf-8"))
