"""The routes of `/console/api`, as `console/shapes.py` lists them."""

from __future__ import annotations

from starlette.requests import Request
from starlette.routing import Route

from console.api.about import about
from console.api.answering import Answer, route
from console.api.experience import experience
from console.api.models import models
from console.api.reports import report_page
from console.api.settings import checks, settings
from console.api.threads import thread_facts, threads
from console.api.traces import trace_page
from console.errors import NotThere


def nothing(request: Request) -> Answer:
    """Whatever else is asked for.

    Raises:
        NotThere: always.
    """
    raise NotThere(f"There is no route {request.url.path!r}.", "docs/console.md names those there are.")


ROUTES: list[Route] = [
    route("/about", about),
    route("/models", models),
    route("/settings", settings),
    route("/checks", checks),
    route("/experience", experience),
    route("/threads", threads),
    # A thread's name may hold anything, a slash too; the longer paths are looked at first.
    route("/threads/{thread:path}/trace", trace_page),
    route("/threads/{thread:path}/report", report_page),
    route("/threads/{thread:path}", thread_facts),
    route("/{anything:path}", nothing),
]
