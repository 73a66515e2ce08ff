"""Errors of every provider's library, in our words with what to do."""

from __future__ import annotations

from models.errors import (
    ModelError,
    ModelFailed,
    ModelMissing,
    ModelRequestRefused,
    ModelTimeout,
    ModelUnavailable,
)
from models.role_settings import ResolvedModel

# Classes of httpx, openai and Python by name, so that none of these libraries is imported for an error.
UNREACHABLE = {
    "ConnectTimeout",
    "PoolTimeout",
    "ConnectError",
    "ConnectionError",
    "APIConnectionError",
    "gaierror",
}
ADDRESS = {"InvalidURL", "UnsupportedProtocol", "LocalProtocolError"}
TIMEOUT = {"TimeoutError", "TimeoutException", "APITimeoutError"}
# What the very same call may not meet again: a refused connection is not among them, nor a reply that took
# too long.
LOST = {
    "RemoteProtocolError",
    "ReadError",
    "WriteError",
    "WriteTimeout",
    "ConnectTimeout",
    "PoolTimeout",
    "ConnectionResetError",
    "ConnectionAbortedError",
    "BrokenPipeError",
}
CUT = {"RemoteProtocolError", "ReadError", "JSONDecodeError", "ConnectionResetError", "DecodingError"}
SETTING = "models.default (or the role's)"


def translate(error: Exception, model: ResolvedModel) -> ModelError:
    """The model error that an exception of a provider's library means."""
    if isinstance(error, ModelError):
        return error
    meant = _meant(error, model)
    meant.transient = is_transient(error)
    return meant


def is_transient(error: Exception) -> bool:
    """True if the connection was lost or not made in time, or the server failed by itself (5xx)."""
    status = getattr(error, "status_code", None)
    if isinstance(status, int) and status > 0:
        return status >= 500
    names = {kind.__name__ for kind in type(error).__mro__}
    # openai wraps what the transport raised.
    cause = error.__cause__
    wrapped = "APIConnectionError" in names and isinstance(cause, Exception) and is_transient(cause)
    return bool(names & LOST) or wrapped


def _meant(error: Exception, model: ResolvedModel) -> ModelError:
    names = _kinds(error)
    status = getattr(error, "status_code", None)
    where = f"{model.model_id} at {model.address}" if model.address else str(model.model_id)
    if isinstance(status, int) and status >= 400:
        return _by_status(status, where, model, _detail(error))
    if names & TIMEOUT and not names & {"ConnectTimeout", "PoolTimeout"}:
        return ModelTimeout(
            f"{where} did not answer within {model.settings.timeout:g} seconds.",
            f"Raise the timeout of {SETTING}, or use a smaller model.",
        )
    if names & CUT:
        return ModelFailed(
            f"{where} broke off its reply: {_detail(error)}.",
            "Try again; if it stays, look at the server's log.",
        )
    if names & UNREACHABLE:
        start = "Start it with `ollama serve`" if model.model_id.provider == "ollama" else "Start the server"
        return ModelUnavailable(
            f"Nothing answers at {model.address} for {model.model_id}.",
            f"{start}, or choose another model with --model.",
        )
    if names & ADDRESS:
        return ModelUnavailable(
            f"{model.address!r} is no address of a server: {_detail(error)}.",
            f"Correct base_url of {SETTING}.",
        )
    return ModelFailed(f"{where} failed: {_detail(error)}.", "Look at the server's log, or try again.")


def _kinds(error: BaseException) -> set[str]:
    """Names of the error's classes; openai hides what cut a stream, or was not reached, behind its own."""
    names = {kind.__name__ for kind in type(error).__mro__}
    cause = error.__cause__ if "APIConnectionError" in names else None
    while cause is not None:
        names |= {kind.__name__ for kind in type(cause).__mro__} & (CUT | {"ConnectTimeout"})
        cause = cause.__cause__
    return names


def _by_status(status: int, where: str, model: ResolvedModel, detail: str) -> ModelError:
    if status == 404:
        ollama = model.model_id.provider == "ollama"
        remedy = (
            f"Run `ollama pull {model.model_id.name}`." if ollama else "Check the model's name and base_url."
        )
        return ModelMissing(f"{where} was not found: {detail}.", remedy)
    if status in (401, 403):
        return ModelUnavailable(
            f"{where} refuses access (status {status}).",
            f"Put the key into the variable api_key_env of {SETTING} names.",
        )
    if status in (400, 413, 422):
        return ModelRequestRefused(
            f"{where} refused the request (status {status}): {detail}.",
            "Check the model's num_ctx and options.",
        )
    if status == 429:
        return ModelUnavailable(
            f"{where} is over its limit (status 429): {detail}.", "Wait, or use another model."
        )
    return ModelFailed(
        f"{where} failed (status {status}): {detail}.", "Look at the server's log, or try again."
    )


def _detail(error: Exception) -> str:
    text = str(getattr(error, "error", "") or error).rstrip(".")
    return text[:500] if text else type(error).__name__
