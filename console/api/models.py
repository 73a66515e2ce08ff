"""Models within reach of a root's settings. The answer comes in time however far away Ollama is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as TookTooLong
from typing import TypeVar, get_args

from starlette.requests import Request

from configs.loading import load_settings
from configs.redaction import without_secrets
from configs.settings import Role, Settings
from console.api.asked import root_of
from console.shapes import ModelAbout, Models
from models.embedded_weights import SHIPPED_BYTES, embedded_status
from models.errors import ModelError
from models.identifiers import SHIPPED, ModelId
from models.ollama_health import OllamaStatus, can_chat, loaded_models, ollama_addresses, ollama_status
from models.profile_rules import check_models_allowed
from models.selection import PROBE_SECONDS, choose_model

LONGEST_WAIT = 1.2
"""Seconds for Ollama's answer, the look-up of its name among them, which no timeout of a request bounds."""
_AT_ONCE = 8
T = TypeVar("T")


def models(request: Request) -> Models:
    """What can be chosen, what is used if nothing is, and what is in the way; blocking."""
    settings = load_settings(root_of(request)).settings
    statuses = _statuses(ollama_addresses(settings, "worker"))
    default, reason, problems = _default(settings, statuses)
    known = {one.name: one for one in (*_of_ollama(statuses), *_embedded())}
    named, wrong = _configured(settings)
    for one in named:
        known.setdefault(one.name, one)
    return Models(
        default=default,
        reason=reason,
        available=tuple(known.values()),
        problems=(*_of_servers(statuses), *problems, *wrong),
    )


def _statuses(addresses: Sequence[str]) -> dict[str, OllamaStatus]:
    """What each server says of itself, in time."""

    def status(address: str) -> OllamaStatus:
        late = OllamaStatus(False, problem=f"no answer at {address} in {LONGEST_WAIT:g} s")
        return in_time(lambda: ollama_status(address, PROBE_SECONDS), LONGEST_WAIT, late)

    with ThreadPoolExecutor(len(addresses)) as pool:
        return dict(zip(addresses, pool.map(status, addresses), strict=True))


def in_time(work: Callable[[], T], seconds: float, late: T) -> T:
    """What a function gives, or something else if it takes too long; it then goes on in its own thread.

    Args:
        work: blocking.
        seconds: it may take.
        late: what is given instead.
    """
    pool = ThreadPoolExecutor(1)
    try:
        return pool.submit(work).result(seconds)
    except TookTooLong:
        return late
    finally:
        pool.shutdown(wait=False)


def _default(settings: Settings, statuses: Mapping[str, OllamaStatus]) -> tuple[str | None, str, list[str]]:
    """The model of a run that names none, why it is that one, and what keeps it from being used."""
    try:
        choice = choose_model(settings, statuses)
    except ModelError as error:
        return None, str(error), []
    try:
        check_models_allowed(settings, choice)
    except ModelError as error:
        return str(choice.model_id), choice.reason, [str(error)]
    return str(choice.model_id), choice.reason, []


def _of_ollama(statuses: Mapping[str, OllamaStatus]) -> Iterator[ModelAbout]:
    """The models of the servers that can chat; one that is in memory anywhere is in memory."""
    having = [address for address, status in statuses.items() if status.models]
    places = {name: address for address in reversed(having) for name in reversed(statuses[address].models)}
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        loaded = set().union(*pool.map(lambda address: loaded_models(address, PROBE_SECONDS), having))
        names = list(dict.fromkeys(name for address in having for name in statuses[address].models))
        chats = pool.map(lambda name: can_chat(places[name], name, PROBE_SECONDS), names)
        for name, fits in zip(names, chats, strict=True):
            if fits:
                yield ModelAbout(
                    name=str(ModelId("ollama", name)),
                    provider="ollama",
                    size_bytes=statuses[places[name]].sizes.get(name),
                    loaded=name in loaded,
                )


def _embedded() -> Iterator[ModelAbout]:
    if embedded_status() is None:
        name = str(ModelId("embedded", SHIPPED))
        yield ModelAbout(name=name, provider="embedded", size_bytes=SHIPPED_BYTES)


def _configured(settings: Settings) -> tuple[list[ModelAbout], list[str]]:
    """Models that settings name, whoever serves them, and names that are none."""
    found, wrong = [], []
    for name in dict.fromkeys(filter(None, _names(settings))):
        try:
            model = ModelId.parse(name)
        except ModelError as error:
            wrong.append(str(error))
        else:
            found.append(ModelAbout(name=str(model), provider=model.provider))
    return found, wrong


def _names(settings: Settings) -> Iterable[str | None]:
    of_roles = [getattr(settings.models, role) for role in ("default", *get_args(Role))]
    return [
        settings.model,
        *(one.name for one in of_roles),
        *(one.fallback for one in of_roles),
        *settings.models.tuning,
    ]


def _of_servers(statuses: Mapping[str, OllamaStatus]) -> Iterator[str]:
    for address, status in statuses.items():
        one = f"Ollama at {without_secrets('base_url', address)}" if len(statuses) > 1 else "Ollama"
        if not status.reachable:
            why = without_secrets("", status.problem)
            yield f"{one} is not running: {why}. Start it with `ollama serve`."
        elif not status.models:
            yield f"{one} has no model. Get one with `ollama pull qwen2.5:7b`."
    if problem := embedded_status():
        yield f"There is no embedded model: {problem}. pip install 'reflective-graph[embedded]'"
