"""Which model serves a role, every setting decided; one place, so that what is checked is what is used."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import get_args

from configs.settings import DefaultModelSettings, ModelSettings, Role, Settings
from models.identifiers import ModelId
from models.ollama_health import addresses_given, default_ollama_address
from models.selection import ModelChoice

ROLES: tuple[Role, ...] = get_args(Role)
OPENAI_ADDRESS = "https://api.openai.com/v1"
# An address and a key belong to one server, so they do not follow a fallback to another provider.
SERVER_FIELDS = ("base_url", "base_urls", "api_key_env")


@dataclass(frozen=True)
class ResolvedModel:
    """A model as a role uses it.

    Attributes:
        model_id: provider and name.
        settings: every field decided.
        address: the server's address, the first one's if there are several; empty for embedded and scripted.
        addresses: of all servers it may be asked of; those of a model with one server may be left out.
    """

    model_id: ModelId
    settings: DefaultModelSettings
    address: str
    addresses: tuple[str, ...] = ()

    @property
    def has_fleet(self) -> bool:
        """True if there is more than one server to ask."""
        return len(self.addresses) > 1

    @property
    def key_variable(self) -> str | None:
        """The variable that holds the server's key; None for a server that needs none."""
        return self.settings.api_key_env or ("OPENAI_API_KEY" if self.address == OPENAI_ADDRESS else None)

    def at(self, address: str) -> ResolvedModel:
        """The same model, asked of one of its servers."""
        return replace(self, address=address)


def candidates(settings: Settings, choice: ModelChoice, role: Role) -> tuple[ResolvedModel, ...]:
    """The role's model, then its fallback if it has one.

    A field comes from `models.ROLE`, else from `models.tuning[provider:model]`, else from `models.default`;
    one address and several are one field, of which several win where a section gives both.
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
        given = {name: value for name, value in layer.items() if value is not None}
        if given.get("base_url"):
            given.setdefault("base_urls", None)
        values |= given
    decided = DefaultModelSettings.model_validate(values)
    addresses = _addresses(model_id, decided)
    return ResolvedModel(model_id, decided, next(iter(addresses), ""), addresses)


def _tuning(settings: Settings, model_id: ModelId) -> dict[str, object]:
    """Tuning whose key means this model: "embedded" tunes "embedded:gemma-3-270m" too."""
    for name, tuned in settings.models.tuning.items():
        if ModelId.parse(name) == model_id:
            return tuned.model_dump()
    return {}


def _addresses(model_id: ModelId, settings: DefaultModelSettings) -> tuple[str, ...]:
    if model_id.provider == "ollama":
        return addresses_given(settings) or (default_ollama_address(),)
    if model_id.provider == "openai":
        return addresses_given(settings) or (OPENAI_ADDRESS,)
    return ()
