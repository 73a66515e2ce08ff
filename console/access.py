"""Who may come in: LangGraph's `auth` of langgraph.json, and the guard in front of every route.

    guard    who calls whom: address, Host and Origin  every route, websockets too
             a token, where one is set                every route but the page itself, `/ok` and who one is
    auth     the same token, as LangGraph asks for it  LangGraph's own routes

A page of a stranger can make a browser send requests here. So a Host must be a name of this machine, which a
name that was pointed at it (DNS rebinding) is not; and what changes something must come from a page of this
server, of this machine or of Studio, whatever its content type says, or from no page at all.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from langgraph_sdk import Auth
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from configs.admission import (
    HOSTS_VARIABLE,
    TOKEN_VARIABLE,
    host_of,
    hosts_of,
    is_this_machine,
    may_come_from,
    shows,
    token_of,
)

PAGE = "/console"
API = "/console/api"
_OPEN = frozenset({"/ok", PAGE, f"{API}/about"})
_HARMLESS = frozenset({"GET", "HEAD", "OPTIONS"})
# LangGraph's own calls within the process come by this root path, which no request can set.
_WITHIN = "/noauth"
_REFUSED, _UNKNOWN = 403, 401
_SHOWN = 100
_PRIVATE_NETWORK = b"access-control-request-private-network"


@dataclass(frozen=True)
class Door:
    """Who is let in.

    Attributes:
        token: every request has to show; None when nobody is asked.
        hosts: further names the server is called by.
    """

    token: str | None = field(repr=False)
    hosts: frozenset[str]


def door_of(environment: Mapping[str, str]) -> Door:
    """What the environment says.

    Raises:
        UsageError: a variable is set and makes no sense; the server must not begin then.
    """
    return Door(token_of(environment), hosts_of(environment))


DOOR = door_of(os.environ)


def welcome(authorization: str, door: Door) -> bool:
    """Whether an Authorization header shows what is needed; always true when nothing is."""
    return door.token is None or shows(authorization, door.token)


def token_required() -> bool:
    """Whether this server asks for a token."""
    return DOOR.token is not None


def is_welcome(request: HTTPConnection) -> bool:
    """Whether a request came with what is needed."""
    return welcome(request.headers.get("authorization", ""), DOOR)


class Guard:
    """ASGI middleware that refuses before any route is looked at.

    Args:
        app: what it stands in front of.
        door: who is let in.
    """

    def __init__(self, app: ASGIApp, door: Door = DOOR) -> None:
        self._app = app
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI: an HTTP request is answered, a websocket closed before it is accepted."""
        refusal = self._refusal(scope) if scope["type"] in ("http", "websocket") else None
        if refusal is None:
            await self._app(_to_this_network(scope), receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": "refused"})
        else:
            await refusal(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        root = scope.get("root_path", "")
        if root == _WITHIN or root.startswith(f"{_WITHIN}/"):
            return None
        headers = Headers(scope=scope)
        return self._afar(scope) or self._stranger(headers, scope) or self._unknown(headers, scope)

    def _afar(self, scope: Scope) -> Response | None:
        """Whoever is on another machine where no token is set, by whatever name the server is called."""
        peer = scope.get("client")
        if self._door.token is not None or peer is None or is_this_machine(peer[0]):
            return None
        return _told(
            _REFUSED,
            "Without a token this server answers its own machine only.",
            f"Put a long random text into {TOKEN_VARIABLE} where it runs.",
        )

    def _stranger(self, headers: Headers, scope: Scope) -> Response | None:
        """Whoever calls this server by another name, or sends a page of somebody else's."""
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        if len(hosts) != 1 or not is_this_machine(host_of(hosts[0]), self._door.hosts):
            return _told(
                _REFUSED,
                f"This server is not called {', '.join(hosts)[:_SHOWN]!r}.",
                f"Call it by a name of this machine, or list the name in {HOSTS_VARIABLE}.",
            )
        strange = [one for one in origins if not may_come_from(one, hosts[0], self._door.hosts)]
        if strange and scope.get("method") not in _HARMLESS:
            return _told(
                _REFUSED,
                f"A page of {strange[0][:_SHOWN]!r} may not change anything here.",
                f"List its host in {HOSTS_VARIABLE} if it is yours.",
            )
        return None

    def _unknown(self, headers: Headers, scope: Scope) -> Response | None:
        """Whoever does not show the token where one is needed."""
        method = scope.get("method", "")
        # A browser asks before it shows a token (CORS); what it asks gives nothing away.
        asked = method == "OPTIONS" and "access-control-request-method" in headers
        if asked or is_open(scope["path"], method) or welcome(headers.get("authorization", ""), self._door):
            return None
        shown = {"WWW-Authenticate": "Bearer"}
        origin = headers.get("origin", "")
        if may_come_from(origin, headers.get("host", ""), self._door.hosts):
            # Without it a page that was let in would see no more than that something failed.
            shown |= {"Access-Control-Allow-Origin": origin, "Vary": "Origin"}
        return _told(_UNKNOWN, "A token is needed.", "Send the header `Authorization: Bearer TOKEN`.", shown)


def is_open(path: str, method: str) -> bool:
    """Whether a path is answered without a token: the page, which asks for it, and `/ok`."""
    if method not in ("GET", "HEAD"):
        return False
    below_page = path.startswith(f"{PAGE}/") and path != API and not path.startswith(f"{API}/")
    return path in _OPEN or below_page


def _to_this_network(scope: Scope) -> Scope:
    """A browser's question whether a page may call this machine, without the header Starlette refuses.

    LangGraph's server answers the header itself; whether the page may is decided by its origin.
    """
    if scope["type"] != "http" or scope["method"] != "OPTIONS":
        return scope
    return {**scope, "headers": [one for one in scope["headers"] if one[0] != _PRIVATE_NETWORK]}


def _told(status: int, what: str, remedy: str, headers: Mapping[str, str] | None = None) -> Response:
    return JSONResponse({"error": f"{what} {remedy}"}, status, headers)


auth = Auth()


@auth.authenticate
async def authenticate(authorization: str | None) -> Auth.types.MinimalUserDict:
    """The one user there is.

    Raises:
        Auth.exceptions.HTTPException: the token is not shown.
    """
    if not welcome(authorization or "", DOOR):
        raise Auth.exceptions.HTTPException(status_code=401, detail="A token is needed.")
    return {"identity": "owner", "is_authenticated": True, "permissions": []}
