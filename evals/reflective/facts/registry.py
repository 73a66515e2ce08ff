"""Facts by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Value = int | str | list[str]
Fact = Callable[..., Value]
Computing = TypeVar("Computing", bound=Fact)
FACTS: dict[str, Fact] = {}


def fact(function: Computing) -> Computing:
    """Register a function under its own name."""
    FACTS[function.__name__] = function
    return function
