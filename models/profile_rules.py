"""Which models a profile may use, checked when a run starts."""

from __future__ import annotations

from configs.addresses import is_loopback
from configs.settings import Settings
from models.errors import ModelForbidden
from models.ollama_health import embedding_address
from models.role_settings import ROLES, ResolvedModel, candidates
from models.selection import ModelChoice


def check_models_allowed(settings: Settings, choice: ModelChoice) -> None:
    """Refuse models the profile does not allow: sovereign is local only, safe is cloud only.

    Raises:
        ModelForbidden: names the role, the model and the profile.
        ModelIdInvalid: a name that is no provider:model.
    """
    allowed = getattr(settings.profiles, settings.profile).models
    if allowed == "any":
        return
    for role in ROLES:
        for model in candidates(settings, choice, role):
            # A scripted model stands in for whichever kind a test needs, so no profile refuses it.
            if model.model_id.provider == "scripted":
                continue
            for address in model.addresses or ("",):
                if _is_local(model, address) != (allowed == "local"):
                    where = f" at {address}" if address else ""
                    raise _forbidden(settings, f"{role} would use {model.model_id}{where}")
    # Embedding a text sends it, so a remote embedder is a remote model; minilm never leaves the machine.
    if allowed == "local" and settings.embeddings.name != "minilm":
        address = embedding_address(settings)
        if not is_loopback(address):
            raise _forbidden(settings, f"embeddings would use {settings.embeddings.name} at {address}")


def _is_local(model: ResolvedModel, address: str) -> bool:
    return model.model_id.provider == "embedded" or is_loopback(address)


def _forbidden(settings: Settings, found: str) -> ModelForbidden:
    local = getattr(settings.profiles, settings.profile).models == "local"
    kind = "models on this machine" if local else "models behind a remote address"
    return ModelForbidden(
        f"The profile {settings.profile!r} allows only {kind}; {found}.",
        "Choose another model with --model, or another profile with --profile.",
    )
