"""Is an Ollama server there, and which models does it have?"""

from __future__ import annotations

import json
import os
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from typing import Any

from configs.settings import Role, Settings

DEFAULT_ADDRESS = "http://127.0.0.1:11434"


@dataclass(frozen=True)
class OllamaStatus:
    """What a server says of itself.

    Attributes:
        reachable: True if it answered.
        version: its version, empty when it did not answer.
        models: names of the models it has, most recently modified first.
        problem: why it is not reachable.
    """

    reachable: bool
    version: str = ""
    models: tuple[str, ...] = field(default=())
    problem: str = ""


def ollama_address(settings: Settings, role: Role) -> str:
    """Address for a role: its base_url, the default one, OLLAMA_HOST, or the standard port."""
    configured = getattr(settings.models, role).base_url or settings.models.default.base_url
    if configured:
        return str(configured).rstrip("/")
    host = os.environ.get("OLLAMA_HOST", "").strip()
    if not host:
        return DEFAULT_ADDRESS
    address = host if "//" in host else f"http://{host}"
    # 0.0.0.0 is where a server listens, not where a client connects.
    address = address.replace("//0.0.0.0", "//127.0.0.1")
    return (
        address.rstrip("/")
        if address.rpartition(":")[2].strip("/").isdigit()
        else f"{address.rstrip('/')}:11434"
    )


def _get(address: str, path: str, timeout: float, body: dict[str, Any] | None = None) -> dict[str, Any]:
    data = json.dumps(body).encode() if body is not None else None
    request = urllib.request.Request(
        f"{address}{path}", data=data, headers={"Content-Type": "application/json"}
    )
    # A proxy has no business between this process and a local server.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request, timeout=timeout) as reply:
        value = json.loads(reply.read())
    return value if isinstance(value, dict) else {}


def ollama_status(address: str, timeout: float) -> OllamaStatus:
    """Ask a server for its version and models; never raises for a server that is not there."""
    if not address.startswith(("http://", "https://")):
        return OllamaStatus(False, problem=f"{address!r} is no http address")
    try:
        version = str(_get(address, "/api/version", timeout).get("version", ""))
        listed = _get(address, "/api/tags", timeout).get("models") or []
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        return OllamaStatus(False, problem=f"no answer at {address}: {reason}")
    entries = sorted(listed, key=lambda entry: str(entry.get("modified_at", "")), reverse=True)
    return OllamaStatus(
        True, version, tuple(str(entry.get("name")) for entry in entries if entry.get("name"))
    )


def can_chat(address: str, model: str, timeout: float) -> bool:
    """True unless the server says that the model has no completion capability (an embedding model)."""
    try:
        shown = _get(address, "/api/show", timeout, {"model": model})
    except (OSError, ValueError):
        return False
    capabilities = shown.get("capabilities")
    return "completion" in capabilities if isinstance(capabilities, list) else "embed" not in model


def loaded_models(address: str, timeout: float) -> tuple[str, ...]:
    """Models the server holds in memory; empty when it cannot say."""
    try:
        running = _get(address, "/api/ps", timeout).get("models") or []
    except (OSError, ValueError):
        return ()
    return tuple(str(entry.get("name")) for entry in running)
