"""Is an OpenAI-compatible server there, and which models does it list?"""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import IO, Any

from models.ollama_health import MAX_REPLY_BYTES, NO_ANSWER, opener_for, request_to


@dataclass(frozen=True)
class OpenAIStatus:
    """What a server says of itself.

    Attributes:
        reachable: True if it answered.
        models: it lists; empty where it lists none.
        problem: why it is not reachable, or that it is and refuses to list its models.
        silent: True if it is not because it said nothing in time.
    """

    reachable: bool
    models: tuple[str, ...] = ()
    problem: str = ""
    silent: bool = False


def fits_header(key: str) -> bool:
    """False for a key no header can carry: with a line break or a space behind it, or beyond ASCII."""
    return key.isascii() and key.isprintable() and key == key.strip()


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The key is for this server, which may not send it on to another."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> None:
        """No request follows."""


def openai_status(address: str, key: str, timeout: float) -> OpenAIStatus:
    """Ask a server for its models (`GET /models`); never raises for one that is not there.

    A server that knows no such path answers all the same, and lists nothing.

    Args:
        address: its base URL, such as http://127.0.0.1:8000/v1.
        key: it is given; empty for none.
        timeout: seconds the request may take.
    """
    if not address.startswith(("http://", "https://")):
        return OpenAIStatus(False, problem=f"{address!r} is no http address")
    if not fits_header(key):
        # The library's own error quotes the header, and with it the key.
        return OpenAIStatus(False, problem=f"{address} was not asked: the key cannot be sent in a header")
    try:
        return OpenAIStatus(True, _listed(address, key, timeout))
    except urllib.error.HTTPError as error:
        if error.code in (401, 403):
            # A key may be good for chats alone; what it is good for, the first call shows.
            return OpenAIStatus(True, problem=f"{address} refuses to list its models (status {error.code})")
        if error.code >= 500 or error.code == 429:
            return OpenAIStatus(False, problem=f"{address} answers with status {error.code}")
        return OpenAIStatus(True)
    except NO_ANSWER as error:
        reason = getattr(error, "reason", None) or error
        silent = isinstance(reason, TimeoutError)
        return OpenAIStatus(False, problem=f"no answer at {address}: {reason}", silent=silent)


def _listed(address: str, key: str, timeout: float) -> tuple[str, ...]:
    request = request_to(f"{address}/models")
    if key and not request.has_header("Authorization"):
        # Unredirected headers go to no second server, whatever handlers there are.
        request.add_unredirected_header("Authorization", f"Bearer {key}")
    with opener_for(address, _NoRedirects()).open(request, timeout=timeout) as reply:
        body = reply.read(MAX_REPLY_BYTES)
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return ()
    listed = value.get("data") if isinstance(value, dict) else None
    entries = listed if isinstance(listed, list) else []
    return tuple(str(one["id"]) for one in entries if isinstance(one, dict) and one.get("id"))
