"""Settings of contractive reasoning; `configs/contractive.yaml` holds presets and the table of models."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import yaml
from pydantic import Field

from configs.section import Section

Preset = Literal["factual", "complex", "math", "exploration", "fast", "deep"]
Scenario = Literal["S1", "S2", "S3", "S4", "S5", "S6"]
Peer = Literal["none", "light", "full"]


class ContractiveSettings(Section):
    """A tree of questions: how uncertain splits one, and what a run may spend."""

    preset: Preset | None = Field(None, description="Values that go together; single ones go before them.")
    max_depth: int = Field(4, ge=0, le=12, description="Levels of parts below the question.")
    max_loops: int = Field(10, ge=1, le=50, description="Passes over the whole question.")
    max_global_tokens: int = Field(64_000, ge=1, description="Prompts and replies of one run together.")
    max_branch_tokens: int = Field(
        16_000, ge=1, description="The same below one part of the question itself."
    )
    max_concurrent_branches: int = Field(4, ge=1, le=256, description="Questions worked on at once.")
    max_concurrent_calls: int = Field(4, ge=1, le=256, description="Model calls under way at once.")
    entropy_decompose_threshold: float = Field(
        0.5, ge=0, le=1, description="Entropy of the samples from which a question is split."
    )
    entropy_collapse_threshold: float = Field(
        0.4, ge=0, le=1, description="Entropy of the answer below which no further pass is made."
    )
    entropy_gamma_min_reduction: float = Field(
        0.05, ge=0, le=1, description="What a merge must take off the entropy to be kept."
    )
    k_entropy_samples: int = Field(4, ge=1, le=32, description="Samples asked for at first, all at once.")
    k_max_samples: int = Field(10, ge=1, le=64, description="Samples of one question at most.")
    temperature: float = Field(0.7, ge=0, le=2, description="Of samples; all else is asked at 0.")
    min_relevance_threshold: float = Field(
        0.15, ge=0, le=1, description="Parts less likely than this to be about the question are dropped."
    )
    max_rebranch_attempts: int = Field(2, ge=0, le=5, description="Splits asked for after a useless one.")
    timeout_sec: float = Field(120.0, gt=0, le=3600, description="Seconds one call may take.")
    run_timeout_sec: float | None = Field(None, gt=0, description="Seconds a run may take; unset: any.")
    peer: Peer = Field(
        "none", description="Who reviews: nobody but code, a short verdict (light), or a review with advice."
    )
    clarify: bool = Field(False, description="Ask a person what an ambiguous question means.")
    normalize: Literal["code", "model"] = Field(
        "model", description="Whether a model restates the question, kept only if nothing of it is lost."
    )


@cache
def shipped() -> Mapping[str, Any]:
    """`configs/contractive.yaml`."""
    loaded: dict[str, Any] = yaml.safe_load((files("configs") / "contractive.yaml").read_text("utf-8"))
    return loaded


def resolved(settings: ContractiveSettings, model: str) -> ContractiveSettings:
    """The settings of a run: a model's values, before them a preset's, before those what was set by name.

    Args:
        settings: as loaded; which of its fields were set is what pydantic remembers.
        model: provider:model that answers.
    """
    named = {name: getattr(settings, name) for name in settings.model_fields_set}
    preset = shipped()["presets"][settings.preset] if settings.preset else {}
    return ContractiveSettings.model_validate({**_of_provider(model), **of_model(model), **preset, **named})


def _of_provider(model: str) -> dict[str, int]:
    """An embedded engine answers one call after the other; those that wait would only run out of time."""
    return {"max_concurrent_calls": 1} if model.partition(":")[0] == "embedded" else {}


def of_model(model: str) -> dict[str, float | int]:
    """What the table says of a model, by the longest entry its name begins with; {} if none.

    Args:
        model: provider:model, such as "ollama:qwen2.5:7b-instruct".
    """
    name = model.partition(":")[2]
    entries = [entry for entry in shipped()["models"] if name.startswith(entry)]
    if not entries:
        return {}
    row = shipped()["models"][max(entries, key=len)]
    low, high = row["entropy_decompose_threshold"]
    return {"entropy_decompose_threshold": round((low + high) / 2, 3), "max_depth": max(row["max_depth"])}


def of_scenario(scenario: Scenario) -> dict[str, Any]:
    """Settings of a scenario by name, for `RunContext.settings` or a section."""
    found: dict[str, Any] = dict(shipped()["scenarios"][scenario])
    return found
