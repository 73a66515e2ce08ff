"""About: what the page needs before anything else."""

from __future__ import annotations

import asyncio
import os
from importlib.metadata import version

from starlette.requests import Request

from configs.errors import ReflectError
from console.access import is_welcome, token_required
from console.api.asked import server_root
from console.api.graphs import graphs
from console.api.thread_places import places_of, recent_roots
from console.shapes import About

DISTRIBUTION = "reflective-graph"


def about(request: Request) -> About:
    """Version, graphs and recent roots; blocking."""
    return about_for(known=is_welcome(request), token=token_required())


def about_for(*, known: bool, token: bool) -> About:
    """What somebody is told; blocking.

    Args:
        known: whether the request came with what is needed; if not, no path of this machine is named.
        token: whether a token is needed.
    """
    root = os.fspath(server_root()) if known else None
    roots, notes = _recent() if known else ((), ())
    return About(
        version=version(DISTRIBUTION),
        token_required=token,
        welcome=known,
        default_root=root,
        roots=roots,
        graphs=graphs(),
        notes=notes,
    )


def _recent() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Roots of recent runs, and what is in the way of reading them."""
    try:
        return tuple(asyncio.run(recent_roots(places_of(server_root())))), ()
    except ReflectError as error:
        # The page can do without; what is wrong is told on it.
        return (), (str(error),)
