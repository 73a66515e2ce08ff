"""What `telemetry.endpoint` may be: an address of HTTP, and in profile sovereign one of this machine.

A name that is looked up is not trusted to lead here: only `localhost` and a loopback address count.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from configs.addresses import is_loopback, server_of
from configs.errors import SettingsError
from configs.layers import DEFAULT, Layer
from configs.redaction import found
from configs.settings import Settings


def refused_endpoints(settings: Settings, layer: Layer) -> Iterator[SettingsError]:
    """Why spans may not be sent where the settings say; nothing if they may.

    Args:
        settings: those in force.
        layer: where each was said.
    """
    endpoint = settings.telemetry.endpoint
    if endpoint is None:
        return
    said = layer.get(("telemetry", "endpoint"))
    where = f"{said.origin if said else DEFAULT}: `telemetry.endpoint` is {found('endpoint', endpoint)}"
    if not _is_http(endpoint):
        yield SettingsError(
            f"{where}, which is no address of an OTLP/HTTP server.",
            "Write it like http://localhost:4318; telemetry.headers_env names a variable for a login.",
        )
    elif _is_local_only(settings) and not is_loopback(endpoint):
        yield SettingsError(
            f"{where}, and the profile {settings.profile!r} sends nothing to other machines.",
            "Name localhost or a loopback address, set telemetry.file instead, or choose another profile.",
        )


def _is_http(endpoint: str) -> bool:
    """True for http://HOST or https://HOST with at most a port and a path."""
    server = server_of(endpoint)
    if server is None or not endpoint.lower().startswith(("http://", "https://")):
        return False
    parts = urlsplit(endpoint)
    beside = parts.query or parts.fragment or parts.username is not None or parts.password is not None
    return not beside and "\\" not in endpoint and not any(sign.isspace() for sign in endpoint)


def _is_local_only(settings: Settings) -> bool:
    return settings.profile == "sovereign" or getattr(settings.profiles, settings.profile).models == "local"
