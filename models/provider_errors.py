"""Errors of every provider's library, in our words with what to do."""

from __future__ import annotations

import asyncio

from models.errors import ModelError, ModelFailed, ModelMissing, ModelTimeout, ModelUnavailable
from models.identifiers import ModelId


def translate(error: Exception, model_id: ModelId, address: str, seconds: float) -> ModelError:
    """The model error that an exception of a provider's library means.

    Libraries are recognised by the names of their exception classes, so none is imported for it.
    """
    if isinstance(error, ModelError):
        return error
    names = {kind.__name__ for kind in type(error).__mro__}
    status = getattr(error, "status_code", None)
    if isinstance(error, TimeoutError | asyncio.TimeoutError) or names & {
        "TimeoutException",
        "APITimeoutError",
    }:
        return ModelTimeout(
            f"{model_id} did not answer within {seconds:g} seconds.",
            "Raise models.default.timeout, or use a smaller model.",
        )
    if status == 404 or "NotFoundError" in names:
        pull = (
            f"Run `ollama pull {model_id.name}`."
            if model_id.provider == "ollama"
            else "Check the model's name."
        )
        return ModelMissing(f"{model_id} is not at {address}: {_detail(error)}.", pull)
    if (
        names & {"ConnectError", "ConnectionError", "ConnectionRefusedError", "APIConnectionError"}
        and status is None
    ):
        start = "Start it with `ollama serve`, " if model_id.provider == "ollama" else "Start the server, "
        return ModelUnavailable(
            f"Nothing answers at {address} for {model_id}.", f"{start}or choose another model with --model."
        )
    if status in (401, 403):
        return ModelUnavailable(
            f"{address} refuses access to {model_id} ({status}).", "Set models.default.api_key_env."
        )
    return ModelFailed(f"{model_id} failed: {_detail(error)}.", "Look at the server's log, or try again.")


def _detail(error: Exception) -> str:
    return f"{str(error) or type(error).__name__}".rstrip(".")[:500]
