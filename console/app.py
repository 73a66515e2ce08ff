"""The web application that langgraph.json hangs in front of LangGraph's own routes (`http.app`).

LangGraph takes its middleware for the whole server, so the guard stands before every route of it.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from configs.errors import ReflectError
from console.access import API, PAGE, Guard
from console.api.routes import ROUTES
from console.thread_deletion import delete_threads_in_turn

STATIC = Path(__file__).parent / "static"
INDEX = "index.html"
HEADERS = {
    # The page is ours alone: nothing is loaded from elsewhere, and nobody else puts it in a frame.
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; frame-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'self'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}
NOT_BUILT = "The console's page is not built. Run `make console-web` in the sources, then load this again.\n"
_YEAR = "public, max-age=31536000, immutable"
_ASK_AGAIN = "no-cache"
# What Vite appends to a file's name: another content has another one, so a browser may keep it for good.
_HASHED = re.compile(r"^assets/.+-[A-Za-z0-9_-]{8}\.[a-z0-9]+$")


class Page(StaticFiles):
    """The page's files, each with the headers that keep strangers out."""

    async def check_config(self) -> None:
        """A directory that is missing is a page that was never built, which is an answer of its own."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """See `StaticFiles`; a page that was never built says so."""
        try:
            response = await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code != 404:
                raise
            response = _missing(path)
        found = response.status_code in (200, 304)
        response.headers["Cache-Control"] = _YEAR if found and _HASHED.match(path) else _ASK_AGAIN
        response.headers.update(HEADERS)
        return response


def _missing(path: str) -> Response:
    if path in (".", "", INDEX):
        return PlainTextResponse(NOT_BUILT, 503)
    return PlainTextResponse("There is no such file.\n", 404)


async def to_page(request: Request) -> Response:
    """The address people type, without its slash."""
    return RedirectResponse(f"{PAGE}/", 307, HEADERS)


async def no_such_route(request: Request) -> Response:
    """What `/console/api` does not know is no file of the page either."""
    return PlainTextResponse("There is no such route.\n", 404, HEADERS)


async def told(request: Request, error: Exception) -> Response:
    """What was asked for cannot be done, for a reason that has words: LangGraph would only say 500."""
    return JSONResponse({"error": str(error), "detail": str(error)}, 400)


def routes_of(static: Path) -> list[BaseRoute]:
    """The page below `/console/`, its questions below `/console/api/`."""
    return [
        Route(PAGE, to_page, methods=["GET"], include_in_schema=False),
        *ROUTES,
        Route(f"{API}/{{path:path}}", no_such_route, include_in_schema=False),
        Mount(PAGE, Page(directory=static, html=True, check_dir=False), name="console"),
    ]


@asynccontextmanager
async def lifespan(_: Starlette) -> AsyncIterator[None]:
    """What is to be so before the first request."""
    delete_threads_in_turn()
    yield


app = Starlette(
    routes=routes_of(STATIC),
    lifespan=lifespan,
    middleware=[Middleware(Guard)],
    exception_handlers={ReflectError: told},
)
