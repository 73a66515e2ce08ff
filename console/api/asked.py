"""What a request asks for. Anything may come in: what makes no sense is refused, in words."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path

from starlette.requests import Request

from configs.errors import UsageError
from configs.root import resolve_root, starting_point

LONGEST_PATH = 4096
"""Characters; PATH_MAX of Linux."""
LONGEST_TEXT = 8000
"""Characters of a query, as many as of a question."""
LONGEST_THREAD = 1000
_SHOWN = 40


def server_root() -> Path:
    """The directory the server serves, by whose settings it keeps its threads; blocking."""
    return resolve_root(os.fspath(starting_point()))


def root_of(request: Request) -> Path:
    """The directory a request is about; the server's own if it names none. Blocking.

    Raises:
        RootMissing: there is no such directory.
        UsageError: it is a file, cannot be read, or can be none.
    """
    named = text_of(request, "root", LONGEST_PATH)
    return resolve_root(named) if named else server_root()


def text_of(request: Request, name: str, longest: int = LONGEST_TEXT) -> str:
    """A text of the query string; empty if it is left out.

    Raises:
        UsageError: it is too long, given twice, or holds what no text does.
    """
    given = request.query_params.getlist(name)
    if len(given) > 1:
        raise UsageError(f"{name} is given {len(given)} times.", "Give it once.")
    return checked(given[0], name, longest) if given else ""


def number_of(request: Request, name: str, default: int, least: int, most: int) -> int:
    """A whole number of the query string, within bounds; the default if it is left out or empty.

    Raises:
        UsageError: it is none, or out of bounds.
    """
    text = text_of(request, name)
    if not text:
        return default
    # int() takes digits of every script, signs, blanks and underscores.
    digits = text.isascii() and text.isdigit() and len(text) < 10
    if not digits or not least <= int(text) <= most:
        raise UsageError(
            f"{name} is {text[:_SHOWN]!r}, which is no whole number from {least} to {most}.",
            "Give one, or leave it out.",
        )
    return int(text)


def choice_of(request: Request, name: str, choices: Collection[str]) -> str:
    """One of several words; the first of them if it is left out or empty.

    Raises:
        UsageError: it is another.
    """
    text = text_of(request, name)
    if text and text not in choices:
        raise UsageError(f"{name} is {text[:_SHOWN]!r}.", f"Choose among {', '.join(choices)}.")
    return text or next(iter(choices))


def thread_of(request: Request) -> str:
    """The name of the thread a request is about, which need not exist.

    Raises:
        UsageError: it is too long, or holds what no text does.
    """
    return checked(str(request.path_params["thread"]), "The thread's name", LONGEST_THREAD)


def checked(text: str, name: str, longest: int) -> str:
    """A text that files, databases and answers can hold.

    Raises:
        UsageError: it is too long, or holds a NUL or half a character.
    """
    if len(text) > longest:
        raise UsageError(f"{name} has {len(text)} characters.", f"Give at most {longest}.")
    if "\0" in text or any("\ud800" <= sign <= "\udfff" for sign in text):
        raise UsageError(f"{name} holds a NUL or half a character.", "Take it out.")
    return text
