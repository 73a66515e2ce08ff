"""Cosines below which two answers say different things: what keeps pairs from a model that judges them.

`configs/entailment.yaml` holds one for each embedder it was measured with. Nearness decides nothing: "safe"
and "not safe" embed at 0.91.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Annotated

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from configs.errors import SettingsError

FILE = "entailment.yaml"


class Prefilter(BaseModel):
    """The table.

    Attributes:
        source: what it was measured on, for people.
        unlike: by name of an embedder, the cosine below which two answers are different, 0 to 1.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    source: str = ""
    unlike: Mapping[str, Annotated[float, Field(gt=0, lt=1)]] = {}


def parse_prefilter(text: str) -> Prefilter:
    """A table as YAML.

    Raises:
        SettingsError: it is none.
    """
    try:
        return Prefilter.model_validate(yaml.safe_load(text) or {})
    except (yaml.YAMLError, ValidationError) as error:
        raise SettingsError(
            f"configs/{FILE} holds no table of cosines: {error}.",
            "Write what python -m evals.entropy.prefiltering prints.",
        ) from error


@lru_cache(maxsize=1)
def load_prefilter() -> Prefilter:
    """The packaged table, read once; blocking, 1 ms.

    Raises:
        SettingsError: the file holds none.
    """
    return parse_prefilter((files("configs") / FILE).read_text("utf-8"))
