"""Which model serves a role, every setting decided; one place, so that what is checked is what is used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from configs.settings import DefaultModelSettings, ModelSettings, Role, Settings
from models.identifiers import ModelId
from models.ollama_health import default_ollama_address, with_scheme
from models.selection import ModelChoice

ROLES: tuple[Role, ...] = get_args(Role)
OPENAI_ADDRESS = "https://api.openai.com/v1"
# An address and a key belong to one server, so they do not follow a fallback to another provider.
SERVER_FIELDS = ("base_url", "api_key_env")


@dataclass(frozen=True)
class ResolvedModel:
    """A model as a role uses it.

    Attributes:
        model_id: provider and name.
        settings: every field decided.
        address: the server's address; empty for embedded and scripted.
    """

    model_id: ModelId
    settings: DefaultModelSettings
    address: str


def candidates(settings: Settings, choice: ModelChoice, role: Role) -> tuple[ResolvedModel, ...]:
    """The role's model, then its fallback if it has one.

    A field comes from `models.ROLE`, else from `models.tuning[provider:model]`, else from `models.default`.
    A fallback of another provider takes address and key from its tuning or its provider's standard only.

    Raises:
        ModelIdInvalid: a name that is no provider:model.
    """
    own = _role(settings, role)
    first = ModelId.parse(own.name) if own.name else choice.model_id
    fallback = own.fallback or settings.models.default.fallback
    ids = [first, ModelId.parse(fallback)] if fallback else [first]
    return tuple(
        _resolve(settings, role, model_id, same_server=model_id.provider == first.provider)
        for model_id in dict.fromkeys(ids)
    )


def reply_limit(settings: DefaultModelSettings, wanted: int | None) -> int:
    """Tokens of the longest reply: what is wanted, else the model's own limit; at most half the window."""
    return min(wanted or settings.max_tokens, settings.num_ctx // 2)


def _role(settings: Settings, role: Role) -> ModelSettings:
    own: ModelSettings = getattr(settings.models, role)
    return own


def _resolve(settings: Settings, role: Role, model_id: ModelId, *, same_server: bool) -> ResolvedModel:
    default, own = settings.models.default.model_dump(), _role(settings, role).model_dump()
    if not same_server:
        default |= dict.fromkeys(SERVER_FIELDS)
        own |= dict.fromkeys(SERVER_FIELDS)
    values = default
    for layer in (_tuning(settings, model_id), own):
        values |= {name: value for name, value in layer.items() if value is not None}
    decided = DefaultModelSettings.model_validate(values)
    return ResolvedModel(model_id, decided, _address(model_id, decided))


def _tuning(settings: Settings, model_id: ModelId) -> dict[str, object]:
    """Tuning whose key means this model: "embedded" tunes "embedded:gemma-3-270m" too."""
    for name, tuned in settings.models.tuning.items():
        if ModelId.parse(name) == model_id:
            return tuned.model_dump()
    return {}


def _address(model_id: ModelId, settings: DefaultModelSettings) -> str:
    if model_id.provider == "ollama":
        return with_scheme(settings.base_url) if settings.base_url else default_ollama_address()
    if model_id.provider == "openai":
        return with_scheme(settings.base_url) if settings.base_url else OPENAI_ADDRESS
    return ""
