"""Chat models by provider. Each provider's library is imported only when it is used."""

from __future__ import annotations

import os
from typing import Any

from langchain_core.language_models import BaseChatModel
from pydantic import SecretStr

from configs.settings import DefaultModelSettings
from models.errors import ModelUnavailable
from models.identifiers import ModelId

SEED = 0


def open_chat_model(
    model_id: ModelId, role: str, settings: DefaultModelSettings, address: str
) -> BaseChatModel:
    """A chat model, not yet contacted.

    Args:
        model_id: provider and name.
        role: who will call it.
        settings: temperature, window, limits; already resolved for the role.
        address: the server's address, for ollama and openai.

    Raises:
        ModelError: a script cannot be read, or an address or key is missing.
    """
    if model_id.provider == "scripted":
        from models.scripted import ScriptedChatModel, load_script

        return ScriptedChatModel(script=load_script(model_id.name), role=role, label=model_id.name)
    if model_id.provider == "embedded":
        from models.embedded import EmbeddedChatModel

        return EmbeddedChatModel(
            name_or_path=model_id.name,
            context=settings.num_ctx,
            temperature=settings.temperature,
            max_tokens=settings.max_tokens,
            seed=SEED,
        )
    if model_id.provider == "ollama":
        return _ollama(model_id, settings, address)
    return _openai(model_id, settings, address)


def _ollama(model_id: ModelId, settings: DefaultModelSettings, address: str) -> BaseChatModel:
    from langchain_ollama import ChatOllama

    return ChatOllama(
        model=model_id.name,
        base_url=address,
        temperature=settings.temperature,
        num_ctx=settings.num_ctx,
        num_predict=settings.max_tokens,
        keep_alive=settings.keep_alive,
        seed=SEED,
        validate_model_on_init=False,
        client_kwargs={"timeout": settings.timeout, "trust_env": False},
    )


def _openai(model_id: ModelId, settings: DefaultModelSettings, address: str) -> BaseChatModel:
    from langchain_openai import ChatOpenAI

    if not address:
        raise ModelUnavailable(
            f"{model_id} has no address.",
            "Set models.default.base_url to the server's address, e.g. http://127.0.0.1:8000/v1.",
        )
    key = os.environ.get(settings.api_key_env, "") if settings.api_key_env else ""
    if settings.api_key_env and not key:
        raise ModelUnavailable(
            f"The variable {settings.api_key_env} is not set.", "Put the key of the server into it."
        )
    options: dict[str, Any] = {"max_tokens": settings.max_tokens}
    return ChatOpenAI(
        model=model_id.name,
        base_url=address,
        api_key=SecretStr(key or "none"),
        temperature=settings.temperature,
        timeout=settings.timeout,
        max_retries=0,
        seed=SEED,
        **options,
    )


async def close_model(model: BaseChatModel) -> None:
    """Close a model's HTTP connections; langchain-ollama offers no public way, so its clients are closed here."""
    for name in ("_client", "_async_client"):
        client = getattr(getattr(model, name, None), "_client", None)
        if hasattr(client, "aclose"):
            await client.aclose()
        elif hasattr(client, "close"):
            client.close()
