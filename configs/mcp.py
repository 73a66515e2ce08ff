"""Servers of the Model Context Protocol whose tools a plan may use, section `mcp` of the settings."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import Field, field_validator, model_validator

from configs.redaction import escaped
from configs.section import Reserved, Section

# A tool is named `server.tool`, so no dot; and it is the first word of a command, so nothing a reader of
# commands would take for a quote, a blank or a sign.
SERVER_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,31}")


class McpConnection(Section):
    """How a server is reached: a program on this machine, or an address."""

    command: tuple[str, ...] = Field(
        (),
        description="Program and arguments of a server on this machine, spoken to over its pipes. It starts "
        "in an empty directory, so paths are written in full.",
    )
    url: str | None = Field(None, description="Address of a server that is reached over HTTP, instead.")
    env: tuple[str, ...] = Field((), description="Names of variables the program gets besides PATH and HOME.")
    local: bool = Field(
        False, description="The program asks nothing of a network, so that profile sovereign may use it."
    )

    @field_validator("url")
    @classmethod
    def _over_http(cls, url: str | None) -> str | None:
        if url is not None and not url.startswith(("http://", "https://")):
            raise ValueError("it begins with http:// or https://")
        return url

    @model_validator(mode="after")
    def _one_way(self) -> McpConnection:
        if bool(self.command) == bool(self.url):
            raise ValueError("give either command or url")
        if self.local and self.url:
            raise ValueError("a server that is reached by url is not local: give its command")
        if self.command and "/" in self.command[0] and not self.command[0].startswith("/"):
            raise ValueError("write the path of the program in full, or its bare name if it is on the PATH")
        return self


class ToolServer(McpConnection):
    """A server whose tools are named `NAME.tool` in plans."""

    timeout: float = Field(
        30.0, gt=0, le=600, description="Seconds one call may take; graph.timeout_per_step holds as well."
    )
    tools: tuple[str, ...] = Field((), description="Tools of it that may be used; empty: all it lists.")
    read_only: tuple[str, ...] = Field(
        (),
        description="Tools that you vouch only read, whatever the server says of them. Any other counts as "
        "one that changes something: it is shown, approved and written down before it is called.",
    )

    @model_validator(mode="after")
    def _read_only_is_allowed(self) -> ToolServer:
        left_out = sorted(set(self.read_only) - set(self.tools)) if self.tools else []
        if left_out:
            raise ValueError(f"read_only names what tools leaves out: {', '.join(left_out)}")
        return self


class McpSettings(Section):
    """Tools that come from servers."""

    servers: Annotated[dict[str, ToolServer], Reserved("its program would run, or its server be asked")] = (
        Field(default_factory=dict, description="Servers, by names of your choice.")
    )

    @field_validator("servers")
    @classmethod
    def _names(cls, servers: dict[str, ToolServer]) -> dict[str, ToolServer]:
        for name in servers:
            if not SERVER_NAME.fullmatch(name):
                raise ValueError(
                    f"{escaped(name)[:60]!r} cannot name a server: that takes a letter, then at most 31 "
                    "letters, digits, - and _"
                )
        return servers
