"""How the servers of every fleet in the settings are, for people who look at them before a run does."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from configs.redaction import without_secrets
from configs.settings import Settings
from models.errors import ModelUnavailable
from models.fleet.health import HostHealth, look_at
from models.identifiers import ModelId
from models.ollama_health import AT_ONCE
from models.profile_rules import check_models_allowed
from models.role_settings import ROLES, ResolvedModel, candidates
from models.selection import ModelChoice, choose_model


@dataclass(frozen=True)
class HostReport:
    """A server of a model that has several.

    Attributes:
        provider: whose protocol it speaks.
        address: its URL, without what is secret in it.
        health: what it says of itself.
        lacks: models roles would ask it for that an Ollama server does not have.
        others: servers beside it that may be asked instead, now.
    """

    provider: str
    address: str
    health: HostHealth
    lacks: tuple[str, ...]
    others: int


def survey(settings: Settings, timeout: float) -> tuple[HostReport, ...]:
    """Look at each server of each fleet, all at the same time; blocking.

    Args:
        settings: all of them.
        timeout: seconds each of up to three requests of one server may take.

    Raises:
        ModelIdInvalid: the settings name a model that is none.
        ModelForbidden: the profile does not allow a server, and so none is asked.
    """
    fleets = _fleets(settings)
    by_place: dict[tuple[str, str], list[ResolvedModel]] = {}
    for model in fleets:
        for address in model.addresses:
            by_place.setdefault((model.model_id.provider, address), []).append(model.at(address))
    if not by_place:
        return ()
    with ThreadPoolExecutor(min(len(by_place), AT_ONCE)) as pool:
        looks = pool.map(lambda asked: look_at(asked[0], timeout), by_place.values())
        found = dict(zip(by_place, looks, strict=True))
    reports = []
    for (provider, address), asked in by_place.items():
        health = found[provider, address]
        beside = {(provider, one) for model in asked for one in model.addresses} - {(provider, address)}
        told = replace(health, problem=without_secrets("", health.problem))
        reports.append(
            HostReport(
                provider,
                str(without_secrets("base_url", address)),
                told,
                _lacking(health, asked),
                sum(found[one].answers for one in beside),
            )
        )
    return tuple(reports)


def _fleets(settings: Settings) -> list[ResolvedModel]:
    """The models of all roles that have several servers, each model of a server once."""
    try:
        chosen = choose_model(settings)
    except ModelUnavailable:
        chosen = ModelChoice(ModelId("ollama", ""), "nothing answers")
    if not (settings.model or settings.models.default.name) and chosen.model_id.provider != "ollama":
        # The servers are there to be asked for whatever they have, and were passed over because none answers.
        chosen = ModelChoice(ModelId("ollama", ""), "nothing answers")
    check_models_allowed(settings, chosen)
    found: dict[tuple[ModelId, tuple[str, ...]], ResolvedModel] = {}
    for role in ROLES:
        for model in candidates(settings, chosen, role):
            if model.has_fleet:
                found.setdefault((model.model_id, model.addresses), model)
    return list(found.values())


def _lacking(health: HostHealth, asked: list[ResolvedModel]) -> tuple[str, ...]:
    if not health.answers or health.models is None or asked[0].model_id.provider != "ollama":
        return ()
    wanted = dict.fromkeys(model.model_id.name for model in asked if model.model_id.name)
    return tuple(name for name in wanted if not {name, f"{name}:latest"} & set(health.models))
