"""What is said of one fact of an audit: a sentence made by code, with kernel, place and figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from configs.redaction import escaped
from tools.audit.kernels import Kernel
from tools.audit.report import Skipped

Weight: TypeAlias = Literal["info", "low", "medium", "high"]
WEIGHTS: dict[str, int] = {"high": 0, "medium": 1, "low": 2, "info": 3}
"""Severities, the heaviest first."""


class Claim(BaseModel):
    """A statement about one place, which a kernel's fact holds.

    Attributes:
        claim: a sentence, without its place.
        kernel: whose fact it is.
        file, line, end_line: where.
        severity: of a finding the scanner's; of a figure "medium" above its limit, "high" from twice of it
            on, else "info".
        measured: the figure it rests on; None where it rests on none.
        rule: machine-readable kind, e.g. "cyclomatic" or "B602".
        name: of the function, class or module it is about; empty without one.
        also: claims of other kernels about the same line.
    """

    model_config = ConfigDict(frozen=True)

    claim: str
    kernel: Kernel
    file: str
    line: int = Field(ge=1)
    end_line: int = Field(ge=1)
    severity: Weight = "info"
    measured: float | None = None
    rule: str = ""
    name: str = ""
    also: tuple[Claim, ...] = ()

    @property
    def place(self) -> str:
        """file:line, as editors and terminals open it."""
        return f"{escaped(self.file)}:{self.line}"


@dataclass(frozen=True)
class Row:
    """A fact as questions see it.

    Attributes:
        claim: what is said of it.
        measure: what it is ranked and compared by.
        files: it is about.
        names: it can be called by.
        tags: other properties a question can ask for, e.g. "rule:B602".
    """

    claim: Claim
    measure: float
    files: tuple[str, ...]
    names: tuple[str, ...] = ()
    tags: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Coverage:
    """What a kernel looked at; a statement that there is nothing holds for this only.

    Attributes:
        files: it looked at.
        others: files of the tree it does not look at, such as those of other languages.
        skipped: files it had to leave out, and why.
        reads: what it reads, in words, e.g. "Python".
        absent: why the kernel says nothing at all; empty if it does.
    """

    files: tuple[str, ...]
    others: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = field(default=())
    reads: str = ""
    absent: str = ""


def code(name: str) -> str:
    """A name as it stands in a sentence."""
    return f"`{escaped(name).replace('`', chr(39))}`"


def counted(number: float, one: str, more: str) -> str:
    """A number with its noun: "1 file", "2 files"."""
    return f"{figure(number)} {one if number == 1 else more}"


def figure(number: float) -> str:
    """A figure as it is written: whole without a point, else with two digits behind it at most."""
    return str(int(number)) if float(number).is_integer() else f"{number:.2f}".rstrip("0").rstrip(".")


def weight_of(measured: float, limit: float | None) -> Weight:
    """How far a figure is above its limit; without one it is just told."""
    if limit is None or measured <= limit:
        return "info"
    return "high" if measured >= 2 * limit else "medium"


def heaviest_first(claims: Sequence[Claim]) -> list[Claim]:
    """Claims by severity, those of one severity in their order."""
    return sorted(claims, key=lambda one: WEIGHTS[one.severity])
