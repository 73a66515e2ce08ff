"""Addresses of servers in settings: whose machine one names."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

_PORTS = {"http": 80, "https": 443}


def is_loopback(address: str) -> bool:
    """True if a URL's host is this machine: localhost or a loopback IP address."""
    try:
        host = urlsplit(_with_slashes(address)).hostname or ""
        # A browser's parser reads a backslash as a slash, urllib's as a letter: which host is meant is open.
        return "\\" not in address and (host == "localhost" or ipaddress.ip_address(host).is_loopback)
    except ValueError:
        return False


def server_of(address: str) -> tuple[str, str, int | None] | None:
    """Scheme, host and port of a URL, http where it names no scheme; None if it names no server."""
    try:
        parts = urlsplit(_with_slashes(address))
        scheme = parts.scheme or "http"
        return (scheme, parts.hostname, parts.port or _PORTS.get(scheme)) if parts.hostname else None
    except ValueError:
        return None


def _with_slashes(address: str) -> str:
    return address if "//" in address else f"//{address}"
