"""Settings of telemetry: spans and counters of runs, kept in a file or sent to a server of one's own."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from configs.section import Location, Reserved, Section

_CHOSEN_SERVER = "what your runs do would be told to a server it chose"
_CHOSEN_KEY = "what the variable holds would be sent"


class TelemetrySettings(Section):
    """Nothing is recorded unless `file` or `endpoint` is set; both may be."""

    file: Annotated[str | None, Location()] = Field(
        None, description="File that gets spans and counters as OTLP JSON, a line each; relative to the root."
    )
    endpoint: Annotated[str | None, Reserved(_CHOSEN_SERVER)] = Field(
        None,
        description="OTLP/HTTP address, e.g. http://localhost:4318; sovereign allows this machine only.",
    )
    headers_env: Annotated[str | None, Reserved(_CHOSEN_KEY)] = Field(
        None, description="Variable that holds headers for the endpoint, as NAME=VALUE,NAME=VALUE."
    )
    content: Annotated[bool, Reserved("what you ask and what is found would be recorded")] = Field(
        False,
        description="Record goals, prompts, replies, calls and outputs, secrets redacted; "
        "otherwise their sizes and hashes.",
    )
    service_name: str = Field(
        "reflective-graph", min_length=1, max_length=200, description="What the records say they come from."
    )
