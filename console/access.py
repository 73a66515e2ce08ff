"""Who may come in: whoever shows the token, if one is set."""

from __future__ import annotations

import hmac
import os

from starlette.requests import HTTPConnection

TOKEN = "REFLECT_API_TOKEN"


def token_required() -> bool:
    """Whether this server asks for a token."""
    return bool(os.environ.get(TOKEN))


def is_welcome(request: HTTPConnection) -> bool:
    """Whether a request came with what is needed."""
    given = request.headers.get("authorization", "").encode("utf-8", "replace")
    return not token_required() or hmac.compare_digest(given, f"Bearer {os.environ[TOKEN]}".encode())
