"""The stock of names and sentence patterns that worlds are written with."""

from __future__ import annotations

from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field

from evals.research.values import Kind, Language

PLACE = Path(__file__).parent / "prose"
Patterns = dict[Language, Any]
Words = dict[Language, str]


class Strict(BaseModel):
    """Refuses what it does not know: a slip in a file is told when it is read."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Frame(Strict):
    """One thing that can be said of a subject.

    Attributes:
        kind: of its value.
        unit: key of values.UNITS, for measures.
        when: year: one value a year; state: the value of now; none: it does not change.
        range: smallest and largest amount.
        noun: what is counted or measured, for general patterns.
        counted: words after the figure of a count.
        ask: a question without its mark.
        source: sentence patterns of documents, by language, and by side where the value has sides.
        report: those of somebody who retells it.
    """

    kind: Kind
    unit: str = ""
    when: str
    range: tuple[Decimal, Decimal] = (Decimal(0), Decimal(0))
    noun: Words
    counted: Words = Field(default_factory=dict)
    ask: Words
    source: Patterns
    report: Patterns


class Topic(Strict):
    """What subjects of one sort are called, and what can be said of them."""

    names: list[Words]
    about: Words
    frames: dict[str, Frame]


class Register(Strict):
    """How one sort of text is written around its facts."""

    title: list[str]
    opening: list[str]
    suffix: list[str] = [""]
    prefix: list[str] = [""]
    bullets: bool = False
    lines: bool = False
    filler: list[str]
    closing: list[str]


class Site(Strict):
    """Who publishes, and how far they are to be trusted: tier 1 most, 5 least, 0 unknown."""

    name: str
    domain: str
    tier: int
    type: str


class Stock(Strict):
    """Everything that worlds draw from."""

    topics: dict[str, Topic]
    places: list[Words]
    people: list[Words]
    roles: list[Words]
    quotes: list[dict[Language, tuple[str, str]]]
    sites: dict[str, list[Site]]
    registers: dict[Language, dict[str, Register]]
    injections: dict[Language, list[str]]


@cache
def stock() -> Stock:
    """The files of `prose/`, read once."""
    topics: dict[str, Any] = {}
    for path in sorted(PLACE.glob("topics_*.yaml")):
        topics |= _mapping(path)
    registers = _mapping(PLACE / "registers.yaml")
    injections = registers.pop("injections")
    return Stock.model_validate(
        {
            "topics": topics,
            "registers": registers,
            "injections": injections,
            **_mapping(PLACE / "people_and_places.yaml"),
        }
    )


def _mapping(path: Path) -> dict[str, Any]:
    # The C reader takes a tenth of the time, and not every PyYAML has it.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return dict(yaml.load(path.read_text("utf-8"), Loader=loader))
