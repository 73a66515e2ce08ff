"""Pictures in pages that are drawn from the sources; the comment before each says of what it is.

<!-- reflect graph --graph ensemble --mermaid -->    what that command prints
<!-- imports of all packages -->                     which package imports which
<!-- imports within nodes -->                        the same for the sub-packages of one
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from functools import cache

from cli.main import parser
from tests.docs.import_map import map_of_packages, map_within

_PICTURE = re.compile(r"<!-- (reflect graph [^>]*?|imports [^>]*?) -->\n```mermaid\n(.*?)```", re.DOTALL)


@cache
def drawn(what: str) -> str:
    """The picture a comment asks for, as Mermaid source.

    Raises:
        ValueError: no such picture can be drawn.
    """
    if what.startswith("reflect graph "):
        arguments = parser().parse_args(shlex.split(what)[1:])
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            arguments.run(arguments)
        return printed.getvalue()
    if what == "imports of all packages":
        return map_of_packages()
    if what.startswith("imports within "):
        return map_within(what.removeprefix("imports within "))
    raise ValueError(f"nobody draws {what!r}")


def redrawn(text: str) -> str:
    """A page with its pictures drawn anew."""
    return _PICTURE.sub(lambda found: f"<!-- {found[1]} -->\n```mermaid\n{drawn(found[1])}```", text)


def pictures(text: str) -> list[str]:
    """What the pictures of a page are of."""
    return [found[1] for found in _PICTURE.finditer(text)]
