"""The routes of `/console/api`."""

from __future__ import annotations

from starlette.routing import Route

ROUTES: list[Route] = []
