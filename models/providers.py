"""Chat models by provider. Each provider's library is imported only when it is used."""

from __future__ import annotations

import os
from typing import Any
from urllib.parse import urlsplit

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from pydantic import SecretStr

from models.errors import ModelUnavailable
from models.ollama_health import capabilities
from models.openai_health import fits_header
from models.role_settings import ResolvedModel
from models.sampling import Sampling

SEED = 0
PROBE_SECONDS = 0.5
CONNECT_SECONDS = 3.0
"""Seconds to connect to one of several servers; a lost packet is sent again after one."""


def open_chat_model(model: ResolvedModel, role: str) -> BaseChatModel:
    """A chat model. Ollama is asked what the model can do; a server that is down shows at the first call.

    Args:
        model: provider, name, settings and address.
        role: who will call it.

    Raises:
        ModelError: a script cannot be read, or a key is missing.
    """
    if model.model_id.provider == "scripted":
        from models.scripted import ScriptedChatModel, load_script

        name = model.model_id.name
        return ScriptedChatModel(script=load_script(name), role=role, label=name)
    if model.model_id.provider == "embedded":
        from models.embedded import EmbeddedChatModel

        return EmbeddedChatModel(
            name_or_path=model.model_id.name,
            context=model.settings.num_ctx,
            temperature=model.settings.temperature,
            max_tokens=model.settings.max_tokens,
            seed=SEED,
        )
    return _ollama(model) if model.model_id.provider == "ollama" else _openai(model)


def call_options(
    model: ResolvedModel,
    stop: list[str] | None,
    max_tokens: int,
    schema: dict[str, Any] | None,
    sampling: Sampling | None = None,
) -> dict[str, Any]:
    """What one call passes to the model that `open_chat_model` opened.

    Args:
        model: as for `open_chat_model`.
        stop: texts that end the reply.
        max_tokens: longest reply.
        schema: JSON schema of the reply, where the provider can be held to one.
        sampling: of this call alone, instead of the model's own temperature and the standing seed.
    """
    drawn = {"temperature": sampling.temperature, "seed": sampling.seed} if sampling else {}
    if model.model_id.provider == "ollama":
        # ChatOllama takes a call's options as a whole instead of adding them to its own.
        options: dict[str, Any] = {
            "num_ctx": model.settings.num_ctx,
            "temperature": model.settings.temperature,
            "seed": SEED,
            **drawn,
            "num_predict": max_tokens,
        }
        options |= {"stop": stop} if stop else {}
        return {"options": options} | ({"format": schema} if schema else {})
    given: dict[str, Any] = ({"stop": stop} if stop else {}) | drawn
    if model.model_id.provider == "embedded":
        return given | {"max_tokens": max_tokens} | ({"json_schema": schema} if schema else {})
    if model.model_id.provider == "openai":
        given |= {"max_tokens": max_tokens}
        if schema:
            wanted = {"name": "reply", "schema": schema, "strict": True}
            # As extra_body it is sent as it stands; as an argument the client would judge the reply itself.
            given["extra_body"] = {"response_format": {"type": "json_schema", "json_schema": wanted}}
    return given


def is_whole(message: AIMessage, provider: str) -> bool:
    """False for a reply that broke off: a server that goes away ends its stream as one that is done does."""
    told = message.response_metadata
    if provider == "ollama":
        return told.get("done") is True
    return provider != "openai" or bool(told.get("finish_reason"))


def refuses_to_stream(error: Exception, provider: str) -> bool:
    """True if an OpenAI-compatible server knows no streams, or none that tells its usage.

    It says so itself, or it answers in one piece, in which the client finds no stream.
    """
    unread = isinstance(error, ValueError) and str(error).startswith("No generations found in stream")
    refused = getattr(error, "status_code", None) in (400, 422) and "stream" in str(error).lower()
    return provider == "openai" and (unread or refused)


def _client_options(model: ResolvedModel) -> dict[str, Any]:
    """Options of the HTTP client. No connection outlives its call, so none outlives its event loop."""
    import httpx

    options: dict[str, Any] = {
        "timeout": _timeout(model),
        "limits": httpx.Limits(max_keepalive_connections=0),
        # The profile allowed this address; a server may not send the prompt on to another.
        "follow_redirects": False,
    }
    if urlsplit(model.address).hostname in ("localhost", "127.0.0.1", "::1"):
        # A proxy of the environment has no business between this process and a local server.
        options["trust_env"] = False
        # Loading certificate authorities costs 20 ms a client, and plain http needs none.
        options["verify"] = model.address.startswith("https:")
    return options


def _timeout(model: ResolvedModel) -> Any:
    """Seconds of a call; where other servers can be asked, one that is away is not waited for."""
    import httpx

    seconds = model.settings.timeout
    return httpx.Timeout(seconds, connect=min(CONNECT_SECONDS, seconds)) if model.has_fleet else seconds


def api_key(model: ResolvedModel) -> str:
    """The key for an OpenAI-compatible server; a word of no meaning for one that needs none.

    Raises:
        ModelUnavailable: the variable that should hold it is not set, or holds what no header can carry.
    """
    variable = model.key_variable
    key = os.environ.get(variable, "") if variable else "none"
    if not key:
        raise ModelUnavailable(
            f"The variable {variable}, which should hold the key for {model.address}, is not set.",
            "Put the key into it, or set models.default.base_url to another server, e.g. http://127.0.0.1:8000/v1.",
        )
    if not fits_header(key):
        raise ModelUnavailable(
            f"The key for {model.address} fits in no header: {variable} holds more than plain ASCII.",
            "Look for a line break or a space at its end, and set the variable anew.",
        )
    return key


def _ollama(model: ResolvedModel) -> BaseChatModel:
    from langchain_ollama import ChatOllama

    can = capabilities(model.address, model.model_id.name, PROBE_SECONDS)
    return ChatOllama(
        model=model.model_id.name,
        base_url=model.address,
        temperature=model.settings.temperature,
        num_ctx=model.settings.num_ctx,
        num_predict=model.settings.max_tokens,
        keep_alive=model.settings.keep_alive,
        seed=SEED,
        # A model that cannot think refuses a request to do so; one that can passes its thoughts apart.
        reasoning=True if "thinking" in can else None,
        validate_model_on_init=False,
        client_kwargs=_client_options(model),
    )


def _openai(model: ResolvedModel) -> BaseChatModel:
    import httpx
    from langchain_openai import ChatOpenAI

    key = api_key(model)
    client = _client_options(model)
    return ChatOpenAI(
        model=model.model_id.name,
        base_url=model.address,
        api_key=SecretStr(key),
        temperature=model.settings.temperature,
        timeout=_timeout(model),
        max_retries=0,
        seed=SEED,
        # A stream tells its usage only when asked to, and reading a long prompt may take the whole time.
        stream_usage=True,
        stream_chunk_timeout=model.settings.timeout,
        http_client=httpx.Client(**client),
        http_async_client=httpx.AsyncClient(**client),
    )


async def close_model(model: BaseChatModel) -> None:
    """Close a model's HTTP clients; langchain-ollama offers no public way to them."""
    held: list[Any] = [
        getattr(getattr(model, name, None), "_client", None) for name in ("_client", "_async_client")
    ]
    held += [getattr(model, name, None) for name in ("http_client", "http_async_client")]
    for client in held:
        if hasattr(client, "aclose"):
            await client.aclose()
        elif hasattr(client, "close"):
            client.close()
