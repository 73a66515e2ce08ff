"""Which models a profile may use, checked when a run starts."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from configs.settings import Role, Settings
from models.errors import ModelForbidden
from models.identifiers import ModelId
from models.ollama_health import ollama_address
from models.selection import ModelChoice

ROLES: tuple[Role, ...] = ("classifier", "planner", "worker", "verifier", "critic", "tutor")


def is_loopback(address: str) -> bool:
    """True if a URL's host is this machine: localhost or a loopback IP address."""
    host = urlsplit(address if "//" in address else f"//{address}").hostname or ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_local(model_id: ModelId, address: str | None) -> bool:
    if model_id.provider in ("embedded", "scripted"):
        return True
    return is_loopback(address or "")


def check_models_allowed(settings: Settings, choice: ModelChoice) -> None:
    """Refuse models the profile does not allow: sovereign is local only, safe is cloud only.

    Raises:
        ModelForbidden: names the role, the model and the profile.
    """
    allowed = getattr(settings.profiles, settings.profile).models
    if allowed == "any":
        return
    for role in ROLES:
        own = getattr(settings.models, role)
        for name in filter(
            None, (own.name or str(choice.model_id), own.fallback, settings.models.default.fallback)
        ):
            model_id = ModelId.parse(name)
            address = own.base_url or settings.models.default.base_url
            if model_id.provider == "ollama":
                address = ollama_address(settings, role)
            local = _is_local(model_id, address)
            # A scripted model stands in for whichever kind a test needs, so no profile refuses it.
            if model_id.provider != "scripted" and local != (allowed == "local"):
                kind = "models on this machine" if allowed == "local" else "models behind a remote address"
                raise ModelForbidden(
                    f"The profile {settings.profile!r} allows only {kind}; "
                    f"{role} would use {name} at {address}.",
                    "Choose another model with --model, or another profile with --profile.",
                )
