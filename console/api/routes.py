"""The routes of `/console/api`, as `console/shapes.py` lists them."""

from __future__ import annotations

from starlette.convertors import Convertor, register_url_convertor
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


class Anything(Convertor[str]):
    """A part of a path that may hold slashes and new lines, at which Starlette's own `path` ends."""

    regex = r"[\s\S]*"

    def convert(self, value: str) -> str:
        """The text itself."""
        return value

    def to_string(self, value: str) -> str:
        """The text itself."""
        return value


register_url_convertor("anything", Anything())


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
    route("/threads/{thread:anything}/trace", trace_page),
    route("/threads/{thread:anything}/report", report_page),
    route("/threads/{thread:anything}", thread_facts),
    route("/{anything:anything}", nothing),
]
