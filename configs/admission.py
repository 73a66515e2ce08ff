"""Who may come in at the server's door: a token, and the names this machine is called by.

Two variables of the environment decide. They are no settings: a project's own file must not open the door.

    REFLECT_API_TOKEN       what every request has to show; nobody is asked when it is not set
    REFLECT_ALLOWED_HOSTS   further names and addresses the server is called by, with commas between
"""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Mapping
from urllib.parse import urlsplit

from configs.errors import UsageError

TOKEN_VARIABLE = "REFLECT_API_TOKEN"
HOSTS_VARIABLE = "REFLECT_ALLOWED_HOSTS"
STUDIO = "https://smith.langchain.com"
"""Where LangGraph Studio is served from: a page of another origin, which may drive this server."""

_SCHEME = "bearer"


def token_of(environment: Mapping[str, str]) -> str | None:
    """The token requests have to show; None when nobody is asked.

    Raises:
        UsageError: the variable is there and holds none, or one that no header can carry.
    """
    given = environment.get(TOKEN_VARIABLE)
    if given is None:
        return None
    token = given.strip()
    if not token:
        raise UsageError(
            f"{TOKEN_VARIABLE} is set, but empty: it is not clear whether everybody may come in.",
            f"Put a long random text into it, or `unset {TOKEN_VARIABLE}`.",
        )
    if not token.isascii() or not token.isprintable() or " " in token:
        raise UsageError(
            f"{TOKEN_VARIABLE} holds a space, a control character or a letter beyond ASCII.",
            "Use letters, digits and signs of ASCII: a header carries nothing else unchanged.",
        )
    return token


def hosts_of(environment: Mapping[str, str]) -> frozenset[str]:
    """Further names and addresses the server is called by, in lower case.

    Raises:
        UsageError: one of them is no name and no address: an address with a scheme, a port or a star.
    """
    named = [one.strip() for one in environment.get(HOSTS_VARIABLE, "").split(",") if one.strip()]
    hosts = {one: _plain(one) for one in named}
    for one, host in hosts.items():
        if not host or any(sign in one for sign in "/*@ ") or _with_port(one):
            raise UsageError(
                f"{HOSTS_VARIABLE} holds {one!r}, which is no host's name or address.",
                "Write names or addresses only, with commas between: `box.lan,192.168.1.20`.",
            )
    return frozenset(hosts.values())


def shows(authorization: str, token: str) -> bool:
    """Whether an Authorization header shows the token; takes as long for every wrong one."""
    scheme, _, shown = authorization.strip().partition(" ")
    matches = hmac.compare_digest(shown.strip().encode("utf-8", "replace"), token.encode())
    return scheme.lower() == _SCHEME and matches


def is_this_machine(host: str, further: frozenset[str] = frozenset()) -> bool:
    """Whether a host is a loopback name or address, or one of the further ones.

    Args:
        host: a name or an address, as it stands in a URL; no port.
        further: see `hosts_of`.
    """
    plain = _plain(host)
    if plain == "localhost" or plain.endswith(".localhost") or plain in further:
        return bool(plain)
    try:
        address = ipaddress.ip_address(plain)
    except ValueError:
        return False
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


def host_of(header: str) -> str:
    """The host of a Host header, without its port; empty when there is none, or it cannot be read."""
    if any(sign in header for sign in "/\\@?#, \t") or not header.isprintable():
        return ""
    try:
        parts = urlsplit(f"//{header}")
        _ = parts.port
        return parts.hostname or ""
    except ValueError:
        return ""


def may_come_from(origin: str, host: str, further: frozenset[str]) -> bool:
    """Whether a page of that origin may change something here.

    Args:
        origin: the header Origin.
        host: the request's Host header.
        further: see `hosts_of`.
    """
    if origin == STUDIO:
        return True
    scheme, separator, place = origin.partition("://")
    if not separator or scheme.lower() not in ("http", "https"):
        return False
    return bool(place) and (place.lower() == host.lower() or is_this_machine(host_of(place), further))


def _plain(host: str) -> str:
    return host.lower().removeprefix("[").removesuffix("]").removesuffix(".")


def _with_port(host: str) -> bool:
    try:
        ipaddress.ip_address(_plain(host))
    except ValueError:
        return ":" in host
    return False
