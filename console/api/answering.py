"""Answers: a shape as JSON, a page as HTML, and what cannot be answered as a `Problem` in words."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable

from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from configs.errors import ReflectError, RootMissing
from configs.redaction import escaped
from console.errors import NotThere
from console.shapes import Problem, Shape

PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
"""Content-Security-Policy of a page: it runs nothing and fetches nothing, whatever stands on it."""
_PRIVATE = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
_NOT_THERE, _NO_SENSE = 404, 400

Answer = Shape | str
"""A shape, or the text of a page."""


def route(path: str, answer: Callable[[Request], Answer]) -> Route:
    """A route that answers GET, in a thread of its own.

    Args:
        path: below /console/api, with a leading slash.
        answer: blocking.
    """

    def endpoint(request: Request) -> Response:
        try:
            given = answer(request)
        except (RootMissing, NotThere) as error:
            return _problem(_NOT_THERE, str(error))
        except ReflectError as error:
            return _problem(_NO_SENSE, str(error))
        except (OSError, sqlite3.Error) as error:
            return _problem(_NO_SENSE, f"A file cannot be read: {error}.")
        except ValidationError as error:
            return _problem(_NO_SENSE, f"What is kept of it cannot be read: {_first(error)}.")
        return _page(given) if isinstance(given, str) else _json(given)

    return Route(f"/console/api{path}", endpoint, methods=["GET"], name=answer.__module__ + path)


def _json(shape: Shape, status: int = 200) -> Response:
    # As ASCII, in which half a character, which files of any program may hold, has a form.
    return Response(json.dumps(shape.model_dump(mode="json")), status, _PRIVATE, "application/json")


def _page(text: str) -> Response:
    headers = {**_PRIVATE, "Content-Security-Policy": PAGE_POLICY, "X-Frame-Options": "SAMEORIGIN"}
    return Response(text.encode("utf-8", "replace"), 200, headers, "text/html")


def _problem(status: int, what: str) -> Response:
    return _json(Problem(error=escaped(what)), status)


def _first(error: ValidationError) -> str:
    found = error.errors(include_url=False, include_context=False, include_input=False)[0]
    return f"{'.'.join(map(str, found['loc']))}: {found['msg']}"
