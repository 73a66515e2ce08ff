"""What every section of the settings is."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict


class Section(BaseModel):
    """A settings section: unknown keys are errors, values are immutable."""

    model_config = ConfigDict(extra="forbid", frozen=True)


@dataclass(frozen=True)
class Location:
    """Marks a setting that names a place on the disk; `configs/locations.py` says which it may name.

    Attributes:
        servers: beginnings of values that are addresses of a server instead.
    """

    servers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reserved:
    """Marks a setting that only the user's own sources may give; a map's mark holds for all below it.

    `configs/privileges.py` holds the rule of this mark and of those below.

    Attributes:
        why: what a repository from elsewhere would otherwise do.
        where_unset: a project may give it all the same where the user's own sources give nothing.
    """

    why: str
    where_unset: bool = False


@dataclass(frozen=True)
class Ceiling:
    """Marks a choice that a project may lower and not raise above what the user's own sources say.

    Attributes:
        order: values from the lowest to the highest. One that is not named here lies below the highest and
            beside all others.
    """

    order: tuple[object, ...]

    def admits(self, value: object, most: object) -> bool:
        """Whether a value is no more than another."""
        if value == most or most == self.order[-1]:
            return True
        known = value in self.order and most in self.order
        return known and self.order.index(value) < self.order.index(most)


@dataclass(frozen=True)
class Address:
    """Marks the address of a server; one that only a project names must be of this machine.

    Attributes:
        kind: what is asked there. Naming a server once allows it wherever the same is asked.
    """

    kind: str


@dataclass(frozen=True)
class KeyName:
    """Marks the name of a variable whose content is sent to the address beside it."""
