"""A run as one JSON document that can be handed on and read again.

It has all that decided the run (limits, models, seed, versions), what came of it, and how: the tree, passes,
events and costs. Secrets and paths of this machine are taken out; of the material a question was asked about
it names only the length and the SHA-256.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from configs.contractive import ContractiveSettings
from configs.errors import UsageError
from configs.redaction import path_text
from nodes.contractive.events import EventLine, events_of
from nodes.contractive.portable import machine_directories, portable
from nodes.contractive.state import (
    ContractiveState,
    Metrics,
    Pass,
    Question,
    RunStop,
    Said,
    Status,
)
from nodes.reflective.state import Failure

Format = Literal["reflective-graph contractive trace"]
FORMAT: Format = "reflective-graph contractive trace"
LARGEST = 256_000_000
"""Bytes of a file that is read; a longer one is no trace."""
PACKAGES = ("reflective-graph", "langgraph", "langchain-core", "pydantic")


class Material(BaseModel):
    """What a question was asked about, without its text."""

    characters: int = 0
    sha256: str = ""


class Parameters(BaseModel):
    """What decided the run.

    Attributes:
        limits: the settings, every field decided.
        model, peer: provider:model; a file by its name alone.
        judge: True if a model settled what code could not tell of two answers.
        seed: of every sample.
        context: the material.
        versions: of Python and of the packages that matter.
    """

    limits: ContractiveSettings
    model: str
    peer: str
    judge: bool
    seed: int
    context: Material
    versions: dict[str, str]


class Trace(BaseModel):
    """A run; the fields that are not described here are those of `ContractiveState`.

    Attributes:
        format, version: by which a file is known to be one.
        answer: for people; empty without one.
        tree: questions by id; their events are among the others.
        events: of the tree and of the run, each once, in order of time.
    """

    model_config = ConfigDict(extra="forbid")

    format: Format = FORMAT
    version: Literal[1] = 1
    run_id: str
    began: str
    parameters: Parameters
    question: str
    clarification: str | None
    asked_before: list[Said]
    answer: str
    short_answer: str
    confidence: float
    status: Status
    stop_reason: RunStop | None
    hindrances: list[str]
    tree: dict[str, Question]
    passes: list[Pass]
    events: list[EventLine]
    metrics: Metrics
    notes: list[str]
    failure: Failure | None
    evidence: list[str] = Field(default_factory=list)


def trace_of(state: ContractiveState | Mapping[str, Any], root: Path) -> Trace:
    """The trace of a run, or of as much of it as was done.

    Args:
        state: of the run, or its JSON.
        root: the project, whose path is taken out.
    """
    given = state if isinstance(state, ContractiveState) else ContractiveState.model_validate(state)
    values = given.model_dump(mode="json")
    told = {
        name: values[name]
        for name in Trace.model_fields
        if name in values and name not in ("tree", "events", "format", "version")
    }
    told |= {
        "answer": values["final_answer"],
        "tree": {name: {**one, "events": []} for name, one in values["tree"].items()},
        "events": [event.model_dump(mode="json") for event in events_of(given)],
        "parameters": {
            "limits": values["limits"],
            **{name: _by_name(values[name]) for name in ("model", "peer")},
            **{name: values[name] for name in ("judge", "seed")},
            "context": {
                "characters": len(given.context),
                "sha256": hashlib.sha256(given.context.encode("utf-8", "backslashreplace")).hexdigest(),
            },
            "versions": _versions(),
        },
    }
    return Trace.model_validate(portable(told, machine_directories(root)))


def trace_text(trace: Trace) -> str:
    """The document, JSON with an indent of two and a new line at its end."""
    return json.dumps(trace.model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n"


def read_trace(path: Path) -> Trace:
    """Read what `trace_text` wrote.

    Raises:
        UsageError: the file cannot be read, or holds no such trace.
    """
    remedy = "Name a file that `reflect think --export-trace` wrote."
    try:
        if not path.is_file():
            raise UsageError(f"{path_text(path)} is no file.", remedy)
        with path.open("rb") as stream:
            data = stream.read(LARGEST + 1)
    except OSError as error:
        raise UsageError(f"{path_text(path)} cannot be read: {error.strerror or error}.", remedy) from error
    if len(data) > LARGEST:
        raise UsageError(f"{path_text(path)} is too large for a trace.", remedy)
    try:
        return Trace.model_validate_json(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "its beginning"
        raise UsageError(
            f"{path_text(path)} is no trace of `reflect think`: at {where}, {first['msg']}.", remedy
        ) from error


def _by_name(model: str) -> str:
    """provider:model, a file of this machine by its name alone."""
    provider, _, name = model.partition(":")
    return f"{provider}:{Path(name).name}" if provider in ("embedded", "scripted") and name else model


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:  # run from a checkout that is not installed
            found[name] = "unknown"
    return found
