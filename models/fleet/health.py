"""What one server says of itself, whichever protocol it speaks."""

from __future__ import annotations

import os
from dataclasses import dataclass

from models.ollama_health import loaded_models, ollama_status, server_version
from models.openai_health import openai_status
from models.role_settings import ResolvedModel


@dataclass(frozen=True)
class HostHealth:
    """A server's answer.

    Attributes:
        answers: True if it may be asked.
        version: its version, where it tells one.
        models: it lists, most recently modified first for Ollama; None where it was not asked for them.
        loaded: of these, the ones in memory.
        problem: why it may not be asked; or why it is unknown what it has, though it may.
        silent: True if it may not because it said nothing in time.
    """

    answers: bool
    version: str = ""
    models: tuple[str, ...] | None = None
    loaded: tuple[str, ...] = ()
    problem: str = ""
    silent: bool = False


def look_at(model: ResolvedModel, timeout: float, *, briefly: bool = False) -> HostHealth:
    """Ask a model's server (`model.address`) how it is; blocking, and never raises for one that is away.

    An OpenAI-compatible server serves what it lists without loading it first; what it does not list it may
    serve all the same, under another name.

    Args:
        model: provider, address and the variable of the key.
        timeout: seconds each of up to three requests may take.
        briefly: only whether it answers.
    """
    if model.model_id.provider == "openai":
        key = os.environ.get(model.key_variable, "") if model.key_variable else ""
        found = openai_status(model.address, key, timeout)
        return HostHealth(
            found.reachable, "", found.models or None, found.models, found.problem, found.silent
        )
    status = (server_version if briefly else ollama_status)(model.address, timeout)
    if briefly or not status.reachable:
        return HostHealth(status.reachable, status.version, problem=status.problem, silent=status.silent)
    loaded = loaded_models(model.address, timeout)
    return HostHealth(True, status.version, status.models, loaded)
