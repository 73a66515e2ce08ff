"""How much unfinished work a model may have open in the proof game: `configs/work_limits.yaml`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from configs.errors import SettingsError

FILE = "work_limits.yaml"
RECENT_TURNS = 10
"""Turns after which what was left lying counts as given up, so that a limit never ends a game."""


class WorkLimits(BaseModel):
    """Work in progress of one player. Beyond a limit, more of the same kind is refused; None sets none.

    Counted over the last ten turns, in which a player cannot have begun more than ten of anything.

    Attributes:
        open_questions: asked, with no claim proved since.
        unproved_claims: put, and neither proved, refuted nor reformulated.
        unused_observations: made, with nothing said since.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    open_questions: int | None = Field(
        None, ge=1, le=RECENT_TURNS, description="Questions asked with no claim proved since, at most."
    )
    unproved_claims: int | None = Field(
        None, ge=1, le=RECENT_TURNS, description="Claims neither proved nor refuted, at most."
    )
    unused_observations: int | None = Field(
        None, ge=1, le=RECENT_TURNS, description="Observations nothing was said of, at most."
    )


class LimitsTable(BaseModel):
    """The file.

    Attributes:
        default: for models no entry is about.
        models: by the beginning of a model's name, without its provider.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    default: WorkLimits
    models: Mapping[str, WorkLimits]


def parse_limits(text: str) -> LimitsTable:
    """The table as YAML.

    Raises:
        SettingsError: it is none.
    """
    try:
        return LimitsTable.model_validate(yaml.safe_load(text) or {})
    except (yaml.YAMLError, ValidationError) as error:
        raise SettingsError(
            f"configs/{FILE} holds no table of limits: {error}.", "Give `default` and `models`."
        ) from error


@lru_cache(maxsize=1)
def load_limits() -> LimitsTable:
    """The packaged table, read once; blocking.

    Raises:
        SettingsError: the file holds none.
    """
    return parse_limits((files("configs") / FILE).read_text("utf-8"))


def limits_of(model: str) -> WorkLimits:
    """The limits of a model, by the longest entry its name begins with.

    Args:
        model: provider:model, such as "ollama:qwen2.5:7b-instruct".

    Raises:
        SettingsError: the packaged file holds no table.
    """
    table, name = load_limits(), model.partition(":")[2]
    entries = [entry for entry in table.models if name.startswith(entry)]
    return table.models[max(entries, key=len)] if entries else table.default
