"""Is an Ollama server there, and which models does it have?"""

from __future__ import annotations

import base64
import http.client
import json
import os
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import unquote, urlsplit, urlunsplit

from configs.settings import ModelSettings, Role, Settings

DEFAULT_ADDRESS = "http://127.0.0.1:11434"
# What a broken or foreign server can make urllib and json raise.
NO_ANSWER = (OSError, ValueError, http.client.HTTPException, RecursionError)
MAX_REPLY_BYTES = 2**24
LOOPBACK = ("localhost", "127.0.0.1", "::1")
AT_ONCE = 16
"""Servers asked at the same time."""


@dataclass(frozen=True)
class OllamaStatus:
    """What a server says of itself.

    Attributes:
        reachable: True if it answered.
        version: its version, empty when it did not answer.
        models: names of the models it has, most recently modified first.
        problem: why it is not reachable.
        sizes: bytes of each model on the disk, as far as the server tells.
        silent: True if it is not reachable because it said nothing in time.
    """

    reachable: bool
    version: str = ""
    models: tuple[str, ...] = field(default=())
    problem: str = ""
    sizes: Mapping[str, int] = field(default_factory=dict)
    silent: bool = False


def with_scheme(address: str) -> str:
    """An address as a URL without a trailing slash; http when it names no scheme."""
    stripped = address.strip().rstrip("/")
    return stripped if "//" in stripped else f"http://{stripped}"


def default_ollama_address() -> str:
    """OLLAMA_HOST as Ollama's own client reads it, or the standard address.

    A host without a scheme gets port 11434; with http:// or https:// it keeps that scheme's own port.
    """
    host = os.environ.get("OLLAMA_HOST", "").strip()
    if not host:
        return DEFAULT_ADDRESS
    address = with_scheme(f"127.0.0.1{host}" if host.startswith(":") else host)
    parts = urlsplit(address)
    try:
        port = parts.port
    except ValueError:
        return address
    if port is None and "//" not in host:
        address = f"{parts.scheme}://{parts.netloc}:11434{parts.path}"
    # 0.0.0.0 is where a server listens, not where a client connects.
    return address.replace("//0.0.0.0", "//127.0.0.1", 1)


def addresses_given(settings: ModelSettings) -> tuple[str, ...]:
    """The addresses a section of the settings names, each once; several win over one."""
    named = settings.base_urls or ((settings.base_url,) if settings.base_url else ())
    return tuple(dict.fromkeys(map(with_scheme, named)))


def ollama_addresses(settings: Settings, role: Role) -> tuple[str, ...]:
    """Addresses for a role's Ollama model: its own, the default ones, OLLAMA_HOST, or the standard port."""
    own: ModelSettings = getattr(settings.models, role)
    return addresses_given(own) or addresses_given(settings.models.default) or (default_ollama_address(),)


def ollama_address(settings: Settings, role: Role) -> str:
    """The first of a role's addresses (`ollama_addresses`)."""
    return ollama_addresses(settings, role)[0]


def embedding_address(settings: Settings) -> str:
    """Address of an Ollama embedding model: embeddings.base_url, else OLLAMA_HOST, else the standard port.

    `models.default.base_url` is not used: it may be the address of a server that is not Ollama.
    """
    own = settings.embeddings.base_url
    return with_scheme(own) if own else default_ollama_address()


def request_to(url: str, data: bytes | None = None) -> urllib.request.Request:
    """A request whose login, where its address holds one, is sent as a header to this server only.

    urllib takes `user:password@` for a part of the host's name, other than the clients of chat models.
    """
    parts = urlsplit(url)
    login, at, host = parts.netloc.rpartition("@")
    request = urllib.request.Request(urlunsplit(parts._replace(netloc=host)), data)
    if at:
        # A token that stands alone is a name with an empty password to those clients.
        name, _, password = login.partition(":")
        word = base64.b64encode(f"{unquote(name)}:{unquote(password)}".encode()).decode()
        request.add_unredirected_header("Authorization", f"Basic {word}")
    return request


def opener_for(address: str, *handlers: urllib.request.BaseHandler) -> urllib.request.OpenerDirector:
    """What opens requests to a server on the way that its chat model's client takes.

    Args:
        address: the server's URL.
        handlers: of requests, besides the usual ones.
    """
    local = urlsplit(address).hostname in LOOPBACK
    # A proxy of the environment has no business between this process and a local server.
    return urllib.request.build_opener(urllib.request.ProxyHandler({} if local else None), *handlers)


def _get(address: str, path: str, timeout: float, body: dict[str, Any] | None = None) -> dict[str, Any]:
    data = json.dumps(body).encode() if body is not None else None
    request = request_to(f"{address}{path}", data)
    request.add_header("Content-Type", "application/json")
    with opener_for(address).open(request, timeout=timeout) as reply:
        value = json.loads(reply.read(MAX_REPLY_BYTES))
    return value if isinstance(value, dict) else {}


def _entries(value: dict[str, Any]) -> list[dict[str, Any]]:
    """The named models of a listing, whatever else a server may have put there."""
    listed = value.get("models")
    entries = listed if isinstance(listed, list) else []
    return [entry for entry in entries if isinstance(entry, dict) and entry.get("name")]


def ollama_status(address: str, timeout: float) -> OllamaStatus:
    """Ask a server for its version and models; never raises for a server that is not there.

    Args:
        address: its URL.
        timeout: seconds each of two requests may take.
    """
    if not address.startswith(("http://", "https://")):
        return OllamaStatus(False, problem=f"{address!r} is no http address")
    try:
        version = _get(address, "/api/version", timeout).get("version")
        entries = _entries(_get(address, "/api/tags", timeout))
    except NO_ANSWER as error:
        return _unreached(address, error)
    status = _told(address, version)
    if not status.reachable:
        return status
    entries.sort(key=lambda entry: str(entry.get("modified_at", "")), reverse=True)
    sizes = {str(entry["name"]): size for entry in entries if isinstance(size := entry.get("size"), int)}
    return replace(status, models=tuple(str(entry["name"]) for entry in entries), sizes=sizes)


def capabilities(address: str, model: str, timeout: float) -> frozenset[str]:
    """What a model can do, as the server says: completion, embedding, thinking, tools, vision.

    Empty when the server does not answer. A server too old to say is believed to complete, unless the
    model's name speaks of embedding.
    """
    try:
        shown = _get(address, "/api/show", timeout, {"model": model})
    except NO_ANSWER:
        return frozenset()
    told = shown.get("capabilities")
    if isinstance(told, list):
        return frozenset(str(item) for item in told)
    return frozenset({"embedding"} if "embed" in model else {"completion"})


def can_chat(address: str, model: str, timeout: float) -> bool:
    """True if the model completes text; False for an embedding model or a server that does not answer."""
    return "completion" in capabilities(address, model, timeout)


def ollama_statuses(addresses: Sequence[str], timeout: float) -> dict[str, OllamaStatus]:
    """What several servers say of themselves, by address, asked at the same time."""
    if len(addresses) == 1:
        return {addresses[0]: ollama_status(addresses[0], timeout)}
    with ThreadPoolExecutor(min(len(addresses), AT_ONCE)) as pool:
        found = pool.map(lambda address: ollama_status(address, timeout), addresses)
        return dict(zip(addresses, found, strict=True))


def server_version(address: str, timeout: float) -> OllamaStatus:
    """Ask a server for its version only, as one does who wants to know whether it still answers."""
    try:
        version = _get(address, "/api/version", timeout).get("version")
    except NO_ANSWER as error:
        return _unreached(address, error)
    return _told(address, version)


def _told(address: str, version: object) -> OllamaStatus:
    if isinstance(version, str):
        return OllamaStatus(True, version)
    return OllamaStatus(False, problem=f"what answers at {address} is no Ollama server")


def _unreached(address: str, error: Exception) -> OllamaStatus:
    reason = getattr(error, "reason", None) or error
    silent = isinstance(reason, TimeoutError)
    return OllamaStatus(False, problem=f"no answer at {address}: {reason}", silent=silent)


def loaded_models(address: str, timeout: float) -> tuple[str, ...]:
    """Models the server holds in memory; empty when it cannot say."""
    try:
        running = _entries(_get(address, "/api/ps", timeout))
    except NO_ANSWER:
        return ()
    return tuple(str(entry["name"]) for entry in running)


def model_digest(address: str, model: str, timeout: float) -> str:
    """What the server calls the digest of a model; empty when it has no such model or does not answer.

    Args:
        address: the server's URL.
        model: its name; without a tag, `latest` is meant.
        timeout: seconds the request may take.
    """
    try:
        listed = _entries(_get(address, "/api/tags", timeout))
    except NO_ANSWER:
        return ""
    names = (model, f"{model}:latest")
    return next((str(entry.get("digest", "")) for entry in listed if entry["name"] in names), "")
