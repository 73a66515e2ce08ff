"""Verdicts on claims, from whole files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nodes.tutor.claims import Claim
from nodes.tutor.facts import Entry, Fact, Text
from nodes.tutor.proving.prove import prove
from nodes.tutor.proving.world import World
from nodes.tutor.verdicts import Verdict


def judged(
    files: Mapping[str, str | None], predicate: Any, subject: str, value: object, **rest: Any
) -> Verdict:
    """The verdict if exactly these files were read, each an observation of its name; None: it is absent."""
    facts: dict[str, tuple[Fact, ...]] = {
        path: (Text(path=path, text=text) if text is not None else Entry(path=path, kind="absent"),)
        for path, text in files.items()
    }
    return prove(Claim(predicate=predicate, subject=subject, value=value, **rest), World(facts))


def status(files: Mapping[str, str | None], predicate: Any, subject: str, value: object, **rest: Any) -> str:
    """Its status alone."""
    return judged(files, predicate, subject, value, **rest).status
