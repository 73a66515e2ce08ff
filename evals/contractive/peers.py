"""Who reviews: the other model of S4 and the stronger one of S5, named or found on the Ollama server."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from models.identifiers import ModelId

OTHER, STRONG = "S4", "S5"
REVIEWED = ("S3", "S4", "S5", "S6")
_SIZE = re.compile(
    r"(?<![\w.])(?:(?P<experts>\d+)x)?(?P<number>\d+(?:\.\d+)?)(?P<scale>[bm])(?![a-z])", re.IGNORECASE
)
_FAMILY = re.compile(r"[a-z]+", re.IGNORECASE)

Installed = Callable[[], Sequence[str]]


@dataclass(frozen=True)
class Peer:
    """The reviewer of a scenario.

    Attributes:
        model: provider:model; empty where nobody reviews.
        told: how it came to be the one, for the report.
        options: what names it on the command line; empty if it was not named.
    """

    model: str
    told: str = ""
    options: tuple[str, ...] = ()


def peer_for(
    scenario: str, model: str, *, other: str | None, strong: str | None, installed: Installed
) -> Peer:
    """The reviewer of a model's answers.

    Args:
        scenario: S0 to S6.
        model: provider:model that answers.
        other: of another family, as asked for, or None.
        strong: larger and of the same family, as asked for, or None.
        installed: names the Ollama server has that can chat; asked only where nobody was named.
    """
    if scenario not in REVIEWED:
        return Peer("")
    if scenario not in (OTHER, STRONG):
        return Peer(model, "the model itself")
    if named := other if scenario == OTHER else strong:
        option = "--peer-model" if scenario == OTHER else "--strong-model"
        return Peer(named, "as asked for", (option, named))
    wanted = "another family" if scenario == OTHER else "a larger one of its family"
    parsed = ModelId.parse(model)
    if parsed.provider != "ollama":
        return Peer(model, f"the model itself: no model of {wanted} was named")
    fits = of_another_family if scenario == OTHER else larger_of_family
    found = fits(parsed.name, installed())
    if found is None:
        return Peer(model, f"the model itself: Ollama has none of {wanted}")
    return Peer(str(ModelId("ollama", found)), f"of {wanted}, as installed")


def family(name: str) -> str:
    """The family a model's name begins with: "qwen2.5:7b" is qwen, "library/llama3.2" llama."""
    match = _FAMILY.match(name.rpartition("/")[2])
    return match[0].lower() if match else name.lower()


def billions(name: str) -> float | None:
    """Parameters a name tells, in billions; None if it tells none."""
    match = _SIZE.search(name.partition(":")[2]) or _SIZE.search(name)
    if match is None:
        return None
    return (
        float(match["number"]) * int(match["experts"] or 1) / (1 if match["scale"].lower() == "b" else 1000)
    )


def of_another_family(name: str, installed: Sequence[str]) -> str | None:
    """The model of another family that is nearest in size; of equals the first."""
    others = [one for one in installed if family(one) != family(name)]
    size = billions(name)

    def apart(one: str) -> float:
        own = billions(one)
        return abs(own - size) if own is not None and size is not None else float("inf")

    return min(others, key=apart, default=None)


def larger_of_family(name: str, installed: Sequence[str]) -> str | None:
    """The largest model of the same family, if it is larger."""
    size = billions(name)
    if size is None:
        return None
    larger = [
        (own, one)
        for one in installed
        if family(one) == family(name) and (own := billions(one)) and own > size
    ]
    return max(larger, key=lambda pair: pair[0])[1] if larger else None
