"""Python modules and the ways one imports from another."""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Module:
    """A module, and the file it stands in.

    Attributes:
        dotted: its name, from the directory that is on the path; "" for a script outside all packages.
        path: of its file.
    """

    dotted: str
    path: str

    @property
    def package(self) -> list[str]:
        """Parts of the name of the package its relative imports start from."""
        parts = self.dotted.split(".") if self.dotted else []
        return parts if self.path.endswith("__init__.py") else parts[:-1]


def module_of(dotted: str, above: str = "") -> Module:
    """A module that is no package, in a directory that ends with "/" or is ""."""
    return Module(dotted, f"{above}{dotted.replace('.', '/')}.py")


def package_of(dotted: str, above: str = "") -> Module:
    """A package, in a directory that ends with "/" or is ""."""
    return Module(dotted, f"{above}{dotted.replace('.', '/')}/__init__.py")


def written_from(rng: random.Random, here: Module, there: Module) -> str:
    """How `here` may name `there` in a from-import: absolute, or relative where they share a package."""
    package, target = here.package, there.dotted.split(".")
    shared = 0
    while shared < min(len(package), len(target)) and package[shared] == target[shared]:
        shared += 1
    rest = ".".join(target[shared:])
    if not shared or not rest or rng.random() < 0.4:
        return there.dotted
    return "." * (len(package) - shared + 1) + rest


def from_import(rng: random.Random, source: str, name: str, here: str) -> list[str]:
    """Lines that import a name under the name it has here."""
    one = name if name == here else f"{name} as {here}"
    if rng.random() < 0.7:
        return [f"from {source} import {one}"]
    return [f"from {source} import (", f"    {one},", ")"]
