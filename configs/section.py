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
