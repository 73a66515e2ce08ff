"""The address of a Chroma server, read from a URL that may hold a login."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from urllib.parse import SplitResult, unquote, urlsplit

from configs.addresses import is_loopback
from configs.redaction import escaped
from memory.errors import ExperiencePlaceInvalid

_FORM = "Write it as http://HOST:PORT or https://USER:PASSWORD@HOST:PORT, special characters as %XX."


@dataclass(frozen=True)
class ChromaServer:
    """The address of a server.

    Attributes:
        secure: whether it is asked over TLS.
        host: its name or address.
        port: its port.
        authorization: header that is sent with every request; empty for none.
    """

    secure: bool
    host: str
    port: int
    authorization: str = field(default="", repr=False)

    def __str__(self) -> str:
        """The address without its login."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return escaped(f"{'https' if self.secure else 'http'}://{host}:{self.port}")

    @property
    def on_this_machine(self) -> bool:
        """Whether it is named by a loopback name or address."""
        return is_loopback(str(self))


def chroma_server(url: str) -> ChromaServer:
    """Read an address.

    A login of name and password is sent as Basic, a name alone as Bearer.

    Raises:
        ExperiencePlaceInvalid: it is none, or has a path. Its text, which may hold a password, is not shown.
    """
    try:
        parts = urlsplit(url.strip())
        plain = not (parts.path.strip("/") or parts.query or parts.fragment) and "\\" not in url
        port = parts.port or (443 if parts.scheme == "https" else 8000)
    except ValueError:
        plain, parts, port = False, urlsplit(""), 0
    if not plain or parts.scheme not in ("http", "https") or not parts.hostname:
        raise ExperiencePlaceInvalid(
            "The variable that `experience.chroma_url_env` names holds no address of a Chroma server.", _FORM
        )
    return ChromaServer(parts.scheme == "https", parts.hostname, port, _authorization(parts))


def _authorization(parts: SplitResult) -> str:
    if parts.username is None:
        return ""
    if parts.password is None:
        return f"Bearer {unquote(parts.username)}"
    login = f"{unquote(parts.username)}:{unquote(parts.password)}"
    return "Basic " + base64.b64encode(login.encode("utf-8")).decode("ascii")
